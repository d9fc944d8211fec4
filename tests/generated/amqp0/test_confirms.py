"""Publisher confirms against a plain model, and at the end of the numbers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import NAMES, PACKAGES, RABBITMQ

LAST = (1 << 64) - 1
tracker_of: Any = RABBITMQ.ConfirmTracker


def test_only_where_there_are_confirms() -> None:
    assert [name for name in NAMES if hasattr(PACKAGES[name], "ConfirmTracker")] == ["amqp_0_9_1_rabbitmq"]


class Model:
    """All numbers ever published, in order, and those without an answer."""

    def __init__(self, last: int) -> None:
        self.published = list(range(max(last - 5, 0) + 1, last + 1))
        self.outstanding: list[int] = []

    def publish(self) -> int:
        before = self.published[-1] if self.published else 0
        number = 1 if before == LAST else before + 1
        self.published.append(number)
        self.outstanding.append(number)
        return number

    def settle(self, tag: int, multiple: bool) -> tuple[int, ...] | None:
        if not multiple:
            found = [tag] if tag in self.outstanding else None
        elif tag == 0:
            found = list(self.outstanding)
        elif tag in self.published:
            upto = self.published[: self.published.index(tag) + 1]
            found = [number for number in self.outstanding if number in upto]
        else:
            found = None
        if found is None:
            return None
        self.outstanding = [number for number in self.outstanding if number not in found]
        return tuple(found)


answers = st.tuples(st.integers(-3, 12), st.booleans())


@given(
    st.sampled_from([0, 1, 5, LAST - 4, LAST - 1, LAST]), st.lists(answers | st.integers(0, 5), max_size=30)
)
@examples(400)
def test_against_a_model(last: int, steps: list[Any]) -> None:
    model, tracker = Model(last), tracker_of(last=last)
    for step in steps:
        if isinstance(step, int):
            assert [tracker.publish() for _ in range(step)] == [model.publish() for _ in range(step)]
            continue
        place, multiple = step
        known = [*model.outstanding, *model.published[-3:], 0, LAST, last + 20]
        tag = known[place % len(known)] if place >= 0 else -place
        if last > 20 and multiple and tag not in model.published and 0 < tag <= LAST:
            continue  # published before the tracker started: it was answered then
        expected = model.settle(tag, multiple)
        if expected is None:
            with pytest.raises(RABBITMQ.ProtocolError):
                tracker.settle(tag, multiple=multiple)
        else:
            assert tracker.settle(tag, multiple=multiple) == expected
        assert tracker.outstanding == tuple(model.outstanding)
        assert len(tracker) == len(model.outstanding)


def test_multiple_across_the_end_of_the_numbers() -> None:
    tracker = tracker_of(last=LAST - 2)
    assert [tracker.publish() for _ in range(5)] == [LAST - 1, LAST, 1, 2, 3]
    assert tracker.settle(2) == (2,)
    assert tracker.settle(1, multiple=True) == (LAST - 1, LAST, 1)
    assert tracker.settle(LAST, multiple=True) == ()
    assert tracker.outstanding == (3,)


def test_zero_and_multiple_is_everything() -> None:
    tracker = tracker_of()
    assert tracker.settle(0, multiple=True) == ()
    for _ in range(3):
        tracker.publish()
    assert tracker.settle(0, multiple=True) == (1, 2, 3)
    assert tracker.outstanding == ()


@pytest.mark.parametrize(
    ("tag", "multiple"),
    [
        (0, False),
        (4, False),
        (4, True),
        (2, False),
        (-1, True),
        (LAST, True),
        (LAST + 1, True),
        (LAST + 2, True),
    ],
)
def test_numbers_that_nothing_waits_for(tag: int, multiple: bool) -> None:
    tracker = tracker_of(7)
    for _ in range(3):
        tracker.publish()
    tracker.settle(2)
    with pytest.raises(RABBITMQ.ProtocolError) as caught:
        tracker.settle(tag, multiple=multiple)
    assert (caught.value.channel, caught.value.reply_code) == (7, RABBITMQ.ReplyCode.PRECONDITION_FAILED)
    assert (
        str(caught.value)
        == f"channel 7: no unconfirmed message has the number {tag}, the last one is 3 (406)"
    )
    assert tracker.outstanding == (1, 3)


@pytest.mark.parametrize("last", [-1, LAST + 1])
def test_no_such_start(last: int) -> None:
    with pytest.raises(ValueError, match="is not the number of a message"):
        tracker_of(last=last)


@pytest.mark.parametrize("multiple", [False, True])
def test_the_work_is_linear(multiple: bool) -> None:
    """A hundred thousand numbers, answered one by one from the end or all ten: a search would take very long."""
    tracker = tracker_of()
    count = 100_000
    for _ in range(count):
        tracker.publish()
    if multiple:
        assert sum(len(tracker.settle(tag, multiple=True)) for tag in range(10, count + 1, 10)) == count
    else:
        assert all(tracker.settle(tag) == (tag,) for tag in range(count, 0, -1))
    assert len(tracker) == 0
