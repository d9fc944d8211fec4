"""The data of AMQP 1.0's scalar types as values (1.6)."""

from __future__ import annotations

import struct
import uuid
from decimal import Decimal

from ...model.amqp1.types import Encoding
from ..amqp0.tables import moment
from ..annotation import Value

_UNSIGNED = frozenset(("ubyte", "ushort", "uint", "ulong"))
_SIGNED = frozenset(("byte", "short", "int", "long"))
_FLOATS = {"float": ">f", "double": ">d"}
# IEEE 754-2008, 3.6: bias of the exponent, and bits of a significand in the form for small ones.
_DECIMALS = {"decimal32": (101, 23, 7), "decimal64": (398, 53, 16), "decimal128": (6176, 113, 34)}
_SURROGATES = range(0xD800, 0xE000)
_CHARACTERS = range(0x110000)


def scalar(encoding: Encoding, data: bytes) -> tuple[Value, str, str]:
    """Return the value of some data, what a person wants to know besides, and what is wrong with it."""
    kind = encoding.type
    if kind == "boolean" and data:
        return data != b"\0", "", "" if data in (b"\0", b"\1") else f"a boolean is 0 or 1, not {data[0]}"
    if kind == "boolean":
        return encoding.name == "true", "", ""
    if kind == "null":
        return None, "", ""
    if kind in _UNSIGNED:
        return int.from_bytes(data, "big"), "", ""
    if kind in _SIGNED:
        return int.from_bytes(data, "big", signed=True), "", ""
    if kind == "timestamp":
        value = int.from_bytes(data, "big", signed=True)
        return value, moment(value / 1000), ""
    if kind in ("string", "symbol"):
        return _text(data, "utf-8" if kind == "string" else "ascii")
    if kind == "char":
        return _character(int.from_bytes(data, "big"))
    if kind == "uuid" and len(data) == 16:
        return str(uuid.UUID(bytes=data)), "", ""
    if kind in _FLOATS and len(data) == struct.calcsize(_FLOATS[kind]):
        return float(struct.unpack(_FLOATS[kind], data)[0]), "", ""
    if kind in _DECIMALS:
        return _decimal(data, *_DECIMALS[kind]), "", ""
    return data, "", ""


def _text(data: bytes, encoding: str) -> tuple[Value, str, str]:
    try:
        return data.decode(encoding), "", ""
    except UnicodeDecodeError:
        return data, "", f"the text is not {encoding.upper()}"


def _character(code: int) -> tuple[Value, str, str]:
    if code in _SURROGATES or code not in _CHARACTERS:
        return code, "", f"{code:#x} is not a character"
    return chr(code), f"U+{code:04X}", ""


def _decimal(data: bytes, bias: int, small: int, precision: int) -> str:
    """Return a decimal in the binary encoding (IEEE 754-2008, 3.5.2) as text."""
    bits = 8 * len(data)
    whole = int.from_bytes(data, "big")
    sign = "-" if whole >> bits - 1 else ""
    number = whole & (1 << bits - 1) - 1
    top = number >> bits - 6
    if top >> 1 == 0b1111:  # infinity or no number
        return "NaN" if top & 1 else f"{sign}Infinity"
    if top >> 3 == 0b11:
        significand = 0b100 << small - 2 | number & (1 << small - 2) - 1
        exponent = number >> small - 2 & (1 << bits - 1 - small) - 1
    else:
        significand = number & (1 << small) - 1
        exponent = number >> small
    if significand >= 10**precision:  # 3.5.2: stands for zero
        significand = 0
    return str(Decimal((int(bool(sign)), tuple(map(int, str(significand))), exponent - bias)))
