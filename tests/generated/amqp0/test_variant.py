"""Field tables as VARIANT: nothing is lost, whatever they hold; an independent reader finds it."""

from __future__ import annotations

import struct
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from importlib import import_module
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.growth import LARGEST_EXPONENT, line_exponent, time_exponent
from tests.sampling import examples

from .hostile import entry, nested_arrays, nested_tables
from .letters import KINDS
from .packages import NAMES, RABBITMQ, STANDARD, dialect_of, each_dialect, each_package
from .raw_octets import raw_tables
from .reference_codec import longstr
from .test_fast_reader_agrees_with_walker import mutated, outcome
from .values import rich_table
from .variants import Value, expected_table, read_variant, tagged

NO_LIMIT = 10**9

for item in NAMES:
    import_module(f"{item}.columns.variant")


def table_variant(amqp: Any, octets: bytes, *arguments: Any, **options: Any) -> Value:
    variant, position = amqp.columns.variant.table_variant(octets, *arguments, **options)
    assert position == len(octets)
    return read_variant(variant)


@each_dialect
@each_package
@given(data=st.data())
@examples(40)
def test_any_table(amqp: Any, dialect: str, data: st.DataObject) -> None:
    octets = data.draw(raw_tables(amqp, dialect)).octets
    assert table_variant(amqp, octets, 0, dialect=dialect) == expected_table(octets, KINDS[dialect])


@each_package
def test_all_kinds_at_once(amqp: Any) -> None:
    octets = amqp.encode_table(rich_table(amqp))
    assert table_variant(amqp, octets) == expected_table(octets, KINDS[dialect_of(amqp)])


# What the package says becomes of each kind: letter and octets to the value.
KIND_CASES: dict[str, tuple[Any, str, bytes, Value]] = {
    "boolean": (RABBITMQ, "t", b"\2", ("boolean", True)),
    "int8": (RABBITMQ, "b", b"\xff", ("int8", -1)),
    "uint8": (RABBITMQ, "B", b"\xff", ("int16", 255)),
    "int16": (RABBITMQ, "s", b"\x80\0", ("int16", -(2**15))),
    "uint16": (RABBITMQ, "u", b"\xff\xff", ("int32", 65535)),
    "int32": (RABBITMQ, "I", b"\x80\0\0\0", ("int32", -(2**31))),
    "uint32": (RABBITMQ, "i", b"\xff\xff\xff\xff", ("int64", 2**32 - 1)),
    "int64": (RABBITMQ, "l", b"\x80" + bytes(7), ("int64", -(2**63))),
    "small uint64": (STANDARD, "l", b"\x7f" + b"\xff" * 7, ("int64", 2**63 - 1)),
    "large uint64": (STANDARD, "l", b"\xff" * 8, ("decimal16", (0, 2**64 - 1))),
    "float": (RABBITMQ, "f", b"\x7f\xa0\0\1", ("float", b"\x7f\xa0\0\1")),
    "double": (RABBITMQ, "d", struct.pack(">d", -0.0), ("double", struct.pack(">d", -0.0))),
    "decimal": (RABBITMQ, "D", b"\x02\0\0\x01\x3a", ("decimal4", (2, 314))),
    "wide decimal": (RABBITMQ, "D", b"\x02\x7f\xff\xff\xff", ("decimal8", (2, 2**31 - 1))),
    "wider decimal": (STANDARD, "D", b"\x26\xff\xff\xff\xff", ("decimal16", (38, -1))),
    "longest decimal": (STANDARD, "D", b"\xff\xff\xff\xff\xff",
                        tagged("decimal", ("array", [("int64", 255), ("int64", -1)]))),
    "longstr": (RABBITMQ, "S", longstr("ä".encode()), ("string", "ä")),
    "longstr, no UTF-8": (RABBITMQ, "S", longstr(b"\xff"), tagged("longstr", ("binary", b"\xff"))),
    "shortstr": (STANDARD, "s", b"\1a", ("string", "a")),
    "shortstr, no UTF-8": (STANDARD, "s", b"\1\xff", tagged("shortstr", ("binary", b"\xff"))),
    "bytes": (RABBITMQ, "x", longstr(b"abc"), ("binary", b"abc")),
    "timestamp": (RABBITMQ, "T", struct.pack(">Q", 253_402_300_799), ("timestamp", 253_402_300_799_000_000)),
    "late timestamp": (RABBITMQ, "T", struct.pack(">Q", 253_402_300_800),
                       tagged("timestamp", ("int64", 253_402_300_800))),
    "last timestamp": (RABBITMQ, "T", b"\xff" * 8, tagged("timestamp", ("decimal16", (0, 2**64 - 1)))),
    "array": (RABBITMQ, "A", longstr(b"Vt\0"), ("array", [("null", None), ("boolean", False)])),
    "empty array": (RABBITMQ, "A", longstr(b""), ("array", [])),
    "table": (RABBITMQ, "F", longstr(b"\1kV"), ("object", {"k": ("null", None)})),
    "empty table": (RABBITMQ, "F", longstr(b""), ("object", {})),
    "void": (RABBITMQ, "V", b"", ("null", None)),
}  # fmt: skip


