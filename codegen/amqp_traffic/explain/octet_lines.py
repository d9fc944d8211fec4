"""Octets of a stream that are not a frame, shown up to where they stop looking like one.

The frame reader never saw them, so no secrets were removed: octets that may contain one are not shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..frames.amqp1.frame_format import PACKAGE as PACKAGE1
from ..show.amqp0.spans import MethodSpans
from ..show.lines import PLAIN, FieldSpan, Line, dump

MOST = 512  # octets that are examined
_HEADER_SIZE = 7
_METHOD, _HEADER, _BODY, _HEARTBEAT = 1, 2, 3, 8
_TYPES = {_METHOD: "method", _HEADER: "content-header", _BODY: "content-body", _HEARTBEAT: "heartbeat"}
_FRAME_END = 0xCE
_CONNECTION = 10  # class id


def stray_octet_lines(octets: bytes, package: str, dialect: str, bodies: bool) -> Iterator[Line]:
    """Yield the lines of octets of 0-x that stand where a frame should begin.

    Args:
        octets: At most ``MOST``.
        package: The generated package of the version.
        dialect: The dialect of field tables; empty for the package's own.
        bodies: Whether bodies may be shown.
    """
    if not octets or not package or package == PACKAGE1:
        return
    kind = octets[0]
    if kind not in _TYPES or len(octets) < _HEADER_SIZE:
        yield from dump(octets[:1], [FieldSpan(0, 1, 0, "type", "octet", f"{kind}, which no frame has")])
        yield [("      what follows is not shown: nobody knows what it is", PLAIN)]
        return
    channel, size = int.from_bytes(octets[1:3], "big"), int.from_bytes(octets[3:7], "big")
    payload = octets[_HEADER_SIZE : _HEADER_SIZE + size]
    yield from dump(octets[:_HEADER_SIZE], _head(kind, channel, size))
    if not channel or payload[:2] == _CONNECTION.to_bytes(2, "big") or (kind == _BODY and not bodies):
        yield [(f"      {size:,} octets that are not shown", PLAIN)]
    else:
        yield from dump(payload, _spans(kind, payload, package, dialect))
    end = octets[_HEADER_SIZE + size : _HEADER_SIZE + size + 1]
    if end and channel:
        what = "as it should be" if end[0] == _FRAME_END else f"where {_FRAME_END:02x} should be"
        yield from dump(end, [FieldSpan(0, 1, 0, "frame-end", "octet", f"{end[0]:02x}, {what}")])


def _head(kind: int, channel: int, size: int) -> list[FieldSpan]:
    return [
        FieldSpan(0, 1, 0, "type", "octet", f"{kind}, {_TYPES[kind]}"),
        FieldSpan(1, 3, 0, "channel", "short", str(channel)),
        FieldSpan(3, 7, 0, "size", "long", f"{size:,}"),
    ]


def _spans(kind: int, payload: bytes, package: str, dialect: str) -> Iterator[FieldSpan]:
    end = 0
    try:
        if kind in (_METHOD, _HEADER):
            reader = MethodSpans(package, dialect)
            for span in reader.method(payload) if kind == _METHOD else reader.header(payload):
                end = span.end
                yield span
            return
    except Exception as fault:
        yield FieldSpan(end, len(payload), 0, "cannot be decoded", "", str(fault))
        return
    yield FieldSpan(0, len(payload), 0, "payload", "", f"{len(payload)} octets")
