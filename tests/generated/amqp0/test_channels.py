"""Channel numbers against a plain set."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import RABBITMQ, each_package

numbers_of: Any = RABBITMQ.ChannelNumbers


@given(
    st.integers(1, 6),
    st.lists(st.tuples(st.sampled_from(["allocate", "reserve", "release"]), st.integers(-1, 8))),
)
@examples(400)
def test_against_a_set(channel_max: int, steps: list[tuple[str, int]]) -> None:
    numbers, used = numbers_of(channel_max), set[int]()
    for step, number in steps:
        if step == "allocate":
            free = sorted({*range(1, channel_max + 1)} - used)
            if free:
                assert numbers.allocate() == free[0]
                used.add(free[0])
            else:
                with pytest.raises(RABBITMQ.ProtocolError, match=f"all {channel_max} channels"):
                    numbers.allocate()
        else:
            legal = number in used if step == "release" else 0 < number <= channel_max and number not in used
            if legal:
                getattr(numbers, step)(number)
                used ^= {number}
            else:
                with pytest.raises(RABBITMQ.ProtocolError) as caught:
                    getattr(numbers, step)(number)
                assert caught.value.reply_code == 0
        assert [number for number in range(-2, 9) if number in numbers] == sorted(used)
        assert len(numbers) == len(used)


@each_package
def test_no_limit_is_that_of_the_field(amqp: Any) -> None:
    numbers = amqp.ChannelNumbers(0)
    assert [numbers.allocate() for _ in range(0xFFFF)] == list(range(1, 0x10000))
    with pytest.raises(amqp.ProtocolError) as caught:
        numbers.allocate()
    assert isinstance(caught.value, amqp.CodecError)
    assert str(caught.value) == "all 65535 channels of the connection are in use"
    numbers.release(9)
    assert numbers.allocate() == 9


@pytest.mark.parametrize("channel_max", [-1, 0x10000])
def test_no_channel_number(channel_max: int) -> None:
    with pytest.raises(ValueError, match="is not a channel number"):
        numbers_of(channel_max)


@pytest.mark.parametrize(
    ("call", "number", "says"),
    [
        ("release", 1, "channel 1: the number is not in use"),
        ("reserve", 5, "channel 5: the number is in use"),
        ("reserve", 0, "0 is not a channel number here, 1 to 9"),
        ("reserve", 10, "10 is not a channel number here, 1 to 9"),
    ],
)
def test_errors(call: str, number: int, says: str) -> None:
    numbers = numbers_of(9)
    numbers.reserve(5)
    with pytest.raises(RABBITMQ.ProtocolError) as caught:
        getattr(numbers, call)(number)
    assert str(caught.value) == says
