"""The order of the frames of a connection: which are missing, which come late, and whose turn it is.

Missing frames (``Continuity``). An auditor must know that frames are missing before the next frame of that direction comes:
otherwise it sees a reply without knowing that the request was not captured. So a loss is reported as soon as the next octets
of a direction are missing; the quarantine says where that is.

Time (``with_doubts``). Packets may be in the capture in another order than on the wire: network cards with several queues and
mirror ports do that. Or the clocks of two ports differ. If place and time of two packets of both sides contradict each other,
nobody knows which came first, and nothing that depends on it is reported about their frames.

Late frames (``PacketOrder``). A stream whose beginning or some packet was missed is read later. Its frames then come after
frames that the other side sent later, and findings about those may have been wrong.

Turns (``Turns``). Two packets may have swapped their time stamps, too. So a frame that seems to come before one that it needs,
such as a reply before its request, is held back until the next packet of the other side has been examined. A close method
that reports an error does not explain the error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from ..capture.quarantine import Reason
from ..capture.stream_data import SIDES
from .connection_frames import AuditConnection, AuditFrame

_MOST_HELD_FRAMES = 8192  # one packet may have as many
# Up to this number, each released frame is asked again whether it is its turn; of more, only the first was.
_MOST_FRAMES_ASKED_AGAIN = 64
_LEDGER = ("gap", "skipped", "tail")
# Reasons in the quarantine that leave no hole between frames.
_NO_HOLE = frozenset((Reason.OVERLAP_CONFLICT.value, Reason.NO_DATA.value, Reason.NOT_FOLLOWED.value))
_DECODE_STAGE = "decode"  # of frames that were captured but could not be decoded


# Frames by which a packet in the wrong place may be late.
_MOST_FRAMES_LATE = 256
# Frame numbers remembered before old ones are removed.
_MOST_DOUBTS = 65_536


def with_doubts(frames: Iterable[AuditFrame], doubtful: set[int]) -> Iterator[AuditFrame]:
    """Yield frames as they come. Before, add those to ``doubtful`` whose time contradicts their place.

    Args:
        frames: The frames of a connection.
        doubtful: Takes the numbers of frames. Old ones are removed.
    """
    waiting: list[AuditFrame] = []
    newest = 0  # the latest time so far
    for frame in frames:
        waiting.append(frame)
        if frame.ns >= newest:
            newest = frame.ns
        else:
            _doubt(waiting, frame, doubtful)
        if len(waiting) >= 2 * _MOST_FRAMES_LATE:
            yield from waiting[:_MOST_FRAMES_LATE]
            del waiting[:_MOST_FRAMES_LATE]
            if len(doubtful) > _MOST_DOUBTS:
                first = frame.frame_no - 2 * _MOST_HELD_FRAMES
                doubtful -= {number for number in doubtful if number < first}
    yield from waiting


def _doubt(waiting: list[AuditFrame], frame: AuditFrame, doubtful: set[int]) -> None:
    """Add a frame, and those of the other side in earlier packets that are later in time. A large frame alone is none."""
    packet = place_of_packet(frame)
    others = [
        other.frame_no
        for other in waiting
        if other.direction != frame.direction and other.ns > frame.ns and place_of_packet(other) < packet
    ]
    if others:
        doubtful.update(others)
        doubtful.add(frame.frame_no)


class Ordered(Protocol):
    """A receiver of frames in their order."""

    def take(self, frame: AuditFrame, has_to: bool) -> bool:
        """Take a frame. Return False and do nothing if it is not its turn, unless it has to be taken now."""

    def is_reaction(self, wrong: AuditFrame, frame: AuditFrame) -> bool:
        """Return whether a frame is the reaction of the other side to an error in the wrong one."""

    def come_late(self, frame: AuditFrame, is_first: bool) -> None:
        """Note that a frame was sent before one of the other side that came already.

        Args:
            frame: The late frame.
            is_first: Whether it is the first of its side.
        """

    def lose(self, direction: int) -> None:
        """Note that frames of a direction are missing."""


class FrameOrder:
    """Passes on the frames of a connection, each in its turn, and reports missing and late ones.

    Attributes:
        is_blind: By direction, whether the next frames were not captured: the other side may answer them.
    """

    def __init__(self, connection: AuditConnection, auditor: Ordered) -> None:
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
        """Pass on all held frames: nothing more comes, or the order no longer matters."""
        self._turns.release_all()


class Turns:
    """Passes on frames, each in its turn; see ``Ordered`` for both callbacks. Its size is bounded.

    Attributes:
        held: The frames that are held back, all of one direction.
    """

    def __init__(
        self,
        take: Callable[[AuditFrame, bool], bool],
        is_reaction: Callable[[AuditFrame, AuditFrame], bool],
    ) -> None:
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
            if self._explains is None and len(held) < _MOST_HELD_FRAMES:
                held.append(frame)
                return
        elif self._may_explain(frame, packet) and self._take(frame, False):
            self._explains = packet
            return
        self.release()
        self.feed(frame)

    def hold(self, frame: AuditFrame) -> None:
        """Hold back a frame whose turn it is not. Call it only when nothing is held back."""
        self.held.append(frame)
        self._explains = None

    def _may_explain(self, frame: AuditFrame, packet: tuple[int | None, int | None]) -> bool:
        """Return whether the held frames may need a frame of the other side."""
        return self._explains in (None, packet) and not self._is_reaction(self.held[0], frame)

    def release(self) -> None:
        """Pass on the held frames, up to the next one whose turn it is not."""
        held, self.held, self._explains = self.held, [], None
        has_to = len(held) > _MOST_FRAMES_ASKED_AGAIN
        for place, frame in enumerate(held):
            if self.held or not self._take(frame, has_to or not place):
                self.held.append(frame)

    def release_all(self) -> None:
        """Pass on all held frames."""
        while self.held:
            self.release()


class PacketOrder:
    """The packets of the last frames of both sides.

    Attributes:
        is_first: Whether the last late frame was the first one of its side.
    """

    def __init__(self) -> None:
        self._latest: list[tuple[int, int] | None] = [None, None]  # by direction
        self.is_first = False

    def is_late(self, frame: AuditFrame) -> bool:
        """Return whether a frame begins before one of the other side that came already. Call it once for each frame."""
        latest, direction = self._latest, frame.direction
        packet, other = place_of_packet(frame), latest[1 - direction]
        if other is not None and packet < other:
            self.is_first = latest[direction] is None
            latest[direction] = packet
            return True
        latest[direction] = packet
        return False


def place_of_packet(frame: AuditFrame) -> tuple[int, int]:
    """Return the file and number of the packet in which a frame begins, for comparison."""
    return frame.file_no or 0, frame.pkt_no or 0


class Continuity:
    """Finds missing frames: knows where the next frames should begin, and where octets are missing."""

    def __init__(self, connection: AuditConnection) -> None:
        self._expected = [0, 0]
        self._holes: list[list[int]] = [_holes(connection, 0), _holes(connection, 1)]

    def is_broken_at_start(self, direction: int) -> bool:
        """Return whether octets of a direction are missing before its first frame, or at an unknown place."""
        return self._reaches_hole(direction)

    def is_broken_by(self, frame: AuditFrame) -> bool:
        """Return whether octets before a frame are missing. Call it once for each frame."""
        expected = self._expected
        is_broken = frame.offset != expected[frame.direction]
        expected[frame.direction] = frame.offset + frame.size
        return is_broken

    def is_broken_after(self, frame: AuditFrame) -> bool:
        """Return whether octets after a frame are missing. Call it after ``is_broken_by`` for the same frame."""
        return bool(self._holes[frame.direction]) and self._reaches_hole(frame.direction)

    def _reaches_hole(self, direction: int) -> bool:
        holes, expected = self._holes[direction], self._expected[direction]
        is_reached = False
        while holes and holes[-1] <= expected:
            holes.pop()
            is_reached = True
        return is_reached


def _holes(connection: AuditConnection, direction: int) -> list[int]:
    """Return the offsets at which octets are missing, the first one last."""
    rows = [
        row
        for row in connection.quarantined
        if row.get("dir") == direction
        and row.get("stage") != _DECODE_STAGE
        and row.get("reason") not in _NO_HOLE
        and row.get("stream_off") is not None
    ]
    side = SIDES[direction]
    missing = sum(connection.facts.get(f"{side}_bytes_{part}") or 0 for part in _LEDGER)
    if sum(row.get("length") or 0 for row in rows) < missing:
        return [0]  # the quarantine is bounded: if too much is missing, the places are unknown
    return sorted((row["stream_off"] for row in rows), reverse=True)
