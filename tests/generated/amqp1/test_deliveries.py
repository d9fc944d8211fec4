"""Delivery-ids that wrap around, and the deliveries that a disposition is about, against a list of all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import BY_NAME, amqp

Disposition = BY_NAME["disposition"]
LAST = 2**32 - 1


def disposition(first: int, last: int | None = None, settled: bool = True) -> object:
    return Disposition(role=amqp.performatives.Role.RECEIVER, first=first, last=last, settled=settled)


def test_ids_and_tags() -> None:
    ids = amqp.DeliveryIds(LAST)
    numbers = [ids.allocate() for _ in range(3)]
    assert numbers == [LAST, 0, 1]
    assert [ids.tag(number) for number in numbers] == [b"4294967295", b"0", b"1"]
    with pytest.raises(ValueError, match="32 bits"):
        amqp.DeliveryIds(2**32)


@given(
    start=st.one_of(st.integers(0, LAST), st.integers(LAST - 20, LAST)),
    count=st.integers(0, 20),
    missing=st.sets(st.integers(0, 20)),
    ranges=st.lists(
        st.tuples(
            st.integers(-5, 25), st.one_of(st.none(), st.integers(-3, 25), st.just(2**31 - 1)), st.booleans()
        ),
        max_size=6,
    ),
)
@examples(300)
def test_any_ranges(
    start: int, count: int, missing: set[int], ranges: list[tuple[int, int | None, bool]]
) -> None:
    unsettled = amqp.UnsettledDeliveries()
    model = {}  # by whole numbers without end
    for offset in range(count):
        if offset not in missing:
            unsettled.add((start + offset) % 2**32, offset)
            model[start + offset] = offset
    for first, width, settled in ranges:
        begin = start + first
        end = begin + (width or 0)
        expected = [(number % 2**32, value) for number, value in model.items() if begin <= number <= end]
        told = disposition(begin % 2**32, None if width is None else end % 2**32, settled)
        if end < begin:
            with pytest.raises(amqp.FlowViolation):
                unsettled.settle(told)
            continue
        assert unsettled.covered(told) == expected
        assert unsettled.settle(told) == expected
        if settled:
            model = {number: value for number, value in model.items() if not begin <= number <= end}
        assert {number: unsettled[number] for number in unsettled} == {
            number % 2**32: value for number, value in model.items()
        }
        assert len(unsettled) == len(model)


def test_one_by_one() -> None:
    unsettled = amqp.UnsettledDeliveries()
    unsettled.add(7, "seven")
    with pytest.raises(ValueError, match="delivery 7 is not settled yet"):
        unsettled.add(7, "again")
    with pytest.raises(ValueError, match="32 bits"):
        unsettled.add(-1, "x")
    assert 7 in unsettled
    assert unsettled.remove(7) == "seven"
    assert 7 not in unsettled
    with pytest.raises(KeyError):
        unsettled.remove(7)


def test_the_widest_range_is_not_counted_through() -> None:
    unsettled = amqp.UnsettledDeliveries()
    for number in (LAST, 0, 5):
        unsettled.add(number, str(number))
    assert [number for number, _ in unsettled.settle(disposition(LAST, 2**31 - 2))] == [LAST, 0, 5]


@pytest.mark.parametrize(
    ("first", "last"),
    [(0, 2**31), (0, 2**31 + 1), (0, LAST), (5, 4), (1, 0), (LAST, LAST - 1), (7, 2**31 + 7)],
)
def test_a_range_that_cannot_be_is_a_violation_of_the_peer(first: int, last: int) -> None:
    unsettled = amqp.UnsettledDeliveries()
    for number in (0, 4, 5, LAST):
        unsettled.add(number, str(number))
    for take in (unsettled.settle, unsettled.covered):
        with pytest.raises(amqp.FlowViolation, match=f"disposition.last: {last} ") as caught:
            take(disposition(first, last))
        assert caught.value.condition == "amqp:invalid-field"
    assert list(unsettled) == [0, 4, 5, LAST]


def test_an_id_that_is_not_settled_yet_is_a_violation_too() -> None:
    """It may be the peer that uses the id again."""
    unsettled = amqp.UnsettledDeliveries()
    unsettled.add(7, "seven")
    with pytest.raises(amqp.FlowViolation) as caught:
        unsettled.add(7, "again")
    assert caught.value.condition == "amqp:invalid-field"
    assert str(caught.value) == "delivery 7 is not settled yet (amqp:invalid-field)"
    assert unsettled[7] == "seven"
