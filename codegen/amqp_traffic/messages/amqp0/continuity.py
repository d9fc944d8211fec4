"""Detection of frames that are missing between the events of a 0-x connection."""

from __future__ import annotations

from ...decode.events import Event
from ...frames.formats import OVERHEAD0


class EventContinuity:
    """The offsets at which the next frames should begin, to detect missing frames.

    Heartbeats and protocol headers, of eight octets each, make no events. Frame numbers tell how many there are. Any
    other gap in a stream means that octets were lost or were not frames.

    Attributes:
        expected: The offset by direction; -1 before the first event.
        events: The number of frames with an event so far.
    """

    __slots__ = ("_quiet", "events", "expected")

    def __init__(self) -> None:
        self.expected = [-1, -1]
        self.events = 0
        self._quiet = 0

    def is_broken_by(self, event: Event) -> bool:
        """True if frames are missing before an event that does not begin at the expected offset."""
        _, frame_no, direction, _, _, _, _, offset, _ = event
        expected = self.expected[direction]
        if expected < 0:
            self._quiet += offset == OVERHEAD0  # the protocol header
            return False
        quiet, rest = divmod(offset - expected, OVERHEAD0)
        self._quiet += quiet
        if rest or quiet < 0 or self._quiet > frame_no - self.events:
            self._quiet = frame_no - self.events
            return True
        return False
