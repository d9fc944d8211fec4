"""Whether frames of a 0-x connection are missing between events.

There are no events of heartbeats and of protocol headers, which have eight octets each. How many they are is known
from the numbers of frames; so any other gap in a stream means that octets were lost, or were no frames.
"""

from __future__ import annotations

from ...decode.events import Event

_OVERHEAD = 8  # of a frame, and the size of a frame without payload


class EventContinuity:
    """Where the next frames should begin.

    Attributes:
        expected: The offset by direction; -1 before the first event.
        events: How many there were.
    """

    __slots__ = ("_quiet", "events", "expected")

    def __init__(self) -> None:
        """Before the first event."""
        self.expected = [-1, -1]
        self.events = 0
        self._quiet = 0

    def is_broken_by(self, event: Event) -> bool:
        """Whether something is missing before an event that does not begin where it should."""
        _, frame_no, direction, _, _, _, _, offset, _ = event
        expected = self.expected[direction]
        if expected < 0:
            self._quiet += offset == _OVERHEAD  # the protocol header
            return False
        quiet, rest = divmod(offset - expected, _OVERHEAD)
        self._quiet += quiet
        if rest or quiet < 0 or self._quiet > frame_no - self.events:
            self._quiet = frame_no - self.events
            return True
        return False
