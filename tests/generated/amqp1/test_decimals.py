"""Decimals: bit patterns of IEEE 754-2008 in the binary integer encoding, and the numbers they stand for."""

from __future__ import annotations

from decimal import Context, Decimal, localcontext
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from .fields import examples
from .packages import amqp
from .values import decoded

types = amqp.types
D32, D64, D128 = types.Decimal32, types.Decimal64, types.Decimal128

# Octets, digits, exponent bits, lowest and highest exponent of the significand as an integer: IEEE 754, table 3.6.
FORMATS: dict[Any, tuple[int, int, int, int, int]] = {
    D32: (4, 7, 8, -101, 90),
    D64: (8, 16, 10, -398, 369),
    D128: (16, 34, 14, -6176, 6111),
}
each_format = pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.__name__)


def pattern(kind: Any, sign: int, significand: int, exponent: int) -> int:
    """The bits, put together as text."""
    octets, _, exponent_bits, lowest, _ = FORMATS[kind]
    biased = f"{exponent - lowest:0{exponent_bits}b}"
    short = 8 * octets - 1 - exponent_bits
    digits = f"{significand:b}"
    if len(digits) <= short:
        return int(f"{sign}{biased}{digits:0>{short}}", 2)
    assert digits.startswith("100")
    assert len(digits) == short + 1
    return int(f"{sign}11{biased}{digits[3:]}", 2)


KNOWN = [
    (D32, "0", "32800000"),
    (D32, "-0", "b2800000"),
    (D32, "1", "32800001"),
    (D32, "0.1", "32000001"),
    (D32, "9999999", "6cb8967f"),
    (D32, "8388607", "32ffffff"),
    (D32, "8388608", "6ca00000"),
    (D32, "9.999999E+96", "77f8967f"),
    (D32, "-9.999999E+96", "f7f8967f"),
    (D32, "1E-101", "00000001"),
    (D32, "0E-101", "00000000"),
    (D32, "0E+90", "5f800000"),
    (D32, "Infinity", "78000000"),
    (D32, "-Infinity", "f8000000"),
    (D32, "NaN", "7c000000"),
    (D32, "-NaN", "fc000000"),
    (D32, "sNaN", "7e000000"),
    (D32, "NaN999999", "7c0f423f"),
    (D64, "1", "31c0000000000001"),
    (D64, "-1.5", "b1a000000000000f"),
    (D64, "9.999999999999999E+384", "77fb86f26fc0ffff"),
    (D64, "1E-398", "0000000000000001"),
    (D64, "Infinity", "7800000000000000"),
    (D64, "sNaN1", "7e00000000000001"),
    (D128, "1", "30400000000000000000000000000001"),
    (D128, "-0", "b0400000000000000000000000000000"),
    (D128, "9.999999999999999999999999999999999E+6144", "5fffed09bead87c0378d8e63ffffffff"),
    (D128, "1E-6176", "00000000000000000000000000000001"),
    (D128, "-Infinity", "f8000000000000000000000000000000"),
    (D128, "NaN", "7c000000000000000000000000000000"),
]


@pytest.mark.parametrize(("kind", "text", "octets"), KNOWN)
def test_known_patterns(kind: Any, text: str, octets: str) -> None:
    value = kind(text)
    assert value.to_bytes().hex() == octets
    assert str(value.decimal) == str(Decimal(text))
    assert kind(bits=int(octets, 16)) == value
    assert kind(Decimal(text)) == value
    assert repr(value) == f"{kind.__name__}({text!r})"
    again = decoded(amqp.encode(value))
    assert type(again) is kind
    assert again == value


def numbers(kind: Any) -> st.SearchStrategy[tuple[int, int, int]]:
    """Sign, significand and exponent of all that fits, the edges often."""
    _, digits, _, lowest, highest = FORMATS[kind]
    most = 10**digits - 1
    power = 1 << most.bit_length() - 1  # from here on the pattern is the long one
    return st.tuples(
        st.integers(0, 1),
        st.one_of(st.integers(0, most), st.sampled_from([0, 1, power - 1, power, most])),
        st.one_of(st.integers(lowest, highest), st.sampled_from([lowest, 0, highest])),
    )


@each_format
@given(data=st.data())
@examples(200)
def test_any_number_that_fits(kind: Any, data: st.DataObject) -> None:
    sign, significand, exponent = data.draw(numbers(kind))
    number = Decimal((sign, tuple(map(int, str(significand))), exponent))
    value = kind(number)
    assert value.bits == pattern(kind, sign, significand, exponent)
    assert value.decimal.as_tuple() == number.as_tuple()
    assert kind(bits=value.bits) == value


