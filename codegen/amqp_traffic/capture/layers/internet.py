"""IP and TCP, and the protocols of IP that carry another packet.

IPv4: RFC 791. IPv6 and its extension headers: RFC 8200. TCP: RFC 9293. Protocols:
https://www.iana.org/assignments/protocol-numbers.
"""

from __future__ import annotations

from struct import Struct

from ..files import Buffer
from ..quarantine import Reason
from .steps import Layer, Span, Step, TcpPart, Tunnel, by_number, number, skipping
from .udp import read_l2tp_3

_TCP, _UDP = 6, 17
_HOP_BY_HOP, _ROUTING, _FRAGMENT, _AUTHENTICATION, _DESTINATION = 0, 43, 44, 51, 60
_MOBILITY, _HOST_IDENTITY, _SHIM6 = 135, 139, 140
# Extension headers whose length is in units of 8 octets, not counting the first 8.
_EXTENSIONS = (_HOP_BY_HOP, _ROUTING, _DESTINATION, _MOBILITY, _HOST_IDENTITY, _SHIM6)
_MORE_OR_OFFSET = 0x3FFF  # IPv4: more fragments, or not the first
_MORE_OR_OFFSET_6 = 0xFFF9

_read_ipv4 = Struct(">BxHxxHxB").unpack_from  # version and header length; total length; fragment; protocol
_read_ipv6 = Struct(">4xHB").unpack_from  # payload length; next header
_read_tcp = Struct(">4xIIBB").unpack_from  # sequence; acknowledgment; header length; flags
_IPV4_SIZE, _IPV6_SIZE, _TCP_SIZE = 20, 40, 20

_FLOW_STATE = 0x80
_NEXT_HEADERS = {4: Layer.IP, 41: Layer.IP, 47: Layer.GRE, _UDP: Layer.UDP}


def _dynamic_source_routing(buffer: Buffer, span: Span) -> Step | Reason:
    """RFC 4728, section 6.1: with a flow, the header has no options. Of what may follow, other packets are read."""
    has_options = not buffer[span.position + 1] & _FLOW_STATE
    size = 4 + (number(buffer, span.position + 2) if has_options else 0)
    return by_number(buffer[span.position], _NEXT_HEADERS, span.after(size))


TUNNELS: dict[int, Tunnel] = {
    4: skipping(0, Layer.IP),  # IPv4, RFC 2003
    41: skipping(0, Layer.IP),  # IPv6, RFC 4213
    47: skipping(0, Layer.GRE),
    48: _dynamic_source_routing,
    94: skipping(0, Layer.IP),  # IP in IP, of old
    97: skipping(2, Layer.ETHERNET),  # EtherIP, RFC 3378
    115: read_l2tp_3,  # L2TPv3, RFC 3931
    137: skipping(0, Layer.MPLS),  # RFC 4023
    143: skipping(0, Layer.ETHERNET),  # RFC 8986
    _UDP: skipping(0, Layer.UDP),
}


def read_ip(buffer: Buffer, span: Span) -> Step | TcpPart | Reason:
    """Read a packet of either version."""
    match buffer[span.position] >> 4:
        case 4:
            return _read_ipv4_packet(buffer, span)
        case 6:
            return _read_ipv6_packet(buffer, span)
        case _:
            return Reason.NON_TCP


def _read_ipv4_packet(buffer: Buffer, span: Span) -> Step | TcpPart | Reason:
    position, _, original_end = span
    if not span.has(_IPV4_SIZE):
        return span.cut
    version, total, fragment, protocol = _read_ipv4(buffer, position)
    header_size = (version & 0xF) * 4
    is_read = protocol in (_TCP, _AUTHENTICATION) or protocol in TUNNELS
    if not is_read:
        return Reason.NON_TCP
    if fragment & _MORE_OR_OFFSET:
        return Reason.NON_TCP if protocol == _UDP else Reason.IP_FRAGMENT
    if header_size < _IPV4_SIZE:
        return Reason.BAD_PACKET
    # A length of 0: the network card fills it in after the capture (segmentation offload).
    packet_end = position + total if total else original_end
    addresses = buffer[position + 12 : position + 20]
    return _after_headers(buffer, addresses, protocol, span.after(header_size), packet_end)


def _read_ipv6_packet(buffer: Buffer, span: Span) -> Step | TcpPart | Reason:
    position, _, original_end = span
    if not span.has(_IPV6_SIZE):
        return span.cut
    payload_length, following = _read_ipv6(buffer, position)
    # A length of 0: a jumbogram, or filled in after the capture.
    packet_end = position + _IPV6_SIZE + payload_length if payload_length else original_end
    addresses = buffer[position + 8 : position + 40]
    return _after_headers(buffer, addresses, following, span.after(_IPV6_SIZE), packet_end)


def _after_headers(
    buffer: Buffer, addresses: bytes, following: int, span: Span, packet_end: int
) -> Step | TcpPart | Reason:
    """Skip extension headers, and read what follows them."""
    while following != _TCP:
        position = span.position
        if following in TUNNELS:
            original_end = min(span.original_end, packet_end)
            return TUNNELS[following](buffer, Span(position, min(span.end, packet_end), original_end))
        if following not in (*_EXTENSIONS, _FRAGMENT, _AUTHENTICATION):
            return Reason.NON_TCP
        if not span.has(8):
            return span.cut
        if following == _FRAGMENT:
            if number(buffer, position + 2) & _MORE_OR_OFFSET_6:
                return Reason.IP_FRAGMENT
            size = 8
        elif following == _AUTHENTICATION:
            size = buffer[position + 1] * 4 + 8
        else:
            size = buffer[position + 1] * 8 + 8
        following = buffer[position]
        span = span.after(size)
    return _read_segment(buffer, addresses, span, packet_end)


def _read_segment(buffer: Buffer, addresses: bytes, span: Span, packet_end: int) -> TcpPart | Reason:
    position, end, _ = span
    if position + _TCP_SIZE > packet_end:
        return Reason.BAD_PACKET
    if not span.has(_TCP_SIZE):
        return span.cut
    sequence, acknowledgment, size, flags = _read_tcp(buffer, position)
    start = position + (size >> 4) * 4
    if start < position + _TCP_SIZE or start > packet_end:
        return Reason.BAD_PACKET
    flow = addresses + buffer[position : position + 4]
    data_end = max(start, min(end, packet_end))
    if start > end:  # the capture ends within the options
        return TcpPart(flow, sequence, acknowledgment, flags, start, start, packet_end - start)
    return TcpPart(flow, sequence, acknowledgment, flags, start, data_end, packet_end - data_end)
