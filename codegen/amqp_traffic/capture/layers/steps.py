"""What readers of layers return: the next layer, a TCP segment, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from ..files import Buffer
from ..quarantine import Reason


class Layer(Enum):
    """What follows at a position."""

    ETHERNET = auto()
    ETHERTYPE = auto()  # its number, and what it announces
    LLC = auto()
    IP = auto()  # of either version
    MPLS = auto()
    NSH = auto()
    PPP = auto()
    GRE = auto()
    WLAN = auto()
    SWAPPED_WLAN = auto()  # with the octets of its frame control exchanged
    UDP = auto()
    FRAME_RELAY = auto()


class Span(NamedTuple):
    """Where a layer is.

    Attributes:
        position: Its first octet.
        end: The end of what was captured of the packet.
        original_end: Where the packet would end if all of it had been captured.
    """

    position: int
    end: int
    original_end: int

    def at(self, position: int) -> Span:
        """Return the span from another position on."""
        return self._replace(position=position)

    def after(self, octets: int) -> Span:
        """Return the span without its first octets."""
        return self._replace(position=self.position + octets)

    def has(self, octets: int) -> bool:
        """Return whether so many octets were captured."""
        return self.position + octets <= self.end

    @property
    def cut(self) -> Reason:
        """The reason why a header ends early."""
        return Reason.SNAPLEN_CUT if self.end < self.original_end else Reason.BAD_PACKET


class TcpPart(NamedTuple):
    """A TCP segment in a packet.

    Attributes:
        flow: Addresses and ports, as in ``Segment``.
        sequence: The sequence number of the first octet of data, or of the SYN.
        acknowledgment: As in the header.
        flags: FIN 1, SYN 2, RST 4, PSH 8, ACK 16.
        start: Where the data begin in the buffer.
        end: Where the captured data end.
        missing: Octets of data that were not captured.
    """

    flow: bytes
    sequence: int
    acknowledgment: int
    flags: int
    start: int
    end: int
    missing: int


# The next layer, and where it is.
Step: TypeAlias = tuple[Layer, Span]

Reader: TypeAlias = "Callable[[Buffer, Span], Step | TcpPart | Reason]"

# A tunnel: reads its header, and returns what it carries; ``Reason.NON_TCP`` where it carries nothing that is read.
Tunnel: TypeAlias = "Callable[[Buffer, Span], Step | Reason]"


def number(buffer: Buffer, position: int, octets: int = 2) -> int:
    """Return a number of so many octets."""
    return int.from_bytes(buffer[position : position + octets], "big")


def skipping(octets: int, layer: Layer) -> Tunnel:
    """Return the reader of a header of fixed size, which one layer follows."""
    return lambda buffer, span: (layer, span.after(octets))


def by_number(found: int, layers: dict[int, Layer], span: Span) -> Step | Reason:
    """Return the layer of a number, or that there is none."""
    layer = layers.get(found)
    return Reason.NON_TCP if layer is None else (layer, span)
