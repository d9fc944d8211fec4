"""Values that a caller may hand to an encoder: right ones, wrong ones, and those that are nearly right."""

from __future__ import annotations

import array
import enum
import fractions
import uuid
from collections import OrderedDict, UserDict
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from random import Random
from types import MappingProxyType
from typing import Any


class Encodable:
    """Not a str, but it has its best-known method."""

    def encode(self) -> bytes:
        return b"encoded"


class Text(str):
    """A str of one's own."""


class Number(int):
    """An int of one's own."""


class Colour(enum.IntEnum):
    """An int with a name."""

    RED = 1


class Word(str, enum.Enum):  # noqa: UP042 - str() of a StrEnum is its value, which is less odd
    """A str with a name."""

    HELLO = "hello"


def itself() -> list[Any]:
    items: list[Any] = []
    items.append(items)
    return items


def itself_by_key() -> dict[str, Any]:
    table: dict[str, Any] = {}
    table["k"] = table
    return table


def nested(levels: int, table: bool) -> Any:
    value: Any = {} if table else []
    for _ in range(levels):
        value = {"k": value} if table else [value]
    return value


INTEGERS = [sign * (2**bits + more) for sign in (1, -1) for bits in (0, 7, 8, 15, 16, 31, 32, 63, 64, 80) for more in (-1, 0, 1)]  # fmt: skip
TEXTS = ["", "x", "false", "x" * 255, "x" * 256, "\u20ac" * 85, "\u20ac" * 86, "\0", "\udcc3", "a\nb", "é", Text("t"), Word.HELLO]  # fmt: skip
OCTETS = [
    b"",
    b"\xff",
    b"x" * 256,
    bytearray(b"ab"),
    memoryview(b"abc"),
    memoryview(array.array("I", [1, 2, 3])),
    memoryview(b"abcdef")[::2],
    memoryview(bytes(12)).cast("H", (2, 3)),
    array.array("B", b"xy"),
]
DECIMALS = [Decimal(text) for text in ("0", "-0", "1.5", "-1.5", "NaN", "sNaN", "-sNaN7", "Infinity", "-Infinity", "1E+400", "1E-255", "1E-256", "4294967296", "9" * 40, "1E+999999")]  # fmt: skip
MOMENTS = [
    datetime(2024, 1, 1),
    datetime(2024, 1, 1, tzinfo=UTC),
    datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=23))),
    datetime(9999, 12, 31, tzinfo=UTC),
    datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    date(2024, 1, 1),
    timedelta(1),
]
OTHERS = [
    None,
    True,
    False,
    0.5,
    float("nan"),
    float("inf"),
    -0.0,
    1e308,
    1e39,
    Number(7),
    Colour.RED,
    2 + 1j,
    fractions.Fraction(1, 3),
    object(),
    object,
    Encodable(),
    len,
    Ellipsis,
    uuid.UUID(int=7),
    range(3),
    frozenset({1}),
]
MAPPINGS: list[Mapping[Any, Any]] = [
    {},
    {1: 2},
    {None: None},
    {"k" * 256: 1},
    {"\udcc3": 1},
    {b"k": 1},
    {"k": object()},
    {"k": 2**70},
    {"": {"": {"": object()}}},
    {("a", 1): 1},
    OrderedDict(a=1),
    UserDict(a=1),
    MappingProxyType({"a": 1}),
]


def odd_value(random: Random, extra: list[Any], depth: int = 2) -> Any:
    """A value, or a list or mapping of some; ``extra`` are values that a package knows."""
    chance = random.random()
    if depth and chance < 0.12:
        return [odd_value(random, extra, depth - 1) for _ in range(random.randrange(4))]
    if depth and chance < 0.24:
        return {
            random.choice(TEXTS[:7]): odd_value(random, extra, depth - 1) for _ in range(random.randrange(3))
        }
    if chance < 0.28:
        return random.choice((nested(63, False), nested(64, True), nested(65, False), nested(2000, True)))
    if chance < 0.30:
        return random.choice((itself(), itself_by_key(), tuple(range(5)), {1}, iter([1]), [[[None]]] * 3))
    if chance < 0.305:
        return random.choice(([None] * 65_537, {f"k{number}": True for number in range(65_537)}))
    pool = random.choice((INTEGERS, TEXTS, OCTETS, DECIMALS, MOMENTS, OTHERS, MAPPINGS, extra))
    return random.choice(pool)
