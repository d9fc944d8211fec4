"""Cases of the encodings: each of them once, whether it is the shortest for its value or not."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.spec1 import Encoding
from ..case import Case
from .maker import Maker, encoding_name
from .reference_encoder import array_elements, sized
from .value import FALSE, NULL, TRUE, Array, List, Map, Scalar, Value, string, symbol


def encoding_cases(maker: Maker) -> Iterator[Case]:
    """Every encoding, every one as that of array elements, and format codes that have no meaning."""
    for primitive in maker.spec.primitives:
        for encoding in primitive.encodings:
            element = f"{primitive.name}.{encoding_name(encoding)}"
            value = _value(encoding)
            yield maker.decode(element, "value", value, maker.encoder.encode_as(value, encoding))
            yield _array_case(maker, element, encoding, value)
    yield from _wide_cases(maker)
    yield from _unknown_codes(maker)


def _value(encoding: Encoding) -> Value:
    """A small value that the encoding can carry."""
    if encoding.type == "boolean":
        return FALSE if encoding.name == "false" else TRUE
    if encoding.type == "list":
        return List((Scalar("int", 1),)) if encoding.width else List()
    if encoding.type == "map":
        return Map(((symbol("key"), Scalar("int", 1)),))
    if encoding.type == "array":
        return Array("int", (Scalar("int", 1),))
    if encoding.type == "null":
        return NULL
    if encoding.type == "string":
        return string("text")
    if encoding.type == "symbol":
        return symbol("text")
    if encoding.type == "binary":
        return Scalar("binary", b"octets")
    if encoding.type in ("float", "double", "decimal32", "decimal64", "decimal128", "uuid"):
        return Scalar(encoding.type, bytes(range(encoding.width)))
    return Scalar(encoding.type, 5 if encoding.width else 0)


def _array_case(maker: Maker, element: str, encoding: Encoding, value: Value) -> Case:
    """An array of three elements in that encoding; without octets, if the encoding has none."""
    elements = array_elements((), encoding, [maker.encoder.data(value, encoding)] * 3)
    array = Array(encoding.type, (value,) * 3)
    note = "elements without data are legal; some implementations refuse them" if not encoding.width else ""
    code = _code(maker, "array", 1)
    return maker.decode(element, "elements", array, bytes((code,)) + sized(1, 3, elements), note)


def _code(maker: Maker, name: str, width: int) -> int:
    return next(each.code for each in maker.spec.encodings if each.type == name and each.width == width)


def _wide_cases(maker: Maker) -> Iterator[Case]:
    """Wide encodings where short ones would do: of negative numbers, and of what is empty."""
    for value in (
        Scalar("int", -1),
        Scalar("long", -1),
        Scalar("uint", 0),
        Scalar("ulong", 0),
        string(""),
        symbol(""),
        Scalar("binary", b""),
        List(),
        Map(),
        Array("int"),
    ):
        for encoding in maker.encoder.fitting(value):
            element = f"{encoding.type}.{encoding_name(encoding)}"
            octets = maker.encoder.encode_as(value, encoding)
            name = (
                f"of-{value.content}"
                if isinstance(value, Scalar) and isinstance(value.content, int)
                else "empty"
            )
            yield maker.decode(element, name, value, octets)


def _unknown_codes(maker: Maker) -> Iterator[Case]:
    """One format code of each sort that no type has: 0x01 to 0x3F, what is not assigned, 0x?F."""
    assigned = {each.code for each in maker.spec.encodings}
    wanted = [0x01, 0x0F, 0x10, 0x3F]
    for digit in range(0x4, 0x10):
        free = [code for code in range(16 * digit, 16 * digit + 16) if code not in assigned]
        wanted += [free[0], free[-1]]
    for code in wanted:
        name = f"{code:#04x}"
        octets = bytes((code,)) + bytes(20)
        yield maker.reject("encodings", name, octets, "unknown", "no type has this format code (1.2)")
        if code < 0x40:
            inside = sized(1, 1, octets)
            note = "no type has this format code (1.2)"
            yield maker.reject("encodings", f"{name}-in-a-list", b"\xc0" + inside, "unknown", note)
