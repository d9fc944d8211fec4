"""The bound of what connections hold until a later frame: unsettled messages, open requests, consumers, links, channels.

A connection that holds too much forgets all of it: its messages and requests are written as they are, and it goes on as if it were
captured from there on. Counts of kinds have bounds of their own, by channel or session; this is the one of their sum. It counts for
each connection, so that rows are the same however a capture is shared out. Only where all connections of a share together
hold too much does it matter which they are.
"""

from __future__ import annotations

# Messages, requests, consumers and ends of links count once, channels and sessions sixteen times.
MOST_HELD = 96 << 10
MOST_HELD_TOGETHER = 192 << 10
CHANNEL_WEIGHT = 16

_FIRST_LOOK = 16  # events
_MOST_BETWEEN_LOOKS = 1024


class HeldTogether:
    """What all connections of a share hold, as far as they were looked at.

    Attributes:
        count: The sum.
    """

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0


class HeldItems:
    """What a connection holds. It is counted now and then.

    Attributes:
        next_look: The number of events of the connection from which on it is to be counted.
    """

    __slots__ = ("_count", "_together", "next_look")

    def __init__(self, together: HeldTogether) -> None:
        self._together = together
        self._count = 0
        self.next_look = _FIRST_LOOK

    def is_too_much(self, count: int, events: int) -> bool:
        """Take the count after so many events. Return whether it has to be forgotten."""
        self.next_look = events + min(events, _MOST_BETWEEN_LOOKS)
        together = self._together
        together.count += count - self._count
        self._count = count
        return count > MOST_HELD or (together.count > MOST_HELD_TOGETHER and count > _FIRST_LOOK)

    def clear(self) -> None:
        """Note that nothing is held any more."""
        self._together.count -= self._count
        self._count = 0
