"""Values as VARIANT: nothing is lost, whatever they are; an independent reader finds it."""

from __future__ import annotations

import struct
from typing import Any
from uuid import UUID

import amqp_1_0.columns
import amqp_1_0.columns.variant
import pytest
from amqp_1_0._value_writer import write_value
from hypothesis import given
from hypothesis import strategies as st

from tests.generated.amqp0.test_fast_reader_agrees_with_walker import mutated, outcome
from tests.generated.amqp0.variants import Value, read_variant, tagged
from tests.growth import LARGEST_EXPONENT, line_exponent, time_exponent
from tests.sampling import examples

from .fields import of_described
from .packages import BY_NAME, amqp, each_described
from .reference_writer import write
from .values import VALUES
from .variants import expected, without_counts

types = amqp.types
Symbol = types.Symbol
value_variant = amqp_1_0.columns.variant.value_variant


def variant_of(octets: bytes, **options: Any) -> Value:
    variant, position = value_variant(octets, **options)
    assert position == len(octets)
    return read_variant(variant)


def check(octets: bytes) -> None:
    """A variant is what it should be for the decoded value."""
    value, _ = amqp.decode(octets)
    assert without_counts(variant_of(octets)) == expected(value)


@given(value=VALUES)
@examples(800)
def test_any_value(value: Any) -> None:
    check(write(value))


@each_described
@given(data=st.data())
@examples(20)
def test_any_described_value(cls: Any, data: st.DataObject) -> None:
    check(data.draw(of_described(cls)).encode())


