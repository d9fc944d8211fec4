"""Cases of the primitive types: the ends of each range, and each encoding once, also longer ones."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping

from ...model.amqp1.primitive_types import INTEGERS
from ...model.amqp1.spec import Encoding
from ..case import Case
from .case_factory import CaseFactory, encoding_name
from .reference_encoder import array_elements, sized
from .values import (
    FALSE,
    FLOATS,
    NULL,
    TRUE,
    ArrayValue,
    DescribedValue,
    ListValue,
    MapValue,
    Scalar,
    Value,
    string,
    symbol,
    uint,
    ulong,
)

FLOAT_VALUES = {
    "zero": 0.0,
    "negative-zero": -0.0,
    "one": 1.0,
    "infinity": float("inf"),
    "smallest": 1.401298464324817e-45,
}
NOT_A_NUMBER = {"float": bytes.fromhex("7fc00000"), "double": bytes.fromhex("7ff8000000000000")}
# IEEE 754-2008, 3.5.2: zero, negative zero, infinity and NaN in the binary encoding of decimals.
DECIMALS = {
    "decimal32": ("32800000", "b2800000", "78000000", "7c000000"),
    "decimal64": ("31c0000000000000", "b1c0000000000000", "7800000000000000", "7c00000000000000"),
    "decimal128": tuple(f"{start}{'0' * 28}" for start in ("3040", "b040", "7800", "7c00")),
}
INT = Scalar("int", 1)
UNKNOWN_SYMBOL = symbol("com.example:thing:list")


def primitive_cases(factory: CaseFactory) -> Iterator[Case]:
    """Yield values of every primitive type, and values out of range."""
    known = {"described", *(primitive.name for primitive in factory.spec.primitives)}
    for name, samples in factory.sampler.primitives.items():
        if name in known:
            yield factory.accepted(name, "low", samples.low)
            if samples.high != samples.low:
                yield factory.accepted(name, "high", samples.high)
            if samples.typical not in (samples.low, samples.high):
                yield factory.accepted(name, "typical", samples.typical)
    for name, label, value in _more_values():
        if name in known:
            yield factory.accepted(name, label, value)
    for name, value in _beyond():
        if name in known:
            yield factory.rejected_value(name, f"beyond-{value.content!s}", value, "no value of the type")


def _more_values() -> Iterator[tuple[str, str, Value]]:
    for name, facts in INTEGERS.items():
        for number in _edges(facts.low, facts.high):
            yield name, str(number), Scalar(name, number)
    for label, value in FLOAT_VALUES.items():
        for name, form in FLOATS.items():
            yield name, label, Scalar(name, struct.pack(form, value))
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


def _edges(low: int, high: int) -> list[int]:
    """Return the limits of shorter encodings, and the second numbers from both ends, without the samples."""
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
    yield "list", "largest-list8", ListValue((octet,) * 127)
    yield "list", "smallest-list32", ListValue((Scalar("binary", bytes(252)), NULL))
    yield "list", "255-items", ListValue((NULL,) * 254)
    yield "list", "256-items", ListValue((NULL,) * 256)
    yield "list", "of-a-long-string", ListValue((string("s" * 256),))
    yield "map", "of-long-strings", MapValue(((string("k" * 256), string("s" * 256)),))
    yield "list", "nested", ListValue(
        (ListValue((ListValue(), ListValue((INT,)))), MapValue(), ListValue((NULL, NULL)))
    )
    yield "map", "keys-of-all-types", MapValue(
        (
            (ulong(1), string("ulong")),
            (INT, string("int")),
            (TRUE, NULL),
            (string("1"), string("string")),
            (symbol("1"), string("symbol")),
            (ListValue((INT,)), string("list")),
            (MapValue(), string("map")),
        )
    )
    yield "map", "nested", MapValue(
        ((string("map"), MapValue(((symbol("key"), ListValue((INT, MapValue()))),))),)
    )
    yield from _arrays()
    yield "described", "symbol", DescribedValue(UNKNOWN_SYMBOL, ListValue((INT, NULL)))
    yield "described", "number", DescribedValue(ulong(0x0000_4680_0000_0001), string("text"))
    yield "described", "twice", DescribedValue(
        UNKNOWN_SYMBOL, DescribedValue(ulong(255 << 32), Scalar("binary", b"\0"))
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
        yield "array", f"of-{name}", ArrayValue(name, items)
    for name in ("uint", "ulong", "int", "long"):
        octet = INTEGERS["byte" if INTEGERS[name].is_signed else "ubyte"]
        low, high = octet.low, octet.high
        yield "array", f"of-small-{name}", ArrayValue(name, (Scalar(name, low), Scalar(name, high)))
        for number in (low - 1, high + 1):
            if number >= INTEGERS[name].low:
                yield "array", f"of-{name}-{number}", ArrayValue(name, (Scalar(name, number),))
    yield "array", "of-wide-strings", ArrayValue("string", (string("one"), string("s" * 256)))
    yield "array", "of-lists", ArrayValue("list", (ListValue(), ListValue((INT, string("text")))))
    yield "array", "of-maps", ArrayValue("map", (MapValue(), MapValue(((symbol("key"), INT),))))
    yield "array", "of-arrays", ArrayValue(
        "array", (ArrayValue("int", (INT,)), ArrayValue("int", (INT, INT)))
    )
    yield "array", "of-described", ArrayValue("int", (INT, Scalar("int", 1000)), (UNKNOWN_SYMBOL,))
    yield "array", "empty-of-symbols", ArrayValue("symbol")


def _beyond() -> Iterator[tuple[str, Scalar]]:
    """Yield values beyond the range of their types."""
    for name, facts in INTEGERS.items():
        yield name, Scalar(name, facts.low - 1)
        yield name, Scalar(name, facts.high + 1)
    for point in (0xD800, 0xDFFF, 0x110000):
        yield "char", Scalar("char", point)
    yield "symbol", symbol("\N{LATIN SMALL LETTER E WITH ACUTE}")


def encoding_cases(factory: CaseFactory) -> Iterator[Case]:
    """Yield every encoding, also as that of array elements, and format codes without meaning."""
    for primitive in factory.spec.primitives:
        for encoding in primitive.encodings:
            element = f"{primitive.name}.{encoding_name(encoding)}"
            value = _value(encoding)
            yield factory.decode(element, "value", value, factory.encoder.encode_as(value, encoding))
            yield _array_case(factory, element, encoding, value)
    yield from _wide_cases(factory)
    yield from _unknown_codes(factory)


def _value(encoding: Encoding) -> Value:
    """Return a small value that the encoding can carry."""
    if encoding.type == "boolean":
        return FALSE if encoding.name == "false" else TRUE
    if encoding.type == "list" and not encoding.width:
        return ListValue()
    if encoding.type in INTEGERS or encoding.type == "char":
        return Scalar(encoding.type, 5 if encoding.width else 0)
    return _SMALL_VALUES.get(encoding.type) or Scalar(encoding.type, bytes(range(encoding.width)))


_SMALL_VALUES: Mapping[str, Value] = {
    "list": ListValue((INT,)),
    "map": MapValue(((symbol("key"), INT),)),
    "array": ArrayValue("int", (INT,)),
    "null": NULL,
    "string": string("text"),
    "symbol": symbol("text"),
    "binary": Scalar("binary", b"octets"),
}


def _array_case(factory: CaseFactory, element: str, encoding: Encoding, value: Value) -> Case:
    """Return the case of an array of three elements in that encoding, which may have no data."""
    elements = array_elements((), encoding, [factory.encoder.data(value, encoding)] * 3)
    array = ArrayValue(encoding.type, (value,) * 3)
    note = "elements without data are legal; some implementations refuse them" if not encoding.width else ""
    code = _code(factory, "array", 1)
    return factory.decode(element, "elements", array, bytes((code,)) + sized(1, 3, elements), note)


def _code(factory: CaseFactory, name: str, width: int) -> int:
    return next(
        encoding.code
        for encoding in factory.spec.encodings
        if encoding.type == name and encoding.width == width
    )


def _wide_cases(factory: CaseFactory) -> Iterator[Case]:
    """Yield longer encodings than needed, of negative numbers and of empty values."""
    for value in (
        Scalar("int", -1),
        Scalar("long", -1),
        Scalar("uint", 0),
        Scalar("ulong", 0),
        string(""),
        symbol(""),
        Scalar("binary", b""),
        ListValue(),
        MapValue(),
        ArrayValue("int"),
    ):
        for encoding in factory.encoder.fitting(value):
            element = f"{encoding.type}.{encoding_name(encoding)}"
            octets = factory.encoder.encode_as(value, encoding)
            name = (
                f"of-{value.content}"
                if isinstance(value, Scalar) and isinstance(value.content, int)
                else "empty"
            )
            yield factory.decode(element, name, value, octets)


def _unknown_codes(factory: CaseFactory) -> Iterator[Case]:
    """Yield unknown format codes: some of 0x01 to 0x3F, and the first and last unassigned one of each category."""
    assigned = {encoding.code for encoding in factory.spec.encodings}
    wanted = [0x01, 0x0F, 0x10, 0x3F]
    for digit in range(0x4, 0x10):
        free = [code for code in range(16 * digit, 16 * digit + 16) if code not in assigned]
        wanted += [free[0], free[-1]]
    for code in wanted:
        name = f"{code:#04x}"
        octets = bytes((code,)) + bytes(20)
        yield factory.rejected_octets(
            "encodings", name, octets, "unknown", "no type has this format code (1.2)"
        )
        if code < 0x40:
            inside = sized(1, 1, octets)
            note = "no type has this format code (1.2)"
            yield factory.rejected_octets("encodings", f"{name}-in-a-list", b"\xc0" + inside, "unknown", note)
