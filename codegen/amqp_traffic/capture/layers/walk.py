"""From the link layer of a packet to its TCP segment, through all tunnels."""

from __future__ import annotations

from functools import cache

from ..quarantine import Reason
from . import ethertypes, gre, internet, ppp, udp, wlan
from .links import LINK_LAYERS
from .steps import Layer, Reader, Span, TcpPart

# More layers than any network stacks: an Ethernet frame in a tunnel is four of them.
MOST_LAYERS = 48

_READERS: dict[Layer, Reader] = {
    Layer.ETHERNET: ethertypes.read_ethernet,
    Layer.ETHERTYPE: ethertypes.read_ethertype,
    Layer.LLC: ethertypes.read_llc,
    Layer.IP: internet.read_ip,
    Layer.MPLS: ethertypes.read_mpls,
    Layer.NSH: ethertypes.read_nsh,
    Layer.PPP: ppp.read_ppp,
    Layer.GRE: gre.read_gre,
    Layer.WLAN: wlan.read_wlan,
    Layer.SWAPPED_WLAN: wlan.read_swapped_wlan,
    Layer.UDP: udp.read_udp,
    Layer.FRAME_RELAY: ppp.read_frame_relay,
}


def find_tcp(packet: bytes, link_type: int, original: int) -> TcpPart | Reason:
    """Return the TCP segment of a packet, or the reason why there is none.

    Args:
        packet: What was captured of it.
        link_type: Its link type.
        original: Its length on the wire, in octets.
    """
    return walk(packet, link_type, original)[-1]


def walk(packet: bytes, link_type: int, original: int) -> tuple[Layer | None, Span, TcpPart | Reason]:
    """Return the last layer of a packet, None for the link layer; where it is; and what ``find_tcp`` returns."""
    layer: Layer | None = None
    span = Span(0, len(packet), max(len(packet), original))
    reader: Reader | None = LINK_LAYERS.get(link_type)
    if reader is None:
        return layer, span, Reason.UNKNOWN_LINK_TYPE
    for _ in range(MOST_LAYERS):
        try:
            step = reader(packet, span)
        except IndexError:
            return layer, span, span.cut
        if isinstance(step, (TcpPart, Reason)):
            return layer, span, step
        layer, span = step
        if not span.has(1):
            return layer, span, span.cut if layer is Layer.IP else Reason.NON_TCP
        reader = _READERS[layer]
    return layer, span, Reason.BAD_PACKET


@cache
def tunnel_flags() -> bytes:
    """Return what leads to another packet, for the reader in C, which leaves such packets to Python.

    Returns:
        An octet for each number of two octets: 1 for a port of UDP, 2 for an ethertype, 4 for a protocol of IP, or their sum.
    """
    flags = bytearray(1 << 16)
    for flag, tunnels in ((1, udp.TUNNELS), (2, ethertypes.TUNNELS), (4, internet.TUNNELS)):
        for value in tunnels:
            flags[value] |= flag
    return bytes(flags)
