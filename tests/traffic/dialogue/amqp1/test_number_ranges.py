"""What is told about ranges of numbers reaches the items in them, in few steps, whatever the numbers and the ranges."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from amqp_traffic.dialogue.amqp1.number_ranges import NumberRanges, Told
from amqp_traffic.dialogue.amqp1.window import after, ahead

from tests.growth import lines

NUMBERS = 1 << 32
OUTCOMES = (
    ("accepted", "ack"),
    ("rejected", "reject"),
    ("released", "nack"),
    ("received", None),
    (None, None),
)
MOST_LINES = 600  # of one call: for each of 32 bits some at both ends of a range


def told_of(outcome: tuple[str | None, str | None], moment: int) -> Told:
    return Told(outcome[0], outcome[1], moment)


class Plain:
    """The same, item by item."""

    def __init__(self) -> None:
        self.told: dict[int, list[Told]] = {}

    def between(self, first: int, last: int) -> list[int]:
        count = ahead(last, first)
        return sorted(
            (number for number in self.told if 0 <= ahead(number, first) <= count),
            key=lambda number: ahead(number, first),
        )

    def tell(self, first: int, last: int, told: Told) -> None:
        for number in self.between(first, last):
            self.told[number].append(told)


def outcome_of(all_told: list[Told]) -> tuple[str | None, str | None, int | None]:
    """What a message makes of dispositions that it takes one by one."""
    state, outcome, since = None, None, None
    for told in all_told:
        state = told.state or state
        if told.outcome is not None and told.outcome != outcome:
            outcome, since = told.outcome, told.since
    return state, outcome, since


def outcome_of_note(told: Told | None) -> tuple[str | None, str | None, int | None]:
    if told is None:
        return None, None, None
    return told.state, told.outcome, None if told.outcome is None else told.since


@pytest.mark.parametrize("spread", [8, 300, NUMBERS])
@pytest.mark.parametrize("start", [0, NUMBERS - 100, NUMBERS // 2 - 4])
def test_the_same_as_item_by_item(start: int, spread: int) -> None:
    chance = random.Random(f"{start} {spread}")
    ranges: NumberRanges[int] = NumberRanges()
    plain = Plain()

    def number() -> int:
        return after(start, chance.randrange(spread))

    for moment in range(3000):
        first, last, one = number(), number(), number()
        if chance.random() < 0.4 and one not in plain.told:
            ranges.add(one, one + 1)  # an item may be anything that is not None
            plain.told[one] = []
        elif chance.random() < 0.5:
            told = told_of(chance.choice(OUTCOMES), moment)
            ranges.tell(first, last, told)
            plain.tell(first, last, told)
        wanted = plain.between(first, last)
        assert ranges.first(first, last) == (wanted[0] + 1 if wanted else None)
        if wanted and chance.random() < 0.3:
            taken = chance.choice(wanted)
            assert outcome_of_note(ranges.take(taken)) == outcome_of(plain.told.pop(taken))
    for rest, told_of_rest in plain.told.items():
        assert outcome_of_note(ranges.hear(rest)) == outcome_of(told_of_rest)
        assert ranges.take(rest) is None
    assert ranges.first(0, NUMBERS // 2 - 1) is ranges.first(NUMBERS // 2, NUMBERS - 1) is None


def test_an_outcome_that_was_told_before_keeps_its_moment() -> None:
    """Also where both come down together, after another outcome."""
    accepted, later, rejected = (
        Told("accepted", "ack", 1),
        Told("accepted", "ack", 2),
        Told("rejected", "reject", 3),
    )
    assert accepted.then(later) == accepted
    assert accepted.then(rejected.then(later)) == ("accepted", "ack", 2, True)
    assert accepted.then(Told("received", None, 4)) == ("received", "ack", 1, False)


def _wide(_: random.Random) -> Iterator[tuple[int, int]]:
    while True:
        yield 0, 70_000


def _nested(_: random.Random) -> Iterator[tuple[int, int]]:
    while True:
        for step in range(1000):
            yield step, 70_000 - step


def _shifted(_: random.Random) -> Iterator[tuple[int, int]]:
    while True:
        for step in range(0, 40_000, 7):
            yield step, step + 30_000


def _every_other(_: random.Random) -> Iterator[tuple[int, int]]:
    while True:
        for step in range(0, 1000, 2):
            yield step, step
        yield 0, 70_000


def _unknown(_: random.Random) -> Iterator[tuple[int, int]]:
    while True:
        yield 1 << 20, (1 << 31) - 1


def _anywhere(chance: random.Random) -> Iterator[tuple[int, int]]:
    while True:
        yield chance.randrange(70_000), chance.randrange(70_000)


SHAPES = (_wide, _nested, _shifted, _every_other, _unknown, _anywhere)
SPREADS: dict[str, Callable[[int], int]] = {
    "in order": lambda step: step,
    "far apart": lambda step: step * 0x10000 % NUMBERS + step // 0x10000,
    "the other way": lambda step: NUMBERS - 1 - step,
    "bits reversed": lambda step: int(f"{step:032b}"[::-1], 2),
}


@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("shape", SHAPES)
def test_no_call_walks_all_items(
    shape: Callable[[random.Random], Iterator[tuple[int, int]]], spread: str
) -> None:
    ranges: NumberRanges[int] = NumberRanges()
    count = 2000
    for step in range(count):
        ranges.add(SPREADS[spread](step), step)
    places = shape(random.Random(7))
    most = 0
    for moment in range(1500):
        first, last = next(places)
        told = told_of(OUTCOMES[moment % len(OUTCOMES)], moment)
        if moment < 1400:
            ranges.tell(first, last, told)
        else:
            most = max(most, lines(lambda _: ranges.tell(first, last, told), None))  # noqa: B023
            most = max(most, lines(lambda _: ranges.first(first, last), None))  # noqa: B023
    for step in range(0, count, 100):
        most = max(most, lines(ranges.take, SPREADS[spread](step)))
    assert most < MOST_LINES
