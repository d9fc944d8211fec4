"""Numbers of messages that are still to be settled, oldest first. The size is bounded."""

from __future__ import annotations

_MOST = 65_536


class Outstanding:
    """Numbers that grow.

    Attributes:
        last: The highest so far; 0 before the first.
        forgotten: Up to this number, nothing is known of which are settled.
    """

    __slots__ = ("_numbers", "forgotten", "last")

    def __init__(self) -> None:
        """Begin without."""
        self._numbers: dict[int, None] = {}
        self.last = 0
        self.forgotten = 0

    def __contains__(self, number: int) -> bool:
        return number in self._numbers

    def add(self, number: int) -> None:
        """One more is to be settled."""
        self._numbers[number] = None
        self.last = max(self.last, number)
        if len(self._numbers) > _MOST:
            oldest = next(iter(self._numbers))
            del self._numbers[oldest]
            self.forgotten = max(self.forgotten, oldest)

    def settle(self, number: int) -> None:
        """One is settled."""
        self._numbers.pop(number, None)

    def settle_up_to(self, number: int) -> list[int]:
        """All up to one are settled; 0 stands for all. Returns which."""
        settled = []
        for each in self._numbers:
            if number and each > number:
                break
            settled.append(each)
        for each in settled:
            del self._numbers[each]
        return settled

    def clear(self) -> None:
        """All are settled."""
        self._numbers.clear()
