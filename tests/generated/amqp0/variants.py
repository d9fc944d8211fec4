"""VARIANT read the way the standard says, strictly, and what field tables should become; by hand, for both families.

A value is a pair of the name of its type and what it holds: ``("int16", 5)``, ``("object", {"a": ("null", None)})``.
Decimals hold scale and significand; floating point numbers hold their octets, highest first.
"""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import Any

Value = tuple[str, Any]

# Type number to name, and octets of what has a fixed size.
_SCALARS = {
    0: ("null", 0),
    1: ("boolean", 0),
    2: ("boolean", 0),
    3: ("int8", 1),
    4: ("int16", 2),
    5: ("int32", 4),
    6: ("int64", 8),
    7: ("double", 8),
    8: ("decimal4", 5),
    9: ("decimal8", 9),
    10: ("decimal16", 17),
    12: ("timestamp", 8),
    14: ("float", 4),
}
_DIGITS = {"decimal4": 9, "decimal8": 18, "decimal16": 38}


def read_variant(variant: Any) -> Value:
    """The value of a pair of value and metadata; AssertionError when anything is not as the standard says."""
    assert type(variant) is tuple
    value, metadata = variant
    assert type(value) is bytes and type(metadata) is bytes
    found, position = _read(value, 0, _names(metadata))
    assert position == len(value)
    return found


def _names(metadata: bytes) -> list[str]:
    assert metadata[0] & 0b1111 == 1, "version"
    width = (metadata[0] >> 6) + 1
    count = int.from_bytes(metadata[1 : 1 + width], "little")
    offsets, position = _numbers(metadata, 1 + width, count + 1, width)
    assert offsets[0] == 0 and offsets == sorted(offsets)
    assert position + offsets[-1] == len(metadata)
    return [metadata[position + start : position + end].decode() for start, end in pairwise(offsets)]


def _numbers(octets: bytes, position: int, count: int, width: int) -> tuple[list[int], int]:
    stop = position + count * width
    assert stop <= len(octets)
    return [int.from_bytes(octets[at : at + width], "little") for at in range(position, stop, width)], stop


def _read(octets: bytes, position: int, names: list[str]) -> tuple[Value, int]:
    kind, detail = octets[position] & 3, octets[position] >> 2
    position += 1
    if kind == 1:
        return _text(octets, position, detail)
    if kind == 2:
        return _read_object(octets, position, detail, names)
    if kind == 3:
        return _read_array(octets, position, detail, names)
    if detail in (15, 16):
        size = int.from_bytes(octets[position : position + 4], "little")
        if detail == 16:
            assert size > 63, "a short string in the long form"
            return _text(octets, position + 4, size)
        stop = position + 4 + size
        assert stop <= len(octets)
        return ("binary", octets[position + 4 : stop]), stop
    name, size = _SCALARS[detail]
    data = octets[position : position + size]
    assert len(data) == size
    return (name, _scalar(name, detail, data)), position + size


def _text(octets: bytes, position: int, size: int) -> tuple[Value, int]:
    assert position + size <= len(octets)
    return ("string", octets[position : position + size].decode()), position + size


def _scalar(name: str, detail: int, data: bytes) -> Any:
    if name == "null":
        return None
    if name == "boolean":
        return detail == 1
    if name in ("float", "double"):
        return data[::-1]
    if name in _DIGITS:
        scale, significand = data[0], int.from_bytes(data[1:], "little", signed=True)
        assert scale <= _DIGITS[name] and abs(significand) < 10 ** _DIGITS[name]
        return scale, significand
    return int.from_bytes(data, "little", signed=True)


def _read_object(octets: bytes, position: int, detail: int, names: list[str]) -> tuple[Value, int]:
    large, id_width, width = detail >> 4, (detail >> 2 & 3) + 1, (detail & 3) + 1
    (count,), position = _numbers(octets, position, 1, 4 if large else 1)
    ids, position = _numbers(octets, position, count, id_width)
    offsets, position = _numbers(octets, position, count + 1, width)
    assert width <= 3 and id_width <= 3, "Spark reads no wider numbers"
    keys = [names[number] for number in ids]
    assert keys == sorted(set(keys), key=str.encode), "fields out of order, or twice"
    fields = {}
    ends = set()
    for key, offset in zip(keys, offsets, strict=False):
        fields[key], end = _read(octets, position + offset, names)
        ends.add(end - position)
    # Values lie close together, in any order.
    assert ends | {0} == set(offsets) and offsets[-1] == max(offsets)
    return ("object", fields), position + offsets[-1]


