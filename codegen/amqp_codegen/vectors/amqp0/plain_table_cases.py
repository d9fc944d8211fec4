"""Cases of field tables of plain values: which letter an encoder chooses for a number, a text, a list ...

The specification leaves the choice to the encoder; the octets are those that ``specs/wire.toml`` prefers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...model.amqp0.spec import Spec
from ...model.amqp0.wire import Dialect
from ..case import Case, Neutral
from .reference_encoder import encode, table_input
from .values import MOMENT, integer_range

KIND = "plain-table"


def plain_table_cases(spec: Spec, dialect: Dialect) -> Iterator[Case]:
    """Yield each kind of plain value that a dialect can carry, and integers around each bound of its letters."""
    integers = _integers_around_bounds(dialect)
    carried = [number for number in integers if _integer_letter(dialect, number)]
    for number in integers:
        yield _plain_case(spec, dialect, "integer", str(number), [_plain("k", "integer", str(number))])
    for kind, value in _samples().items():
        if kind in dialect.write:
            yield _plain_case(spec, dialect, kind, "typical", [_plain("k", kind, value)])
    items = [{"type": "integer", "value": str(number)} for number in carried]
    entries = [_plain(str(number), "integer", str(number)) for number in carried]
    for kind, inside in (("array", items), ("table", entries)):
        if kind in dialect.write:
            yield _plain_case(spec, dialect, kind, "of-integers", [_plain("k", kind, inside)])


def _plain_case(spec: Spec, dialect: Dialect, kind: str, what: str, entries: Sequence[Neutral]) -> Case:
    """Return the case of a table; it is refused if the dialect has no letter for an integer in it."""
    element = f"field-table.plain-{kind}"
    name, value, options = f"{element}/{dialect.name}-{what}", table_input(entries), {"dialect": dialect.name}
    if kind == "integer" and not _integer_letter(dialect, int(what)):
        return Case(name, element, KIND, value, None, "reject", "range", "encode", options)
    tagged = [{"key": entry["key"], **_tagged(entry, dialect)} for entry in entries]
    octets = encode(spec, "table", table_input(tagged), dialect)
    return Case(name, element, KIND, value, octets, way="encode", options=options, free=True)


def _plain(key: str, kind: str, value: Neutral) -> Neutral:
    return {"key": key, "type": kind, "value": value}


def _samples() -> dict[str, Neutral]:
    return {
        "boolean": True,
        "float": "0.1",
        "text": "grün",
        "bytes": {"hex": "00ff80"},
        "decimal": {"scale": 2, "number": -12345},
        "timestamp": str(MOMENT),
        "array": [{"type": "text", "value": "one"}, {"type": "integer", "value": "2"}],
        "table": [_plain("a", "integer", "1"), _plain("b", "text", "two")],
        "void": None,
    }


def _integers_around_bounds(dialect: Dialect) -> list[int]:
    """Return the first and last integer of each letter, and their neighbours outside."""
    numbers = set()
    for letter in dialect.integers:
        low, high = integer_range(dialect.read[letter])
        numbers |= {low - 1, low, high, high + 1}
    return sorted(numbers)


def _integer_letter(dialect: Dialect, number: int) -> str:
    """Return the first letter that can carry an integer, or an empty string."""
    for letter in dialect.integers:
        low, high = integer_range(dialect.read[letter])
        if low <= number <= high:
            return letter
    return ""


def _tagged(plain: Neutral, dialect: Dialect) -> Neutral:
    """Return a plain value with the letter that the dialect prefers."""
    kind, value = plain["type"], plain["value"]
    letter = _integer_letter(dialect, int(value)) if kind == "integer" else dialect.write[kind]
    if kind == "text":
        value = {"hex": value.encode().hex()}
    elif kind == "array":
        value = [_tagged(item, dialect) for item in value]
    elif kind == "table":
        value = [{"key": entry["key"], **_tagged(entry, dialect)} for entry in value]
    return {"letter": letter, "type": dialect.read[letter], "value": value}
