"""Decimal floating point numbers: bit patterns of IEEE 754-2008 in the binary integer encoding.

A pattern has a sign, an exponent and the significand as a binary integer. The classes keep the pattern, so
that what a peer sends goes back to it unchanged, and convert from and to ``decimal.Decimal`` exactly: what
does not fit is an error and never rounded.
"""

from __future__ import annotations

from decimal import Decimal
from typing import ClassVar, Final, NamedTuple

from ._basics import shown
from .errors import EncodeError


class DecimalLayout(NamedTuple):
    """The parts of a bit pattern.

    Attributes:
        octets: The size.
        digits: The most digits of the significand.
        exponent_bits: The number of bits of the exponent.
        bias: Added to the exponent, so that it is never negative.
    """

    octets: int
    digits: int
    exponent_bits: int
    bias: int

    @property
    def low_bits(self) -> int:
        """The bits below the exponent."""
        return 8 * self.octets - 1 - self.exponent_bits

    @property
    def highest(self) -> int:
        """The highest exponent, bias included: its two top bits are never both set."""
        return (3 << self.exponent_bits - 2) - 1


class BitPattern:
    """The base of the three widths.

    Attributes:
        LAYOUT: The parts of the pattern.
        bits: The pattern as an unsigned integer.
    """

    __slots__ = ("bits",)

    LAYOUT: ClassVar[DecimalLayout]

    bits: int

    def __init__(self, value: Decimal | int | str = 0, bits: int | None = None) -> None:
        """Make a number from its value, or from its bits when they are given.

        Raises:
            EncodeError: It has too many digits, or an exponent out of range.
        """
        if bits is None:
            try:
                bits = _pattern(self.LAYOUT, Decimal(value))
            except ArithmeticError:
                raise EncodeError(f"{shown(value)} is not a decimal number") from None
        elif not 0 <= bits < 1 << 8 * self.LAYOUT.octets:
            raise EncodeError(f"{shown(bits)} has more than {8 * self.LAYOUT.octets} bits", code="too-large")
        self.bits = bits

    @property
    def decimal(self) -> Decimal:
        """The number; a significand with too many digits counts as 0, as IEEE 754 has it."""
        return _number(self.LAYOUT, self.bits)

    def to_bytes(self) -> bytes:
        """Return the octets of the pattern, as the wire carries them."""
        return self.bits.to_bytes(self.LAYOUT.octets, "big")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, BitPattern) and self.bits == other.bits

    def __hash__(self) -> int:
        # The hash of octets is unpredictable; a peer can find any number of integers with the same hash.
        return hash(self.to_bytes())

    def __repr__(self) -> str:
        number = self.decimal
        if _pattern(self.LAYOUT, number) == self.bits:
            return f"{type(self).__name__}({str(number)!r})"
        return f"{type(self).__name__}(bits={self.bits:#x})"


class Decimal32(BitPattern):
    """A decimal number of 32 bits: up to 7 digits, exponents from -101 to 90."""

    __slots__ = ()


class Decimal64(BitPattern):
    """A decimal number of 64 bits: up to 16 digits, exponents from -398 to 369."""

    __slots__ = ()


class Decimal128(BitPattern):
    """A decimal number of 128 bits: up to 34 digits, exponents from -6176 to 6111."""

    __slots__ = ()


Decimal32.LAYOUT = DecimalLayout(octets=4, digits=7, exponent_bits=8, bias=101)
Decimal64.LAYOUT = DecimalLayout(octets=8, digits=16, exponent_bits=10, bias=398)
Decimal128.LAYOUT = DecimalLayout(octets=16, digits=34, exponent_bits=14, bias=6176)

# The five bits below the sign that mark infinities and NaNs.
_INFINITE: Final = 0b11110
_NOT_A_NUMBER: Final = 0b11111


def _number(layout: DecimalLayout, bits: int) -> Decimal:
    width = 8 * layout.octets
    sign = bits >> width - 1
    special = bits >> width - 6 & 0b11111
    if special == _INFINITE:
        return Decimal("-Infinity" if sign else "Infinity")
    if special == _NOT_A_NUMBER:
        # The bit below marks a signalling NaN; the payload has at most one digit less than a significand.
        payload = bits & (1 << layout.low_bits - 3) - 1
        if payload >= 10 ** (layout.digits - 1):
            payload = 0
        kind = "sNaN" if bits >> width - 7 & 1 else "NaN"
        return Decimal(f"{'-' if sign else ''}{kind}{payload or ''}")
    low = layout.low_bits
    if special >> 3 == 0b11:  # a long significand, which starts with 100
        low -= 2
        significand = 0b100 << low | bits & (1 << low) - 1
    else:
        significand = bits & (1 << low) - 1
    exponent = (bits >> low & (1 << layout.exponent_bits) - 1) - layout.bias
    if significand >= 10**layout.digits:
        significand = 0
    return Decimal((sign, tuple(map(int, str(significand))), exponent))


def _pattern(layout: DecimalLayout, number: Decimal) -> int:
    sign, digits, exponent = number.as_tuple()
    width = 8 * layout.octets
    text = "".join(map(str, digits))
    if not isinstance(exponent, int):
        if exponent == "F":
            return sign << width - 1 | _INFINITE << width - 6
        if len(text) >= layout.digits:
            raise EncodeError(f"{shown(number)} has a payload of more than {layout.digits - 1} digits")
        quiet = sign << width - 1 | _NOT_A_NUMBER << width - 6 | int(text or "0")
        return quiet | 1 << width - 7 if exponent == "N" else quiet
    significand, exponent = _fitted(layout, text, exponent + layout.bias)
    low = layout.low_bits
    if significand >> low:
        return sign << width - 1 | 0b11 << width - 3 | exponent << low - 2 | significand & (1 << low - 2) - 1
    return sign << width - 1 | exponent << low | significand


def _fitted(layout: DecimalLayout, digits: str, exponent: int) -> tuple[int, int]:
    """Trade zeros at the end of the significand for the exponent until both fit."""
    if digits == "0":
        return 0, min(max(exponent, 0), layout.highest)
    surplus = max(len(digits) - layout.digits, -exponent)  # zeros to remove
    if 0 < surplus < len(digits) and digits.endswith("0" * surplus):
        digits = digits[:-surplus]
        exponent += surplus
    missing = exponent - layout.highest  # zeros to add
    if 0 < missing <= layout.digits - len(digits):
        digits += "0" * missing
        exponent -= missing
    if len(digits) > layout.digits or not 0 <= exponent <= layout.highest:
        raise EncodeError(f"a number with these digits and exponent does not fit {8 * layout.octets} bits")
    return int(digits), exponent
