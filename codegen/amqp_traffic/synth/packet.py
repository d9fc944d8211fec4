"""A packet on its way into the capture, its checksum, and the time that goes by between packets."""

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
        number: In the order of sending, from 0.
        ns: When it was sent, in nanoseconds since 1970.
        connection: The number of its connection, from 0.
        direction: Which way it goes.
        is_syn: Whether it begins the stream of its direction.
        offset: Where the payload begins in that stream.
        headers: The headers of IP and TCP.
        payload: The octets of the stream.
        altered: The place of an octet that is not as it was sent; None if all are.
        is_contrary: Whether it is a second copy with another payload; the first one counts.
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
        ns: When the last packet was sent.
    """

    chance: Chance
    number: int = 0
    ns: int = _START_NS

    def advance(self) -> None:
        """Go on to the next packet, some microseconds later."""
        self.number += 1
        self.ns += 1 + int(self.chance.draw() * _USUAL_GAP_NS)


_ONES = 0xFFFF


def number_of(octets: bytes | bytearray) -> int:
    """Return octets as a number whose remainder is their sum; a zero is added to an odd number of octets."""
    return int.from_bytes(octets, "big") << (8 if len(octets) & 1 else 0)


def checksum(total: int) -> int:
    """Return the checksum (RFC 1071) of what makes up this sum."""
    return _ONES - total % _ONES
