"""Packets of capture files, and the TCP segment in each: link layer, IP and TCP headers.

Link types: https://www.tcpdump.org/linktypes.html. IPv4: RFC 791. IPv6 and its extension headers: RFC 8200. TCP: RFC 9293.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import NamedTuple, TypeAlias

from .files import Buffer
from .quarantine import Reason

# (record position, data position, captured octets, original octets, ns, link type)
#
# The record is the packet with its record header, or its block; ns is in nanoseconds since 1970, 0 if unknown.
Packet: TypeAlias = tuple[int, int, int, int, int, int]

# Called with a position, and with the end of the octets that are there: somebody else reads plain packets from there on. Returns
# the position of the first record that was not read, and the time of the last packet.
Skip: TypeAlias = Callable[[int, int], tuple[int, int]]

LONGEST_PACKET = 262_144  # libpcap and Wireshark neither read nor write longer ones
SECOND = 1_000_000_000
CHAIN = 3  # adjacent records that are needed to accept a position after damage


ETHERNET, LINUX_COOKED, LINUX_COOKED_2 = 1, 113, 276
NULL, LOOP = 0, 108
RAW_IP = (12, 14, 101)  # 12 and 14 are those of BSD and OpenBSD
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
    # The ethertype comes first, the packet after a header of 20 octets; VLAN tags stand between header and packet.
    ethertype = int.from_bytes(buffer[position : position + 2], "big")
    if ethertype in _VLAN_ETHERTYPES:
        return _after_ethertype(buffer, position + 22, end)
    return position + 20 if ethertype in (IPV4_ETHERTYPE, IPV6_ETHERTYPE) else -1


def _null(buffer: Buffer, position: int, end: int) -> int:
    # The four octets before the packet give the address family, in numbers that differ between systems: not used.
    return position + 4


def _raw(buffer: Buffer, position: int, end: int) -> int:
    return position


def _after_ethertype(buffer: Buffer, position: int, end: int) -> int:
    """Return where the IP packet begins after an ethertype of IP, VLAN, PPPoE or MPLS; -1 for others."""
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
    """Return the position after the last MPLS label, which does not tell the protocol of the packet; -1 without one."""
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
"""For each link type a function of buffer, position and end of the packet; it returns where IP begins, or -1."""


_TCP = 6
_HOP_BY_HOP, _ROUTING, _FRAGMENT, _AUTHENTICATION, _NO_NEXT, _DESTINATION = 0, 43, 44, 51, 59, 60
_MOBILITY, _HOST_IDENTITY, _SHIM6 = 135, 139, 140
# Extension headers whose length is in units of 8 octets, not counting the first 8.
_EXTENSIONS = (_HOP_BY_HOP, _ROUTING, _DESTINATION, _MOBILITY, _HOST_IDENTITY, _SHIM6)
_MORE_OR_OFFSET = 0x3FFF  # IPv4: more fragments, or not the first
_MORE_OR_OFFSET_6 = 0xFFF9

_read_ipv4 = Struct(">BxHxxHxB").unpack_from  # version and header length; total length; fragment; protocol
_read_ipv6 = Struct(">4xHB").unpack_from  # payload length; next header
_read_tcp = Struct(">4xIIBB").unpack_from  # sequence; acknowledgment; header length; flags
_IPV4_SIZE, _IPV6_SIZE, _TCP_SIZE = 20, 40, 20


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


def find_tcp(buffer: Buffer, position: int, end: int, original_end: int) -> TcpPart | Reason:
    """Return the TCP segment of the IP packet at a position, or the reason why there is none.

    The captured octets end at ``end``; the packet would end at ``original_end`` if all of it had been captured.
    """
    version = buffer[position] >> 4 if position < end else 0
    if version == 4:
        return _find_in_ipv4(buffer, position, end, original_end)
    if version == 6:
        return _find_in_ipv6(buffer, position, end, original_end)
    return Reason.NON_TCP if position < end else _short(end, original_end)


def _short(end: int, original_end: int) -> Reason:
    """Return the reason why headers end early."""
    return Reason.SNAPLEN_CUT if end < original_end else Reason.BAD_PACKET


def _find_in_ipv4(buffer: Buffer, position: int, end: int, original_end: int) -> TcpPart | Reason:
    if position + _IPV4_SIZE > end:
        return _short(end, original_end)
    version, total, fragment, protocol = _read_ipv4(buffer, position)
    header_size = (version & 0xF) * 4
    if protocol != _TCP:
        return Reason.NON_TCP
    if fragment & _MORE_OR_OFFSET:
        return Reason.IP_FRAGMENT
    if header_size < _IPV4_SIZE:
        return Reason.BAD_PACKET
    # A length of 0: the network card fills it in after the capture (segmentation offload).
    packet_end = position + total if total else original_end
    addresses = buffer[position + 12 : position + 20]
    return _read_segment(buffer, addresses, position + header_size, end, packet_end, original_end)


def _find_in_ipv6(buffer: Buffer, position: int, end: int, original_end: int) -> TcpPart | Reason:
    if position + _IPV6_SIZE > end:
        return _short(end, original_end)
    payload_length, following = _read_ipv6(buffer, position)
    # A length of 0: a jumbogram, or filled in after the capture.
    packet_end = position + _IPV6_SIZE + payload_length if payload_length else original_end
    addresses = buffer[position + 8 : position + 40]
    position += _IPV6_SIZE
    while following != _TCP:
        if following not in (*_EXTENSIONS, _FRAGMENT, _AUTHENTICATION):
            return Reason.NON_TCP
        if position + 8 > end:
            return _short(end, original_end)
        if following == _FRAGMENT:
            if (buffer[position + 2] << 8 | buffer[position + 3]) & _MORE_OR_OFFSET_6:
                return Reason.IP_FRAGMENT
            size = 8
        elif following == _AUTHENTICATION:
            size = buffer[position + 1] * 4 + 8
        else:
            size = buffer[position + 1] * 8 + 8
        following = buffer[position]
        position += size
    return _read_segment(buffer, addresses, position, end, packet_end, original_end)


def _read_segment(
    buffer: Buffer, addresses: bytes, position: int, end: int, packet_end: int, original_end: int
) -> TcpPart | Reason:
    if position + _TCP_SIZE > packet_end:
        return Reason.BAD_PACKET
    if position + _TCP_SIZE > end:
        return _short(end, original_end)
    sequence, acknowledgment, size, flags = _read_tcp(buffer, position)
    start = position + (size >> 4) * 4
    if start < position + _TCP_SIZE or start > packet_end:
        return Reason.BAD_PACKET
    flow = addresses + buffer[position : position + 4]
    data_end = max(start, min(end, packet_end))
    if start > end:  # the capture ends within the options
        return TcpPart(flow, sequence, acknowledgment, flags, start, start, packet_end - start)
    return TcpPart(flow, sequence, acknowledgment, flags, start, data_end, packet_end - data_end)
