"""Frames of IEEE 802.11 that are not encrypted, and the headers that captures put before them."""

from __future__ import annotations

from ..files import Buffer
from ..quarantine import Reason
from .steps import Layer, Span, Step, number

_DATA = 2
_NULL, _QOS = 0x4, 0x8  # of the subtype
_TO_AND_FROM, _PROTECTED, _ORDER = 0x03, 0x40, 0x80
_HEADER, _FOURTH_ADDRESS, _QOS_CONTROL, _HT_CONTROL = 24, 6, 2, 4
_AGGREGATED = 0x80  # of the QoS control: frames with a head of their own
_AGGREGATE_HEAD = 14


def read_wlan(buffer: Buffer, span: Span) -> Step | Reason:
    """Read a frame: only those with data have a packet. Of aggregated frames the first is read."""
    return _read_frame(buffer, span, buffer[span.position], buffer[span.position + 1])


def read_swapped_wlan(buffer: Buffer, span: Span) -> Step | Reason:
    """Read a frame, the octets of whose frame control are exchanged."""
    return _read_frame(buffer, span, buffer[span.position + 1], buffer[span.position])


def _read_frame(buffer: Buffer, span: Span, control: int, flags: int) -> Step | Reason:
    if not span.has(_HEADER):
        return span.cut
    subtype = control >> 4
    if control & 0x3 or control >> 2 & 0x3 != _DATA or subtype & _NULL or flags & _PROTECTED:
        return Reason.NON_TCP
    size = _HEADER + (_FOURTH_ADDRESS if flags & _TO_AND_FROM == _TO_AND_FROM else 0)
    if subtype & _QOS:
        is_aggregated = span.has(size + 1) and buffer[span.position + size] & _AGGREGATED
        size += _QOS_CONTROL + (_HT_CONTROL if flags & _ORDER else 0)
        size += _AGGREGATE_HEAD if is_aggregated else 0
    return Layer.LLC, span.after(size)


_FLAGS_PRESENT, _TSFT_PRESENT, _MORE_PRESENT = 0x2, 0x1, 0x80000000
_IS_PADDED = 0x20  # to a multiple of four octets, between header and content


def read_radiotap(buffer: Buffer, span: Span) -> Step | Reason:
    """Read a header of radiotap (https://www.radiotap.org), which is little-endian."""
    if not span.has(8):
        return span.cut
    size = int.from_bytes(buffer[span.position + 2 : span.position + 4], "little")
    step = read_wlan(buffer, span.after(size))
    if isinstance(step, Reason) or not _is_padded(buffer, span):
        return step
    header = step[1].position - span.position - size
    return Layer.LLC, step[1].after(-header % 4)


def _is_padded(buffer: Buffer, span: Span) -> bool:
    at = span.position + 4
    first = present = int.from_bytes(buffer[at : at + 4], "little")
    at += 4
    while present & _MORE_PRESENT and at + 4 <= span.end:
        present = int.from_bytes(buffer[at : at + 4], "little")
        at += 4
    if not first & _FLAGS_PRESENT:
        return False
    if first & _TSFT_PRESENT:
        at += -(at - span.position) % 8 + 8
    return at < span.end and bool(buffer[at] & _IS_PADDED)


def read_prism(buffer: Buffer, span: Span) -> Step | Reason:
    """Skip a header of Prism, or of AVS, which begins with the same numbers otherwise."""
    is_avs = number(buffer, span.position, 4) >> 16 == 0x8021
    return Layer.WLAN, span.after(number(buffer, span.position + 4, 4) if is_avs else 144)


_PPI_WLAN = 105


def read_ppi(buffer: Buffer, span: Span) -> Step | Reason:
    """Read a header of PPI, which is little-endian."""
    size, link_type = (
        int.from_bytes(buffer[span.position + at : span.position + at + octets], "little")
        for at, octets in ((2, 2), (4, 4))
    )
    return (Layer.WLAN, span.after(size)) if link_type == _PPI_WLAN else Reason.NON_TCP
