"""Cases of the primitive types: the ends of each range, and where a longer encoding takes over."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from ..case import Case
from .maker import Maker
from .samples import INTEGER_BITS
from .value import FALSE, NULL, TRUE, Array, Described, List, Map, Scalar, Value, string, symbol, uint, ulong

FLOATS = {
    "zero": 0.0,
    "negative-zero": -0.0,
    "one": 1.0,
    "infinity": float("inf"),
    "smallest": 1.401298464324817e-45,
}
NOT_A_NUMBER = {"float": bytes.fromhex("7fc00000"), "double": bytes.fromhex("7ff8000000000000")}
# IEEE 754-2008, 3.5.2: zero, negative zero, infinity and not a number in the binary encoding of decimals.
DECIMALS = {
    "decimal32": ("32800000", "b2800000", "78000000", "7c000000"),
    "decimal64": ("31c0000000000000", "b1c0000000000000", "7800000000000000", "7c00000000000000"),
    "decimal128": tuple(f"{start}{'0' * 28}" for start in ("3040", "b040", "7800", "7c00")),
}
INT = Scalar("int", 1)
UNKNOWN_SYMBOL = symbol("com.example:thing:list")


def primitive_cases(maker: Maker) -> Iterator[Case]:
    """Values of every primitive type, and numbers that do not fit theirs."""
    known = {"described", *(each.name for each in maker.spec.primitives)}
    for name, samples in maker.sampler.primitives.items():
        if name in known:
            yield maker.both(name, "low", samples.low)
            if samples.high != samples.low:
                yield maker.both(name, "high", samples.high)
            if samples.typical not in (samples.low, samples.high):
                yield maker.both(name, "typical", samples.typical)
    for name, label, value in _more_values():
        if name in known:
            yield maker.both(name, label, value)
    for name, value in _beyond():
        if name in known:
            yield maker.refuse(name, f"beyond-{value.content!s}", value, "no value of the type")


def _more_values() -> Iterator[tuple[str, str, Value]]:
    for name, (bits, signed) in INTEGER_BITS.items():
        for number in _edges(bits, signed):
            yield name, str(number), Scalar(name, number)
    for label, value in FLOATS.items():
        yield "float", label, Scalar("float", struct.pack(">f", value))
        yield "double", label, Scalar("double", struct.pack(">d", value))
    for name, octets in NOT_A_NUMBER.items():
        yield name, "not-a-number", Scalar(name, octets)
    for name, patterns in DECIMALS.items():
        for label, digits in zip(
            ("zero", "negative-zero", "infinity", "not-a-number"), patterns, strict=True
        ):
            yield name, label, Scalar(name, bytes.fromhex(digits))
    for point in (0x7F, 0x80, 0xD7FF, 0xE000, 0xFFFF, 0x10000):
        yield "char", f"{point:x}", Scalar("char", point)
    yield from _texts()
    yield from _compounds()


def _edges(bits: int, signed: bool) -> list[int]:
    """Where shorter encodings end, and the second numbers of a range, without those that are samples."""
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    wanted = (low + 1, -129, -128, -1, 0, 1, 127, 128, 255, 256, 1 << 53, (1 << 53) + 1, high - 1)
    return sorted({number for number in wanted if low < number < high} | ({0} if low else set()))


def _texts() -> Iterator[tuple[str, str, Value]]:
    yield "binary", "255-octets", Scalar("binary", bytes(255))
    yield "string", "255-octets", string("\N{SNOWMAN}" * 85)
    yield "string", "256-octets-of-85-characters", string("\N{SNOWMAN}" * 84 + "\U0001f600")
    yield "string", "characters", string("\0\x7f\x80\u07ff\u0800\uffff\U00010000\U0010ffff")
    yield "symbol", "255-octets", symbol("s" * 255)
    yield "symbol", "characters", symbol("".join(map(chr, range(128))))


def _compounds() -> Iterator[tuple[str, str, Value]]:
    octet = Scalar("ubyte", 7)
    yield "list", "largest-list8", List((octet,) * 127)
    yield "list", "smallest-list32", List((Scalar("binary", bytes(252)), NULL))
    yield "list", "255-items", List((NULL,) * 254)
    yield "list", "256-items", List((NULL,) * 256)
    yield "list", "nested", List((List((List(), List((INT,)))), Map(), List((NULL, NULL))))
    yield "map", "keys-of-all-types", Map(
        (
            (ulong(1), string("ulong")),
            (INT, string("int")),
            (TRUE, NULL),
            (string("1"), string("string")),
            (symbol("1"), string("symbol")),
            (List((INT,)), string("list")),
            (Map(), string("map")),
        )
    )
    yield "map", "nested", Map(((string("map"), Map(((symbol("key"), List((INT, Map()))),))),))
    yield from _arrays()
    yield "described", "symbol", Described(UNKNOWN_SYMBOL, List((INT, NULL)))
    yield "described", "number", Described(ulong(0x0000_4680_0000_0001), string("text"))
    yield "described", "twice", Described(
        UNKNOWN_SYMBOL, Described(ulong(255 << 32), Scalar("binary", b"\0"))
    )


def _arrays() -> Iterator[tuple[str, str, Value]]:
    for items in (
        (TRUE, FALSE),
        (Scalar("ubyte", 1), Scalar("ubyte", 255)),
        (Scalar("ushort", 1), Scalar("ushort", 65535)),
        (uint(0), uint(255)),
        (ulong(0), ulong(256)),
        (Scalar("byte", -1), Scalar("byte", 1)),
        (Scalar("short", -1), Scalar("short", 1)),
        (Scalar("int", -128), Scalar("int", 127)),
        (Scalar("long", -129), Scalar("long", 127)),
        (Scalar("float", struct.pack(">f", 1.5)),),
        (Scalar("double", struct.pack(">d", 0.1)),),
        (Scalar("char", 0x41), Scalar("char", 0x1F600)),
        (Scalar("timestamp", -1), Scalar("timestamp", 1)),
        (Scalar("uuid", bytes(range(16))),),
        (Scalar("binary", b"\0"), Scalar("binary", b"")),
        (string("one"), string("two")),
    ):
        name = items[0].type
        yield "array", f"of-{name}", Array(name, items)
    yield "array", "of-wide-strings", Array("string", (string("one"), string("s" * 256)))
    yield "array", "of-lists", Array("list", (List(), List((INT, string("text")))))
    yield "array", "of-maps", Array("map", (Map(), Map(((symbol("key"), INT),))))
    yield "array", "of-arrays", Array("array", (Array("int", (INT,)), Array("int", (INT, INT))))
    yield "array", "of-described", Array("int", (INT, Scalar("int", 1000)), (UNKNOWN_SYMBOL,))
    yield "array", "empty-of-symbols", Array("symbol")


def _beyond() -> Iterator[tuple[str, Scalar]]:
    """Values beyond the range of their types."""
    for name, (bits, signed) in INTEGER_BITS.items():
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        yield name, Scalar(name, low - 1)
        yield name, Scalar(name, high + 1)
    for point in (0xD800, 0xDFFF, 0x110000):
        yield "char", Scalar("char", point)
    yield "symbol", symbol("\N{LATIN SMALL LETTER E WITH ACUTE}")
