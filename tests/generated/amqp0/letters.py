"""The letters of the field-table dialects, written down by hand.

Sources: the 0-8, 0-9 and 0-9-1 documents, RabbitMQ's errata page and source, Qpid's codec; not ``wire.toml``.
"""

from __future__ import annotations

import struct
from math import isnan
from typing import Any

_CLASSIC = {"S": "longstr", "I": "int32", "D": "decimal", "T": "timestamp", "F": "table"}

KINDS: dict[str, dict[str, str]] = {
    "spec-0-8": _CLASSIC,
    "spec-0-9": {**_CLASSIC, "V": "void"},
    "spec-0-9-1": {
        **_CLASSIC,
        "V": "void",
        "t": "boolean",
        "b": "int8",
        "B": "uint8",
        "U": "int16",
        "u": "uint16",
        "i": "uint32",
        "L": "int64",
        "l": "uint64",
        "f": "float",
        "d": "double",
        "s": "shortstr",
        "A": "array",
    },
    "rabbitmq": {
        **_CLASSIC,
        "V": "void",
        "t": "boolean",
        "b": "int8",
        "B": "uint8",
        "s": "int16",
        "u": "uint16",
        "i": "uint32",
        "l": "int64",
        "L": "int64",
        "f": "float",
        "d": "double",
        "x": "bytes",
        "A": "array",
    },
    "qpid": {
        **_CLASSIC,
        "V": "void",
        "t": "boolean",
        "b": "int8",
        "s": "int16",
        "l": "int64",
        "f": "float",
        "d": "double",
        "x": "bytes",
    },
}

# struct format, lowest and highest value of the integer kinds.
INTEGERS: dict[str, tuple[str, int, int]] = {
    "int8": (">b", -(2**7), 2**7 - 1),
    "uint8": (">B", 0, 2**8 - 1),
    "int16": (">h", -(2**15), 2**15 - 1),
    "uint16": (">H", 0, 2**16 - 1),
    "int32": (">i", -(2**31), 2**31 - 1),
    "uint32": (">I", 0, 2**32 - 1),
    "int64": (">q", -(2**63), 2**63 - 1),
    "uint64": (">Q", 0, 2**64 - 1),
}

# The letters of plain Python ints, with the range that each takes over from the one before.
INTEGER_LETTERS: dict[str, tuple[str, ...]] = {
    "spec-0-8": ("I",),
    "spec-0-9": ("I",),
    "spec-0-9-1": ("I", "L", "l"),
    "rabbitmq": ("I", "l"),
    "qpid": ("I", "l"),
}


def integer_range(dialect: str) -> tuple[int, int]:
    """The ints that a dialect can carry."""
    ranges = [INTEGERS[KINDS[dialect][letter]] for letter in INTEGER_LETTERS[dialect]]
    return min(low for _, low, _ in ranges), max(high for _, _, high in ranges)


def has(dialect: str, letter: str) -> bool:
    return letter in KINDS[dialect]


def octets_of_int(dialect: str, value: int) -> bytes:
    """A plain int with the letter that announces it."""
    for letter in INTEGER_LETTERS[dialect]:
        code, low, high = INTEGERS[KINDS[dialect][letter]]
        if low <= value <= high:
            return letter.encode() + struct.pack(code, value)
    raise AssertionError(f"{dialect} cannot carry {value}")


def same(left: Any, right: Any) -> bool:
    """Equal in value and in type, to the bit: True is not 1, -0.0 is not 0.0, NaN is NaN."""
    if type(left) is not type(right):
        return False
    if isinstance(left, float):
        return struct.pack(">d", left) == struct.pack(">d", right) or (isnan(left) and isnan(right))
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    if hasattr(left, "as_tuple"):
        return bool(left.as_tuple() == right.as_tuple())
    return bool(left == right)


def same_fields(left: Any, right: Any) -> bool:
    """The same class with the same values, see ``same``."""
    return type(left) is type(right) and all(
        same(getattr(left, field.name), getattr(right, field.name))
        for field in left.FIELDS
        if not getattr(field, "reserved", False)
    )
