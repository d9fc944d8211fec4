"""Values of the elementary types: the least, the greatest, something ordinary, and what they cannot hold."""

from __future__ import annotations

from collections.abc import Mapping

from ...model.spec0 import Field, WireType
from ...model.wire import Dialect
from ..case import Neutral
from .table_values import MOMENT, full_table, typical_table

SHORTSTR_MOST = 255


def minimum(kind: WireType) -> Neutral:
    """The least that a type holds."""
    if kind.width is not None:
        return number(kind, 0)
    return {
        WireType.BIT: False,
        WireType.SHORTSTR: "",
        WireType.LONGSTR: {"hex": ""},
        WireType.TABLE: [],
        WireType.CONTENT: {"kind": 0, "data": {"hex": ""}},
    }[kind]


def maximum(kind: WireType, dialect: Dialect, character: str = "x") -> Neutral:
    """The most that a type holds; of what may be 4 GB long, something with a length of two octets.

    Args:
        kind: The type.
        dialect: For tables, which get each of its letters.
        character: What short strings are made of. They are filled up with ``x``.
    """
    if kind.width is not None:
        return number(kind, (1 << 8 * kind.width) - 1)
    count = SHORTSTR_MOST // len(character.encode())
    return {
        WireType.BIT: True,
        WireType.SHORTSTR: character * count + "x" * (SHORTSTR_MOST - count * len(character.encode())),
        WireType.LONGSTR: {"hex": "ff" * 257},
        WireType.TABLE: list(full_table(dialect)),
        WireType.CONTENT: {"kind": 1, "data": {"hex": "ff" * 257}},
    }[kind]


def typical(field: Field, place: int, dialect: Dialect) -> Neutral:
    """Something ordinary that no other field of the method has, so that fields which change places show.

    Args:
        field: The field.
        place: How many fields come before it.
        dialect: For tables.
    """
    kind = field.type
    has_pattern = any(check.check == "regexp" for check in field.asserts)
    if kind is WireType.TIMESTAMP:
        return number(kind, MOMENT + place)
    if kind.width is not None:
        octets = bytes((place * 16 + step) % 256 for step in range(1, kind.width + 1))
        return number(kind, int.from_bytes(octets, "big"))
    return {
        WireType.BIT: place % 2 == 0,
        # Some implementations check patterns when they encode.
        WireType.SHORTSTR: field.name if has_pattern else f"{field.name} ü",
        WireType.LONGSTR: text(kind, f"{field.name} ü"),
        WireType.TABLE: list(typical_table(dialect, field.name)),
        WireType.CONTENT: {"kind": 0, "data": {"hex": field.name.encode().hex()}},
    }[kind]


def beyond(kind: WireType) -> Mapping[str, Neutral]:
    """What a type cannot hold, by what is wrong with it."""
    if kind.width is not None:
        return {"too-low": number(kind, -1), "too-high": number(kind, 1 << 8 * kind.width)}
    if kind is WireType.SHORTSTR:
        return {"too-long": "ü" * (SHORTSTR_MOST // 2 + 1)}  # in octets, not in characters
    return {}


def number(kind: WireType, value: int) -> Neutral:
    """A number of a type; JSON readers keep 53 bits, what may have more is written as text."""
    return str(value) if kind.width == 8 else value


def text(kind: WireType, value: str) -> Neutral:
    """A text as a value of a short or a long string."""
    return {"hex": value.encode().hex()} if kind is WireType.LONGSTR else value
