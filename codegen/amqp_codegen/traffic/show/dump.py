"""Octets in hexadecimal, beside what they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .line import HEX, LABEL, PLACE, PLAIN, SIZE, VALUE, Line
from .span import Span

_WIDTH = 8  # octets in a line
_MOST = 128  # octets of a span that are shown
_INDENT = "      "


def dump(payload: bytes, spans: Iterable[Span]) -> Iterator[Line]:
    """The lines of a payload.

    Args:
        payload: The octets.
        spans: What they are.
    """
    for span in spans:
        octets = payload[span.start : span.end]
        if span.is_hidden:
            octets = b""
        shown, left = octets[:_MOST], len(octets) - _MOST
        rows = [shown[at : at + _WIDTH] for at in range(0, len(shown), _WIDTH)] or [b""]
        for number, row in enumerate(rows):
            line = [
                (f"{_INDENT}{span.start + number * _WIDTH:04x}  ", PLACE),
                (f"{row.hex(' '):{3 * _WIDTH}}", HEX),
            ]
            if number == 0:
                line.append((f" {'  ' * span.depth}{span.name}", LABEL))
                type_name = "" if span.type == span.name else span.type
                value = "" if span.value == span.type else span.value
                line += [(f" {type_name}" if type_name else "", SIZE), (f" {value}" if value else "", VALUE)]
            yield line
        if left > 0:
            yield [(f"{_INDENT}... {left} more octets", PLAIN)]
