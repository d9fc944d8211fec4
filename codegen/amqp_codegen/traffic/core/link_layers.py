"""Where the IP packet begins, by link type.

Link types: https://www.tcpdump.org/linktypes.html
"""

from __future__ import annotations

from collections.abc import Callable

from .capture_file import Buffer

ETHERNET, LINUX_COOKED, LINUX_COOKED_2 = 1, 113, 276
NULL, LOOP = 0, 108
RAW_IP = (12, 14, 101)  # 12 and 14: how BSD and OpenBSD have it
IPV4, IPV6 = 228, 229

IPV4_ETHERTYPE, IPV6_ETHERTYPE = 0x0800, 0x86DD
_VLAN_ETHERTYPES = (0x8100, 0x88A8, 0x9100, 0x9200)
_PPPOE_SESSION, _PPP_IPV4, _PPP_IPV6 = 0x8864, 0x0021, 0x0057
_MPLS = 0x8847


def _ethernet(buffer: Buffer, position: int, end: int) -> int:
    return _after_ethertype(buffer, position + 12, end)


def _linux_cooked(buffer: Buffer, position: int, end: int) -> int:
    return _after_ethertype(buffer, position + 14, end)


def _linux_cooked_2(buffer: Buffer, position: int, end: int) -> int:
    # The ethertype comes first here, and the packet after the header of 20 octets; VLAN tags stand before the packet.
    ethertype = int.from_bytes(buffer[position : position + 2], "big")
    if ethertype in _VLAN_ETHERTYPES:
        return _after_ethertype(buffer, position + 22, end)
    return position + 20 if ethertype in (IPV4_ETHERTYPE, IPV6_ETHERTYPE) else -1


def _null(buffer: Buffer, position: int, end: int) -> int:
    # Before the packet, four octets say what it is, in numbers that differ between systems. The packet knows better.
    return position + 4


def _raw(buffer: Buffer, position: int, end: int) -> int:
    return position


def _after_ethertype(buffer: Buffer, position: int, end: int) -> int:
    """Where the IP packet begins, if the ethertype here is one of IP, of VLANs, PPPoE or MPLS; else -1."""
    while position + 2 <= end:
        ethertype = buffer[position] << 8 | buffer[position + 1]
        position += 2
        if ethertype in (IPV4_ETHERTYPE, IPV6_ETHERTYPE):
            return position
        if ethertype in _VLAN_ETHERTYPES:
            position += 2
        elif ethertype == _PPPOE_SESSION:
            protocol = int.from_bytes(buffer[position + 6 : position + 8], "big")
            return position + 8 if protocol in (_PPP_IPV4, _PPP_IPV6) else -1
        elif ethertype == _MPLS:
            return _after_labels(buffer, position, end)
        else:
            return -1
    return -1


def _after_labels(buffer: Buffer, position: int, end: int) -> int:
    """Behind the MPLS label that says it is the last. What follows, only the packet itself can tell."""
    while position + 4 <= end:
        position += 4
        if buffer[position - 2] & 1:
            return position
    return -1


LINK_LAYERS: dict[int, Callable[[Buffer, int, int], int]] = {
    ETHERNET: _ethernet,
    LINUX_COOKED: _linux_cooked,
    LINUX_COOKED_2: _linux_cooked_2,
    NULL: _null,
    LOOP: _null,
    IPV4: _raw,
    IPV6: _raw,
    **dict.fromkeys(RAW_IP, _raw),
}
"""Link type to a function of buffer, position and end of the packet; it returns where IP begins, or -1."""
