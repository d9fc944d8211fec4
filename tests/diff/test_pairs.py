"""Which element is which: keys in turn, words, and what has moved."""

from __future__ import annotations

from itertools import permutations

import pytest
from amqp_codegen.diff.pairs import Pairs, moved, pair, pair_alike


def test_the_first_key_goes_first() -> None:
    old, new = ["a1", "b2", "c3"], ["a1", "x2", "c9"]
    assert pair(old, new, lambda item: item[0], lambda item: item[1]) == Pairs(
        (("a1", "a1"), ("b2", "x2"), ("c3", "c9")), (), ()
    )


def test_a_key_that_several_share_or_that_is_none_tells_nothing() -> None:
    assert pair(["a", "b"], ["c", "d"], lambda text: "same") == Pairs((), ("a", "b"), ("c", "d"))
    assert pair(["a"], ["a"], lambda text: None) == Pairs((), ("a",), ("a",))
    # Once "a" is paired, what is left over has the key alone.
    assert pair(["a", "b"], ["a", "c"], lambda text: text, lambda text: 1).both == (("a", "a"), ("b", "c"))


def test_words() -> None:
    left_over = Pairs((), ("one two three", "red"), ("blue", "one two four three", "one two"))
    found = pair_alike(left_over, str.split)
    assert found == Pairs((("one two three", "one two four three"),), ("red",), ("blue", "one two"))


def test_too_many_are_not_compared() -> None:
    many = tuple(f"word {number}" for number in range(300))
    assert pair_alike(Pairs((), many, many), str.split).both == ()


@pytest.mark.parametrize("size", range(6))
def test_as_few_as_possible_have_moved(size: int) -> None:
    for order in permutations(range(size)):
        found = moved(order)
        rest = [number for index, number in enumerate(order) if index not in found]
        assert rest == sorted(rest)
        assert len(rest) == longest(order)


def longest(order: tuple[int, ...]) -> int:
    """The length of the longest rising run, by trying every subset."""
    best = 0
    for mask in range(1 << len(order)):
        run = [number for index, number in enumerate(order) if mask >> index & 1]
        if run == sorted(run):
            best = max(best, len(run))
    return best
