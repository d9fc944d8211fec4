"""UDP, and the tunnels that are known by its ports.

Ports: https://www.iana.org/assignments/service-names-port-numbers; each reader names its source.
"""

from __future__ import annotations

from ..files import Buffer
from ..quarantine import Reason
from .ethertypes import TUNNELS as ETHERTYPES
from .ethertypes import by_ethertype, read_lwapp, read_tipc
from .steps import Layer, Span, Step, Tunnel, by_number, number, skipping

_HEADER = 8
_IP_PROTOCOLS = {4: Layer.IP, 41: Layer.IP, 47: Layer.GRE}


def _vxlan(buffer: Buffer, span: Span) -> Step | Reason:
    """RFC 7348: with a network identifier."""
    return (Layer.ETHERNET, span.after(8)) if buffer[span.position] & 0x08 else Reason.NON_TCP


_GPE_PROTOCOLS = {1: Layer.IP, 2: Layer.IP, 3: Layer.ETHERNET, 4: Layer.NSH, 5: Layer.MPLS}


def _vxlan_gpe(buffer: Buffer, span: Span) -> Step | Reason:
    """draft-ietf-nvo3-vxlan-gpe."""
    return by_number(buffer[span.position + 3], _GPE_PROTOCOLS, span.after(8))


def _geneve(buffer: Buffer, span: Span) -> Step | Reason:
    """RFC 8926: options in units of four octets."""
    options = (buffer[span.position] & 0x3F) * 4
    return by_ethertype(number(buffer, span.position + 2), buffer, span.after(8 + options))


_G_PDU = 0xFF


def _gtp(buffer: Buffer, span: Span) -> Step | Reason:
    """GTP-U (3GPP TS 29.281): with options, four octets more, and a chain of extension headers."""
    flags, kind = buffer[span.position], buffer[span.position + 1]
    if flags >> 5 != 1 or kind != _G_PDU:
        return Reason.NON_TCP
    span = span.after(8)
    if flags & 0x07:
        following = buffer[span.position + 3] if flags & 0x04 else 0
        span = span.after(4)
        while following:
            size = buffer[span.position] * 4
            if not size:
                return Reason.BAD_PACKET
            following = buffer[span.position + size - 1]
            span = span.after(size)
    return Layer.IP, span


_L2TP_CONTROL, _L2TP_LENGTH, _L2TP_SEQUENCE, _L2TP_OFFSET = 0x8000, 0x4000, 0x0800, 0x0200


def _l2tp(buffer: Buffer, span: Span) -> Step | Reason:
    """RFC 2661, section 3.1; version 3: RFC 3931, section 4.1.2."""
    flags = number(buffer, span.position)
    if flags & _L2TP_CONTROL:
        return Reason.NON_TCP
    if flags & 0xF == 3:
        return read_l2tp_3(buffer, span.after(4))
    span = span.after(6 + 2 * bool(flags & _L2TP_LENGTH) + 4 * bool(flags & _L2TP_SEQUENCE))
    if flags & _L2TP_OFFSET:
        span = span.after(2 + number(buffer, span.position))
    return Layer.PPP, span


def read_l2tp_3(buffer: Buffer, span: Span) -> Step | Reason:
    """Read a session of L2TPv3, whose control messages alone tell how long cookie and sublayer are, and what they carry.

    Ethernet is taken where an ethertype is that is known, else IP where a version of it is.
    """
    if not number(buffer, span.position, 4):
        return Reason.NON_TCP  # a control message
    for octets in (4, 8, 12, 16):
        inner = span.after(octets)
        if number(buffer, inner.position + 12) in ETHERTYPES:
            return Layer.ETHERNET, inner
    for octets in (4, 8, 12, 16):
        if buffer[span.position + octets] in (0x45, 0x60):
            return Layer.IP, span.after(octets)
    return Reason.NON_TCP


def _teredo(buffer: Buffer, span: Span) -> Step | Reason:
    """RFC 4380, section 5.1.1: perhaps an authentication, perhaps the origin, then IPv6."""
    if number(buffer, span.position) == 1:
        span = span.after(13 + buffer[span.position + 2] + buffer[span.position + 3])
    if number(buffer, span.position) == 0:
        span = span.after(8)
    return (Layer.IP, span) if buffer[span.position] >> 4 == 6 else Reason.NON_TCP


