"""Frames of one direction of a connection, out of pieces of its stream, whatever is missing or wrong in it.

Theory of operation. A stream is always in one of four states:

- ``IN_ORDER``: it is known where the next frame begins. ``FrameFormat.read`` takes frame after frame; the beginning of one whose
  rest is yet to come is kept.
- ``SKIPPING``: a gap is within a frame whose size is known. It does no harm but to that frame: the next one begins where it
  ends.
- ``SEARCHING``: it is not known where the next frame begins. ``Resynchronisation`` holds what comes, and finds it.
- ``GIVEN_UP``: it is not read any more; what comes is left out.

==========  =========================================================  =============================================
state       what happens                                               next
==========  =========================================================  =============================================
IN_ORDER    octets are not a frame                                     SEARCHING
IN_ORDER    a gap, in a frame whose size is known, that ends in it     SKIPPING
IN_ORDER    any other gap                                              SEARCHING
SKIPPING    the frame ends, and its size was right                     IN_ORDER
SKIPPING    the frame ends, and its size was wrong                     SEARCHING
SKIPPING    a gap over the end of the frame                            SEARCHING
SEARCHING   frames are found that are certain enough                   IN_ORDER: what is held is fed again
SEARCHING   a gap                                                      what is held is settled, then SEARCHING
any         it is no AMQP (``otherwise``), and a gap or what is not a  GIVEN_UP
            frame comes; or ``give_up``
==========  =========================================================  =============================================

A stream begins ``IN_ORDER`` if its beginning was captured, else ``SEARCHING``. Whatever is not in a frame has a reason in
the quarantine, and is counted in the ledger.

The decoders of the generated packages are for whoever speaks a protocol: they refuse what is wrong. This is for those who
listen to others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from enum import Enum

from ..capture.ledgers import FramingLedger
from ..capture.quarantine import Quarantine, Reason
from ..capture.stream_data import Direction, StreamPiece, piece_at
from .embedded_frames import EmbeddedFrameSampler
from .formats import LARGEST_FRAME, FrameFormat, FrameSpan, OnControl, Place, Start
from .resync import FoundFrame, Resynchronisation
from .skip_log import SkipLog

_MUCH = 131_072  # what is read again without distrust


class FramerState(Enum):
    """What is known of a stream; see above."""

    IN_ORDER = "in-order"
    SKIPPING = "skipping"
    SEARCHING = "searching"
    GIVEN_UP = "given-up"


# Looked at for each piece; attributes of an Enum take longer.
_IN_ORDER, _SKIPPING, _SEARCHING, _GIVEN_UP = FramerState


class Framer:
    """Finds the frames of one direction. No octets make it raise anything.

    Attributes:
        ledger: Where the octets went so far; complete after ``finish``.
        limit: How large a frame may be. It becomes less when frames that would be very large turn out to be none, so
            that the time this takes stays in proportion.
        negotiated: Whether that was agreed on, so that a larger one is wrong.
        otherwise: Why the stream is not read any more when what comes is no frame; None: look for the next.
        lost: How often it was not certain where the next frame is.
        state: What is known of the stream.
    """

    def __init__(
        self,
        shape: FrameFormat,
        direction: Direction,
        on_control: OnControl,
        quarantine: Quarantine,
        *,
        connection: int = 0,
        from_start: bool = True,
        otherwise: Reason | None = None,
    ) -> None:
        """Begin with a stream.

        Args:
            shape: How its frames look.
            direction: Which way it goes.
            on_control: Is told of protocol headers and frames about the connection, at once. What it returns is
                handed on.
            quarantine: What is left out goes here.
            connection: The number of the connection, for the quarantine.
            from_start: Whether offset 0 is the beginning of the stream. Else frames are looked for.
            otherwise: See above.
        """
        self.ledger = FramingLedger()
        self.limit = LARGEST_FRAME
        self.negotiated = False
        self.otherwise = otherwise
        self.lost = 0
        self.shape = shape
        self._on_control = on_control
        self._left_out = SkipLog(self.ledger, quarantine, connection, direction)
        self._controls = 0
        self._search = Resynchronisation(shape)
        self.state = _IN_ORDER if from_start else _SEARCHING
        self._skip_to = 0  # SKIPPING: the end of the frame that a gap is in
        # The beginning of a frame, and the pieces it is from.
        self._parts: list[bytes] = []
        self._pieces: list[StreamPiece] = []
        self._begin = self._have = self._need = 0
        self._again: deque[StreamPiece] = deque()  # what comes before anything that is fed
        self._looks = EmbeddedFrameSampler(shape, self._search)
        if not from_start:
            self._search.start(0, 0)

    def negotiate(self, limit: int) -> None:
        """From now on frames are of this size at most, as both sides have agreed."""
        self.limit, self.negotiated = min(limit, LARGEST_FRAME), limit <= LARGEST_FRAME

    def feed(self, piece: StreamPiece) -> list[FrameSpan]:
        """Take the next piece of the stream.

        Returns:
            The frames that it completes, or that are certain now, in order.
        """
        frames = self._feed(piece)
        return self._drain(frames) if self._again else frames

    def feed_run(self, pieces: Sequence[StreamPiece]) -> list[FrameSpan]:
        """Take the next pieces of the stream, which are no gaps: the same as ``feed`` for each, but faster."""
        if self.state is not _IN_ORDER:
            return [frame for piece in pieces for frame in self.feed(piece)]
        frames = self._feed_run(pieces)
        return self._drain(frames) if self._again else frames

    def _feed(self, piece: StreamPiece) -> list[FrameSpan]:
        if piece.gap or self.state is not _IN_ORDER:
            return self._feed_troubled(piece)
        return self._feed_run((piece,))

    def _feed_run(self, pieces: Sequence[StreamPiece]) -> list[FrameSpan]:
        parts = self._parts
        if not parts:
            self._pieces.clear()
            self._begin, self._need = pieces[0].offset, 0
        parts += [piece[0] for piece in pieces]
        self._pieces += pieces
        last = pieces[-1]
        self._have = last[1] + len(last[0]) - self._begin
        if self._have < self._need:
            return []
        data = b"".join(parts) if len(parts) > 1 else parts[0]
        parts.clear()
        return self._read(data, self._begin, self._pieces, is_run=len(pieces) > 1)

    def _drain(self, frames: list[FrameSpan]) -> list[FrameSpan]:
        """Feed what was held too early."""
        while self._again:
            frames += self._feed(self._again.popleft())
        return frames

    def finish(self, length: int) -> list[FrameSpan]:
        """The stream is at its end. To be called once; then the ledger is complete.

        Args:
            length: How many octets the stream has, as the capture says.

        Returns:
            Frames that are certain now.

        Raises:
            LedgerError: Octets were lost in here.
        """
        frames = self._settle()
        if self._parts:
            if self.otherwise is None:
                self.ledger.tail += self._have
                self._left_out.add(Reason.TAIL_INCOMPLETE, self._begin, self._have, self._pieces[0][3:])
            else:
                self._left_out.open(self.otherwise, self._begin, self._pieces[0][3:])
                self._left_out.skip(self._have)
        self._left_out.close()
        self.ledger.wire = length
        self.ledger.check(f"connection {self._left_out.connection}, {self._left_out.direction.name}")
        return frames

    # --- For those who read a stream in parts ---

    @property
    def pending(self) -> tuple[bytes, tuple[Place, ...]]:
        """What there is of a frame that has not ended, while the stream is in order, and the packets it is from."""
        if not self._parts:
            return b"", ()
        return b"".join(self._parts), tuple(piece[3:] for piece in self._pieces)

    @property
    def pending_size(self) -> int:
        """How large the frame will be that has not ended; 0 if none has begun, or that is not known yet."""
        return self._need if self._parts and self._have >= self.shape.head_size else 0

    def give_up(self) -> None:
        """Read no further; what comes is left out."""
        self.state = _GIVEN_UP

    def take_over(self, later: Framer, by: int) -> None:
        """Go on where another framer is, that has read on from where this one is now.

        Args:
            later: It was in order all the time, or had given up from the beginning, as this one has.
            by: How much larger the offsets are here.
        """
        ledger = later.ledger
        self.ledger.framed += ledger.framed
        self.ledger.gap += ledger.gap
        self._left_out.skip(ledger.skipped)
        self.lost += later.lost
        self._parts, self._have, self._need = later._parts, later._have, later._need
        self._pieces = [piece._replace(offset=piece.offset + by) for piece in later._pieces]
        self._begin = later._begin + by

    def count_anew(self) -> None:
        """What was read so far does not count; others read it again."""
        self.ledger = self._left_out.ledger = FramingLedger()

    def renumber(self, by: int) -> None:
        """So many packets come before those that were counted."""
        self._pieces = [piece._replace(packet_no=piece.packet_no + by) for piece in self._pieces]
        self._search.starts = [(offset, no + by, at, ns) for offset, no, at, ns in self._search.starts]
        self._left_out.renumber(by)

    def attach(self, connection: int, quarantine: Quarantine) -> None:
        """From now on it is a connection of this number, and what is left out goes here."""
        self._left_out.connection, self._left_out.quarantine = connection, quarantine

    # --- A stream that is in order ---

    def _read(
        self, data: bytes, begin: int, pieces: list[StreamPiece], *, is_run: bool = False
    ) -> list[FrameSpan]:
        """Read frames.

        Args:
            data: Where the next frame begins, up to the end of the last piece.
            begin: The offset of it.
            pieces: Those that it is from.
            is_run: More than one of them is new.
        """
        frames: list[FrameSpan] = []
        position = 0
        while True:  # what is about the connection may tell what comes after it: there reading ends, for now
            controls = self._controls
            rest = data[position:] if position else data
            read, reason = self.shape.read(
                rest, begin + position, pieces, self.limit, frames, self._take_control
            )
            position += read
            if not read or reason or controls == self._controls or position == len(data):
                break
        if position:
            self.ledger.framed += position
            self._looks.until -= len(frames)
            if self._looks.until <= 0:
                self._looks.at(frames, self.limit)
        if position < len(data):
            rest = data[position:] if position else data
            begin += position
            self._pieces = [_without_data(piece) for piece in pieces[piece_at(pieces, begin) :]]
            if reason is None:
                self._keep(rest, begin)
            elif is_run:
                frames += self._read_singly(rest, begin)
            else:
                frames += self._lose(reason, rest, begin, [_start(piece) for piece in self._pieces])
        return frames

    def _read_singly(self, data: bytes, begin: int) -> list[FrameSpan]:
        """Read again, piece by piece: who looks for the next frame is not to know what comes later."""
        frames: list[FrameSpan] = []
        ends = [*(piece.offset for piece in self._pieces[1:]), begin + len(data)]
        at = begin
        for piece, end in zip(self._pieces[:], ends, strict=True):
            frames += self.feed(piece._replace(data=data[at - begin : end - begin], offset=at))
            at = end
        return frames

    def _take_control(self, frame: FrameSpan) -> FrameSpan:
        self._controls += 1
        return self._on_control(frame)

    def _keep(self, data: bytes, begin: int) -> None:
        """The beginning of a frame; its rest is yet to come."""
        shape = self.shape
        self._parts = [data]
        self._begin, self._have = begin, len(data)
        self._need = shape.size(data) if self._have >= shape.head_size else shape.head_size

    # --- Trouble ---

    def _feed_troubled(self, piece: StreamPiece) -> list[FrameSpan]:
        self.ledger.gap += piece.gap
        if self.state is _GIVEN_UP:
            self._left_out.skip(len(piece.data))
            return []
        if piece.gap:
            return self._cross_gap(piece)
        data, offset = piece.data, piece.offset
        if self.state is _SKIPPING:
            return self._skip_frame(piece, self._skip_to - offset)
        if not self._left_out.is_open:
            self._left_out.open(Reason.MID_STREAM_HEAD, offset, piece[3:])
        self._search.add(data, [(offset, *piece[3:])])
        return self._go_on()

    def _skip_frame(self, piece: StreamPiece, left: int) -> list[FrameSpan]:
        """A frame with a gap in it has so many octets left, unless its size was wrong."""
        data, offset = piece.data, piece.offset
        self._looks.into(data[:left], self.limit)
        if len(data) < left:
            self._left_out.skip(len(data))
            return []
        if left and not self.shape.ends(data, left):
            self._begin_search(offset, offset + left)
            self._search.add(data, [(offset, *piece[3:])])
            return self._go_on()
        self._left_out.skip(left)
        self._left_out.close()
        self.state = _IN_ORDER
        if left == len(data):
            return []
        return self._read(data[left:], offset + left, [piece])

    def _cross_gap(self, piece: StreamPiece) -> list[FrameSpan]:
        """Octets are missing."""
        self.lost += 1
        frames = self._settle()
        end = piece.offset + piece.gap
        reason = self.otherwise or Reason.FRAME_GAP
        if self._parts:
            self._left_out.open(reason, self._begin, self._pieces[0][3:])
            self._left_out.skip(self._have)
            self._looks.into(b"".join(self._parts)[self.shape.head_size :], self.limit)
            self._parts = []
            if self._have >= self.shape.head_size:
                self._skip_to = self._begin + self._need
                self.state = _SKIPPING
        elif self.state is not _SKIPPING:
            self._left_out.open(reason, end, piece[3:])
        if self.otherwise is not None:
            self.state = _GIVEN_UP
        elif self.state is not _SKIPPING or self._skip_to < end:
            self._begin_search(end, end)
        return frames

    def _lose(self, reason: Reason, data: bytes, begin: int, starts: list[Start]) -> list[FrameSpan]:
        """What begins here is no frame."""
        if self.otherwise is not None:
            self._left_out.open(self.otherwise, begin, starts[0][1:])
            self._left_out.skip(len(data))
            self.state = _GIVEN_UP
            return []
        self._left_out.open(reason, begin, starts[0][1:])
        # Perhaps its size is right, and the next frame where it should be.
        size = self.shape.size(data)
        self._begin_search(begin, begin + size if 0 < size <= self.limit else None)
        self._search.add(data, starts)
        return self._go_on()

    # --- The search for the next frame ---

    def _begin_search(self, offset: int, expected: int | None) -> None:
        self._search.start(offset, expected)
        self.state = _SEARCHING
        self.lost += 1

    def _go_on(self) -> list[FrameSpan]:
        """Search in what there is."""
        found = self._search.search(self.limit, self.negotiated, final=False)
        if found is None:
            self._left_out.skip(self._search.trim())
            return []
        if self._search.end - found.end > _MUCH:  # all this was held for a frame that was none
            self.limit = max(self.limit // 2, min(self.limit, _MUCH))
        return self._take(found)

    def _settle(self) -> list[FrameSpan]:
        """Nothing more will be known of what is searched, if that is so: a gap comes, or the end."""
        frames: list[FrameSpan] = []
        while self.state is _SEARCHING:
            found = self._search.search(self.limit, self.negotiated, final=True)
            if found is not None:
                frames += self._take(found)
                self._drain(frames)
            else:
                self._left_out.skip(len(self._search.held))
                self._end_search()
        return frames

    def _take(self, found: FoundFrame) -> list[FrameSpan]:
        """Frames were found: the stream is in order again, and what is held after them is read so."""
        search, shape = self._search, self.shape
        self._left_out.skip(found.begin - search.offset)
        self._left_out.close()
        frames = []
        for offset, size in found.chain:
            frame = shape.span(search.held, offset - search.offset, size, offset, search.place(offset))
            frames.append(self._take_control(frame) if shape.is_control(frame) else frame)
        self.ledger.framed += found.end - found.begin
        for frame in frames:
            self._looks.into_frame(frame, self.limit)
        self._again.extendleft(reversed(search.pieces(found.end)))
        self._end_search()
        return frames

    def _end_search(self) -> None:
        self._search.clear()
        self.state = _IN_ORDER


def _start(piece: StreamPiece) -> Start:
    return piece.offset, *piece[3:]


def _without_data(piece: StreamPiece) -> StreamPiece:
    """What of it is wanted is held elsewhere."""
    return piece._replace(data=b"")
