"""Frames with their place in stream and capture, and what a framer must know about a protocol family: its frame format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from ..capture.quarantine import Reason
from ..capture.stream_data import StreamPiece

# The type of a protocol header, which is not a frame. Its payload is the whole header.
PROTOCOL_HEADER = -1

# No frame is larger, whatever was negotiated: this bounds how much of a stream is held.
LARGEST_FRAME = 1 << 24

# Peers cannot split content headers of 0-x, and brokers send them of any size: those of up to so many octets are read,
# whatever was negotiated.
LARGEST_HEADER = 1 << 20

# Octets of a 0-x frame besides its payload.
OVERHEAD0 = 8

# packet_no, packet_offset and ns of a packet; see ``StreamPiece``.
Place: TypeAlias = tuple[int, int, int]

# The offset of a piece in its stream, and its place.
Start: TypeAlias = tuple[int, int, int, int]


class FrameSpan(NamedTuple):
    """A whole frame, or a protocol header.

    Attributes:
        offset: Where it begins in the stream of its direction, in octets from 0.
        size: Its octets on the wire, header and end octet included.
        type: The frame type, or ``PROTOCOL_HEADER``.
        channel: The channel number; 0 where there is none.
        payload: 0-x: the octets between frame header and end octet. 1.0: the body, after the extended header. If it
            had secrets, it differs from the wire, see ``redaction``.
        packet_no: The packet in which the frame begins.
        packet_offset: Where the record of that packet begins in its file.
        ns: When that packet was captured, in nanoseconds since 1970.
    """

    offset: int
    size: int
    type: int
    channel: int
    payload: bytes
    packet_no: int
    packet_offset: int
    ns: int


class FramerSnapshot(NamedTuple):
    """A framer between two pieces of a stream in order.

    Attributes:
        held: The beginning of an incomplete frame.
        begin: Its offset.
        need: How many octets it takes to go on.
        starts: Where the packets begin that it is from.
        until, looks, bodies_hide_frames: See ``EmbeddedFrameSampler``.
    """

    held: bytes
    begin: int
    need: int
    starts: list[Start]
    until: int
    looks: int
    bodies_hide_frames: bool


Octets: TypeAlias = "bytes | bytearray"

# Called for each protocol header and connection-level frame, in order; its return value is delivered instead.
OnControl: TypeAlias = Callable[[FrameSpan], FrameSpan]


class FrameFormat(Protocol):
    """The frame format of a protocol family.

    Attributes:
        header_limit: The largest frame of a content header of 0-x, where that is above the limit of other frames.
    """

    header_limit: int

    @property
    def head_size(self) -> int:
        """How many octets of a frame are needed to know its size."""

    def read(
        self,
        data: bytes,
        offset: int,
        pieces: Sequence[StreamPiece],
        limit: int,
        frames: list[FrameSpan],
        on_control: OnControl,
    ) -> tuple[int, Reason | None]:
        """Read consecutive whole frames of a stream that is in order.

        Args:
            data: Octets that begin where a frame should.
            offset: The offset of the first octet in the stream.
            pieces: The pieces that the octets are from, in order; their ``data`` is not used. The first begins at
                ``offset`` or before. Each frame gets the place of the piece in which it begins.
            limit: The largest frame allowed, in octets; see ``header_limit``, too.
            frames: Frames are appended here.
            on_control: Called for connection-level frames.

        Returns:
            The octets of the frames, and what is wrong with what follows. The latter is None if the rest of a frame is
            yet to come, or if reading ended after a connection-level frame.
        """

    def size(self, data: bytes) -> int:
        """Return the size of the frame that begins ``data``, which has at least ``head_size`` octets."""

    def ends(self, data: bytes, position: int) -> bool:
        """Return whether a frame may end before this position of ``data``."""

    def find(self, held: Octets, position: int) -> int:
        """Return the first position from this one on where a frame seems to begin after another; -1 if there is none."""

    @property
    def longest_look(self) -> int:
        """The most octets that ``find`` looks at."""

    def verify(self, held: Octets, position: int, limit: int) -> int:
        """Check whether there is a frame at a position.

        Returns:
            The size of the frame if all of it is there, 0 if more octets are needed, -1 if there is none.
        """

    def is_strong(self, held: Octets, position: int) -> bool:
        """Return whether the verified frame at a position can hardly be anything else."""

    def span(self, held: Octets, position: int, size: int, offset: int, place: Place) -> FrameSpan:
        """Return a verified frame."""

    def is_control(self, frame: FrameSpan) -> bool:
        """Return whether a frame is connection-level: it sets up or ends the connection."""


def hides_frame(shape: FrameFormat, held: Octets, start: int, end: int, limit: int) -> bool:
    """Return whether octets between these positions look like a whole frame, as in the body of a message about AMQP."""
    position = shape.find(held, start)
    while 0 <= position < end:
        size = shape.verify(held, position, limit)
        if 0 < size <= end - position and shape.is_strong(held, position):
            return True
        position = shape.find(held, position + 1)
    return False
