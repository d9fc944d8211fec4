"""A second writer of values, plain and slow: in the shortest form or in any other form that can carry the value.

Made from sections 1.2 and 1.6 of the specification, without the package's own writer.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any
from uuid import UUID

from .packages import amqp

types = amqp.types

# Chooses one of several format codes; the shortest form comes first.
Choice = Callable[[list[int]], int]

# struct letters of numbers that have one fixed form.
FIXED: dict[type, tuple[int, str]] = {
    types.UByte: (0x50, ">B"),
    types.UShort: (0x60, ">H"),
    types.Byte: (0x51, ">b"),
    types.Short: (0x61, ">h"),
    types.Float: (0x72, ">f"),
    float: (0x82, ">d"),
    types.Timestamp: (0x83, ">q"),
}
# A code for zero, one for an octet, one for everything.
INTEGERS: dict[type, tuple[int, int, int, str]] = {
    types.UInt: (0x43, 0x52, 0x70, ">I"),
    types.ULong: (0x44, 0x53, 0x80, ">Q"),
    types.Int: (0, 0x54, 0x71, ">i"),
    int: (0, 0x55, 0x81, ">q"),
}
# One octet of size, or four.
VARIABLE: dict[type, tuple[int, int]] = {
    bytes: (0xA0, 0xB0),
    str: (0xA1, 0xB1),
    types.Symbol: (0xA3, 0xB3),
}
COMPOUND: dict[type, tuple[int, int]] = {
    list: (0xC0, 0xD0),
    dict: (0xC1, 0xD1),
    amqp.Map: (0xC1, 0xD1),
    amqp.Array: (0xE0, 0xF0),
}
DECIMALS = {types.Decimal32: 0x74, types.Decimal64: 0x84, types.Decimal128: 0x94}


def shortest(codes: list[int]) -> int:
    return codes[0]


def write(value: Any, choose: Choice = shortest) -> bytes:
    """A value with its constructor."""
    if type(value) is amqp.Described:
        return b"\0" + write(value.descriptor, choose) + write(value.value, choose)
    bodies = forms(value, choose)
    code = choose(list(bodies))
    return bytes((code,)) + bodies[code]


def forms(value: Any, choose: Choice) -> dict[int, bytes]:
    """By format code, the shortest first: what follows it, for all that can carry the value."""
    kind = type(value)
    if value is None:
        return {0x40: b""}
    if kind is bool:
        return {0x41 if value else 0x42: b"", 0x56: bytes((value,))}
    if kind in FIXED:
        code, letters = FIXED[kind]
        return {code: struct.pack(letters, value)}
    if kind in INTEGERS:
        return integer_forms(value, *INTEGERS[kind])
    if kind in DECIMALS:
        return {DECIMALS[kind]: value.bits.to_bytes(value.LAYOUT.octets, "big")}
    if kind is types.Char:
        return {0x73: struct.pack(">I", ord(value))}
    if kind is UUID:
        return {0x98: value.int.to_bytes(16, "big")}
    if kind in VARIABLE:
        octets = value if kind is bytes else value.encode()
        return sized_forms(VARIABLE[kind], octets)
    found = compound_forms(COMPOUND[kind], *content(value, choose))
    return {0x45: b"", **found} if value == [] else found


def integer_forms(value: int, zero: int, small: int, full: int, letters: str) -> dict[int, bytes]:
    found = {zero: b""} if zero and value == 0 else {}
    if letters.isupper() and value <= 255:
        found[small] = bytes((value,))
    if letters.islower() and -128 <= value <= 127:
        found[small] = struct.pack(">b", value)
    return {**found, full: struct.pack(letters, value)}


def sized_forms(codes: tuple[int, int], octets: bytes) -> dict[int, bytes]:
    found = {codes[1]: struct.pack(">I", len(octets)) + octets}
    if len(octets) <= 255:
        found = {codes[0]: bytes((len(octets),)) + octets, **found}
    return found


def compound_forms(codes: tuple[int, int], count: int, octets: bytes) -> dict[int, bytes]:
    """The size counts what follows it, the count too."""
    found = {codes[1]: struct.pack(">II", len(octets) + 4, count) + octets}
    if len(octets) <= 254 and count <= 255:
        found = {codes[0]: bytes((len(octets) + 1, count)) + octets, **found}
    return found


def content(value: Any, choose: Choice) -> tuple[int, bytes]:
    """The number of elements of a compound, and their octets."""
    if type(value) is list:
        return len(value), b"".join(write(item, choose) for item in value)
    if type(value) is amqp.Array:
        return len(value), array_content(value, choose)
    pairs = value.items() if type(value) is dict else value
    items = [item for pair in pairs for item in pair]
    return len(items), b"".join(write(item, choose) for item in items)


def array_content(array: Any, choose: Choice) -> bytes:
    """The constructor, and the data of the elements: in a form that all of them have."""
    items = list(array)
    for _ in array.descriptors:
        items = [item.value for item in items]
    bodies = [forms(item, choose) for item in items]
    if bodies:
        common = [code for code in bodies[0] if all(code in body for body in bodies)]
    else:
        common = EMPTY_ARRAYS[array.type]
    if choose is shortest and common != [0x40]:
        common = [code for code in common if code >> 4 != 4]
    code = choose(common)
    descriptors = b"".join(b"\0" + write(descriptor, choose) for descriptor in array.descriptors)
    return descriptors + bytes((code,)) + b"".join(body[code] for body in bodies)


# By type: the format codes that an array without elements may have.
EMPTY_ARRAYS = {
    "null": [0x40],
    "boolean": [0x56, 0x41, 0x42],
    "ubyte": [0x50],
    "ushort": [0x60],
    "uint": [0x52, 0x70, 0x43],
    "ulong": [0x53, 0x80, 0x44],
    "byte": [0x51],
    "short": [0x61],
    "int": [0x54, 0x71],
    "long": [0x55, 0x81],
    "float": [0x72],
    "double": [0x82],
    "decimal32": [0x74],
    "decimal64": [0x84],
    "decimal128": [0x94],
    "char": [0x73],
    "timestamp": [0x83],
    "uuid": [0x98],
    "binary": [0xA0, 0xB0],
    "string": [0xA1, 0xB1],
    "symbol": [0xA3, 0xB3],
    "list": [0xC0, 0xD0, 0x45],
    "map": [0xC1, 0xD1],
    "array": [0xE0, 0xF0],
}
