"""What is around the octets of a protocol in a connection, and is taken off: a PROXY header, WebSocket, TLS.

A wrapper takes pieces of both directions, and returns those within. All octets of a stream are either within, or around it, or
unreadable, or lost; ``InnerStream`` counts them, so that ledgers hold.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from ..capture.quarantine import Reason
from ..capture.stream_data import Direction, StreamPiece

# packet_no, packet_offset and ns of a packet; see ``StreamPiece``.
Place: TypeAlias = tuple[int, int, int]

# Called with direction, reason, offset in the outer stream, number of octets, place and detail of what cannot be read.
LeaveOut: TypeAlias = Callable[[Direction, Reason, int, int, Place, str], None]


class InnerStream:
    """One direction of what a wrapper holds.

    Attributes:
        length: Octets within so far, gaps included: the offset of the next one.
        wrapped: Octets around them.
        skipped: Octets that cannot be read; they are in the quarantine.
    """

    __slots__ = ("_direction", "_leave_out", "length", "skipped", "wrapped")

    def __init__(self, direction: Direction, leave_out: LeaveOut) -> None:
        self.length = self.wrapped = self.skipped = 0
        self._direction = direction
        self._leave_out = leave_out

    @property
    def outer_length(self) -> int:
        """Octets of the outer stream that are accounted for."""
        return self.length + self.wrapped + self.skipped

    def data(self, octets: bytes, place: Place) -> StreamPiece:
        """Return the next octets within as a piece."""
        piece = StreamPiece(octets, self.length, 0, *place)
        self.length += len(octets)
        return piece

    def gap(self, octets: int, place: Place) -> StreamPiece:
        """Return lost octets as a piece."""
        piece = StreamPiece(b"", self.length, octets, *place)
        self.length += octets
        return piece

    def skip(self, octets: int, reason: Reason, place: Place, detail: str = "") -> None:
        """Leave out octets that are there and cannot be read."""
        self._leave_out(self._direction, reason, self.outer_length, octets, place, detail)
        self.skipped += octets


class Wrapper(Protocol):
    """Both directions of a wrapper. Its pieces and what it returns are adjacent in each direction.

    Attributes:
        name: ``proxy``, ``tls`` or ``websocket``.
        inner: What is within, by direction.
    """

    name: str
    inner: tuple[InnerStream, InnerStream]

    def unwrap(self, direction: Direction, piece: StreamPiece) -> list[tuple[Direction, StreamPiece]]:
        """Take the next piece of a direction; return the pieces within that are known now, of either direction."""
        ...

    def finish(self) -> list[tuple[Direction, StreamPiece]]:
        """End both streams: account for all octets that are held, and return the last pieces."""
        ...


def inner_streams(leave_out: LeaveOut) -> tuple[InnerStream, InnerStream]:
    """Return what is within a new wrapper."""
    client, server = (InnerStream(direction, leave_out) for direction in Direction)
    return client, server