CASES: dict[str, tuple[Any, Value]] = {
    "null": (None, ("null", None)),
    "boolean": (True, ("boolean", True)),
    "ubyte": (types.UByte(255), ("int16", 255)),
    "ushort": (types.UShort(65535), ("int32", 65535)),
    "uint": (types.UInt(2**32 - 1), ("int64", 2**32 - 1)),
    "small uint": (types.UInt(255), ("int64", 255)),
    "ulong": (types.ULong(2**63 - 1), ("int64", 2**63 - 1)),
    "large ulong": (types.ULong(2**64 - 1), ("decimal16", (0, 2**64 - 1))),
    "byte": (types.Byte(-128), ("int8", -128)),
    "short": (types.Short(-(2**15)), ("int16", -(2**15))),
    "int": (types.Int(-(2**31)), ("int32", -(2**31))),
    "small int": (types.Int(-1), ("int32", -1)),
    "long": (-(2**63), ("int64", -(2**63))),
    "small long": (-1, ("int64", -1)),
    "float": (types.Float(0.5), ("float", struct.pack(">f", 0.5))),
    "double": (-0.0, ("double", struct.pack(">d", -0.0))),
    "decimal32": (types.Decimal32("-1.50"), ("decimal4", (2, -150))),
    "decimal64": (types.Decimal64("3"), ("decimal8", (0, 3))),
    "decimal128": (types.Decimal128("0.1"), ("decimal16", (1, 1))),
    "decimal128 with a point far off": (types.Decimal128("1e-39"),
                                        tagged("decimal128", ("binary", types.Decimal128("1e-39").to_bytes()))),
    "decimal32 with an exponent": (types.Decimal32("1e3"),
                                   tagged("decimal32", ("binary", types.Decimal32("1e3").to_bytes()))),
    "decimal64, not a number": (types.Decimal64("NaN"),
                                tagged("decimal64", ("binary", types.Decimal64("NaN").to_bytes()))),
    "char": (types.Char("ä"), tagged("char", ("string", "ä"))),
    "timestamp": (types.Timestamp(-1), ("timestamp", -1000)),
    "last timestamp": (types.Timestamp(253_402_300_799_999), ("timestamp", 253_402_300_799_999_000)),
    "late timestamp": (types.Timestamp(253_402_300_800_000), tagged("timestamp", ("int64", 253_402_300_800_000))),
    "early timestamp": (types.Timestamp(-62_135_596_800_001), tagged("timestamp", ("int64", -62_135_596_800_001))),
    "uuid": (UUID(int=7), tagged("uuid", ("string", "00000000-0000-0000-0000-000000000007"))),
    "binary": (b"\xff", ("binary", b"\xff")),
    "string": ("ä", ("string", "ä")),
    "symbol": (Symbol("a"), tagged("symbol", ("string", "a"))),
    "list": ([1, []], ("array", [("int64", 1), ("array", [])])),
    "map": ({"b": 1, "a": None}, ("object", {"a": ("null", None), "b": ("int64", 1)})),
    "map of symbols": ({Symbol("a"): 1}, tagged("symbols", ("object", {"a": ("int64", 1)}))),
    "map of others": ({1: 2}, tagged("map", ("array", [("array", [("int64", 1), ("int64", 2)])]))),
    "map like a tag": ({"$map": 1}, tagged("map", ("array", [("array", [("string", "$map"), ("int64", 1)])]))),
    "array": (amqp.Array([Symbol("a")], "symbol"),
              ("object", {"$array": ("array", [("string", "a")]), "type": ("string", "symbol")})),
    "described": (amqp.Described(Symbol("x:y"), "z"),
                  ("object", {"$described": tagged("symbol", ("string", "x:y")), "value": ("string", "z")})),
    "composite": (
        BY_NAME["rejected"](error=BY_NAME["error"](condition="a:b", info={Symbol("k"): Symbol("v")})),
        (
            "object",
            {
                "$type": ("string", "rejected"),
                "error": (
                    "object",
                    {
                        "$type": ("string", "error"),
                        "condition": ("string", "a:b"),
                        "info": ("object", {"k": tagged("symbol", ("string", "v"))}),
                    },
                ),
            },
        ),
    ),
    "restricted": (BY_NAME["footer"]({"a": 1}),
                   ("object", {"$type": ("string", "footer"), "value": ("object", {"a": ("int64", 1)})})),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_kind(name: str) -> None:
    value, wanted = CASES[name]
    assert variant_of(amqp.encode(value)) == wanted


def test_items_without_octets_are_there_once() -> None:
    octets = b"\xf0" + struct.pack(">II", 5, 65_536) + b"\x41"
    fields = {
        "$array": ("array", [("boolean", True)]),
        "count": ("int64", 65_536),
        "type": ("string", "boolean"),
    }
    assert variant_of(octets) == ("object", fields)
    # However many such arrays there are.
    many = b"\xd0" + struct.pack(">II", 4 + 10 * 1000, 1000) + octets * 1000
    variant, _ = value_variant(many)
    assert len(variant[0]) < 5 * len(many)


def test_long_forms_are_the_same() -> None:
    short = amqp.encode({"a": "b", "c": [1]})
    long = b"\xd1\0\0\0\x1d\0\0\0\x04\xb1\0\0\0\1a\xb1\0\0\0\1b\xb1\0\0\0\1c\xd0\0\0\0\6\0\0\0\1\x55\1"
    long = long[:1] + struct.pack(">I", len(long) - 5) + long[5:]
    assert variant_of(long) == variant_of(short)


@pytest.mark.parametrize("size", [63, 64, 255, 256, 65_535, 65_536])
def test_sizes(size: int) -> None:
    check(amqp.encode({"k": "x" * size, "l": "ä" * size, "m": b"\xff" * size}))
    if size < 65_536:
        check(amqp.encode({f"{number:05}": number for number in range(size // 2)}))
        check(amqp.encode([None] * size))


def test_what_readers_would_refuse_is_refused() -> None:
    with pytest.raises(amqp.errors.LimitExceeded, match="a VARIANT of 16777221 octets"):
        value_variant(amqp.encode(bytes(2**24)))


# --- Hostile octets ---------------------------------------------------------------------------------------


@given(data=st.data())
@examples(600)
def test_accepts_what_decoding_accepts(data: st.DataObject) -> None:
    octets = data.draw(mutated(write(data.draw(VALUES))))
    agree(octets)


@each_described
@given(data=st.data())
@examples(15)
def test_accepts_the_described_values_that_decoding_accepts(cls: Any, data: st.DataObject) -> None:
    agree(data.draw(mutated(data.draw(of_described(cls)).encode())))


def agree(octets: bytes, **options: Any) -> None:
    found, refused = outcome(amqp, lambda: value_variant(octets, **options))
    decoded, reason = outcome(amqp, lambda: amqp.decode(octets, **options))
    assert repr(refused) == repr(reason)
    if refused is None:
        assert found[1] == decoded[1]
        assert without_counts(read_variant(found[0])) == expected(decoded[0])


@given(data=st.data())
@examples(200)
def test_limits(data: st.DataObject) -> None:
    octets = write(data.draw(VALUES))
    agree(octets, max_depth=data.draw(st.integers(1, 4)), max_elements=data.draw(st.integers(0, 4)))


@pytest.mark.parametrize("depth", [1, 2, 64, 128])
@pytest.mark.parametrize(
    "around",
    [
        lambda value: [value],
        lambda value: {"k": value},
        lambda value: {1: value},
        lambda value: amqp.Map([(value, 1)]),
        lambda value: amqp.Described(Symbol("x"), value),
        BY_NAME["amqp-value"],
        lambda value: BY_NAME["modified"](message_annotations={Symbol("k"): value}),
        lambda value: amqp.Array([[value]], "list"),
    ],
    ids=["list", "map", "mixed map", "keys", "described", "restricted", "composite", "array"],
)
def test_nesting(around: Any, depth: int) -> None:
    value: Any = 1
    for levels in range(1, depth + 2):
        value = around(value)
        if levels >= depth - 1:
            octets = write_value(value, 2 * depth + 2)
            _, refused = outcome(amqp, lambda octets=octets: value_variant(octets, max_depth=depth))
            _, reason = outcome(amqp, lambda octets=octets: amqp.decode(octets, max_depth=depth))
            assert repr(refused) == repr(reason)


def test_wrong_calls() -> None:
    with pytest.raises(ValueError, match="max_depth"):
        value_variant(b"\x40", max_depth=0)
    with pytest.raises(amqp.errors.Truncated):
        value_variant(b"")
    assert value_variant(b"x\x40", 1) == ((b"\0", b"\1\0\0"), 2)


SHAPES: dict[str, tuple[Any, int]] = {
    "list": (lambda n: write([None] * n), 10_000),
    "map": (lambda n: write({f"{number:06}": number for number in range(n)}), 4_000),
    "mixed keys": (lambda n: write({number: number for number in range(n)}), 2_000),
    "symbols": (lambda n: write([Symbol("a")] * n), 8_000),
    "array": (lambda n: write(amqp.Array([1] * n, "int")), 10_000),
    "different maps": (lambda n: write([{f"{number:06}": 1} for number in range(n)]), 2_000),
    "composites": (lambda n: amqp.encode([BY_NAME["accepted"]()] * n), 3_000),
    "nested composites": (lambda n: amqp.encode(nested(BY_NAME["modified"], 30, ["x"] * n)), 3_000),
}


def nested(cls: Any, levels: int, value: Any) -> Any:
    for _ in range(levels):
        value = cls(message_annotations={Symbol("k"): value})
    return value


def variant(octets: bytes) -> object:
    return value_variant(octets, max_elements=10**9)


@pytest.mark.skipif(amqp.ACCELERATED, reason="lines of Python tell nothing about the core in C: AMQP_PURE=1")
@pytest.mark.parametrize("name", SHAPES)
def test_lines_grow_with_the_value(name: str) -> None:
    make, size = SHAPES[name]
    assert line_exponent(make, variant, size // 50) <= LARGEST_EXPONENT


@pytest.mark.full
@pytest.mark.parametrize("name", SHAPES)
def test_time_grows_with_the_value(name: str) -> None:
    make, size = SHAPES[name]
    assert time_exponent(make, variant, size // 4) <= LARGEST_EXPONENT


# --- Spark's own reader -------------------------------------------------------------------------------------


def test_spark_reads_the_same() -> None:
    spark = pytest.importorskip("pyspark.sql.types", reason="needs PySpark")
    value = {"text": "häß€𝄞", "list": [1, None, True, [0.5]], "map": {"b": b"\xff"}, "symbol": Symbol("s")}
    variant, _ = value_variant(amqp.encode(value))
    assert spark.VariantVal(*variant).toPython() == {**value, "symbol": {"$symbol": "s"}}


def test_octets_do_not_depend_on_what_came_up_before() -> None:
    message = amqp.Message(
        application_properties={"b": 1, "a": 2}, body=amqp.messaging.AmqpValue("x")
    ).encode()
    columns = amqp_1_0.columns.MessageColumns()
    columns.append(message)
    columns.append(message)
    first, second = columns.take()["application_properties"]
    assert first == second


def test_keys_of_elements_may_be_as_deep_as_decoding_allows() -> None:
    error = amqp_1_0.performatives.Error(condition="x", info=amqp.Map([(Symbol("a"), 1), ([], 2)]))
    octets = amqp.encode(amqp.Array([error]))
    with pytest.raises(amqp.errors.LimitExceeded):
        amqp.decode(octets, max_depth=3)
    amqp.decode(octets, max_depth=4)
    value_variant(octets, max_depth=4)
