"""Methods, headers and frames in the neutral form of ``vectors.json``, and a slow reference encoder.

The encoder follows the text of the specification and is independent of the generated code.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence

from ...model.amqp0.field_types import TABLE_FLOATS, WireType
from ...model.amqp0.spec import Class, Field, Method, Spec
from ...model.amqp0.wire import Dialect
from ..case import Neutral
from .values import INTEGER_WIDTHS, minimum

Values = Mapping[str, Neutral]


def method_input(method: Method, values: Values) -> Neutral:
    """Return a method in neutral form; fields without a value have the minimum of their type."""
    return {
        "method": method.full_name,
        "class-id": method.class_index,
        "method-id": method.index,
        "fields": [_field_input(field, values) for field in method.fields],
    }


def _field_input(field: Field, values: Values) -> Neutral:
    value = values.get(field.name, minimum(field.type))
    if field.reserved:
        return {"name": field.name, "type": field.type.value, "reserved": True, "value": value}
    return {"name": field.name, "type": field.type.value, "value": value}


def header_input(entry: Class, values: Values, body_size: int = 0) -> Neutral:
    """Return a content header with the properties that have values; a bit that is false is absent."""
    return {
        "class": entry.name,
        "class-id": entry.index,
        "body-size": str(body_size),
        "properties": [
            {"name": flag.field.name, "type": flag.field.type.value, "value": values[flag.field.name]}
            for flag in entry.properties
            if values.get(flag.field.name, False) is not False
        ],
    }


def frame_input(meaning: str, channel: int, payload: Neutral) -> Neutral:
    """Return a frame; ``meaning`` is its type in words, and determines the form of the payload."""
    return {"type": meaning, "channel": channel, "payload": payload}


def table_input(entries: Sequence[Neutral]) -> Neutral:
    """Return a field table in neutral form."""
    return {"entries": list(entries)}


def hexadecimal(octets: bytes) -> Neutral:
    """Return octets in neutral form."""
    return {"hex": octets.hex()}


# The octets of each number, and whether it has a sign.
_NUMBERS = {kind.value: (kind.width, kind.is_signed) for kind in WireType if kind.width is not None}


def encode(spec: Spec, kind: str, value: Neutral, dialect: Dialect) -> bytes:
    """Return the octets of a method payload, content header payload, frame or table."""
    if kind == "method":
        return _method(value, dialect)
    if kind == "header":
        return _header(spec, value, dialect)
    if kind == "frame":
        return _frame(spec, value, dialect)
    return _table(value["entries"], dialect)


def frame_octets(spec: Spec, type_octet: int, channel: int, payload: bytes) -> bytes:
    """Return a frame (4.2.3): type, channel, size, payload, end."""
    head = _unsigned(type_octet, 1) + _unsigned(channel, 2)
    return head + _long_string(payload) + _unsigned(spec.wire.frame_end, 1)


def _frame(spec: Spec, value: Neutral, dialect: Dialect) -> bytes:
    meaning, payload = value["type"], value["payload"]
    if meaning in ("method", "header"):
        octets = encode(spec, meaning, payload, dialect)
    else:
        octets = bytes.fromhex(payload["hex"])
    return frame_octets(spec, spec.wire.frames[meaning], value["channel"], octets)


def _method(value: Neutral, dialect: Dialect) -> bytes:
    """Return a method (4.2.4): class, method, arguments. Adjacent bits share octets, lowest bit first (4.2.5.2)."""
    parts = [_unsigned(value["class-id"], 2), _unsigned(value["method-id"], 2)]
    bits: list[bool] = []
    for field in value["fields"]:
        if field["type"] == "bit":
            bits.append(field["value"])
        else:
            parts += [_bits(bits), _field(field["type"], field["value"], dialect)]
            bits = []
    return b"".join([*parts, _bits(bits)])


def _bits(bits: Sequence[bool]) -> bytes:
    return sum(1 << place for place, bit in enumerate(bits) if bit).to_bytes((len(bits) + 7) // 8, "little")


def _header(spec: Spec, value: Neutral, dialect: Dialect) -> bytes:
    """Return a header (4.2.6.1): class, weight 0, body size, flags from the highest bit down, present properties."""
    (entry,) = (class_ for class_ in spec.classes if class_.index == value["class-id"])
    given = {sent["name"]: sent for sent in value["properties"]}
    present = [flag.field.name in given for flag in entry.properties]
    return b"".join(
        [
            _unsigned(value["class-id"], 2),
            _unsigned(0, 2),
            _unsigned(value["body-size"], 8),
            _flags(present),
            *(
                _field(sent["type"], sent["value"], dialect)
                for sent in value["properties"]
                if sent["type"] != "bit"
            ),
        ]
    )


def _flags(present: Sequence[bool]) -> bytes:
    """Return words of fifteen flags; the lowest bit means that another word follows. Empty last words are left out."""
    words = [present[start : start + 15] for start in range(0, len(present), 15)] or [[]]
    while len(words) > 1 and not any(words[-1]):
        words.pop()
    octets = b""
    for number, word in enumerate(words, start=1):
        flags = sum(1 << 15 - place for place, flag in enumerate(word) if flag)
        octets += _unsigned(flags | (number < len(words)), 2)
    return octets


def _field(kind: str, value: Neutral, dialect: Dialect) -> bytes:
    """Return a value of an elementary type (4.2.5), in network byte order."""
    if kind in _NUMBERS:
        width, signed = _NUMBERS[kind]
        return int(value).to_bytes(width, "big", signed=signed)
    if kind == "shortstr":
        return _short_string(str(value).encode())
    if kind == "longstr":
        return _long_string(bytes.fromhex(value["hex"]))
    if kind == "content":
        return _unsigned(value["kind"], 1) + _long_string(bytes.fromhex(value["data"]["hex"]))
    return _table(value, dialect)


def _table(entries: Sequence[Neutral], dialect: Dialect) -> bytes:
    """Return a table (4.2.5.5): the length in octets, then name, letter and value of each entry."""
    return _long_string(
        b"".join(_short_string(entry["key"].encode()) + _tagged(entry, dialect) for entry in entries)
    )


def _tagged(entry: Neutral, dialect: Dialect) -> bytes:
    kind, value = dialect.read[entry["letter"]], entry["value"]
    letter = str(entry["letter"]).encode()
    if kind in INTEGER_WIDTHS:
        width, signed = INTEGER_WIDTHS[kind]
        return letter + int(value).to_bytes(width, "big", signed=signed)
    if kind in TABLE_FLOATS:
        return letter + struct.pack(f">{TABLE_FLOATS[kind]}", float(value))
    return letter + _TAGGED[kind](value, dialect)


def _unsigned(value: int | str, width: int) -> bytes:
    return int(value).to_bytes(width, "big")


def _short_string(octets: bytes) -> bytes:
    return _unsigned(len(octets), 1) + octets


def _long_string(octets: bytes) -> bytes:
    return _unsigned(len(octets), 4) + octets


def _decimal(value: Neutral, signed: bool) -> bytes:
    return _unsigned(value["scale"], 1) + int(value["number"]).to_bytes(4, "big", signed=signed)


_TAGGED: Mapping[str, Callable[[Neutral, Dialect], bytes]] = {
    "boolean": lambda value, dialect: b"\1" if value else b"\0",
    "decimal": lambda value, dialect: _decimal(value, signed=True),
    "decimal-unsigned": lambda value, dialect: _decimal(value, signed=False),
    "shortstr": lambda value, dialect: _short_string(bytes.fromhex(value["hex"])),
    "longstr": lambda value, dialect: _long_string(bytes.fromhex(value["hex"])),
    "bytes": lambda value, dialect: _long_string(bytes.fromhex(value["hex"])),
    "array": lambda value, dialect: _long_string(b"".join(_tagged(item, dialect) for item in value)),
    "table": _table,
    "void": lambda value, dialect: b"",
}