def _read_array(octets: bytes, position: int, detail: int, names: list[str]) -> tuple[Value, int]:
    large, width = detail >> 2, (detail & 3) + 1
    (count,), position = _numbers(octets, position, 1, 4 if large else 1)
    offsets, position = _numbers(octets, position, count + 1, width)
    assert offsets[0] == 0
    items = []
    for start, end in pairwise(offsets):
        item, stop = _read(octets, position + start, names)
        assert stop == position + end
        items.append(item)
    return ("array", items), position + offsets[-1]


# --- What becomes of field tables ---------------------------------------------------------------------

_WIDER = {"uint8": "int16", "uint16": "int32", "uint32": "int64"}
_LAST_SECOND = 253_402_300_799  # of the year 9999


def tagged(tag: str, value: Value) -> Value:
    return ("object", {f"${tag}": value})


def integer(number: int) -> Value:
    if -(2**63) <= number < 2**63:
        return ("int64", number)
    return decimal(0, number)


def decimal(scale: int, significand: int) -> Value:
    for name, digits in _DIGITS.items():
        if scale <= digits and len(str(abs(significand))) <= digits:
            return (name, (scale, significand))
    return tagged("decimal", ("array", [("int64", scale), ("int64", significand)]))


def is_text(octets: bytes) -> bool:
    try:
        octets.decode()
    except UnicodeDecodeError:
        return False
    return True


def expected_table(octets: bytes, kinds: dict[str, str]) -> Value:
    """What a valid field table, its length included, should become; ``kinds`` are those of its letters."""
    value, position = _table(octets, 0, kinds)
    assert position == len(octets)
    return value


def _table(octets: bytes, position: int, kinds: dict[str, str]) -> tuple[Value, int]:
    position, stop = _sized(octets, position, 4)
    entries = []
    while position < stop:
        start, position = _sized(octets, position, 1)
        key = octets[start:position]
        value, position = _value(octets, position, kinds)
        entries.append((key, value))
    keys = [key for key, _ in entries]
    if len(set(keys)) == len(keys) and all(is_text(key) and not key.startswith(b"$") for key in keys):
        return ("object", {key.decode(): value for key, value in entries}), position
    pairs = [
        ("array", [("string", key.decode()) if is_text(key) else ("binary", key), value])
        for key, value in entries
    ]
    return tagged("table", ("array", pairs)), position


def _sized(octets: bytes, position: int, width: int) -> tuple[int, int]:
    start = position + width
    return start, start + int.from_bytes(octets[position:start], "big")


def _value(octets: bytes, position: int, kinds: dict[str, str]) -> tuple[Value, int]:
    kind = kinds[chr(octets[position])]
    position += 1
    if kind == "table":
        return _table(octets, position, kinds)
    if kind == "array":
        position, stop = _sized(octets, position, 4)
        items = []
        while position < stop:
            item, position = _value(octets, position, kinds)
            items.append(item)
        return ("array", items), stop
    if kind in ("longstr", "shortstr", "bytes"):
        start, stop = _sized(octets, position, 1 if kind == "shortstr" else 4)
        data = octets[start:stop]
        if kind == "bytes":
            return ("binary", data), stop
        return ("string", data.decode()) if is_text(data) else tagged(kind, ("binary", data)), stop
    return _fixed(octets, position, kind)


def _fixed(octets: bytes, position: int, kind: str) -> tuple[Value, int]:
    if kind == "void":
        return ("null", None), position
    if kind == "boolean":
        return ("boolean", octets[position] != 0), position + 1
    if kind in ("float", "double"):
        stop = position + (4 if kind == "float" else 8)
        return (kind, octets[position:stop]), stop
    if kind in ("decimal", "decimal-unsigned"):
        scale, significand = struct.unpack_from(">Bi" if kind == "decimal" else ">BI", octets, position)
        return decimal(scale, significand), position + 5
    if kind == "timestamp":
        (seconds,) = struct.unpack_from(">Q", octets, position)
        if seconds <= _LAST_SECOND:
            return ("timestamp", seconds * 1_000_000), position + 8
        return tagged("timestamp", integer(seconds)), position + 8
    size = int(kind.removeprefix("u").removeprefix("int")) // 8
    number = int.from_bytes(octets[position : position + size], "big", signed=not kind.startswith("u"))
    if kind == "uint64":
        return integer(number), position + 8
    return (_WIDER.get(kind, kind), number), position + size