@pytest.mark.parametrize("name", KIND_CASES)
def test_kind(name: str) -> None:
    amqp, letter, octets, value = KIND_CASES[name]
    assert table_variant(amqp, longstr(entry("k", letter, octets))) == ("object", {"k": value})


def pairs(*found: tuple[Value, Value]) -> Value:
    return tagged("table", ("array", [("array", list(pair)) for pair in found]))


TRUE = ("boolean", True)
KEY_CASES: dict[str, tuple[bytes, Value]] = {
    "twice": (
        b"\1at\1\1bV\1at\0",
        pairs(
            (("string", "a"), TRUE),
            (("string", "b"), ("null", None)),
            (("string", "a"), ("boolean", False)),
        ),
    ),
    "no UTF-8": (b"\2\xff\xfet\1", pairs((("binary", b"\xff\xfe"), TRUE))),
    "like a tag": (b"\6$tablet\1", pairs((("string", "$table"), TRUE))),
    "just a dollar": (b"\1$t\1", pairs((("string", "$"), TRUE))),
    "a dollar inside": (b"\2a$t\1", ("object", {"a$": TRUE})),
    "empty": (b"\0t\1", ("object", {"": TRUE})),
}


@pytest.mark.parametrize("name", KEY_CASES)
def test_keys(name: str) -> None:
    octets, value = KEY_CASES[name]
    assert table_variant(RABBITMQ, longstr(octets)) == value
    inner = longstr(b"\1x" + b"F" + longstr(octets))
    assert table_variant(RABBITMQ, inner) == ("object", {"x": value})


def test_values_stay_in_the_order_of_the_entries() -> None:
    (value, metadata), _ = RABBITMQ.columns.variant.table_variant(longstr(b"\1bb\2\1ab\1"))
    assert value.endswith(b"\x0c\2\x0c\1")
    assert metadata.endswith(b"ba")
    assert list(read_variant((value, metadata))[1]) == ["a", "b"]


@pytest.mark.parametrize("count", [0, 1, 63, 64, 65, 254, 255, 256, 257, 65_536])
@pytest.mark.parametrize("value", [b"V", b"S" + longstr(b"x" * 70)], ids=["small", "large"])
def test_number_of_entries(count: int, value: bytes) -> None:
    octets = longstr(b"".join(bytes((5,)) + b"%05d" % number + value for number in range(count)))
    assert table_variant(RABBITMQ, octets) == expected_table(octets, KINDS["rabbitmq"])
    inner = longstr(b"\1xF" + octets + b"\1yF" + octets)
    assert table_variant(RABBITMQ, inner) == expected_table(inner, KINDS["rabbitmq"])
    items = longstr(b"\1xA" + longstr(value * count))
    assert table_variant(RABBITMQ, items) == expected_table(items, KINDS["rabbitmq"])


