"""A second, independent encoder for methods, content headers and frames: ``struct`` and the layout alone.

What the packages write is compared with what this writes; and since it knows where each field begins and ends,
it can say which field an error must name.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from .letters import has, octets_of_int

_FORMATS = {"octet": ">B", "short": ">H", "long": ">I", "longlong": ">Q", "timestamp": ">Q"}
ZEROS: dict[str, Any] = {
    "bit": False,
    "shortstr": "",
    "longstr": b"",
    "table": b"\0\0\0\0",
    "content": b"\0\0\0\0\0",
}


class Span(NamedTuple):
    """Where a field is: ``start`` to ``stop`` in the payload; bits that share an octet are one span."""

    name: str
    type: str
    start: int
    stop: int


def shortstr(value: str | bytes) -> bytes:
    data = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    return struct.pack(">B", len(data)) + data


def longstr(value: bytes) -> bytes:
    return struct.pack(">I", len(value)) + value


def table(values: Mapping[str, Any], dialect: str) -> bytes:
    """A table of plain Python values, with its length."""
    return longstr(b"".join(shortstr(key) + table_value(value, dialect) for key, value in values.items()))


def table_value(value: Any, dialect: str) -> bytes:
    """A plain Python value with its letter."""
    if isinstance(value, bool):
        return b"t\x01" if value else b"t\x00"
    if value is None:
        return b"V"
    if isinstance(value, int):
        if type(value).__name__ == "Timestamp":
            return b"T" + struct.pack(">Q", value)
        return octets_of_int(dialect, value)
    if isinstance(value, float):
        return b"d" + struct.pack(">d", value)
    if isinstance(value, str):
        return b"S" + longstr(value.encode())
    if isinstance(value, bytes):
        return (b"x" if has(dialect, "x") else b"S") + longstr(value)
    if isinstance(value, Decimal):
        sign, digits, exponent = value.as_tuple()
        number = int("".join(map(str, digits))) * (-1 if sign else 1)
        assert isinstance(exponent, int)
        return b"D" + struct.pack(">Bi", -exponent, number)
    if isinstance(value, list):
        return b"A" + longstr(b"".join(table_value(item, dialect) for item in value))
    return b"F" + table(value, dialect)


def value_octets(kind: str, value: Any, dialect: str) -> bytes:
    """A field of any type but bit; a table or content may be given as octets."""
    if kind in _FORMATS:
        return struct.pack(_FORMATS[kind], value)
    if kind == "shortstr":
        return shortstr(value)
    if kind == "longstr":
        return longstr(value)
    if kind == "content" and not isinstance(value, bytes):
        return struct.pack(">B", value.kind) + longstr(value.data)
    return value if isinstance(value, bytes) else table(value, dialect)


def arguments(
    fields: Sequence[Any],
    values: Mapping[str, Any],
    dialect: str,
    start: int = 0,
    spare: Mapping[str, int] | None = None,
) -> tuple[bytes, list[Span]]:
    """The fields of a method one after the other.

    Args:
        fields: Their layout.
        values: By name; a field without one is zero.
        dialect: For tables that are given as mappings.
        start: Where the first octet stands, for the spans.
        spare: Bits to set besides, by the name of the first bit of the octet.
    """
    parts = [b""]
    spans: list[Span] = []
    position = start
    shift = 8
    for index, field in enumerate(fields):
        value = values.get(field.name, ZEROS.get(field.type, 0))
        if field.type == "bit":
            if index == 0 or fields[index - 1].type != "bit" or shift == 8:
                shift = 0
                parts.append(b"\0")
                spans.append(Span(field.name, "bit", position, position + 1))
                parts[-1] = bytes((parts[-1][0] | (spare or {}).get(field.name, 0),))
                position += 1
            parts[-1] = bytes((parts[-1][0] & ~(1 << shift) | bool(value) << shift,))
            shift += 1
            continue
        parts.append(value_octets(field.type, value, dialect))
        spans.append(Span(field.name, field.type, position, position + len(parts[-1])))
        position += len(parts[-1])
    return b"".join(parts), spans


def method(
    cls: Any, values: Mapping[str, Any], dialect: str, spare: Mapping[str, int] | None = None
) -> tuple[bytes, list[Span]]:
    """The payload of a method frame, and where its fields are."""
    octets, spans = arguments(cls.FIELDS, values, dialect, 4, spare)
    return struct.pack(">HH", cls.CLASS_ID, cls.METHOD_ID) + octets, spans


def header(
    cls: Any, values: Mapping[str, Any], dialect: str, body_size: int = 0, weight: int = 0
) -> tuple[bytes, list[Span]]:
    """The payload of a content header frame with the properties given, and where they are."""
    flags = 0
    octets = b""
    spans: list[Span] = []
    for index, field in enumerate(cls.FIELDS):
        if field.name in values:
            flags |= 1 << 15 - index
            part = value_octets(field.type, values[field.name], dialect)
            spans.append(Span(field.name, field.type, 14 + len(octets), 14 + len(octets) + len(part)))
            octets += part
    return struct.pack(">HHQH", cls.CLASS_ID, weight, body_size, flags) + octets, spans


def frame(kind: int, channel: int, payload: bytes, end: int = 0xCE) -> bytes:
    return struct.pack(">BHI", kind, channel, len(payload)) + payload + bytes((end,))
