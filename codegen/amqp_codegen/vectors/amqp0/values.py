"""Sample values of elementary types and field tables: ends of ranges, typical values, values out of range."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from struct import calcsize

from ...model.amqp0.field_types import TABLE_FLOATS, TABLE_NUMBERS, WireType
from ...model.amqp0.spec import Field
from ...model.amqp0.wire import Dialect
from ..case import Neutral

# The octets of each integer in a table, and whether it has a sign.
INTEGER_WIDTHS: Mapping[str, tuple[int, bool]] = {
    kind: (calcsize(f">{letter}"), letter.islower())
    for kind, letter in TABLE_NUMBERS.items()
    if kind not in TABLE_FLOATS
}
_DIGITS = 0x0102030405060708  # each octet differs, so that a wrong order shows

# In May 2024; the time types of some languages end with the year 9999.
MOMENT = 1_715_000_000 * WireType.TIMESTAMP.facts.per_second

# The highest, the smallest and a typical number, which has no exact binary form, so that float and double differ.
_FLOATS = {
    "float": ("3.4028234663852886e+38", "1.401298464324817e-45", "0.10000000149011612"),
    "double": ("1.7976931348623157e+308", "5e-324", "0.1"),
}


def kind_values(kind: str, dialect: Dialect) -> Mapping[str, Neutral]:
    """Return values of a kind of table entry, by name."""
    if kind == "timestamp":
        return {**_integers(kind), "typical": str(MOMENT)}
    if kind in INTEGER_WIDTHS:
        return _integers(kind)
    if kind in _FLOATS:
        highest, smallest, typical_number = _FLOATS[kind]
        near_zero = {"zero": "0.0", "negative-zero": "-0.0", "highest": highest, "smallest": smallest}
        return {**near_zero, "infinite": "-Infinity", "typical": typical_number}
    return {
        "boolean": {"false": False, "true": True},
        "decimal": {
            "zero": _decimal(0, 0),
            "lowest": _decimal(0, -(2**31)),
            "highest": _decimal(0, 2**31 - 1),
            "largest-scale": _decimal(255, 1),
            "typical": _decimal(2, -12345),
        },
        "decimal-unsigned": {
            "zero": _decimal(0, 0),
            "highest": _decimal(0, 2**32 - 1),
            "largest-scale": _decimal(255, 1),
            "typical": _decimal(2, 12345),
        },
        "shortstr": {"empty": _text(""), "longest": _text("x" * 255), "typical": _text("grün")},
        "longstr": {
            "empty": _text(""),
            "long": _text("x" * 256),
            "not-utf-8": {"hex": "80e928ff"},
            "typical": _text("grün"),
        },
        "bytes": {"empty": _text(""), "long": {"hex": "ff" * 256}, "typical": {"hex": "00ff80"}},
        "array": {"empty": [], "typical": _items(dialect)},
        "table": {"empty": [], "typical": _entries(dialect)},
        "void": {"void": None},
    }[kind]


def table_entry(key: str, letter: str, value: Neutral, dialect: Dialect) -> Neutral:
    """Return an entry of a table."""
    return {"key": key, "letter": letter, "type": dialect.read[letter], "value": value}


def typical_table(dialect: Dialect, key: str) -> Sequence[Neutral]:
    """Return a small table that every dialect can carry."""
    return [
        table_entry(key, "S", _text("grün"), dialect),
        table_entry(f"{key}-n", "I", -3, dialect),
        table_entry(f"{key}-t", "F", [table_entry("T", "T", str(MOMENT), dialect)], dialect),
    ]


def full_table(dialect: Dialect) -> Sequence[Neutral]:
    """Return a table with each letter of the dialect."""
    return [
        table_entry(f"key-{letter}", letter, list(kind_values(kind, dialect).values())[-1], dialect)
        for letter, kind in dialect.read.items()
    ]


def integer_range(kind: str) -> tuple[int, int]:
    """Return the lowest and the highest integer of a kind."""
    width, signed = INTEGER_WIDTHS[kind]
    bits = 8 * width
    return (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)


def _integers(kind: str) -> Mapping[str, Neutral]:
    low, high = integer_range(kind)
    width, signed = INTEGER_WIDTHS[kind]
    values = {"lowest": low, "highest": high, "typical": -3 if signed else _DIGITS >> 8 * (8 - width)}
    return {name: str(value) if width == 8 else value for name, value in values.items()}


def _decimal(scale: int, number: int) -> Neutral:
    return {"scale": scale, "number": number}


def _text(text: str) -> Neutral:
    return {"hex": text.encode().hex()}


def _entries(dialect: Dialect) -> Sequence[Neutral]:
    return [table_entry("a", "I", 1, dialect), table_entry("b", "S", _text("two"), dialect)]


def _items(dialect: Dialect) -> Sequence[Neutral]:
    return [
        {"letter": letter, "type": dialect.read[letter], "value": value}
        for letter, value in (("I", 1), ("S", _text("two")), ("F", _entries(dialect)))
    ]


SHORTSTR_MAX_OCTETS = 255


def minimum(kind: WireType) -> Neutral:
    """Return the minimum of a type."""
    if kind.width is not None:
        return number(kind, 0)
    return {
        WireType.BIT: False,
        WireType.SHORTSTR: "",
        WireType.LONGSTR: {"hex": ""},
        WireType.TABLE: [],
        WireType.CONTENT: {"kind": 0, "data": {"hex": ""}},
    }[kind]


def lowest(kind: WireType) -> Neutral:
    """Return the lowest value of a type, for numbers with a sign below the minimum."""
    return minimum(kind) if kind.width is None else number(kind, kind.low)


def default_value(field: Field) -> Neutral:
    """Return the default of a field: its own, or the minimum of its type."""
    if field.default is None:
        return minimum(field.type)
    return number(field.type, field.default) if isinstance(field.default, int) else field.default


def maximum(kind: WireType, dialect: Dialect, character: str = "x") -> Neutral:
    """Return the maximum of a type; for types of up to 4 GB, a value whose length needs two octets.

    Short strings repeat ``character`` and are filled up with ``x``; tables have each letter of the dialect.
    """
    if kind.width is not None:
        return number(kind, kind.high)
    count = SHORTSTR_MAX_OCTETS // len(character.encode())
    return {
        WireType.BIT: True,
        WireType.SHORTSTR: character * count + "x" * (SHORTSTR_MAX_OCTETS - count * len(character.encode())),
        WireType.LONGSTR: {"hex": "ff" * 257},
        WireType.TABLE: list(full_table(dialect)),
        WireType.CONTENT: {"kind": 1, "data": {"hex": "ff" * 257}},
    }[kind]


def typical(field: Field, place: int, dialect: Dialect) -> Neutral:
    """Return a typical value that no other field of the method has, so that swapped fields are noticed."""
    kind = field.type
    has_pattern = any(check.check == "regexp" for check in field.asserts)
    if kind.facts.per_second:
        return number(kind, MOMENT + place)
    if kind.width is not None:
        octets = bytes((place * 16 + step) % 256 for step in range(1, kind.width + 1))
        return number(kind, int.from_bytes(octets, "big", signed=kind.is_signed))
    return {
        WireType.BIT: place % 2 == 0,
        # Keep to the pattern: some implementations check it when they encode.
        WireType.SHORTSTR: field.name if has_pattern else f"{field.name} ü",
        WireType.LONGSTR: text(kind, f"{field.name} ü"),
        WireType.TABLE: list(typical_table(dialect, field.name)),
        WireType.CONTENT: {"kind": 0, "data": {"hex": field.name.encode().hex()}},
    }[kind]


def beyond(kind: WireType) -> Mapping[str, Neutral]:
    """Return values that a type cannot hold, by what is wrong with them."""
    if kind.width is not None:
        return {"too-low": number(kind, kind.low - 1), "too-high": number(kind, kind.high + 1)}
    if kind is WireType.SHORTSTR:
        return {"too-long": "ü" * (SHORTSTR_MAX_OCTETS // 2 + 1)}  # in octets, not in characters
    return {}


def number(kind: WireType, value: int) -> Neutral:
    """Return a number in neutral form; 64-bit numbers are text, as JSON readers keep only 53 bits."""
    return str(value) if kind.form == "integer64" else value


def text(kind: WireType, value: str) -> Neutral:
    """Return a text as a value of a short or a long string."""
    return {"hex": value.encode().hex()} if kind.form == "octets" else value
