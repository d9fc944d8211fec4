"""A packet on its way into the capture, and the time that goes by between packets."""

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
        altered: Which of them is not as it was sent; None if all are.
        is_contrary: Whether it is a second copy that is not like the first one, which counts.
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
    """Numbers packets, and says when each was sent.

    Attributes:
        chance: How long it takes.
        number: Of the next packet.
        ns: When the last one was sent.
    """

    chance: Chance
    number: int = 0
    ns: int = _START_NS

    def advance(self) -> None:
        """One more packet, some microseconds later."""
        self.number += 1
        self.ns += 1 + int(self.chance.draw() * _USUAL_GAP_NS)
