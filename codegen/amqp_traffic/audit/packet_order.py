"""Whether frames come in the order of their packets.

What a side sent is held back where its beginning was not captured, or while a packet is missed: then it comes after
that which the other side sent later, and what was said of that may have been wrong.
"""

from __future__ import annotations

from .connection_frames import AuditFrame


class PacketOrder:
    """The packets of the last frames.

    Attributes:
        is_first: Whether the frame that came late was the first one of its side.
    """

    __slots__ = ("_latest", "is_first")

    def __init__(self) -> None:
        """Before the first frame."""
        self._latest: list[tuple[int, int] | None] = [None, None]  # by direction
        self.is_first = False

    def is_late(self, frame: AuditFrame) -> bool:
        """Whether a frame begins before one of the other side that came already. To be called for each, once."""
        latest, direction = self._latest, frame.direction
        packet = frame.file_no or 0, frame.pkt_no or 0
        other = latest[1 - direction]
        if other is not None and packet < other:
            self.is_first = latest[direction] is None
            latest[direction] = packet
            return True
        latest[direction] = packet
        return False


def place_of_packet(frame: AuditFrame) -> tuple[int, int]:
    """Where the packet is in which a frame begins: they can be compared."""
    return frame.file_no or 0, frame.pkt_no or 0
