"""Values of field tables: for each letter of a dialect the ends of its range and something ordinary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...model.wire import Dialect
from ..case import Neutral

INTEGER_WIDTHS: Mapping[str, tuple[int, bool]] = {
    "int8": (1, True),
    "uint8": (1, False),
    "int16": (2, True),
    "uint16": (2, False),
    "int32": (4, True),
    "uint32": (4, False),
    "int64": (8, True),
    "uint64": (8, False),
    "timestamp": (8, False),
}
_DIGITS = 0x0102030405060708  # each octet tells where it stands

# In 2024: later than the year 9999 is more than the times of some languages hold.
MOMENT = 1_715_000_000

# The last has no exact binary form, so that a float is not what a double is.
_FLOATS = (
    "0.0",
    "-0.0",
    "3.4028234663852886e+38",
    "1.401298464324817e-45",
    "-Infinity",
    "0.10000000149011612",
)
_DOUBLES = ("0.0", "-0.0", "1.7976931348623157e+308", "5e-324", "-Infinity", "0.1")


def kind_values(kind: str, dialect: Dialect) -> Mapping[str, Neutral]:
    """Values of a kind, by what is special about them."""
    if kind == "timestamp":
        return {**_integers(*INTEGER_WIDTHS[kind]), "typical": str(MOMENT)}
    if kind in INTEGER_WIDTHS:
        return _integers(*INTEGER_WIDTHS[kind])
    if kind in ("float", "double"):
        names = ("zero", "negative-zero", "highest", "smallest", "infinite", "typical")
        return dict(zip(names, _FLOATS if kind == "float" else _DOUBLES, strict=True))
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
        "longstr": {"empty": _text(""), "long": _text("x" * 256), "typical": _text("grün")},
        "bytes": {"empty": _text(""), "long": {"hex": "ff" * 256}, "typical": {"hex": "00ff80"}},
        "array": {"empty": [], "typical": _items(dialect)},
        "table": {"empty": [], "typical": _entries(dialect)},
        "void": {"void": None},
    }[kind]


def table_entry(key: str, letter: str, value: Neutral, dialect: Dialect) -> Neutral:
    """An entry of a table."""
    return {"key": key, "letter": letter, "type": dialect.read[letter], "value": value}


def typical_table(dialect: Dialect, key: str) -> Sequence[Neutral]:
    """A small table that every dialect can carry."""
    return [
        table_entry(key, "S", _text("grün"), dialect),
        table_entry(f"{key}-n", "I", -3, dialect),
        table_entry(f"{key}-t", "F", [table_entry("T", "T", str(MOMENT), dialect)], dialect),
    ]


def full_table(dialect: Dialect) -> Sequence[Neutral]:
    """A table with each letter of the dialect."""
    return [
        table_entry(f"key-{letter}", letter, list(kind_values(kind, dialect).values())[-1], dialect)
        for letter, kind in dialect.read.items()
    ]


def _integers(width: int, signed: bool) -> Mapping[str, Neutral]:
    bits = 8 * width
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
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
