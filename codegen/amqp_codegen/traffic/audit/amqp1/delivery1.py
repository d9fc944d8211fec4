"""Deliveries of a session of AMQP 1.0 that go one way: their numbers, and who has settled them (part 2, section 2.6.12)."""

from __future__ import annotations

from .setting1 import after, ahead

_MOST = 65_536


class Deliveries1:
    """The deliveries of a session in one direction. The size is bounded.

    Attributes:
        last: The delivery-id of the last one; None before the first.
    """

    __slots__ = ("_first", "_has_forgotten", "_has_gaps", "_settled", "last")

    def __init__(self) -> None:
        """Begin without."""
        self._first: int | None = None
        self.last: int | None = None
        self._has_forgotten = self._has_gaps = False
        # By delivery-id, whether sender and receiver have settled it; gone when both have.
        self._settled: dict[int, list[bool]] = {}

    def is_next(self, number: int) -> bool:
        """Whether this delivery-id comes after the last one; the first one may be any."""
        return self.last is None or number == after(self.last, 1)

    def add(self, number: int) -> None:
        """One is sent."""
        if self._first is None:
            self._first = number
        elif not self.is_next(number):
            self._has_gaps = self._has_forgotten = True
        self.last = number
        self._settled[number] = [False, False]
        if len(self._settled) > _MOST:
            del self._settled[next(iter(self._settled))]
            self._has_forgotten = True

    def has(self, first: int, last: int) -> bool:
        """Whether any of these has been sent, or may have been, as delivery-ids did not follow each other."""
        if self._first is None or self.last is None:
            return False
        return self._has_gaps or (ahead(last, self._first) >= 0 and ahead(first, self.last) <= 0)

    def settle(self, first: int, last: int, by_receiver: bool) -> bool:
        """A side settles these. Returns False if it had settled all of them before."""
        is_new = self._has_forgotten
        for number in self._between(first, last):
            settled = self._settled[number]
            is_new = is_new or not settled[by_receiver]
            settled[by_receiver] = True
            if all(settled):
                del self._settled[number]
        return is_new

    def _between(self, first: int, last: int) -> list[int]:
        count = ahead(last, first)
        if count > len(self._settled):
            return [number for number in self._settled if 0 <= ahead(number, first) <= count]
        numbers = (after(first, step) for step in range(count + 1))
        return [number for number in numbers if number in self._settled]
