"""Serial numbers against whole numbers without end, and the examples of RFC 1982."""

from __future__ import annotations

import functools
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import amqp

serial = amqp.serial
LAST = 2**32 - 1
HALF = 2**31
# Many near the ends and the half, where something happens.
NUMBERS = st.one_of(
    st.integers(0, LAST),
    st.builds(lambda base, off: (base + off) % 2**32, st.sampled_from([0, HALF]), st.integers(-3, 3)),
)


@given(start=st.integers(0, 2**40), count=st.integers(0, HALF - 1))
@examples(300)
def test_add_and_difference_as_whole_numbers_have_them(start: int, count: int) -> None:
    number = start % 2**32
    after = serial.add(number, count)
    assert after == (start + count) % 2**32
    assert (serial.difference(after, number), serial.difference(number, after)) == (count, -count)
    assert serial.compare(after, number) == (count > 0)
    assert serial.compare(number, after) == -(count > 0)


@given(one=NUMBERS, other=NUMBERS)
@examples(300)
def test_any_two_numbers_compare_as_the_rfc_defines(one: int, other: int) -> None:
    """Section 3.2, word for word; what it leaves undefined raises an error in every function."""
    less = (one < other and other - one < HALF) or (one > other and one - other > HALF)
    greater = (one < other and other - one > HALF) or (one > other and one - other < HALF)
    if one != other and not less and not greater:
        for function in (serial.difference, serial.compare, serial.span):
            with pytest.raises(serial.UndefinedOrder, match="neither"):
                function(one, other)
    else:
        assert serial.compare(one, other) == greater - less
        assert serial.add(min(one, other, key=functools.cmp_to_key(serial.compare)), 0) in (one, other)


@given(first=NUMBERS, count=st.integers(0, 20))
@examples(100)
def test_span(first: int, count: int) -> None:
    last = serial.add(first, count)
    assert list(serial.span(first, last)) == [(first + offset) % 2**32 for offset in range(count + 1)]
    assert not count or not list(serial.span(last, first))


def test_a_span_of_two_billion_is_not_made_at_once() -> None:
    assert list(islice(serial.span(LAST, HALF - 2), 3)) == [LAST, 0, 1]


@pytest.mark.parametrize("count", [-1, HALF, LAST, 2**32])
def test_undefined_additions(count: int) -> None:
    with pytest.raises(ValueError, match="cannot be added"):
        serial.add(5, count)


@pytest.mark.parametrize("number", [-1, 2**32])
def test_not_32_bits(number: int) -> None:
    for call in (
        lambda: serial.add(number, 0),
        lambda: serial.difference(number, 0),
        lambda: serial.difference(0, number),
        lambda: serial.compare(number, 0),
        lambda: serial.span(0, number),
    ):
        with pytest.raises(ValueError, match="32 bits"):
            call()