def _capwap(buffer: Buffer, span: Span) -> Step | Reason:
    """RFC 5415, section 4.3: data that are not encrypted and no fragment."""
    if buffer[span.position]:
        return Reason.NON_TCP
    flags = number(buffer, span.position + 2)
    if flags & 0x0080:
        return Reason.IP_FRAGMENT
    inner = span.after((buffer[span.position + 1] >> 3) * 4)
    if not flags & 0x0100:
        return Layer.ETHERNET, inner
    # Controllers of Cisco swap the octets of the frame control: data frames have 8 in the lower half of the first.
    is_swapped = buffer[inner.position] & 0xF != 8 and buffer[inner.position + 1] & 0xF == 8
    return (Layer.SWAPPED_WLAN if is_swapped else Layer.WLAN), inner


_TZSP_PROTOCOLS = {1: Layer.ETHERNET, 18: Layer.WLAN}
_TZSP_PADDING, _TZSP_END = 0, 1


def _tzsp(buffer: Buffer, span: Span) -> Step | Reason:
    """TaZmen Sniffer Protocol: fields of type, length and value, up to an end."""
    if buffer[span.position + 1] > 1:
        return Reason.NON_TCP
    protocol = number(buffer, span.position + 2)
    span = span.after(4)
    while buffer[span.position] != _TZSP_END:
        span = span.after(1 if buffer[span.position] == _TZSP_PADDING else 2 + buffer[span.position + 1])
    return by_number(protocol, _TZSP_PROTOCOLS, span.after(1))


def _ayiya(buffer: Buffer, span: Span) -> Step | Reason:
    """draft-massar-v6ops-ayiya-02: identity, signature, then what the next header says."""
    identity, signature = 1 << (buffer[span.position] >> 4), (buffer[span.position + 1] >> 4) * 4
    return by_number(buffer[span.position + 3], _IP_PROTOCOLS, span.after(8 + identity + signature))


_MOBILE_DATA = 4


def _mobile(buffer: Buffer, span: Span) -> Step | Reason:
    """RFC 3519, section 3.3."""
    if buffer[span.position] != _MOBILE_DATA:
        return Reason.NON_TCP
    return by_number(buffer[span.position + 1], _IP_PROTOCOLS, span.after(4))


_MINT_BRIDGED = {1: 18, 2: 26}


def _mint(buffer: Buffer, span: Span) -> Step | Reason:
    """Between access points of Motorola: by port of the receiver, the octets before a frame."""
    size = _MINT_BRIDGED.get(number(buffer, span.position + 12))
    return Reason.NON_TCP if size is None else (Layer.ETHERNET, span.after(size))


_AMT_DATA = 6


def _amt(buffer: Buffer, span: Span) -> Step | Reason:
    """RFC 7450, section 5.1.6."""
    return (Layer.IP, span.after(2)) if buffer[span.position] & 0xF == _AMT_DATA else Reason.NON_TCP


def _mirror(buffer: Buffer, span: Span) -> Step | Reason:
    """Mirrored packets of Juniper: two numbers, then a packet of IP, or a frame of PPP."""
    inner = span.after(8)
    return (Layer.IP if buffer[inner.position] >> 4 in (4, 6) else Layer.PPP), inner


def _batman_gateway(buffer: Buffer, span: Span) -> Step | Reason:
    return (Layer.IP, span.after(1)) if buffer[span.position] == 1 else Reason.NON_TCP


_ETHERNET = skipping(0, Layer.ETHERNET)

TUNNELS: dict[int, Tunnel] = {
    434: _mobile,
    1701: _l2tp,
    2152: _gtp,
    2268: _amt,
    3343: _ETHERNET,  # network load balancing of Microsoft
    3544: _teredo,
    4306: _batman_gateway,
    4341: skipping(8, Layer.IP),  # LISP, RFC 9300
    4754: skipping(0, Layer.GRE),  # RFC 8086
    4789: _vxlan,
    4790: _vxlan_gpe,
    5072: _ayiya,
    5247: _capwap,
    6081: _geneve,
    6118: read_tipc,
    6635: skipping(0, Layer.MPLS),  # RFC 7510
    8472: _vxlan,  # what Linux uses by default
    **dict.fromkeys(range(12000, 12005), skipping(0, Layer.LLC)),  # HPR over IP, RFC 2353
    12220: _ETHERNET,  # LWAPP
    12222: read_lwapp,
    24576: _mint,
    24577: _mint,
    30030: _mirror,
    37008: _tzsp,
}


def read_udp(buffer: Buffer, span: Span) -> Step | Reason:
    """Read a datagram of a tunnel: the port of the receiver tells it, else that of the sender."""
    if not span.has(4):
        return span.cut
    source, target = number(buffer, span.position), number(buffer, span.position + 2)
    tunnel = TUNNELS.get(target) or TUNNELS.get(source)
    return Reason.NON_TCP if tunnel is None else tunnel(buffer, span.after(_HEADER))
