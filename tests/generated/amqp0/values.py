"""Values for the fields of methods and properties: the least, the greatest, everyday ones, and any."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from .letters import INTEGERS, KINDS, has, integer_range
from .packages import dialect_of, plain_fields

WIDTHS = {"octet": 1, "short": 2, "long": 4, "longlong": 8, "timestamp": 8}
# 255 octets in UTF-8, most of them in characters of three.
LONGEST_SHORTSTR = "€" * 84 + "äz"
NOON = datetime(2024, 2, 29, 12, 0, 0, tzinfo=UTC)


def least(kind: str, amqp: Any) -> Any:
    """The zero of a type."""
    if kind == "content":
        return amqp.Content()
    zeros: dict[str, Any] = {"bit": False, "shortstr": "", "longstr": b"", "table": {}}
    return zeros.get(kind, 0)


def greatest(kind: str, amqp: Any) -> Any:
    """The largest value of a type, within reason for strings and tables."""
    if kind in WIDTHS:
        return 256 ** WIDTHS[kind] - 1
    if kind == "content":
        return amqp.Content(255, b"\xff" * 300)
    values: dict[str, Any] = {"bit": True, "shortstr": LONGEST_SHORTSTR, "longstr": bytes(range(256)) * 300}
    return rich_table(amqp) if kind == "table" else values[kind]


def typical(kind: str, number: int, amqp: Any) -> Any:
    """An everyday value; ``number`` makes those of different fields differ."""
    if kind == "bit":
        return number % 3 != 0
    if kind in WIDTHS:
        return (number * 41 + 7) % 256 ** WIDTHS[kind]
    if kind == "shortstr":
        return f"sh{number}"
    if kind == "longstr":
        return b"long\xfe%d" % number
    if kind == "content":
        return amqp.Content(number % 2, b"data%d" % number)
    return {f"k{number}": number, "s": "x"}


def rich_table(amqp: Any) -> dict[str, Any]:
    """A table with a value of every kind that the package's own dialect carries."""
    dialect = dialect_of(amqp)
    low, high = integer_range(dialect)
    table: dict[str, Any] = {
        "": "",
        "text": "häß€𝄞\x00",
        LONGEST_SHORTSTR: "key",
        "low": low,
        "high": high,
        "int": -1,
        "decimal": Decimal("3.1400"),
        "timestamp": amqp.Timestamp(2**64 - 1),
        "not utf-8": b"\xff\xfe",
        "empty": {},
    }
    if has(dialect, "V"):
        table["none"] = None
    if has(dialect, "t"):
        table |= {"yes": True, "no": False}
    if has(dialect, "d"):
        table |= {"double": 0.1, "infinite": float("inf"), "negative zero": -0.0}
    if has(dialect, "A"):
        table["array"] = [1, "two", [3, []], {"four": 4}]
    table["table"] = {"table": {"table": dict(table)}}
    return table


def fill(cls: Any, value: Any) -> dict[str, Any]:
    """A value for each plain field of a method or property set; ``value(type, number)`` gives it."""
    return {field.name: value(field.type, number) for number, field in enumerate(plain_fields(cls))}


def least_values(amqp: Any, cls: Any) -> dict[str, Any]:
    return fill(cls, lambda kind, _: least(kind, amqp))


def greatest_values(amqp: Any, cls: Any) -> dict[str, Any]:
    return fill(cls, lambda kind, _: greatest(kind, amqp))


def typical_values(amqp: Any, cls: Any) -> dict[str, Any]:
    return fill(cls, lambda kind, number: typical(kind, number, amqp))


# --- Strategies -------------------------------------------------------------------------------------

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
shortstrs = texts | st.just(LONGEST_SHORTSTR)


@cache
def plain_values(amqp: Any, dialect: str, depth: int = 2) -> st.SearchStrategy[Any]:
    """Values that a dialect carries and gives back equal."""
    kinds = KINDS[dialect]
    low, high = integer_range(dialect)
    limits = INTEGERS["int32"][1:]
    options: list[st.SearchStrategy[Any]] = [
        texts,
        st.integers(low, high),
        st.sampled_from([low, high, -1, 0, 2**31 - 1, -(2**31)]),
        st.builds(
            lambda number, scale: Decimal(f"{number}E-{scale}"), st.integers(*limits), st.integers(0, 255)
        ),
        st.integers(0, 2**64 - 1).map(amqp.Timestamp),
    ]
    options.append(
        st.binary(max_size=12) if "x" in kinds else st.binary(max_size=9).map(lambda b: b + b"\xff")
    )
    if "V" in kinds:
        options.append(st.none())
    if "t" in kinds:
        options.append(st.booleans())
    if "d" in kinds:
        options.append(st.floats())
    if depth:
        inner = plain_values(amqp, dialect, depth - 1)
        options.append(st.dictionaries(texts, inner, max_size=3))
        if "A" in kinds:
            options.append(st.lists(inner, max_size=3))
    return st.one_of(options)


def plain_tables(amqp: Any, dialect: str, depth: int = 2) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(shortstrs, plain_values(amqp, dialect, depth), max_size=4)


def field_values(kind: str, amqp: Any) -> st.SearchStrategy[Any]:
    """Any value of a field type, that comes back equal."""
    if kind == "bit":
        return st.booleans()
    if kind in WIDTHS:
        top = 256 ** WIDTHS[kind] - 1
        return st.sampled_from([0, 1, top]) | st.integers(0, top)
    if kind == "shortstr":
        return shortstrs
    if kind == "longstr":
        return st.binary(max_size=20)
    if kind == "content":
        return st.builds(amqp.Content, st.integers(0, 255), st.binary(max_size=20))
    return plain_tables(amqp, dialect_of(amqp), 1)


@cache
def methods(amqp: Any, cls: Any) -> st.SearchStrategy[Any]:
    """Objects of a method class."""
    return st.builds(cls, **{field.name: field_values(field.type, amqp) for field in plain_fields(cls)})


@cache
def any_method(amqp: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from(list(amqp.METHODS.values())).flatmap(lambda cls: methods(amqp, cls))


@cache
def properties(amqp: Any, cls: Any) -> st.SearchStrategy[Any]:
    """Objects of a property set with any of them present."""
    return st.builds(cls, **{field.name: st.none() | field_values(field.type, amqp) for field in cls.FIELDS})


@cache
def any_frame(amqp: Any) -> st.SearchStrategy[Any]:
    """Anything that ``encode_frame`` takes on any channel."""
    headers = st.sampled_from(list(amqp.content.PROPERTIES.values())).flatmap(
        lambda cls: st.builds(amqp.ContentHeader, properties(amqp, cls), st.integers(0, 2**64 - 1))
    )
    bodies = st.binary(max_size=40).map(amqp.ContentBody)
    return any_method(amqp) | headers | bodies


@cache
def any_stream(amqp: Any) -> st.SearchStrategy[list[tuple[int, Any]]]:
    heartbeats = st.tuples(st.just(0), st.builds(amqp.Heartbeat))
    return st.lists(st.tuples(st.integers(0, 65535), any_frame(amqp)) | heartbeats, max_size=5)


def chunks(data: bytes) -> st.SearchStrategy[list[bytes]]:
    """The octets cut at any places, empty pieces included."""

    def cut(places: list[int]) -> list[bytes]:
        edges = [0, *sorted(places), len(data)]
        return [data[start:stop] for start, stop in pairwise(edges)]

    return st.lists(st.integers(0, len(data)), max_size=8).map(cut)
