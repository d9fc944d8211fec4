"""Frames of one direction of a connection, from pieces of its stream, even if the stream has gaps or errors.

Theory of operation. A stream is always in one of four states:

- ``IN_ORDER``: the next frame begins at a known offset. ``FrameFormat.read`` reads frame after frame; the beginning of an
  incomplete frame is kept.
- ``SKIPPING``: a gap lies within a frame whose size is known. Only that frame is lost: the next one begins where it ends.
- ``SEARCHING``: it is not known where the next frame begins. ``Resynchronisation`` holds what comes, and finds it.
- ``GIVEN_UP``: the stream is not read any more; what comes is left out.

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
any         it is not AMQP (``otherwise``), and a gap or octets that   GIVEN_UP
            are not a frame come
==========  =========================================================  =============================================

A stream begins ``IN_ORDER`` if its beginning was captured, else ``SEARCHING``. All octets outside of frames have a reason in
the quarantine, and are counted in the ledger. The stream decoders of the generated packages are for peers, and refuse what
is wrong; this one is for observers.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from ..capture.ledgers import FramingLedger
from ..capture.quarantine import Quarantine, Reason
from ..capture.stream_data import Direction, StreamPiece, piece_at
from .formats import (
    LARGEST_FRAME,
    LARGEST_HEADER,
    FrameFormat,
    FramerSnapshot,
    FrameSpan,
    OnControl,
    Place,
    Start,
)
from .resync import EmbeddedFrameSampler, FoundFrame, Resynchronisation
from .skip_log import SkipLog

_LARGE_REREAD = 131_072  # octets; reading more than these again lowers the frame limit


class FramerState(Enum):
    """The state of a stream, see the module."""

    IN_ORDER = "in-order"
    SKIPPING = "skipping"
    SEARCHING = "searching"
    GIVEN_UP = "given-up"


# Used for each piece; attributes of an Enum take longer.
_IN_ORDER, _SKIPPING, _SEARCHING, _GIVEN_UP = FramerState


def _lowered(limit: int) -> int:
    """Return a limit of frames after one that was supposed to be very large turned out not to be one."""
    return max(limit // 2, min(limit, _LARGE_REREAD))


def _unchanged(frame: FrameSpan) -> FrameSpan:
    return frame


class Framer:
    """Finds the frames of one direction. Never raises, whatever the octets.

    Attributes:
        ledger: Where the octets went so far; complete after ``finish``.
        limit: The largest frame allowed. It is lowered when a supposed very large frame turns out not to be one, so
            that reading octets again takes linear time.
        negotiated: Whether the limit was negotiated, so that a larger frame is an error.
        otherwise: The reason to give up the stream at the first octets that are not a frame; None: search for the next
            frame instead.
        seeks_beginning: Whether the first frame is searched, as the beginning of the stream was not captured, and no octet
            is missing since.
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
        """Begin a stream; search the first frame unless ``from_start`` says that offset 0 is its beginning.

        ``on_control`` is called for each protocol header and connection-level frame, in order; its return value is
        delivered instead. ``connection`` is the number for the quarantine.
        """
        self.ledger = FramingLedger()
        self.limit = LARGEST_FRAME
        self.negotiated = False
        self._agreed = 0  # the largest frame that was negotiated; 0 if it is not known
        self.otherwise = otherwise
        self.shape = shape
        self._on_control = on_control
        self._left_out = SkipLog(self.ledger, quarantine, connection, direction)
        self._controls = 0
        self._search = Resynchronisation(shape)
        self.state = _IN_ORDER if from_start else _SEARCHING
        self._skip_to = 0  # SKIPPING: the end of the frame with the gap
        # The beginning of an incomplete frame, and its pieces.
        self._parts: list[bytes] = []
        self._pieces: list[StreamPiece] = []
        self._begin = self._have = self._need = 0
        self._again: list[StreamPiece] = []  # held pieces, the first one last, read before those that are fed
        self._looks = EmbeddedFrameSampler(shape, self._search)
        # Octets skipped before, place and detail of an error after which nothing is read.
        self._fault: tuple[int, Place, str] | None = None
        self.seeks_beginning = not from_start
        if not from_start:
            self._search.start(0, 0)

    def let_go(self) -> None:
        """Call nobody any more: the stream has ended."""
        self._on_control = _unchanged

    @property
    def holds_since(self) -> int | None:
        """The packet from which on octets are held, while the first frame is searched; None if there are none."""
        return self._search.starts[0][1] if self.seeks_beginning and self._search.held else None

    def negotiate(self, limit: int) -> None:
        """Set the frame size limit that both sides agreed on."""
        self._agreed = limit
        self.limit, self.negotiated = min(limit, LARGEST_FRAME), limit <= LARGEST_FRAME
        self.shape.header_limit = LARGEST_HEADER

    def feed(self, piece: StreamPiece) -> list[FrameSpan]:
        """Take the next piece of the stream. Return the frames that are complete and certain now, in order."""
        frames = self._feed(piece)
        return self._drain(frames) if self._again else frames

    def feed_run(self, pieces: Sequence[StreamPiece]) -> list[FrameSpan]:
        """Take the next pieces, which are not gaps: ``feed`` for each, but faster."""
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
        """Feed the pieces that were held during a search."""
        while self._again:
            frames += self._feed(self._again.pop())
        return frames

    def finish(self, length: int) -> list[FrameSpan]:
        """End the stream and complete the ledger. Return the frames that are certain now. May be called once.

        Raises:
            LedgerError: The octets do not sum up to ``length``, the octets of the stream: a fault of this program.
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
        if self._fault is not None:  # leave out what is not accounted for
            before, place, detail = self._fault
            begin = self.ledger.framed + self.ledger.gap + before
            self.ledger.skipped = length - self.ledger.framed - self.ledger.gap - self.ledger.tail
            self._left_out.add(Reason.DECODE_ERROR, begin, self.ledger.skipped - before, place, detail)
        self.ledger.wire = length
        self.ledger.check(f"connection {self._left_out.connection}, {self._left_out.direction.name}")
        return frames

    def give_up(self, place: Place, detail: str) -> None:
        """Stop reading, as there was an error; ``place`` and ``detail`` are for the quarantine, which gets the rest."""
        self._left_out.close()
        self._parts, self._again = [], []
        self._end_search()
        self.state = _GIVEN_UP
        self._fault = self.ledger.skipped, place, detail

    # --- A stream that is read elsewhere while it is in order ---

    def hand_over(self) -> FramerSnapshot | None:
        """Stop reading here, if the stream is in order; else return None. ``take_back`` goes on."""
        if self.state is not _IN_ORDER or self._again:
            return None
        pieces = self._pieces if self._parts else []
        snapshot = FramerSnapshot(
            b"".join(self._parts),
            self._begin,
            self._need if self._parts else 0,
            [(piece.offset, *piece[3:]) for piece in pieces],
            self._looks.until,
            self._looks.looks,
            self._search.bodies_hide_frames,
        )
        self._parts, self._pieces = [], []
        return snapshot

    def take_back(self, snapshot: FramerSnapshot, framed: int) -> None:
        """Go on reading here; ``framed`` octets were in frames that were read elsewhere."""
        self.ledger.framed += framed
        if self._fault is not None:
            return
        self._parts = [snapshot.held] if snapshot.held else []
        self._pieces = [StreamPiece(b"", offset, 0, *place) for offset, *place in snapshot.starts]
        self._begin, self._have, self._need = snapshot.begin, len(snapshot.held), snapshot.need
        self._looks.until, self._looks.looks = snapshot.until, snapshot.looks
        self._search.bodies_hide_frames = snapshot.bodies_hide_frames

    def read_on(self) -> list[FrameSpan]:
        """Read what is held again: it is not the beginning of a frame."""
        data = b"".join(self._parts)
        self._parts = []
        frames = self._read(data, self._begin, self._pieces)
        return self._drain(frames) if self._again else frames

    # --- A stream that is in order ---

    def _read(
        self, data: bytes, begin: int, pieces: list[StreamPiece], *, is_run: bool = False
    ) -> list[FrameSpan]:
        """Read frames from ``data``, which reach from a beginning of a frame, at offset ``begin``, to the last piece's end.

        ``is_run`` tells that more than one of the pieces is new.
        """
        frames: list[FrameSpan] = []
        position = 0
        # Reading pauses after a connection-level frame: it may change how the following ones are read.
        while True:
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
            # Their octets are held elsewhere.
            self._pieces = [piece._replace(data=b"") for piece in pieces[piece_at(pieces, begin) :]]
            if reason is None:  # the beginning of an incomplete frame
                self._parts, self._begin, self._have = [rest], begin, len(rest)
                head_size = self.shape.head_size
                self._need = self.shape.size(rest) if self._have >= head_size else head_size
            elif is_run:
                frames += self._read_singly(rest, begin)
            else:
                starts: list[Start] = [(piece.offset, *piece[3:]) for piece in self._pieces]
                frames += self._lose(reason, rest, begin, starts)
        return frames

    def _read_singly(self, data: bytes, begin: int) -> list[FrameSpan]:
        """Read again, piece by piece: a search must not depend on how many pieces came together."""
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
        """Skip ``left`` octets, the rest of a frame with a gap, unless its size was wrong."""
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
        """Take a gap."""
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
        """Handle octets that should begin a frame and do not."""
        if self.otherwise is not None:
            self._left_out.open(self.otherwise, begin, starts[0][1:])
            self._left_out.skip(len(data))
            self.state = _GIVEN_UP
            return []
        size = self.shape.size(data)
        if reason is Reason.FRAME_MAX and size <= self._agreed:
            reason = Reason.OUR_FRAME_LIMIT
        self._left_out.open(reason, begin, starts[0][1:])
        # Perhaps the size is right, and the next frame begins where it should.
        self._begin_search(begin, begin + size if 0 < size <= self.limit else None)
        self._search.add(data, starts)
        return self._go_on()

    # --- The search for the next frame ---

    def _begin_search(self, offset: int, expected: int | None) -> None:
        self._search.start(offset, expected)
        self.state = _SEARCHING

    def _go_on(self) -> list[FrameSpan]:
        """Search in what is held."""
        found = self._search.search(self.limit, self.negotiated, final=False)
        if found is None:
            self._left_out.skip(self._search.trim())
            return []
        if self._search.end - found.end > _LARGE_REREAD:  # held for what turned out not to be a frame
            self.limit, self.shape.header_limit = _lowered(self.limit), _lowered(self.shape.header_limit)
        return self._take(found)

    def _settle(self) -> list[FrameSpan]:
        """Finish a search, if there is one: at a gap or the end nothing more can be learned."""
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
        """Take the frames that were found. The stream is in order again; what is held after them is fed again."""
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
        self._again.extend(reversed(search.pieces(found.end)))
        self._end_search()
        return frames

    def _end_search(self) -> None:
        self.seeks_beginning = False
        self._search.clear()
        self.state = _IN_ORDER
