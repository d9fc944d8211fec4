"""What values look like on the wire, by hand: the shortest form first, then every other form.

A new case is a new line: the value, then its forms in hexadecimal, or a number of octets all the same.
"""

from __future__ import annotations

from decimal import Decimal
from math import inf, nan
from typing import Any
from uuid import UUID

from .packages import amqp

types = amqp.types
Array, Described, Map = amqp.Array, amqp.Described, amqp.Map
UByte, UShort, UInt, ULong = types.UByte, types.UShort, types.UInt, types.ULong
Byte, Short, Int, Float = types.Byte, types.Short, types.Int, types.Float
Char, Symbol, Timestamp = types.Char, types.Symbol, types.Timestamp
Decimal32, Decimal64, Decimal128 = types.Decimal32, types.Decimal64, types.Decimal128


def times(count: int, octets: str) -> str:
    return octets * count


SCALAR_CASES: list[tuple[Any, ...]] = [
    # null, boolean
    (None, "40"),
    (True, "41", "5601"),
    (False, "42", "5600"),
    # unsigned
    (UByte(0), "5000"),
    (UByte(1), "5001"),
    (UByte(127), "507f"),
    (UByte(128), "5080"),
    (UByte(255), "50ff"),
    (UShort(0), "600000"),
    (UShort(255), "6000ff"),
    (UShort(256), "600100"),
    (UShort(65535), "60ffff"),
    (UInt(0), "43", "5200", "7000000000"),
    (UInt(1), "5201", "7000000001"),
    (UInt(127), "527f", "700000007f"),
    (UInt(128), "5280", "7000000080"),
    (UInt(255), "52ff", "70000000ff"),
    (UInt(256), "7000000100"),
    (UInt(65536), "7000010000"),
    (UInt(2**31 - 1), "707fffffff"),
    (UInt(2**31), "7080000000"),
    (UInt(2**32 - 1), "70ffffffff"),
    (ULong(0), "44", "5300", "800000000000000000"),
    (ULong(1), "5301", "800000000000000001"),
    (ULong(127), "537f", "80000000000000007f"),
    (ULong(128), "5380", "800000000000000080"),
    (ULong(255), "53ff", "8000000000000000ff"),
    (ULong(256), "800000000000000100"),
    (ULong(2**32 - 1), "8000000000ffffffff"),
    (ULong(2**32), "800000000100000000"),
    (ULong(2**63 - 1), "807fffffffffffffff"),
    (ULong(2**63), "808000000000000000"),
    (ULong(2**64 - 1), "80ffffffffffffffff"),
    # signed
    (Byte(0), "5100"),
    (Byte(-1), "51ff"),
    (Byte(-128), "5180"),
    (Byte(127), "517f"),
    (Short(0), "610000"),
    (Short(-1), "61ffff"),
    (Short(-(2**15)), "618000"),
    (Short(2**15 - 1), "617fff"),
    (Int(0), "5400", "7100000000"),
    (Int(1), "5401", "7100000001"),
    (Int(-1), "54ff", "71ffffffff"),
    (Int(127), "547f", "710000007f"),
    (Int(-128), "5480", "71ffffff80"),
    (Int(128), "7100000080"),
    (Int(-129), "71ffffff7f"),
    (Int(255), "71000000ff"),
    (Int(2**31 - 1), "717fffffff"),
    (Int(-(2**31)), "7180000000"),
    (0, "5500", "810000000000000000"),
    (1, "5501", "810000000000000001"),
    (-1, "55ff", "81ffffffffffffffff"),
    (127, "557f", "81000000000000007f"),
    (-128, "5580", "81ffffffffffffff80"),
    (128, "810000000000000080"),
    (-129, "81ffffffffffffff7f"),
    (2**31, "810000000080000000"),
    (2**63 - 1, "817fffffffffffffff"),
    (-(2**63), "818000000000000000"),
    # binary floating point
    (Float(0.0), "7200000000"),
    (Float(-0.0), "7280000000"),
    (Float(1.0), "723f800000"),
    (Float(0.1), "723dcccccd"),
    (Float(inf), "727f800000"),
    (Float(-inf), "72ff800000"),
    (Float(nan), "727fc00000"),
    (Float(3.4028234663852886e38), "727f7fffff"),
    (Float(1.401298464324817e-45), "7200000001"),
    (0.0, "820000000000000000"),
    (-0.0, "828000000000000000"),
    (0.1, "823fb999999999999a"),
    (inf, "827ff0000000000000"),
    (-inf, "82fff0000000000000"),
    (nan, "827ff8000000000000"),
    (1.7976931348623157e308, "827fefffffffffffff"),
    (5e-324, "820000000000000001"),
    # decimal floating point: see test_decimals for more
    (Decimal32("0"), "7432800000"),
    (Decimal32("-1.5"), "74b200000f"),
    (Decimal64("0"), "8431c0000000000000"),
    (Decimal64("1"), "8431c0000000000001"),
    (Decimal128("0"), "94" + "30400000000000000000000000000000"),
    (Decimal128("-1"), "94" + "b0400000000000000000000000000001"),
    # characters and moments
    (Char("\0"), "7300000000"),
    (Char("A"), "7300000041"),
    (Char("\ud7ff"), "730000d7ff"),
    (Char("\ue000"), "730000e000"),
    (Char("\uffff"), "730000ffff"),
    (Char("\U0010ffff"), "730010ffff"),
    (Timestamp(0), "830000000000000000"),
    (Timestamp(-1), "83ffffffffffffffff"),
    (Timestamp(1311704463521), "830000013167adb8a1"),
    (Timestamp(2**63 - 1), "837fffffffffffffff"),
    (Timestamp(-(2**63)), "838000000000000000"),
    (UUID(int=0), "98" + times(16, "00")),
    (UUID("f275ea5e-0c57-4ad7-b11a-b20c563d3b71"), "98f275ea5e0c574ad7b11ab20c563d3b71"),
    (UUID(int=2**128 - 1), "98" + times(16, "ff")),
    # octets and texts
    (b"", "a000", "b000000000"),
    (b"\x00\xff", "a00200ff", "b00000000200ff"),
    (b"\xaa" * 255, "a0ff" + times(255, "aa"), "b0000000ff" + times(255, "aa")),
    (b"\xaa" * 256, "b000000100" + times(256, "aa")),
    (b"\xaa" * 65536, "b000010000" + times(65536, "aa")),
    ("", "a100", "b100000000"),
    ("a", "a10161", "b10000000161"),
    ("\0", "a10100", "b10000000100"),
    ("€", "a103e282ac", "b100000003e282ac"),
    ("\U0001f600", "a104f09f9880", "b100000004f09f9880"),
    ("€" * 85, "a1ff" + times(85, "e282ac"), "b1000000ff" + times(85, "e282ac")),
    ("€" * 85 + "a", "b100000100" + times(85, "e282ac") + "61"),
    (Symbol(""), "a300", "b300000000"),
    (Symbol("PLAIN"), "a305504c41494e", "b300000005504c41494e"),
    (Symbol("\0\x7f"), "a302007f", "b300000002007f"),
    (Symbol("s" * 255), "a3ff" + times(255, "73"), "b3000000ff" + times(255, "73")),
    (Symbol("s" * 256), "b300000100" + times(256, "73")),
]

