"""The Python types of primitive values: what they take, what they equal, how they look."""

from __future__ import annotations

import copy
import pickle
import struct
from decimal import Decimal
from fractions import Fraction
from math import copysign, inf, isnan, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import amqp
from .values import SCALARS, decoded, identity

types = amqp.types
UInt, Float, Symbol, Char = types.UInt, types.Float, types.Symbol, types.Char

RANGES: dict[Any, tuple[int, int]] = {
    types.UByte: (0, 255),
    types.UShort: (0, 65535),
    types.UInt: (0, 2**32 - 1),
    types.ULong: (0, 2**64 - 1),
    types.Byte: (-128, 127),
    types.Short: (-(2**15), 2**15 - 1),
    types.Int: (-(2**31), 2**31 - 1),
    types.Timestamp: (-(2**63), 2**63 - 1),
}
each_integer = pytest.mark.parametrize("kind", RANGES, ids=lambda kind: kind.__name__)


def refuse(call: Any, *arguments: Any) -> Any:
    """The EncodeError that a call raises; its text is one line that any file takes."""
    with pytest.raises(amqp.EncodeError) as caught:
        call(*arguments)
    text = str(caught.value)
    assert text.encode().isascii() or text.isprintable()
    assert len(text) < 200
    return caught.value


@each_integer
def test_ranges(kind: Any) -> None:
    low, high = RANGES[kind]
    assert (low, high) == (kind.LOW, kind.HIGH)
    assert (kind(low), kind(high), kind()) == (low, high, 0)
    for value in (low - 1, high + 1, 10**5000, -(10**5000)):
        assert kind.__name__ in refuse(kind, value).message


@each_integer
@pytest.mark.parametrize("value", [1.0, 0.5, nan, "1", b"1", None, [], Decimal(1), Fraction(1)], ids=repr)
def test_only_whole_numbers_are_taken(kind: Any, value: Any) -> None:
    refuse(kind, value)


@each_integer
def test_integers_are_integers(kind: Any) -> None:
    class Index:
        def __index__(self) -> int:
            return 7

    assert kind(Index()) == 7
    assert type(kind(True)) is kind
    assert (repr(kind(7)), str(kind(7)), f"{kind(7)}", f"{kind(7):03d}") == (
        f"{kind.__name__}(7)",
        "7",
        "7",
        "007",
    )
    assert hash(kind(7)) == hash(7)
    assert kind(7) + 1 == 8
    assert type(kind(7) + 1) is int


def test_numbers_of_different_types_are_equal_but_not_the_same() -> None:
    assert len({kind(7) for kind in RANGES}) == 1
    assert len({amqp.encode(kind(7)) for kind in RANGES}) == len(RANGES)


@pytest.mark.parametrize("name", sorted(SCALARS))
@given(data=st.data())
@examples(20)
def test_copies(name: str, data: st.DataObject) -> None:
    value = data.draw(SCALARS[name])
    for again in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert identity(again) == identity(value)
        assert amqp.encode(again) == amqp.encode(value)


@given(value=st.floats())
@examples(200)
def test_floats_are_rounded_when_they_are_made(value: float) -> None:
    try:
        rounded = struct.unpack(">f", struct.pack(">f", value))[0]
    except OverflowError:
        refuse(Float, value)
        return
    found = Float(value)
    assert type(found) is Float
    assert found == rounded or isnan(found)
    assert identity(decoded(amqp.encode(found))) == identity(found)
    assert repr(found) == f"Float({float(found)!r})"
    assert str(found) == repr(float(found))


def test_floats_at_the_edges() -> None:
    assert Float() == 0.0
    assert copysign(1, Float(-0.0)) == -1
    assert (Float(inf), Float(-inf)) == (inf, -inf)
    assert isnan(Float(nan))
    assert Float(1) == 1.0
    largest = 3.4028234663852886e38
    assert Float(largest) == largest
    assert Float(largest * (1 + 2**-25)) == largest  # rounded down
    for value in (largest * (1 + 2**-24), 1e39, -1e39, 10**400, "1", None, b"", 1j):
        refuse(Float, value)


@pytest.mark.parametrize("octets", ["72ffc12345", "72ffffffff", "827ff0000000000001", "82fff8000000000abc"])
def test_the_bits_of_nan_survive(octets: str) -> None:
    assert amqp.encode(decoded(bytes.fromhex(octets))).hex() == octets


def test_symbols() -> None:
    symbol = Symbol("a-b")
    assert symbol == "a-b"
    assert hash(symbol) == hash("a-b")
    assert {"a-b": 1}[symbol] == 1
    assert (repr(symbol), str(symbol), f"{symbol:>5}") == ("Symbol('a-b')", "a-b", "  a-b")
    assert type(str(symbol)) is str
    assert Symbol() == ""
    assert Symbol("".join(map(chr, range(128)))).isascii()
    for value in ("ä", "a\x80", "\ud800", b"abc", 5, None, "ä" * 10_000):
        assert "symbol" in refuse(Symbol, value).message


def test_characters() -> None:
    char = Char("€")
    assert char == "€"
    assert (repr(char), str(char)) == ("Char('€')", "€")
    for point in (0, 0x7F, 0xD7FF, 0xE000, 0x10FFFF):
        assert Char(chr(point)) == chr(point)
    for value in ("", "ab", "\ud800", "\udfff", b"a", 97, None, "x" * 10_000):
        assert "character" in refuse(Char, value).message
    with pytest.raises(TypeError):
        Char()


def test_no_byte_order_mark_stands_before_a_text() -> None:
    """U+FEFF at the start of a text is a character, because strings have no mark (1.6.20; RFC 3629, 6)."""
    assert amqp.encode("text") == b"\xa1\x04text"
    assert amqp.encode("\ufefftext") == b"\xa1\x07\xef\xbb\xbftext"
    assert amqp.decode(b"\xa1\x07\xef\xbb\xbftext") == ("\ufefftext", 9)


def test_long_and_double_are_those_of_python() -> None:
    assert types.Long is int
    assert types.Double is float
    assert type(decoded(amqp.encode(5))) is int
    assert type(decoded(amqp.encode(5.0))) is float


def test_every_type_has_its_python_type() -> None:
    values = [
        None,
        True,
        types.UByte(1),
        types.UShort(1),
        UInt(1),
        types.ULong(1),
        types.Byte(1),
        types.Short(1),
    ]
    values += [types.Int(1), 1, Float(1), 1.0, types.Decimal32(1), types.Decimal64(1), types.Decimal128(1)]
    values += [Char("1"), types.Timestamp(1), b"1", "1", Symbol("1"), [1], {1: 1}, amqp.Array([1])]
    assert [type(decoded(amqp.encode(value))) for value in values] == [type(value) for value in values]
    assert len({amqp.encode(value) for value in values}) == len(values)
