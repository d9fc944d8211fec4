"""The order of the frames of a connection: whether any are missing, whether they come late, whose turn it is.

Who audits must know that frames are missing before the next one of that direction comes. A reply is captured before anybody
sees that its request was not. So it is told as soon as the octets that come next are missing: the quarantine has where.

What a side sent is held back where its beginning was not captured, or while a packet is missed: then it comes after that
which the other side sent later, and what was said of that may have been wrong.

A capture may also have the packets of both sides in another order than they were sent: a network card with several queues,
or a mirror port, swaps neighbours. So what seems to come before that which it needs, such as a reply before its request, is
held back until the next packet of the other side has been looked at; only then is it certain. An error that the other side
is told of by a close method is no such explanation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ..capture.quarantine import Reason
from .connection_frames import AuditConnection, AuditFrame

# So many frames are held back: one packet may have as many. Of a few each one is asked whether it is its turn then; of more
# only the first one was.
_MOST, _FEW = 8192, 64
_SIDES = ("client", "server")
_LEDGER = ("gap", "skipped", "tail")
# What is in the quarantine and leaves no hole between frames.
_NO_HOLE = frozenset((Reason.OVERLAP_CONFLICT.value, Reason.NO_DATA.value))
_WITH_FRAME = "decode"  # the stage of frames that are there and could not be decoded


class Ordered(Protocol):
    """Who takes frames in their order."""

    def take(self, frame: AuditFrame, has_to: bool) -> bool:
        """Take a frame. Return False, and do nothing, if it is not its turn and it does not have to be."""

    def is_reaction(self, wrong: AuditFrame, frame: AuditFrame) -> bool:
        """Whether a frame, the second one, is what the other side has to say of an error in the first one."""

    def come_late(self, frame: AuditFrame, is_first: bool) -> None:
        """A frame was sent before one of the other side that came already; ``is_first`` if it is the first of its side."""

    def lose(self, direction: int) -> None:
        """Frames of a direction are missing."""


class FrameOrder:
    """Passes the frames of a connection on, each in its turn, and tells where some are missing or late.

    Attributes:
        is_blind: By direction, whether what comes next was not captured: the other side may answer that.
    """

    __slots__ = ("_auditor", "_continuity", "_packets", "_turns", "is_blind")

    def __init__(self, connection: AuditConnection, auditor: Ordered) -> None:
        """Before the first frame.

        Args:
            connection: The connection.
            auditor: Takes the frames.
        """
        self._auditor = auditor
        self._continuity = Continuity(connection)
        self._packets = PacketOrder()
        self._turns = Turns(auditor.take, auditor.is_reaction)
        self.is_blind = [self._continuity.is_broken_at_start(direction) for direction in (0, 1)]

    def feed(self, frame: AuditFrame) -> None:
        """Take the next frame of the capture."""
        continuity, packets, turns, direction = self._continuity, self._packets, self._turns, frame.direction
        if packets.is_late(frame):
            self._auditor.come_late(frame, packets.is_first)
        if continuity.is_broken_by(frame):
            self._auditor.lose(direction)
        self.is_blind[direction] = False
        if turns.held:
            turns.feed(frame)
        elif not self._auditor.take(frame, False):
            turns.hold(frame)
        if continuity.is_broken_after(frame):
            self.is_blind[direction] = True
            self._auditor.lose(direction)

    def release_all(self) -> None:
        """Nothing more comes, or it does not matter any more: pass on what is held back."""
        self._turns.release_all()


class Turns:
    """Passes frames on, each in its turn. Its size is bounded.

    Attributes:
        held: What is held back; all of it is of one direction.
    """

    __slots__ = ("_explains", "_is_reaction", "_take", "held")

    def __init__(
        self,
        take: Callable[[AuditFrame, bool], bool],
        is_reaction: Callable[[AuditFrame, AuditFrame], bool],
    ) -> None:
        """Begin with nothing held back.

        Args:
            take: Takes a frame. It returns False, and does nothing, if it is not its turn; unless it is told, by the second
                argument, that it has to.
            is_reaction: Whether a frame, the second one, is what the other side has to say of an error in the first one.
        """
        self._take = take
        self._is_reaction = is_reaction
        self.held: list[AuditFrame] = []
        self._explains: tuple[int | None, int | None] | None = None  # the packet of the other side since

    def feed(self, frame: AuditFrame) -> None:
        """Pass on the next frame, or hold it back."""
        if not self.held:
            if not self._take(frame, False):
                self.hold(frame)
            return
        held, packet = self.held, (frame.file_no, frame.pkt_no)
        if frame.direction == held[0].direction:
            if self._explains is None and len(held) < _MOST:
                held.append(frame)
                return
        elif self._may_explain(frame, packet) and self._take(frame, False):
            self._explains = packet
            return
        self.release()
        self.feed(frame)

    def hold(self, frame: AuditFrame) -> None:
        """Hold back a frame whose turn it is not. To be called when nothing is held back."""
        self.held.append(frame)
        self._explains = None

    def _may_explain(self, frame: AuditFrame, packet: tuple[int | None, int | None]) -> bool:
        """Whether what is held back may need a frame. Not if that is not due either: it needs what is held back."""
        return self._explains in (None, packet) and not self._is_reaction(self.held[0], frame)

    def release(self) -> None:
        """Nothing is to be waited for any more."""
        held, self.held, self._explains = self.held, [], None
        has_to = len(held) > _FEW
        for place, frame in enumerate(held):
            if self.held or not self._take(frame, has_to or not place):
                self.held.append(frame)

    def release_all(self) -> None:
        """Nothing more comes, or it does not matter any more."""
        while self.held:
            self.release()


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


class Continuity:
    """Where the next frames should begin, and where octets are missing."""

    __slots__ = ("_expected", "_holes")

    def __init__(self, connection: AuditConnection) -> None:
        """Before the first frame.

        Args:
            connection: The connection.
        """
        self._expected = [0, 0]
        self._holes: list[list[int]] = [_holes(connection, 0), _holes(connection, 1)]

    def is_broken_at_start(self, direction: int) -> bool:
        """Whether octets of a direction are missing before its first frame, or it is not known where they are."""
        return self._reaches_hole(direction)

    def is_broken_by(self, frame: AuditFrame) -> bool:
        """Whether something is missing before a frame. To be called for each, once."""
        expected = self._expected
        is_broken = frame.offset != expected[frame.direction]
        expected[frame.direction] = frame.offset + frame.size
        return is_broken

    def is_broken_after(self, frame: AuditFrame) -> bool:
        """Whether octets after a frame are missing, which was given to ``is_broken_by`` just now."""
        return bool(self._holes[frame.direction]) and self._reaches_hole(frame.direction)

    def _reaches_hole(self, direction: int) -> bool:
        holes, expected = self._holes[direction], self._expected[direction]
        is_there = False
        while holes and holes[-1] <= expected:
            holes.pop()
            is_there = True
        return is_there


def _holes(connection: AuditConnection, direction: int) -> list[int]:
    """Where octets are missing, the first at the end."""
    rows = [
        row
        for row in connection.quarantined
        if row.get("dir") == direction
        and row.get("stage") != _WITH_FRAME
        and row.get("reason") not in _NO_HOLE
        and row.get("stream_off") is not None
    ]
    side = _SIDES[direction]
    missing = sum(connection.facts.get(f"{side}_bytes_{part}") or 0 for part in _LEDGER)
    if sum(row.get("length") or 0 for row in rows) < missing:
        return [0]  # the quarantine does not keep all of a capture in which very much is missing
    return sorted((row["stream_off"] for row in rows), reverse=True)