LIST_CASES: list[tuple[Any, ...]] = [
    ([], "45", "c00100", "d00000000400000000"),
    ([None], "c0020140", "d0000000050000000140"),
    ([UInt(0), "a"], "c0050243a10161", "d0000000080000000243a10161"),
    ([[]], "c0020145", "c00401c00100", "c00a01d00000000400000000", "d0000000050000000145"),
    # 254 octets of items is as much as the shorter form holds, 255 items as many
    ([None] * 254, "c0fffe" + times(254, "40"), "d000000102000000fe" + times(254, "40")),
    ([None] * 255, "d000000103000000ff" + times(255, "40")),
    ([None] * 256, "d00000010400000100" + times(256, "40")),
    ([b"x" * 252], "c0ff01a0fc" + times(252, "78"), "d00000010200000001a0fc" + times(252, "78")),
    ([b"x" * 253], "d00000010300000001a0fd" + times(253, "78")),
    ({}, "c10100", "d10000000400000000"),
    ({None: None}, "c103024040", "d100000006000000024040"),
    ({"a": 1}, "c10602a101615501", "d10000000900000002a101615501"),
    ({Symbol("a"): True}, "c10502a3016141", "d10000000800000002a3016141"),
    ({"b": None, "a": None}, "c10904a1016240a1016140"),
    (Map([(1, None), (UInt(1), None), (True, None)]), "c10906" + "550140" + "520140" + "4140"),
    (Map([([], None)]), "c103024540", "c10502" + "c0010040"),
    (Map([({}, [])]), "c10502c1010045"),
    ({"x" * 251: None}, "c1ff02a1fb" + times(251, "78") + "40"),
    ({"x" * 252: None}, "d10000010300000002a1fc" + times(252, "78") + "40"),
]

