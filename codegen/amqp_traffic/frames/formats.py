"""A frame, and where in a stream and in a capture it is.

What the framer has to know of a family of protocols: how its frames look.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from ..capture.quarantine import Reason
from ..capture.stream_data import StreamPiece

# What stands as the type of a protocol header, which is no frame. Its payload is all its octets.
PROTOCOL_HEADER = -1

# What no frame exceeds, whatever was negotiated: so much of a stream may have to be held.
LARGEST_FRAME = 1 << 24

# How many octets a frame of 0-x has besides its payload.
OVERHEAD0 = 8

# Number of a packet, where its record begins in the file, when it was captured; see ``Piece``.
Place: TypeAlias = tuple[int, int, int]

# Where a piece begins in its stream, and its place.
Start: TypeAlias = tuple[int, int, int, int]


class FrameSpan(NamedTuple):
    """A whole frame, or a protocol header.

    Attributes:
        offset: Where it begins in the stream of its direction, in octets from 0.
        size: How many octets it has on the wire, with all that belongs to it.
        type: The frame type, or ``PROTOCOL_HEADER``.
        channel: The channel number; 0 where there is none.
        payload: 0-x: what is between head and end octet. 1.0: the body, after the extended header. Where secrets
            were in it, it is not what was on the wire, see ``redaction``.
        packet_no: The packet in which it begins.
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


Octets: TypeAlias = "bytes | bytearray"

# Is told of protocol headers, and of frames about the connection itself; returns what is handed on instead.
OnControl: TypeAlias = Callable[[FrameSpan], FrameSpan]


class FrameFormat(Protocol):
    """How frames of a family look.

    Attributes:
        head_size: How many octets tell the size of a frame.
    """

    @property
    def head_size(self) -> int:
        """How many octets tell the size of a frame."""

    def read(
        self,
        data: bytes,
        offset: int,
        pieces: Sequence[StreamPiece],
        limit: int,
        frames: list[FrameSpan],
        on_control: OnControl,
    ) -> tuple[int, Reason | None]:
        """Read whole frames, one after the other, of a stream that is in order.

        Args:
            data: Begins with a frame, or where one should be.
            offset: Of its first octet in the stream.
            pieces: Those that the octets are from, in order; their own octets are of no interest. The first begins at
                ``offset`` or before. Frames get the place of the piece in which they begin.
            limit: How large a frame may be.
            frames: Frames are appended here.
            on_control: Is told of what is about the connection itself.

        Returns:
            How many octets the frames have, and what is wrong with what follows; None if it is just not there yet, or
            was not looked at: a frame about the connection itself is the last that is read.
        """

    def size(self, data: bytes) -> int:
        """The size of the frame at the beginning of ``data``, which has ``head_size`` octets or more."""

    def ends(self, data: bytes, position: int) -> bool:
        """Whether a frame may end before this position of ``data``."""

    def find(self, held: Octets, position: int) -> int:
        """The first position, this one or later, that looks like the beginning of a frame after another; or -1."""

    @property
    def longest_look(self) -> int:
        """How many octets ``find`` looks at, at most."""

    def verify(self, held: Octets, position: int, limit: int) -> int:
        """Look closely whether there is a frame at a position.

        Returns:
            Its size if the whole of it is there, 0 if more octets are needed, -1 if there is none.
        """

    def is_strong(self, held: Octets, position: int) -> bool:
        """Whether the frame there, which was verified, could hardly be anything else."""

    def span(self, held: Octets, position: int, size: int, offset: int, place: Place) -> FrameSpan:
        """Take out a frame that was verified."""

    def is_control(self, frame: FrameSpan) -> bool:
        """Whether it is about the connection itself."""


def hides_frame(shape: FrameFormat, held: Octets, start: int, end: int, limit: int) -> bool:
    """Whether something between these positions looks like a whole frame, as in the body of a message about AMQP."""
    position = shape.find(held, start)
    while 0 <= position < end:
        size = shape.verify(held, position, limit)
        if 0 < size <= end - position and shape.is_strong(held, position):
            return True
        position = shape.find(held, position + 1)
    return False
