"""Frames of one direction of a connection, out of pieces of its stream, whatever is missing or wrong in it.

While a stream is in order, ``Shape.read`` takes frame after frame. A gap within a frame whose size is known does no harm
but to that frame: where the next one begins is known. After any other gap, and after octets that are no frame,
``Resynchronisation`` finds the next one.

The decoders of the generated packages are for whoever speaks a protocol: they refuse what is wrong. This is for those who
listen to others.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from .frame_span import LARGEST_FRAME, PROTOCOL_HEADER, FrameSpan, Place, Start
from .ledger import FramingLedger
from .quarantine import Quarantine, Quarantined, Reason
from .resynchronisation import Found, Resynchronisation
from .shape import OnControl, Shape, hides_frame
from .stream import Direction, Piece

_LOOK_EVERY = 16  # so many pieces that bring frames, and in one of them bodies are looked into
_MUCH = 131_072  # what is read again without distrust


@dataclass(slots=True)
class _Run:
    """Octets that are skipped, for one reason and up to the next frame."""

    reason: Reason
    offset: int
    place: Place
    length: int = 0


class Framer:
    """Finds the frames of one direction. No octets make it raise anything.

    Attributes:
        ledger: Where the octets went so far; complete after ``finish``.
        limit: How large a frame may be. It becomes less when frames that would be very large turn out to be none, so
            that the time this takes stays in proportion.
        negotiated: Whether that was agreed on, so that a larger one is wrong.
        otherwise: Why the stream is not read any more when what comes is no frame; None: look for the next.
        lost: How often it was not certain where the next frame is.
    """

    def __init__(
        self,
        shape: Shape,
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
        self._direction = direction
        self._on_control = on_control
        self._quarantine = quarantine
        self._connection = connection
        self._search = Resynchronisation(shape)
        self._searching = not from_start
        self._skip_to: int | None = None  # the end of a frame that a gap is in
        self._given_up = False
        self._troubled = not from_start  # any of these three
        self._run: _Run | None = None
        # The beginning of a frame, and the pieces it is from.
        self._parts: list[bytes] = []
        self._starts: list[Start] = []
        self._begin = self._have = self._need = 0
        self._again: deque[Piece] = deque()  # what comes before anything that is fed
        self._until_look = self._looks = 1
        if not from_start:
            self._search.start(0, 0)

    def negotiate(self, limit: int) -> None:
        """From now on frames are of this size at most, as both sides have agreed."""
        self.limit, self.negotiated = min(limit, LARGEST_FRAME), limit <= LARGEST_FRAME

    def feed(self, piece: Piece) -> list[FrameSpan]:
        """Take the next piece of the stream.

        Returns:
            The frames that it completes, or that are certain now, in order.
        """
        frames = self._feed(piece)
        return self._drain(frames) if self._again else frames

    def _feed(self, piece: Piece) -> list[FrameSpan]:
        if piece.gap or self._troubled:
            return self._feed_troubled(piece)
        data, offset, _, packet_no, packet_offset, ns = piece
        parts = self._parts
        if not parts:
            return self._read(data, offset, offset, piece)
        parts.append(data)
        self._starts.append((offset, packet_no, packet_offset, ns))
        self._have += len(data)
        if self._have < self._need:
            return []
        data = b"".join(parts)
        parts.clear()
        return self._read(data, self._begin, offset, piece)

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
        frames = self._settle() if self._searching else []
        if self._parts:
            if self.otherwise is None:
                self.ledger.tail += self._have
                self._add(Reason.TAIL_INCOMPLETE, self._begin, self._have, self._starts[0][1:])
            else:
                self._open_run(self.otherwise, self._begin, self._starts[0][1:])
                self._skip(self._have)
        self._close_run()
        self.ledger.wire = length
        self.ledger.check(f"connection {self._connection}, {self._direction.name}")
        return frames

    # --- For those who read a stream in parts ---

    @property
    def is_in_order(self) -> bool:
        """Whether it is known where the next frame begins."""
        return not self._troubled

    @property
    def has_given_up(self) -> bool:
        """Whether the stream is not read any more."""
        return self._given_up

    @property
    def pending(self) -> tuple[bytes, tuple[Place, ...]]:
        """What there is of a frame that has not ended, while the stream is in order, and the packets it is from."""
        if not self._parts:
            return b"", ()
        return b"".join(self._parts), tuple((no, at, ns) for _, no, at, ns in self._starts)

    @property
    def pending_size(self) -> int:
        """How large the frame will be that has not ended; 0 if none has begun, or that is not known yet."""
        return self._need if self._parts and self._have >= self.shape.head_size else 0

    def give_up(self) -> None:
        """Read no further; what comes is left out."""
        self._given_up = self._troubled = True

    def take_over(self, later: Framer, by: int) -> None:
        """Go on where another framer is, that has read on from where this one is now.

        Args:
            later: It was in order all the time, or had given up from the beginning, as this one has.
            by: How much larger the offsets are here.
        """
        ledger = later.ledger
        self.ledger.framed += ledger.framed
        self.ledger.gap += ledger.gap
        self._skip(ledger.skipped)
        self.lost += later.lost
        self._parts, self._have, self._need = later._parts, later._have, later._need
        self._starts = [(offset + by, no, at, ns) for offset, no, at, ns in later._starts]
        self._begin = later._begin + by

    def renumber(self, by: int) -> None:
        """So many packets come before those that were counted."""
        self._starts = [(offset, no + by, at, ns) for offset, no, at, ns in self._starts]
        self._search.starts = [(offset, no + by, at, ns) for offset, no, at, ns in self._search.starts]
        if self._run is not None:
            no, at, ns = self._run.place
            self._run.place = no + by, at, ns

    def attach(self, connection: int, quarantine: Quarantine) -> None:
        """From now on it is a connection of this number, and what is left out goes here."""
        self._connection, self._quarantine = connection, quarantine

    # --- A stream that is in order ---

    def _read(self, data: bytes, begin: int, offset: int, piece: Piece) -> list[FrameSpan]:
        """Read frames.

        Args:
            data: Where the next frame begins, up to the end of the piece.
            begin: The offset of it.
            offset: Where the piece begins, unless ``data`` is only of its later part.
            piece: The last that was fed.
        """
        _, _, _, packet_no, packet_offset, ns = piece
        frames: list[FrameSpan] = []
        position, reason = self.shape.read(
            data, begin, (packet_no, packet_offset, ns), self.limit, frames, self._on_control
        )
        crosses = begin < offset
        if position:
            self.ledger.framed += position
            if crosses:
                _, no, at, when = self._starts[0]
                frames[0] = frames[0]._replace(packet_no=no, packet_offset=at, ns=when)
            self._until_look -= 1
            if not self._until_look:
                self._look(frames)
        if position < len(data):
            if not crosses or position:
                self._starts = [(piece.offset, packet_no, packet_offset, ns)]
            rest = data[position:] if position else data
            if reason is None:
                self._keep(rest, begin + position)
            else:
                frames += self._lose(reason, rest, begin + position, self._starts)
        return frames

    def _keep(self, data: bytes, begin: int) -> None:
        """The beginning of a frame; its rest is yet to come."""
        shape = self.shape
        self._parts = [data]
        self._begin, self._have = begin, len(data)
        self._need = shape.size(data) if self._have >= shape.head_size else shape.head_size

    def _look(self, frames: list[FrameSpan]) -> None:
        """In the beginning, and then now and then: are there frames in the bodies?"""
        self._looks += 1
        self._until_look = 1 if self._looks < _LOOK_EVERY else _LOOK_EVERY
        for frame in frames:
            if frame.type != PROTOCOL_HEADER:
                self._look_into(frame.payload)

    def _look_into(self, data: bytes) -> None:
        """If there are frames in the bodies of a stream, what is found later may be one of those."""
        search = self._search
        if not search.bodies_hide_frames:
            search.bodies_hide_frames = hides_frame(self.shape, data, 0, len(data), self.limit)

    # --- Trouble ---

    def _feed_troubled(self, piece: Piece) -> list[FrameSpan]:
        self.ledger.gap += piece.gap
        if self._given_up:
            self._skip(len(piece.data))
            return []
        if piece.gap:
            return self._cross_gap(piece)
        data, offset = piece.data, piece.offset
        if self._skip_to is not None:
            return self._skip_frame(piece, self._skip_to - offset)
        if self._run is None:
            self._open_run(Reason.MID_STREAM_HEAD, offset, piece[3:])
        self._search.add(data, [(offset, *piece[3:])])
        return self._go_on()

    def _skip_frame(self, piece: Piece, left: int) -> list[FrameSpan]:
        """A frame with a gap in it has so many octets left, unless its size was wrong."""
        data, offset = piece.data, piece.offset
        self._look_into(data[:left])
        if len(data) < left:
            self._skip(len(data))
            return []
        self._skip_to = None
        if left and not self.shape.ends(data, left):
            self._begin_search(offset, offset + left)
            self._search.add(data, [(offset, *piece[3:])])
            return self._go_on()
        self._skip(left)
        self._close_run()
        self._troubled = False
        return self._read(data[left:], offset + left, offset + left, piece) if left < len(data) else []

    def _cross_gap(self, piece: Piece) -> list[FrameSpan]:
        """Octets are missing."""
        self.lost += 1
        frames = self._settle() if self._searching else []
        end = piece.offset + piece.gap
        reason = self.otherwise or Reason.FRAME_GAP
        if self._parts:
            self._open_run(reason, self._begin, self._starts[0][1:])
            self._skip(self._have)
            self._look_into(b"".join(self._parts)[self.shape.head_size :])
            self._parts = []
            if self._have >= self.shape.head_size:
                self._skip_to = self._begin + self._need
                self._troubled = True
        elif self._skip_to is None:
            self._open_run(reason, end, piece[3:])
        if self.otherwise is not None:
            self._given_up = self._troubled = True
        elif self._skip_to is None or self._skip_to < end:
            self._skip_to = None
            self._begin_search(end, end)
        return frames

    def _lose(self, reason: Reason, data: bytes, begin: int, starts: list[Start]) -> list[FrameSpan]:
        """What begins here is no frame."""
        if self.otherwise is not None:
            self._open_run(self.otherwise, begin, starts[0][1:])
            self._skip(len(data))
            self._given_up = self._troubled = True
            return []
        self._open_run(reason, begin, starts[0][1:])
        # Perhaps its size is right, and the next frame where it should be.
        size = self.shape.size(data)
        self._begin_search(begin, begin + size if 0 < size <= self.limit else None)
        self._search.add(data, starts)
        return self._go_on()

    # --- The search for the next frame ---

    def _begin_search(self, offset: int, expected: int | None) -> None:
        self._search.start(offset, expected)
        self._searching = self._troubled = True
        self.lost += 1

    def _go_on(self) -> list[FrameSpan]:
        """Search in what there is."""
        found = self._search.search(self.limit, self.negotiated, final=False)
        if found is None:
            self._skip(self._search.trim())
            return []
        if self._search.end - found.end > _MUCH:  # all this was held for a frame that was none
            self.limit = max(self.limit // 2, min(self.limit, _MUCH))
        return self._take(found)

    def _settle(self) -> list[FrameSpan]:
        """Nothing more will be known of what was searched: a gap, or the end."""
        frames: list[FrameSpan] = []
        while self._searching:
            found = self._search.search(self.limit, self.negotiated, final=True)
            if found is not None:
                frames += self._take(found)
                self._drain(frames)
            else:
                self._skip(len(self._search.held))
                self._end_search()
        return frames

    def _take(self, found: Found) -> list[FrameSpan]:
        """Frames were found: the stream is in order again, and what is held after them is read so."""
        search, shape = self._search, self.shape
        self._skip(found.begin - search.offset)
        self._close_run()
        frames = []
        for offset, size in found.chain:
            frame = shape.span(search.held, offset - search.offset, size, offset, search.place(offset))
            frames.append(self._on_control(frame) if shape.is_control(frame) else frame)
        self.ledger.framed += found.end - found.begin
        self._look(frames)
        self._again.extendleft(reversed(search.pieces(found.end)))
        self._end_search()
        return frames

    def _end_search(self) -> None:
        self._search.clear()
        self._searching = self._troubled = False

    # --- What is left out ---

    def _open_run(self, reason: Reason, offset: int, place: Place) -> None:
        if self._run is None:
            self._run = _Run(reason, offset, place)

    def _skip(self, octets: int) -> None:
        self.ledger.skipped += octets
        if self._run is not None:
            self._run.length += octets

    def _close_run(self) -> None:
        run, self._run = self._run, None
        if run is not None and run.length:
            self._add(run.reason, run.offset, run.length, run.place)

    def _add(self, reason: Reason, offset: int, length: int, place: Place) -> None:
        item = Quarantined(reason, length, *place, self._connection, self._direction, offset)
        self._quarantine.add(item)
