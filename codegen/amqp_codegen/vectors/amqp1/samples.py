"""Values of each type: the ends of its range, and what is typical."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from .value import FALSE, NULL, TRUE, Array, List, Map, Scalar, Value, string, symbol, uint

INTEGER_BITS = {
    "ubyte": (8, False),
    "ushort": (16, False),
    "uint": (32, False),
    "ulong": (64, False),
    "byte": (8, True),
    "short": (16, True),
    "int": (32, True),
    "long": (64, True),
    "timestamp": (64, True),
}


@dataclass(frozen=True, slots=True)
class Samples:
    """Values of one type.

    Attributes:
        low: The lower end of its range: the smallest number, the empty text.
        high: The upper end: the largest number, a text too long for a size of one octet.
        typical: One from the middle.
    """

    low: Value
    high: Value
    typical: Value


def pattern(octets: str) -> bytes:
    """Octets written in hexadecimal digits."""
    return bytes.fromhex(octets)


def primitive_samples() -> dict[str, Samples]:
    """Samples of the primitive types, by name."""
    samples = {name: _integers(name, bits, signed) for name, (bits, signed) in INTEGER_BITS.items()}
    samples["null"] = Samples(NULL, NULL, NULL)
    samples["boolean"] = Samples(FALSE, TRUE, TRUE)
    samples["char"] = Samples(Scalar("char", 0), Scalar("char", 0x10FFFF), Scalar("char", ord("\N{SNOWMAN}")))
    samples["float"] = _patterns(
        "float", *(struct.pack(">f", each) for each in (float("-inf"), 3.4028234663852886e38, 1.5))
    )
    samples["double"] = _patterns(
        "double", *(struct.pack(">d", each) for each in (float("-inf"), 1.7976931348623157e308, 0.1))
    )
    # IEEE 754-2008, 3.5.2, binary encoding: -(10^p - 1) * 10^emax, the positive one, and 1.5.
    samples["decimal32"] = _patterns(
        "decimal32", pattern("f7f8967f"), pattern("77f8967f"), pattern("3200000f")
    )
    samples["decimal64"] = _patterns(
        "decimal64", pattern("f7fb86f26fc0ffff"), pattern("77fb86f26fc0ffff"), pattern("31a000000000000f")
    )
    samples["decimal128"] = _patterns(
        "decimal128",
        pattern("dfffed09bead87c0378d8e63ffffffff"),
        pattern("5fffed09bead87c0378d8e63ffffffff"),
        pattern("303e000000000000000000000000000f"),
    )
    samples["uuid"] = _patterns("uuid", bytes(16), b"\xff" * 16, pattern("f81d4fae7dec11d0a76500a0c91e6bf6"))
    samples["binary"] = _patterns("binary", b"", bytes(range(256)), b"\x00octets\xff")
    samples["string"] = Samples(string(""), string("s" * 256), string("text \N{SNOWMAN}"))
    samples["symbol"] = Samples(symbol(""), symbol("s" * 256), symbol("x-symbol"))
    one = Scalar("int", 1)
    samples["list"] = Samples(List(), List((one,) * 128), List((one, string("two"), NULL)))
    entries = tuple((string(f"key-{number:02}"), uint(number)) for number in range(30))
    samples["map"] = Samples(Map(), Map(entries), Map(((string("key"), one), (string("other"), TRUE))))
    samples["array"] = Samples(
        Array("int"),
        Array("int", (Scalar("int", 1 << 20),) * 64),
        Array("symbol", (symbol("a"), symbol("b"))),
    )
    return samples


def _integers(name: str, bits: int, signed: bool) -> Samples:
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return Samples(Scalar(name, low), Scalar(name, high), Scalar(name, 100))


def _patterns(name: str, low: bytes, high: bytes, typical: bytes) -> Samples:
    return Samples(Scalar(name, low), Scalar(name, high), Scalar(name, typical))
