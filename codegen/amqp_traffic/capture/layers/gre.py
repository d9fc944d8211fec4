"""GRE (RFC 2784, 2890; that of PPTP: RFC 2637), and what its protocol numbers announce: ethertypes, and some of its own."""

from __future__ import annotations

from ..files import Buffer
from ..quarantine import Reason
from .ethertypes import by_ethertype
from .steps import Layer, Span, Step, number

_CHECKSUM, _ROUTING, _KEY, _SEQUENCE, _ACKNOWLEDGMENT, _VERSION = (
    0x8000,
    0x4000,
    0x2000,
    0x1000,
    0x0080,
    0x0007,
)
_ERSPAN, _ERSPAN_3 = 0x88BE, 0x22EB  # draft-foschiano-erspan-03
_WCCP = 0x883E  # draft-wilson-wrec-wccp-v2-01, section 4.4: a header of four octets, or none
_LAYERS = {0x6400: Layer.ETHERNET, 0x880B: Layer.PPP, 0x6559: Layer.FRAME_RELAY}
_METADATA = 0x8909  # of Cisco: here the ethertype comes first
_WLAN = range(0x8200, 0x8380, 0x10)  # tunnels of access points by Aruba
_ERSPAN_3_TIMESTAMPED = 0x01


def read_gre(buffer: Buffer, span: Span) -> Step | Reason:
    """Read a header of GRE."""
    if not span.has(4):
        return span.cut
    flags, protocol = number(buffer, span.position), number(buffer, span.position + 2)
    size = 4
    if flags & (_CHECKSUM | _ROUTING):
        size += 4
    size += 4 * bool(flags & _KEY) + 4 * bool(flags & _SEQUENCE)
    if flags & _VERSION == 1:
        size += 4 * bool(flags & _ACKNOWLEDGMENT)
    span = span.after(size)
    if not span.has(1):
        return span.cut
    if protocol == _ERSPAN:  # the first type, without a sequence number, has no header
        return Layer.ETHERNET, span.after(8 if flags & _SEQUENCE else 0)
    if protocol == _ERSPAN_3:
        return _erspan_3(buffer, span)
    if protocol == _WCCP:
        has_header = buffer[span.position] >> 4 != 4
        return Layer.IP, span.after(4 if has_header else 0)
    if protocol == _METADATA:
        return by_ethertype(number(buffer, span.position), buffer, span.after(8))
    layer = Layer.WLAN if protocol in _WLAN else _LAYERS.get(protocol)
    return by_ethertype(protocol, buffer, span) if layer is None else (layer, span)


def _erspan_3(buffer: Buffer, span: Span) -> Step | Reason:
    if not span.has(12):
        return span.cut
    kind, has_more = (
        number(buffer, span.position + 10) >> 6 & 0x1F,
        buffer[span.position + 11] & _ERSPAN_3_TIMESTAMPED,
    )
    span = span.after(20 if has_more else 12)
    return (Layer.IP if kind == 2 else Layer.ETHERNET), span
