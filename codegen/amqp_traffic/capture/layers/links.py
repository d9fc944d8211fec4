"""Link types of capture files, and what packets of each begin with. See https://www.tcpdump.org/linktypes.html."""

from __future__ import annotations

from typing import Literal

from ..files import Buffer
from ..quarantine import Reason
from .ethertypes import IPV4, IPV6, VLAN, read_ethernet
from .ppp import read_ppp
from .steps import Layer, Span, Step, Tunnel, number, skipping
from .wlan import read_ppi, read_prism, read_radiotap, read_wlan

ETHERNET, LINUX_COOKED, LINUX_COOKED_2 = 1, 113, 276
NULL, LOOP = 0, 108
RAW_IP = (12, 14, 101)  # 12 and 14 are those of BSD and OpenBSD
IPV4_LINK, IPV6_LINK = 228, 229
PPP, PPP_SERIAL = 9, 50
WLAN, PRISM, RADIOTAP, AVS, PPI = 105, 119, 127, 163, 192
NFLOG = 239

_NFLOG_PAYLOAD = 9


def _linux_cooked_2(buffer: Buffer, span: Span) -> Step | Reason:
    # The ethertype comes first, the packet after a header of 20 octets; VLAN tags stand between header and packet.
    ethertype = number(buffer, span.position)
    if ethertype in VLAN:
        return Layer.ETHERTYPE, span.after(22)
    return (Layer.IP, span.after(20)) if ethertype in (IPV4, IPV6) else Reason.NON_TCP


def _nflog(buffer: Buffer, span: Span) -> Step | Reason:
    """Fields of length, type and value in the byte order of the machine that captured, padded to four octets."""
    at = span.position + 4
    while at + 4 <= span.end:
        order: Literal["little", "big"] = "little"
        length = int.from_bytes(buffer[at : at + 2], order)
        if not 4 <= length <= span.original_end - at:
            order = "big"
            length = int.from_bytes(buffer[at : at + 2], order)
        if length < 4:
            return Reason.BAD_PACKET
        if int.from_bytes(buffer[at + 2 : at + 4], order) == _NFLOG_PAYLOAD:
            return Layer.IP, span.at(at + 4)
        at += length + -length % 4
    return Reason.NON_TCP


_RAW = skipping(0, Layer.IP)
# The four octets before the packet give the address family, in numbers that differ between systems: not used.
_FAMILY = skipping(4, Layer.IP)

LINK_LAYERS: dict[int, Tunnel] = {
    ETHERNET: read_ethernet,
    LINUX_COOKED: skipping(14, Layer.ETHERTYPE),
    LINUX_COOKED_2: _linux_cooked_2,
    NULL: _FAMILY,
    LOOP: _FAMILY,
    IPV4_LINK: _RAW,
    IPV6_LINK: _RAW,
    **dict.fromkeys(RAW_IP, _RAW),
    PPP: read_ppp,
    PPP_SERIAL: read_ppp,
    WLAN: read_wlan,
    PRISM: read_prism,
    AVS: read_prism,
    RADIOTAP: read_radiotap,
    PPI: read_ppi,
    NFLOG: _nflog,
}
"""For each link type the reader of its header."""
