"""Resynchronisation: the search for the next frame after a gap or an error.

What looks like a frame may be in the body of another frame: a message may contain a capture, or AMQP frames. So the search
collects a *chain* of adjacent frames, and holds it until it is certain, or until nothing more can be learned:

- A chain in a body breaks where the body ends. A broken chain is dropped, and the search continues after its beginning.
- A chain longer than the largest frame cannot lie within one body. It is *confirmed*.
- A chain is also confirmed if its frames begin where packets begin more often than by chance: senders write whole frames,
  but the packets of a large body begin anywhere in its content.
- A chain may begin in a body and, by chance, continue after it. So if bodies of this stream are known to hide frames, only
  the part of the chain that confirms it counts.
- At the next gap or the end of the stream, a chain that is not confirmed is accepted, unless bodies hide frames. A single
  frame that may be anything, such as a body, counts only if the head of another frame follows.

``EmbeddedFrameSampler`` looks into some payloads to learn whether message bodies of a stream hide frames.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import e
from typing import NamedTuple

from ..capture.stream_data import StreamPiece
from .formats import PROTOCOL_HEADER, FrameFormat, FrameSpan, Place, Start, hides_frame

# The largest frame where none was negotiated: what brokers offer by default.
_USUAL_FRAME = 131_072

# A chain is confirmed if its alignment with packets is less probable by chance than this.
_IMPROBABLE = 1e-7
_LEAST_AT_PACKETS = 3

_MOST_DEAD_OFFSETS = 4096  # how many are remembered before those that are of no more use are removed


class FoundFrame(NamedTuple):
    """Frames that are certain enough.

    Attributes:
        chain: Offset and size of each; they are adjacent.
    """

    chain: list[tuple[int, int]]

    @property
    def begin(self) -> int:
        """The offset of the first octet."""
        return self.chain[0][0]

    @property
    def end(self) -> int:
        """The offset after the last octet."""
        offset, size = self.chain[-1]
        return offset + size


class Resynchronisation:
    """The searches in one direction of a connection.

    Attributes:
        held: Octets that may still be of use.
        offset: The offset of the first of them in the stream.
        starts: Offset and place of the pieces that they are from.
        bodies_hide_frames: Whether frames within frames were seen in this stream.
    """

    def __init__(self, shape: FrameFormat) -> None:
        self.held = bytearray()
        self.offset = 0
        self.starts: list[Start] = []
        self.bodies_hide_frames = False
        self._shape = shape
        self._expected: int | None = None
        self._scanned = 0  # no chain begins before this offset
        self._chain: list[tuple[int, int]] = []
        self._begin: int | None = None  # offset of the chain
        self._next = 0  # offset after the chain
        # Packets that begin within the chain; those of them that begin with a frame.
        self._packets = self._at_packets = 0
        self._first_at_packet = 0  # offset of the first of the latter
        self._certain: int | None = None  # the chain is confirmed from this offset on
        self._dead: set[int] = set()  # offsets from which a chain breaks later on
        self._most_dead = _MOST_DEAD_OFFSETS

    def start(self, offset: int, expected: int | None) -> None:
        """Start a search at an offset. At ``expected`` a frame may begin although no end octet is before it."""
        self.clear()
        self.offset = self._scanned = offset
        self._expected = expected

    def add(self, data: bytes, starts: list[Start]) -> None:
        """Add the next octets of the stream, and where their pieces begin."""
        self.held += data
        self.starts += starts

    def clear(self) -> None:
        """Forget what is held."""
        self.held, self.starts = bytearray(), []
        self._drop_chain()
        self._dead = set()
        self._expected = None

    @property
    def end(self) -> int:
        """The offset after the last octet held."""
        return self.offset + len(self.held)

    def pieces(self, offset: int) -> list[StreamPiece]:
        """Return what is held from an offset on, in the pieces in which it came."""
        if offset >= self.end:
            return []
        first = bisect_right(self.starts, (offset + 1,)) - 1
        found = []
        for at, (begin, *place) in enumerate(self.starts[first:], first + 1):
            begin = max(begin, offset)
            end = self.starts[at][0] if at < len(self.starts) else self.end
            data = bytes(self.held[begin - self.offset : end - self.offset])
            found.append(StreamPiece(data, begin, 0, *place))
        return found

    def place(self, offset: int) -> Place:
        """Return the place of the packet that has the octet at an offset."""
        at = max(bisect_right(self.starts, (offset + 1,)) - 1, 0)
        _, packet_no, packet_offset, ns = self.starts[at]
        return packet_no, packet_offset, ns

    def trim(self) -> int:
        """Drop octets that are of no more use. Return their number."""
        keep = self._begin if self._begin is not None else max(self._scanned - 1, self.offset)
        octets = keep - self.offset
        if octets:
            del self.held[:octets]
            self.offset = keep
            del self.starts[: max(bisect_right(self.starts, (keep + 1,)) - 1, 0)]
        if len(self._dead) > self._most_dead:
            self._dead = {offset for offset in self._dead if offset >= keep}
            self._most_dead = 2 * len(self._dead) + _MOST_DEAD_OFFSETS
        return octets

    def search(self, limit: int, negotiated: bool, final: bool) -> FoundFrame | None:
        """Search for frames of at most ``limit`` octets; ``final``: nothing follows what is held, but a gap or the end."""
        span = limit if negotiated else _USUAL_FRAME
        while True:
            if self._begin is None and not self._find(limit):
                return None
            broken = self._follow(limit, span)
            if self._certain is not None:
                return FoundFrame(self._confirmed(self._certain))
            if final and not broken and self._is_credible(limit):
                return FoundFrame(self._chain)
            if not broken and not final:
                return None
            self._give_up(broken)

    def _find(self, limit: int) -> bool:
        """Find where a chain may begin. Return whether there is such a place."""
        shape, held = self._shape, self.held
        at = shape.find(held, self._scanned - self.offset)
        begin = self.offset + at if at >= 0 else None
        expected = self._expected
        if (
            expected is not None
            and self._scanned <= expected < self.end
            and (begin is None or expected < begin)
            and shape.verify(held, expected - self.offset, limit) >= 0
        ):
            begin = expected
        if begin is None:
            self._scanned = max(self._scanned, self.end - shape.longest_look)
            return False
        self._begin = self._next = begin
        return True

    def _follow(self, limit: int, span: int) -> bool:
        """Add the frames that follow to the chain. Return whether it is broken."""
        assert self._begin is not None
        while True:
            if self._next in self._dead:
                return True
            size = self._shape.verify(self.held, self._next - self.offset, limit)
            if size <= 0:
                return size < 0
            self._chain.append((self._next, size))
            first = bisect_left(self.starts, (self._next,))
            packets = bisect_left(self.starts, (self._next + size,)) - first
            self._packets += packets
            offset, self._next = self._next, self._next + size
            if self._certain is not None:
                continue
            if packets and self.starts[first][0] == offset and self._is_aligned(offset):
                self._certain = self._first_at_packet
            elif offset >= self._begin + span:
                self._certain = self._begin + span

    def _confirmed(self, certain: int) -> list[tuple[int, int]]:
        """Return the part of a confirmed chain that counts."""
        if not self.bodies_hide_frames:
            return self._chain
        return [(offset, size) for offset, size in self._chain if offset >= certain]

    def _is_aligned(self, offset: int) -> bool:
        """Count one more frame that begins with a packet. Return whether there are too many for chance.

        By chance, a packet begins with a frame as often as any octet does. The number of such packets has a Poisson
        distribution; its tail is estimated by Chernoff's bound.
        """
        assert self._begin is not None
        if not self._at_packets:
            self._first_at_packet = offset
        self._at_packets += 1
        count = self._at_packets
        expected = self._packets * len(self._chain) / (self._next - self._begin)
        return count >= _LEAST_AT_PACKETS and (e * expected / count) ** count < _IMPROBABLE

    def _is_credible(self, limit: int) -> bool:
        """Return whether to accept the chain although it is not confirmed."""
        if self.bodies_hide_frames or not self._chain:
            return False
        shape, held, base = self._shape, self.held, self.offset
        # Another frame begins after the chain, or ``_follow`` would have found it broken.
        is_followed = self.end - self._next >= shape.head_size
        if len(self._chain) == 1 and not is_followed and not shape.is_strong(held, self._chain[0][0] - base):
            return False
        frames = [*self._chain, (self._next, self.end - self._next)]
        self.bodies_hide_frames = any(
            hides_frame(shape, held, offset - base + 1, offset - base + size, limit)
            for offset, size in frames
        )
        return not self.bodies_hide_frames

    def _give_up(self, broken: bool) -> None:
        """Drop the chain, and search after its beginning."""
        assert self._begin is not None
        if broken and any(
            self._shape.is_strong(self.held, offset - self.offset) for offset, _ in self._chain
        ):
            self.bodies_hide_frames = True
        self._dead.update(offset for offset, _ in self._chain)
        self._dead.add(self._next)
        self._scanned = self._begin + 1
        self._drop_chain()

    def _drop_chain(self) -> None:
        self._chain = []
        self._begin = None
        self._packets = self._at_packets = 0
        self._certain = None


# A prime: the frames of contents alternate, so a round number would always sample, say, content headers.
_FRAMES_PER_SAMPLE = 17


class EmbeddedFrameSampler:
    """Looks into the first frames of a stream, then into a sample, and sets ``bodies_hide_frames`` of the search.

    Attributes:
        until: Number of frames until the next sample. The reader of frames counts it down and calls ``at`` at 0.
        looks: Number of samples so far, and one.
    """

    __slots__ = ("_search", "_shape", "looks", "until")

    def __init__(self, shape: FrameFormat, search: Resynchronisation) -> None:
        self.until = self.looks = 1
        self._shape = shape
        self._search = search

    def at(self, frames: Sequence[FrameSpan], limit: int) -> None:
        """Look into those of the latest frames that are due; ``until`` already counts these frames.

        Frames larger than ``limit`` are not considered.
        """
        count = len(frames)
        after = self.until + count
        while after <= count:
            self.into_frame(frames[after - 1], limit)
            self.looks += 1
            after += 1 if self.looks < _FRAMES_PER_SAMPLE else _FRAMES_PER_SAMPLE
        self.until = after - count

    def into_frame(self, frame: FrameSpan, limit: int) -> None:
        """Look into the payload of a frame."""
        if frame.type != PROTOCOL_HEADER:
            self.into(frame.payload, limit)

    def into(self, data: bytes, limit: int) -> None:
        """Look for frames in a payload."""
        if not self._search.bodies_hide_frames:
            self._search.bodies_hide_frames = hides_frame(self._shape, data, 0, len(data), limit)
