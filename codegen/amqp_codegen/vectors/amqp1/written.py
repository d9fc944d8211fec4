"""Values that the specification writes down, as choices and defaults."""

from __future__ import annotations

import struct
import uuid
from decimal import Decimal

from ...model.types1 import Value as WrittenValue
from .value import Scalar

# IEEE 754-2008, 3.6: bits in all, bias of the exponent, bits of a small significand.
DECIMALS = {"decimal32": (32, 101, 23), "decimal64": (64, 398, 53), "decimal128": (128, 6176, 113)}
FLOATS = {"float": ">f", "double": ">d"}


def written_value(primitive: str, value: WrittenValue) -> Scalar:
    """A choice or a default as a value of its primitive type."""
    if primitive in FLOATS:
        return Scalar(primitive, struct.pack(FLOATS[primitive], value))
    if primitive in DECIMALS:
        return Scalar(primitive, decimal_octets(Decimal(str(value)), *DECIMALS[primitive]))
    if primitive == "uuid":
        return Scalar(primitive, uuid.UUID(str(value)).bytes)
    if primitive == "char":
        return Scalar(primitive, ord(str(value)))
    assert not isinstance(value, float), primitive
    return Scalar(primitive, value)


def decimal_octets(value: Decimal, bits: int, bias: int, small: int) -> bytes:
    """A decimal in the binary encoding: sign, exponent, significand; large significands have a shorter form."""
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int), "what is written down is a number"
    significand = int("".join(map(str, digits)))
    biased = exponent + bias
    if significand < 1 << small:
        number = biased << small | significand
    else:
        number = 3 << bits - 3 | biased << small - 2 | significand & (1 << small - 2) - 1
    return (sign << bits - 1 | number).to_bytes(bits // 8, "big")
