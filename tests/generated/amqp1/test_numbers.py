"""Numbers of channels and handles against a set of those in use."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import amqp

STEPS = st.lists(
    st.tuples(st.sampled_from(["allocate", "allocate", "release", "reserve", "last"]), st.integers(0, 12)),
    max_size=60,
)


@given(first=st.integers(0, 3), room=st.integers(0, 8), steps=STEPS)
@examples(300)
def test_any_script_against_a_set(first: int, room: int, steps: list[tuple[str, int]]) -> None:
    allocator, used, last = amqp.NumberAllocator(first, first + room), set(), first + room
    for step, number in steps:
        if step == "last":
            allocator.last = last = max(first, number)
        elif step == "allocate":
            free = [number for number in range(first, last + 1) if number not in used]
            if free:
                assert allocator.allocate() == free[0]
                used.add(free[0])
            else:
                with pytest.raises(amqp.NoFreeNumber):
                    allocator.allocate()
        elif step == "reserve":
            if first <= number <= last and number not in used:
                allocator.reserve(number)
                used.add(number)
            else:
                with pytest.raises(ValueError, match=f"^{number} is"):
                    allocator.reserve(number)
        elif number in used:
            allocator.release(number)
            used.discard(number)
        else:
            with pytest.raises(ValueError, match="is not in use"):
                allocator.release(number)
        assert list(allocator) == sorted(used)
        assert len(allocator) == len(used)
        assert all((number in allocator) == (number in used) for number in range(16))


def test_a_range_as_large_as_that_of_handles_takes_no_memory() -> None:
    handles = amqp.NumberAllocator(0, 2**32 - 1)
    handles.reserve(2**32 - 1)
    assert [handles.allocate() for _ in range(3)] == [0, 1, 2]
    for _ in range(10_000):
        handles.release(1)
        handles.reserve(1)
        handles.release(1)
        assert handles.allocate() == 1
    assert list(handles) == [0, 1, 2, 2**32 - 1]
    assert len(handles._free) == 0


def test_all_in_use() -> None:
    channels = amqp.NumberAllocator(1, 2)
    assert [channels.allocate(), channels.allocate()] == [1, 2]
    with pytest.raises(amqp.NoFreeNumber, match=r"^all numbers from 1 to 2 are in use$"):
        channels.allocate()
    channels.last = 3
    assert channels.allocate() == 3


@pytest.mark.parametrize(("first", "last"), [(-1, 5), (3, 2)])
def test_no_range(first: int, last: int) -> None:
    with pytest.raises(ValueError, match="is not a range"):
        amqp.NumberAllocator(first, last)