ARRAY_CASES: list[tuple[Any, ...]] = [
    (Array([], "null"), "e0020040", "f0000000050000000040"),
    (Array([], "uint"), "e0020052", "e0020070", "f0000000050000000070"),
    (Array([], "list"), "e00200c0", "e00200d0"),
    (Array([], "symbol"), "e00200a3", "e00200b3"),
    (Array([], "array"), "e00200e0", "e00200f0"),
    (Array([None] * 3, "null"), "e0020340", "f0000000050000000340"),
    (Array([None] * 65536, "null"), "f0000000050001000040"),
    (Array([True, False], "boolean"), "e00402560100"),
    (Array([True, True], "boolean"), "e00402560101"),
    (Array([UByte(7)], "ubyte"), "e003015007"),
    (Array([UShort(7)], "ushort"), "e00401600007"),
    (Array([UInt(0), UInt(255)], "uint"), "e004025200ff", "e00a027000000000000000ff"),
    (Array([UInt(0), UInt(256)], "uint"), "e00a02700000000000000100"),
    (Array([ULong(1), ULong(2)], "ulong"), "e00402530102"),
    (Array([ULong(256)], "ulong"), "e00a01800000000000000100"),
    (Array([Byte(-1)], "byte"), "e0030151ff"),
    (Array([Short(-1)], "short"), "e0040161ffff"),
    (Array([Int(-1), Int(1)], "int"), "e0040254ff01", "e00a0271ffffffff00000001"),
    (Array([Int(-1), Int(128)], "int"), "e00a0271ffffffff00000080"),
    (Array([-1, 1], "long"), "e0040255ff01"),
    (Array([-1, -129], "long"), "e0120281ffffffffffffffffffffffffffffff7f"),
    (Array([Float(1.0)], "float"), "e00601723f800000"),
    (Array([1.0], "double"), "e00a01823ff0000000000000"),
    (Array([Decimal32("1")], "decimal32"), "e006017432800001"),
    (Array([Decimal64("1")], "decimal64"), "e00a018431c0000000000001"),
    (Array([Decimal128("1")], "decimal128"), "e01201943040" + times(13, "00") + "01"),
    (Array([Char("a")], "char"), "e006017300000061"),
    (Array([Timestamp(1)], "timestamp"), "e00a01830000000000000001"),
    (Array([UUID(int=1)], "uuid"), "e0120198" + times(15, "00") + "01"),
    (Array([b"a", b""], "binary"), "e00502a0016100", "e00b02b0000000016100000000"),
    (Array(["a", "bc"], "string"), "e00702a10161026263", "f00000001000000002b1000000016100000002" + "6263"),
    (Array([Symbol("a")], "symbol"), "e00401a30161"),
    (Array(["a", "x" * 256], "string"), "f00000010e00000002b10000000161" + "00000100" + times(256, "78")),
    (Array([[], [None]], "list"), "e00702c00100020140"),
    (
        Array([[], [None] * 255], "list"),
        "f00000011400000002d0" + "0000000400000000" + "00000103000000ff" + times(255, "40"),
    ),
    (Array([{}, {None: None}], "map"), "e00802c1010003024040"),
    (Array([Array([UInt(1)], "uint"), Array(["a"], "string")], "array"), "e00b02e0030152010401a10161"),
    (Array([Described(Symbol("d"), 1)], "long", (Symbol("d"),)), "e0070100a301645501"),
    (Array([], "long", (Symbol("d"),)), "e0060000a3016455"),
    (
        Array([Described("o", Described(ULong(256), None))], "null", ("o", ULong(256))),
        "e0100100a1016f0080000000000000010040",
    ),
]

DESCRIBED_CASES: list[tuple[Any, ...]] = [
    (Described(ULong(0), None), "004440", "00530040", "0080000000000000000040"),
    (Described(ULong(255), "a"), "0053ffa10161"),
    (Described(Symbol("x:y"), []), "00a303783a7945", "00b300000003783a7945", "00a303783a79c00100"),
    (Described("URL", "u"), "00a10355524ca10175"),
    (Described(Int(12), Int(13)), "00540c540d", "00710000000c540d"),
    (Described(Symbol("a"), Described(Symbol("b"), 1)), "00a3016100a301625501"),
    (Described(Described(Symbol("a"), 1), 2), "0000a3016155015502"),
    (Described([], {}), "0045c10100"),
]

CASES = SCALAR_CASES + LIST_CASES + ARRAY_CASES + DESCRIBED_CASES

# What encoders take besides, and what it is read back as.
STAND_INS: list[tuple[Any, Any]] = [
    ((1, "a"), [1, "a"]),
    ((), []),
    (bytearray(b"ab"), b"ab"),
    (memoryview(b"ab"), b"ab"),
    (memoryview(b"abcdef")[::2], b"ace"),
    (2**63, ULong(2**63)),
    (2**64 - 1, ULong(2**64 - 1)),
    (Decimal("1.50"), Decimal128("1.50")),
]
