"""Data between the rooms: TCP segments, and the ordered pieces of streams made from them.

Both are tuples, because there is one for every packet.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple, TypeAlias

# The flags of a TCP header, and the mask of its sequence numbers.
FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
SEQUENCE_MASK = 0xFFFFFFFF

# The sender, by Direction.
SIDES = ("client", "server")


class Direction(IntEnum):
    """The direction of a stream."""

    client_to_server = 0
    server_to_client = 1

    @property
    def opposite(self) -> Direction:
        """The other direction of the connection."""
        return Direction(1 - self)


class StreamPiece(NamedTuple):
    """Octets of one direction of a connection, or a gap. The next piece begins where this one ends.

    Attributes:
        data: The octets; ``b""`` for a gap.
        offset: Where the piece begins in the stream of its direction, in octets from 0. If the beginning of the
            connection was not captured, offset 0 is the first octet that was.
        gap: Number of lost octets, for a gap; 0 for data. The piece is ``len(data) + gap`` octets long, and one of the
            two is 0.
        packet_no: The packet in which ``data`` begins, counted as tshark does, from 1. For a gap, the packet that
            revealed it.
        packet_offset: Where the record of that packet begins in its file, in octets.
        ns: When that packet was captured, in nanoseconds since 1970; 0 if the file does not say.
    """

    data: bytes
    offset: int
    gap: int
    packet_no: int
    packet_offset: int
    ns: int


# An offset after the end of every stream.
NEVER = 1 << 63


def piece_at(pieces: Sequence[StreamPiece], offset: int, first: int = 0) -> int:
    """Return the index of the piece, ``first`` or later, that an offset is in; the last one for all offsets after it."""
    while first + 1 < len(pieces) and pieces[first + 1][1] <= offset:
        first += 1
    return first


# (flow, sequence, acknowledgment, flags, data, missing, packet_no, packet_offset, ns)
#
# flow: source address, destination address (4 or 16 octets each), source port, destination port (2 octets each).
# sequence, acknowledgment, flags: as in the TCP header; sequence is that of the first octet of data, or of the SYN.
# data: the payload as far as it was captured; missing: octets of payload that were not (snaplen).
# packet_no, packet_offset, ns: as in StreamPiece.
Segment: TypeAlias = tuple[bytes, int, int, int, bytes, int, int, int, int]