@each_format
@given(data=st.data())
@examples(200)
def test_any_bits(kind: Any, data: st.DataObject) -> None:
    octets, digits, *_ = FORMATS[kind]
    bits = data.draw(st.integers(0, 2 ** (8 * octets) - 1))
    value = kind(bits=bits)
    assert value.to_bytes() == bits.to_bytes(octets, "big")
    assert decoded(amqp.encode(value)) == value
    number = value.decimal
    assert len(number.as_tuple().digits) <= digits
    # Whatever the number is, it has a pattern, and that pattern is this number.
    assert kind(number).decimal.as_tuple() == number.as_tuple()
    assert eval(repr(value), {kind.__name__: kind}) == value


@each_format
def test_a_significand_that_is_too_large_counts_as_zero(kind: Any) -> None:
    octets, digits, exponent_bits, lowest, _ = FORMATS[kind]
    short = 8 * octets - 1 - exponent_bits
    bits = int("11" + "0" * exponent_bits + "1" * (short - 2), 2)
    assert int("100" + "1" * (short - 2), 2) >= 10**digits
    value = kind(bits=bits)
    assert value.decimal.as_tuple() == (0, (0,), lowest)
    assert value.bits == bits
    assert repr(value) == f"{kind.__name__}(bits={bits:#x})"
    assert value != kind(value.decimal)


@each_format
def test_bits_that_nobody_needs_survive(kind: Any) -> None:
    octets = FORMATS[kind][0]
    for head in (0x78, 0xF8, 0x7C, 0xFE):  # infinities and what is no number
        bits = (head << 8 * octets - 8) + (1 << 8 * octets - 8) - 1
        value = kind(bits=bits)
        assert decoded(amqp.encode(value)).bits == bits
        assert value.decimal.is_infinite() or value.decimal.is_nan()


@each_format
def test_zeros_move_between_significand_and_exponent(kind: Any) -> None:
    _, digits, _, lowest, highest = FORMATS[kind]
    for text, same in [
        (f"1E+{highest + 1}", f"10E+{highest}"),
        (f"1E+{highest + digits - 1}", f"1{'0' * (digits - 1)}E+{highest}"),
        (f"100E{lowest - 2}", f"1E{lowest}"),
        (f"{'9' * digits}000E+0", f"{'9' * digits}E+3"),
        (f"0E+{highest + 1000}", f"0E+{highest}"),
        (f"-0E{lowest - 1000}", f"-0E{lowest}"),
        ("000E+0", "0"),
    ]:
        assert kind(text).decimal.as_tuple() == Decimal(same).as_tuple()
        assert kind(text).decimal == Decimal(text)


@each_format
def test_what_does_not_fit_is_never_rounded(kind: Any) -> None:
    _, digits, _, lowest, highest = FORMATS[kind]
    for text in [
        "1" * (digits + 1),
        "9" * digits + ".5",
        f"1E+{highest + digits}",
        f"1E{lowest - 1}",
        f"10E{lowest - 2}",
        f"{'1' * digits}E+{highest + 1}",
        f"NaN1{'0' * (digits - 1)}",
        "1E+999999999999999999",
        "1E-999999999999999999",
        "9" * 100_000,
    ]:
        with pytest.raises(amqp.EncodeError):
            kind(text)
    for value in ("x", "", "1 2", 0.1):
        with pytest.raises(amqp.EncodeError):
            kind(value)


@each_format
def test_the_context_has_no_part_in_it(kind: Any) -> None:
    digits = FORMATS[kind][1]
    number = Decimal("9" * digits)
    with localcontext(Context(prec=3, Emax=5, Emin=-5)):
        assert kind(number).decimal == number


@each_format
def test_bits_out_of_range(kind: Any) -> None:
    octets = FORMATS[kind][0]
    for bits in (-1, 1 << 8 * octets):
        with pytest.raises(amqp.EncodeError, match="bits"):
            kind(bits=bits)


def test_equality_is_of_bits_and_width() -> None:
    assert D32("1") == D32("1")
    assert D32("1") != D32("1.0")
    assert D32("1.0").decimal == D32("1").decimal
    assert D32("1") != D64("1")
    assert D32("1") != Decimal(1)
    assert D32("NaN") == D32("NaN")
    assert len({D32("1"), D32("1"), D32("1.0"), D64("1"), D128("1")}) == 4


def test_numbers_from_other_types() -> None:
    assert D64(5).decimal == 5
    assert D64(-5).decimal == -5
    assert D64(0.5).decimal == Decimal("0.5")
    assert D64().decimal == 0


def test_a_plain_decimal_is_a_decimal128() -> None:
    assert decoded(amqp.encode(Decimal("-1.50"))) == D128("-1.50")
    with pytest.raises(amqp.EncodeError) as caught:
        amqp.encode({"price": [Decimal("1" * 35)]})
    assert caught.value.path == "price[0]"
