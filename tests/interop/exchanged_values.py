"""Values to be exchanged: every type, every encoding, the edges of every range, everything nested."""

from __future__ import annotations

import struct
from typing import Any

from amqp_1_0 import types

from .neutral_values import neutral


def integers(name: str, *values: int) -> list[list[Any]]:
    return [[name, str(value)] for value in values]


def around(bits: int, signed: bool) -> list[int]:
    """The edges of a range, and of the shorter encodings in it."""
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    wanted = {low, low + 1, high - 1, high, 0, 1, -1, 127, 128, -128, -129, 255, 256}
    return sorted(value for value in wanted if low <= value <= high)


def octets(count: int) -> str:
    return (bytes(range(256)) * (count // 256 + 1))[:count].hex()


FLOATS = (0.0, -0.0, 1.0, -1.5, float("inf"), float("-inf"), 3.4028234663852886e38, 1.401298464324817e-45)
DOUBLES = (*FLOATS, 0.1, 1.7976931348623157e308, 5e-324)
DECIMALS = ("0", "-0", "1", "-1.50", "9999999", "1E-101", "9.999999E+96", "Infinity", "NaN")

SCALARS: list[list[Any]] = [
    ["null"],
    ["boolean", True],
    ["boolean", False],
    *integers("ubyte", *around(8, False)),
    *integers("ushort", *around(16, False)),
    *integers("uint", *around(32, False)),
    *integers("ulong", *around(64, False), 2**53, 2**53 + 1, 2**63 - 1, 2**63),
    *integers("byte", *around(8, True)),
    *integers("short", *around(16, True)),
    *integers("int", *around(32, True)),
    *integers("long", *around(64, True), 2**53, 2**53 + 1, -(2**53) - 1),
    *(["float", struct.pack(">f", value).hex()] for value in FLOATS),
    *(["double", struct.pack(">d", value).hex()] for value in DOUBLES),
    *(neutral(types.Decimal32(text)) for text in DECIMALS),
    *(neutral(types.Decimal64(text)) for text in DECIMALS),
    *(neutral(types.Decimal128(text)) for text in DECIMALS),
    *integers("char", 0, 0x41, 0x7F, 0x80, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF),
    *integers("timestamp", -(2**63), -1, 0, 1, 1_700_000_000_123, 2**53, 2**63 - 1),
    ["uuid", "00000000000000000000000000000000"],
    ["uuid", "0123456789abcdeffedcba9876543210"],
    *(["binary", octets(count)] for count in (0, 1, 255, 256, 70_000)),
    *(["string", "a" * count] for count in (0, 1, 255, 256, 70_000)),
    ["string", "\N{SNOWMAN}" * 85],  # 255 octets
    ["string", "\N{SNOWMAN}" * 85 + "x"],
    ["string", "\0\x7f\x80\u07ff\u0800\uffff\U00010000\U0010ffff"],
    *(["symbol", "s" * count] for count in (0, 1, 255, 256, 70_000)),
]

INT_1 = ["int", "1"]
KEY = ["symbol", "key"]
DESCRIPTOR = ["symbol", "com.example:thing:list"]

COMPOUNDS: list[list[Any]] = [
    ["list", []],
    ["list", [INT_1]],
    ["list", [["null"]] * 255],
    ["list", [["null"]] * 256],
    ["list", [["ubyte", "7"]] * 126],  # the largest list8, and the next
    ["list", [["ubyte", "7"]] * 127],
    ["list", [["ubyte", "7"]] * 128],
    ["list", [["list", [["list", []]]], ["map", []], ["list", [INT_1]]]],
    ["list", [form for form in SCALARS if len(str(form)) < 1000]],
    ["map", []],
    ["map", [[KEY, INT_1]]],
    ["map", [[["string", str(number)], ["uint", str(number)]] for number in range(127)]],
    ["map", [[["string", str(number)], ["uint", str(number)]] for number in range(128)]],
    [
        "map",
        [[["ulong", "1"], ["string", "ulong"]], [INT_1, ["string", "int"]], [["boolean", True], ["null"]]],
    ],
    ["map", [[["string", "nested"], ["map", [[KEY, ["list", [INT_1, ["map", []]]]]]]]]],
    ["described", DESCRIPTOR, ["list", [INT_1, ["null"]]]],
    ["described", ["ulong", str(0x0000_4680_0000_0001)], ["string", "x"]],
    ["described", ["ulong", "300"], ["map", [[KEY, ["described", DESCRIPTOR, ["null"]]]]]],
    ["described", DESCRIPTOR, ["described", ["ulong", "255"], ["binary", "00ff"]]],
]


def array(name: str, *items: list[Any], descriptors: tuple[list[Any], ...] = ()) -> list[Any]:
    return ["array", name, list(descriptors), list(items)]


ARRAYS: list[list[Any]] = [
    *(
        array(name, *(form for form in SCALARS if form[0] == name and len(str(form)) < 1000))
        for name in sorted({form[0] for form in SCALARS} - {"null"})
    ),
    array("int"),
    array("symbol"),
    array("symbol", ["symbol", "PLAIN"], ["symbol", "ANONYMOUS"]),
    array("string", *([["string", "x" * 256]] * 3)),
    array("int", *([["int", "-1"]] * 256)),
    array("boolean", *([["boolean", False]] * 3)),
    ["list", [array("uint", ["uint", "1"]), array("uint", ["uint", "4294967295"])]],
]

# Lists, maps, arrays and described values as items: not every implementation has them.
DEEP_ARRAYS: list[list[Any]] = [
    array("list", ["list", []], ["list", [INT_1, ["string", "x"]]]),
    array("map", ["map", []], ["map", [[KEY, INT_1]]]),
    array("array", array("int", INT_1), array("int", ["int", "2"], ["int", "3"])),
    array("int", INT_1, ["int", "1000"], descriptors=(DESCRIPTOR,)),
    array("list", ["list", [INT_1]], ["list", []], descriptors=(["ulong", "300"],)),
]


def short(form: list[Any]) -> str:
    """A name for a test."""
    text = str(form)
    return text if len(text) < 40 else f"{text[:32]}...{len(text)}"
