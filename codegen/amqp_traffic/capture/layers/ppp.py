"""PPP (RFC 1661) and Frame Relay (RFC 2427): what their protocol numbers announce."""

from __future__ import annotations

from ..files import Buffer
from ..quarantine import Reason
from .steps import Layer, Span, Step, by_number, number

_ADDRESS_AND_CONTROL = b"\xff\x03"
_PROTOCOLS = {0x21: Layer.IP, 0x57: Layer.IP, 0x281: Layer.MPLS, 0x283: Layer.MPLS}
_BRIDGING = 0x31  # RFC 3518, section 4.2: flags, and the kind of the frame
_ETHERNET_KIND = 1


def read_ppp(buffer: Buffer, span: Span) -> Step | Reason:
    """Read a frame of PPP, with or without address and control, and a protocol of one or two octets."""
    if bytes(buffer[span.position : span.position + 2]) == _ADDRESS_AND_CONTROL:
        span = span.after(2)
    if not span.has(2):
        return span.cut
    size = 1 if buffer[span.position] & 1 else 2
    protocol = number(buffer, span.position, size)
    span = span.after(size)
    if protocol == _BRIDGING and span.has(2) and buffer[span.position + 1] == _ETHERNET_KIND:
        return Layer.ETHERNET, span.after(2)
    return by_number(protocol, _PROTOCOLS, span)


_UNNUMBERED, _PAD = 0x03, 0x00
_NLPIDS = {0xCC: Layer.IP, 0x8E: Layer.IP}
_SNAP_NLPID = 0x80


def read_frame_relay(buffer: Buffer, span: Span) -> Step | Reason:
    """Read a frame of Frame Relay: address, control, perhaps a pad, and a network layer protocol."""
    while span.has(1) and not buffer[span.position] & 1:
        span = span.after(1)
    span = span.after(1)
    if not span.has(3):
        return span.cut
    if buffer[span.position] != _UNNUMBERED:
        return Layer.ETHERTYPE, span  # as Cisco has it
    span = span.after(2 if buffer[span.position + 1] == _PAD else 1)
    protocol = buffer[span.position]
    if protocol == _SNAP_NLPID:
        return Layer.ETHERTYPE, span.after(4)
    return by_number(protocol, _NLPIDS, span.after(1))