@pytest.mark.parametrize("size", [62, 63, 64, 200, 254, 255, 256, 65_534, 65_535, 65_536, 2**24 - 100])
@pytest.mark.parametrize("unit", [b"x", "ä".encode(), b"\xff"], ids=["ASCII", "UTF-8", "octets"])
def test_size_of_strings(size: int, unit: bytes) -> None:
    octets = longstr(entry("k", "S", longstr(unit * (size // len(unit)))) + b"\1lV")
    assert table_variant(RABBITMQ, octets) == expected_table(octets, KINDS["rabbitmq"])


def test_what_readers_would_refuse_is_refused() -> None:
    octets = longstr(entry("k", "S", longstr(bytes(2**24))))
    with pytest.raises(RABBITMQ.errors.LimitExceeded, match="a VARIANT of 16777232 octets"):
        RABBITMQ.columns.variant.table_variant(octets)


def test_many_sets_of_keys() -> None:
    """More than are remembered, each of them twice."""
    reader = RABBITMQ.columns.variant.make_variant_reader()
    for _ in range(2):
        for number in range(3000):
            octets = longstr(b"\6%06dt\1\1xF" % number + longstr(b"\5%05dt\0" % number))
            variant, _ = RABBITMQ.columns.variant.read_variant(octets, 0, len(octets), reader)
            assert read_variant(variant) == expected_table(octets, KINDS["rabbitmq"])
    assert max(len(reader.layouts.objects), len(reader.layouts.names)) <= 1024


# --- Hostile octets -------------------------------------------------------------------------------------


@each_dialect
@each_package
@given(data=st.data())
@examples(50)
def test_accepts_what_lossless_decoding_accepts(amqp: Any, dialect: str, data: st.DataObject) -> None:
    octets = data.draw(mutated(data.draw(raw_tables(amqp, dialect)).octets))
    found, refused = outcome(amqp, lambda: amqp.columns.variant.table_variant(octets, 0, dialect=dialect))
    kept, reason = outcome(amqp, lambda: amqp.decode_table(octets, 0, dialect=dialect, lossless=True))
    assert (refused is None) == (reason is None), (refused, reason)
    if refused is None:
        assert found[1] == kept[1]
        assert read_variant(found[0]) == expected_table(octets[: kept[1]], KINDS[dialect])
    else:
        assert 0 <= refused.offset <= len(octets)


@each_package
@given(data=st.data())
@examples(40)
def test_limits(amqp: Any, data: st.DataObject) -> None:
    octets = data.draw(raw_tables(amqp, "spec-0-9-1")).octets
    limits = {"max_depth": data.draw(st.integers(1, 4)), "max_elements": data.draw(st.integers(1, 4))}
    _, refused = outcome(
        amqp, lambda: amqp.columns.variant.table_variant(octets, 0, dialect="spec-0-9-1", **limits)
    )
    _, reason = outcome(
        amqp, lambda: amqp.decode_table(octets, 0, dialect="spec-0-9-1", lossless=True, **limits)
    )
    assert (refused is None) == (reason is None), (refused, reason)


@each_package
def test_wrong_calls(amqp: Any) -> None:
    with pytest.raises(ValueError, match="no dialect 'x'"):
        amqp.columns.variant.table_variant(bytes(4), 0, dialect="x")
    with pytest.raises(ValueError, match="max_depth"):
        amqp.columns.variant.table_variant(bytes(4), max_depth=0)
    with pytest.raises(amqp.errors.Truncated):
        amqp.columns.variant.table_variant(b"\0\0\0")
    assert amqp.columns.variant.table_variant(memoryview(b"x" + bytes(4)), 1)[1] == 5


CALLS: dict[str, tuple[Any, int]] = {
    "void array": (lambda n: longstr(b"\0A" + longstr(b"V" * n)), 40_000),
    "one key": (lambda n: longstr(b"\1kV" * n), 10_000),
    "many keys": (lambda n: longstr(b"".join(b"\7%07dV" % key for key in range(n))), 10_000),
    "empty tables": (lambda n: longstr(b"\0A" + longstr(b"F\0\0\0\0" * n)), 15_000),
    "tables of different keys": (
        lambda n: longstr(b"\0A" + longstr(b"".join(b"F\0\0\0\x09\7%07dV" % key for key in range(n)))),
        4_000,
    ),
    "octets for strings": (lambda n: longstr(b"\0A" + longstr(b"S\0\0\0\1\xff" * n)), 10_000),
    "nested tables": (nested_tables, 30_000),
    "nested arrays": (nested_arrays, 30_000),
}


def variant_or_error(octets: bytes) -> object:
    return outcome(RABBITMQ, lambda: RABBITMQ.columns.variant.table_variant(octets, max_elements=NO_LIMIT))


@pytest.mark.skipif(
    RABBITMQ.ACCELERATED, reason="lines of Python tell nothing about the core in C: AMQP_PURE=1"
)
@pytest.mark.parametrize("name", CALLS)
def test_lines_grow_with_the_table(name: str) -> None:
    make, size = CALLS[name]
    assert line_exponent(make, variant_or_error, size // 250) <= LARGEST_EXPONENT


@pytest.mark.full
@pytest.mark.parametrize("name", CALLS)
def test_time_grows_with_the_table(name: str) -> None:
    make, size = CALLS[name]
    assert time_exponent(make, variant_or_error, size // 4) <= LARGEST_EXPONENT


@pytest.mark.parametrize("name", CALLS)
def test_octets_grow_with_those_of_the_table(name: str) -> None:
    make, size = CALLS[name]
    octets = make(size // 10)
    found, refused = outcome(
        RABBITMQ, lambda: RABBITMQ.columns.variant.table_variant(octets, max_elements=NO_LIMIT)[0]
    )
    assert refused is not None or sum(map(len, found)) <= 8 * len(octets)


# --- Spark's own reader -----------------------------------------------------------------------------------

SPARK_VALUES: dict[str, Any] = {
    "text": "häß€𝄞",
    "long": "x" * 100,
    "int": -5,
    "big": 2**40,
    "yes": True,
    "none": None,
    "double": 0.1,
    "decimal": Decimal("3.14"),
    "octets": b"\xff\x00",
    "list": [1, "two", [3, []], {"four": 4}],
    "table": {"b": 1, "a": {"c": {}}},
}


def test_spark_reads_the_same() -> None:
    types = pytest.importorskip("pyspark.sql.types", reason="needs PySpark")
    table = {**SPARK_VALUES, "moment": RABBITMQ.Timestamp(1_700_000_000)}
    variant, _ = RABBITMQ.columns.variant.table_variant(RABBITMQ.encode_table(table))
    moment = datetime.fromtimestamp(1_700_000_000, UTC)
    assert types.VariantVal(*variant).toPython() == {**SPARK_VALUES, "moment": moment}


@given(data=st.data())
@examples(100)
def test_spark_reads_any_table(data: st.DataObject) -> None:
    types = pytest.importorskip("pyspark.sql.types", reason="needs PySpark")
    octets = data.draw(raw_tables(RABBITMQ, "rabbitmq")).octets
    variant, _ = RABBITMQ.columns.variant.table_variant(octets)
    assert repr(types.VariantVal(*variant).toPython()) == repr(in_python(read_variant(variant)))


def in_python(value: Value) -> Any:
    """What Spark makes of a value in Python."""
    kind, inner = value
    if kind == "object":
        return {key: in_python(item) for key, item in inner.items()}
    if kind == "array":
        return [in_python(item) for item in inner]
    if kind.startswith("decimal"):
        return Decimal(inner[1]) * Decimal(10) ** -inner[0]
    if kind in ("float", "double"):
        return struct.unpack(">f" if kind == "float" else ">d", inner)[0]
    if kind == "timestamp":
        return datetime(1970, 1, 1, tzinfo=ZoneInfo("UTC")) + timedelta(microseconds=inner)
    return inner
