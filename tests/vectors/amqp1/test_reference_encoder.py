"""The reference encoder against octets written by hand from part 1 of the standard."""

from __future__ import annotations

import pytest
from amqp_codegen.vectors.amqp1.reference_encoder import ReferenceEncoder
from amqp_codegen.vectors.amqp1.values import (
    FALSE,
    NULL,
    TRUE,
    ArrayValue,
    CompositeValue,
    DescribedValue,
    ListValue,
    MapValue,
    RestrictedValue,
    Scalar,
    Value,
    string,
    symbol,
    uint,
    ulong,
)

from .built_in_specification import spec

ENCODER = ReferenceEncoder(spec())

SHORTEST: dict[str, tuple[Value, str]] = {
    "null": (NULL, "40"),
    "true": (TRUE, "41"),
    "false": (FALSE, "42"),
    "ubyte": (Scalar("ubyte", 255), "50 ff"),
    "ushort": (Scalar("ushort", 1), "60 0001"),
    "uint 0": (uint(0), "43"),
    "uint 255": (uint(255), "52 ff"),
    "uint 256": (uint(256), "70 00000100"),
    "ulong 0": (ulong(0), "44"),
    "ulong 255": (ulong(255), "53 ff"),
    "ulong 256": (ulong(256), "80 0000000000000100"),
    "byte": (Scalar("byte", -128), "51 80"),
    "short": (Scalar("short", -2), "61 fffe"),
    "int -1": (Scalar("int", -1), "54 ff"),
    "int 128": (Scalar("int", 128), "71 00000080"),
    "int -129": (Scalar("int", -129), "71 ffffff7f"),
    "long 127": (Scalar("long", 127), "55 7f"),
    "long -129": (Scalar("long", -129), "81 ffffffffffffff7f"),
    "char": (Scalar("char", 0x1F600), "73 0001f600"),
    "timestamp": (Scalar("timestamp", 1 << 40), "83 00000100 00000000"),
    "empty binary": (Scalar("binary", b""), "a0 00"),
    "string": (string("\N{SNOWMAN}"), "a1 03 e29883"),
    "symbol": (symbol("a"), "a3 01 61"),
    "empty list": (ListValue(), "45"),
    "list": (ListValue((NULL, uint(1))), "c0 04 02 40 5201"),
    "empty map": (MapValue(), "c1 01 00"),
    "map": (MapValue(((symbol("a"), TRUE),)), "c1 05 02 a30161 41"),
    "empty array": (ArrayValue("uint"), "e0 02 00 52"),
    "array": (ArrayValue("uint", (uint(0), uint(256))), "e0 0a 02 70 00000000 00000100"),
    "array of booleans": (ArrayValue("boolean", (TRUE, FALSE)), "e0 04 02 56 01 00"),
    "array of lists": (ArrayValue("list", (ListValue(), ListValue((NULL,)))), "e0 07 02 c0 01 00 02 01 40"),
    "array with a descriptor": (ArrayValue("uint", (uint(1),), (symbol("d"),)), "e0 07 01 00 a30164 52 01"),
    "described": (DescribedValue(ulong(300), NULL), "00 80 000000000000012c 40"),
    # 2.7.1, 3.2.6: the smallest open, and a section of data
    "open": (CompositeValue("open", {"container-id": string("c")}), "00 5310 c0 04 01 a10163"),
    "data": (RestrictedValue("data", Scalar("binary", b"\1")), "00 5375 a0 01 01"),
    # 1.4: what holds its default is null, nulls at the end are left out
    "defaults": (
        CompositeValue("header", {"durable": TRUE, "priority": Scalar("ubyte", 4)}),
        "00 5370 c0 02 01 41",
    ),
    "no fields": (CompositeValue("accepted"), "00 5324 45"),
    # 1.4: several values
    "one value": (CompositeValue("coordinator", {"capabilities": (symbol("a"),)}), "00 5330 c0 04 01 a30161"),
    "two values": (
        CompositeValue("coordinator", {"capabilities": (symbol("a"), symbol("b"))}),
        "00 5330 c0 09 01 e0 06 02 a3 0161 0162",
    ),
}


@pytest.mark.parametrize("name", SHORTEST)
def test_shortest(name: str) -> None:
    value, octets = SHORTEST[name]
    assert ENCODER.encode(value).hex() == octets.replace(" ", "")


def test_the_book_of_the_standard() -> None:
    """The composite that the standard shows in octets in 1.4; it has 64 of them after its size."""
    authors = ArrayValue("string", (string("Rob J. Godfrey"), string("Rafael H. Schloming")))
    book = DescribedValue(
        symbol("example:book:list"), ListValue((string("AMQP for & by Dummies"), authors, NULL))
    )
    assert ENCODER.encode(book) == b"".join(
        (
            b"\x00\xa3\x11example:book:list",
            b"\xc0\x40\x03",
            b"\xa1\x15AMQP for & by Dummies",
            b"\xe0\x25\x02\xa1\x0eRob J. Godfrey\x13Rafael H. Schloming",
            b"\x40",
        )
    )


@pytest.mark.parametrize(
    ("count", "start"), [(254, "a1fe"), (255, "a1ff"), (256, "b100000100"), (257, "b100000101")]
)
def test_longer_sizes_of_text(count: int, start: str) -> None:
    assert ENCODER.encode(string("x" * count)).hex() == start + "78" * count


@pytest.mark.parametrize(
    ("count", "start"), [(253, "c0fefd"), (254, "c0fffe"), (255, "d000000103000000ff"), (256, "d000000104")]
)
def test_longer_sizes_of_lists(count: int, start: str) -> None:
    """The size of a list8 has room for 254 octets and the count."""
    assert ENCODER.encode(ListValue((NULL,) * count)).hex().startswith(start)


def test_every_encoding_that_fits() -> None:
    codes = {
        name: [item.code for item in ENCODER.fitting(value)]
        for name, (value, _) in SHORTEST.items()
        if not isinstance(value, (DescribedValue, CompositeValue, RestrictedValue))
    }
    assert codes["uint 0"] == [0x70, 0x52, 0x43]
    assert codes["uint 256"] == [0x70]
    assert codes["true"] == [0x56, 0x41]
    assert codes["int -1"] == [0x71, 0x54]
    assert codes["empty list"] == [0x45, 0xC0, 0xD0]
    assert codes["list"] == [0xC0, 0xD0]
    assert codes["string"] == [0xA1, 0xB1]
