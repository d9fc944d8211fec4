"""Cases of field tables in each dialect: each letter at the ends of its range, and unknown letters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...model.amqp0.spec import Spec
from ...model.amqp0.wire import Dialect
from ..case import Case, Neutral, refused_octets
from .plain_table_cases import plain_table_cases
from .reference_encoder import encode, table_input
from .values import full_table, kind_values, table_entry


def table_cases(spec: Spec) -> Iterator[Case]:
    """Yield the cases of every dialect."""
    for dialect in spec.dialects:
        yield _table_case(spec, dialect, "field-table", f"{dialect.name}-empty", [])
        yield _table_case(spec, dialect, "field-table", f"{dialect.name}-all-letters", full_table(dialect))
        for letter, kind in dialect.read.items():
            for what, value in kind_values(kind, dialect).items():
                entry = table_entry("key", letter, value, dialect)
                yield _table_case(
                    spec, dialect, f"field-table.{kind}", f"{dialect.name}-{letter}-{what}", [entry]
                )
        yield from _wrong_tables(dialect)
        yield from _nested_tables(spec, dialect)
        yield from plain_table_cases(spec, dialect)


def _table_case(spec: Spec, dialect: Dialect, element: str, what: str, entries: Sequence[Neutral]) -> Case:
    value = table_input(entries)
    octets = encode(spec, "table", value, dialect)
    return Case(f"{element}/{what}", element, "table", value, octets, options={"dialect": dialect.name})


def _wrong_tables(dialect: Dialect) -> Iterator[Case]:
    """Yield letters of other dialects, a letter of none, and values that reach beyond their table or array.

    Exactly as many octets follow the table as such a value lacks.
    """
    known = {"t", *"bBUuIiLlfdDsSATFVx"}
    for letter in sorted((known | {"?"}) - dialect.read.keys()):
        body = b"\1k" + letter.encode() + bytes(12)
        yield _wrong(dialect, f"no-letter-{'question-mark' if letter == '?' else letter}", body, "unknown")
    yield _wrong(dialect, "string-beyond-the-table", b"\1kS\0\0\0\5four", "truncated", after=b"x")
    yield _wrong(dialect, "integer-beyond-the-table", b"\1kI\0\0", "truncated", after=b"xx")
    yield _wrong(dialect, "key-beyond-the-table", b"\5key", "truncated", after=b"xxS\0\0\0\0")
    if "array" in dialect.read.values():
        yield _wrong(dialect, "item-beyond-the-array", b"\1kA\0\0\0\3I\0\0", "truncated", after=b"xx")
    yield _wrong(dialect, "key-not-utf-8", b"\2\xc3\x28I\0\0\0\1", "malformed")
    if "boolean" in dialect.read.values():
        octets = len(b"\1kt\2").to_bytes(4, "big") + b"\1kt\2"
        yield Case(
            id=f"field-table.boolean/{dialect.name}-two",
            element="field-table.boolean",
            kind="table",
            input=table_input([table_entry("k", "t", True, dialect)]),
            octets=octets,
            way="decode",
            options={"dialect": dialect.name},
            note="4.2.1: zero is false, everything else is true",
        )


MAX_DEPTH = 64
_LIMIT = "no more than 64 levels: a bound of the implementation, not of the specification"


def _nested_tables(spec: Spec, dialect: Dialect) -> Iterator[Case]:
    """Yield tables in tables, and arrays in arrays in a table: at the allowed depth, and one level deeper."""
    for kind, letter in (("table", "F"), ("array", "A")):
        if dialect.read.get(letter) != kind:
            continue
        element, options = f"field-table.{kind}", {"dialect": dialect.name}
        allowed, deeper = (_nested(kind, letter, levels) for levels in (MAX_DEPTH, MAX_DEPTH + 1))
        yield _table_case(spec, dialect, element, f"{dialect.name}-{MAX_DEPTH}-levels", allowed)
        octets = encode(spec, "table", table_input(deeper), dialect)
        name = f"{dialect.name}-{MAX_DEPTH + 1}-levels"
        yield refused_octets(element, name, "table", octets, "limit", _LIMIT, options)


def _nested(kind: str, letter: str, levels: int) -> Sequence[Neutral]:
    """Return the entries of a table with so many levels, itself included."""
    key = {"key": "k"} if kind == "table" else {}
    value: Sequence[Neutral] = []
    for _ in range(levels - 2):
        value = [{**key, "letter": letter, "type": kind, "value": value}]
    return [{"key": "k", "letter": letter, "type": kind, "value": value}]


def _wrong(dialect: Dialect, what: str, body: bytes, error: str, after: bytes = b"") -> Case:
    octets = len(body).to_bytes(4, "big") + body + after
    options = {"dialect": dialect.name}
    return refused_octets("field-table", f"{dialect.name}-{what}", "table", octets, error, options=options)
