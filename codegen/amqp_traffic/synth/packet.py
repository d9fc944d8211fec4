"""Packets before they are captured, their checksums, and the times between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..capture.stream_data import Direction
from .chance import Chance

_START_NS = 1_700_000_000_000_000_000
_USUAL_GAP_NS = 60_000


class Packet(NamedTuple):
    """An IP packet with a TCP segment.

    Attributes:
        number: The number in the order of sending, from 0.
        ns: The time of sending, in nanoseconds since 1970.
        connection: The number of its connection, from 0.
        is_syn: Whether it begins the stream of its direction.
        offset: The offset of the payload in that stream.
        headers: The headers of IP and TCP.
        payload: The octets of the stream.
        altered: The index of the payload octet that differs from what was sent; None if none does.
        is_contrary: Whether it is a second copy with another payload; the first copy counts.
    """

    number: int
    ns: int
    connection: int
    direction: Direction
    is_syn: bool
    offset: int
    headers: bytes
    payload: bytes
    altered: int | None = None
    is_contrary: bool = False

    @property
    def ip_version(self) -> int:
        """4 or 6."""
        return self.headers[0] >> 4


@dataclass(slots=True)
class Timeline:
    """The numbers and times of packets.

    Attributes:
        chance: Decides about the time between packets.
        number: The number of the next packet.
        ns: The time of the last packet, in nanoseconds since 1970.
    """

    chance: Chance
    number: int = 0
    ns: int = _START_NS

    def advance(self) -> None:
        """Advance to the next packet, some microseconds later."""
        self.number += 1
        self.ns += 1 + int(self.chance.draw() * _USUAL_GAP_NS)


_ONES = 0xFFFF


def number_of(octets: bytes | bytearray) -> int:
    """Return octets as an integer; modulo 0xFFFF it is their 16-bit sum. An odd number of octets is padded with 0."""
    return int.from_bytes(octets, "big") << (8 if len(octets) & 1 else 0)


def checksum(total: int) -> int:
    """Return the checksum (RFC 1071) of octets with this sum."""
    return _ONES - total % _ONES
