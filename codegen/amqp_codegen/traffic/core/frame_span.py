"""A frame, and where in a stream and in a capture it is."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

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
