"""Items by serial number, and what is told about ranges of their numbers (RFC 1982).

Theory of operation. A binary trie over the 32 bits of numbers: a branch has the smallest aligned block of numbers in which
two items are. What is told about a range stays at the few branches and items that make up the range, at most two for each
bit, and moves down along the paths that are walked later. So a range costs at most some 64 steps, however many items it
has, and whatever numbers a peer chooses.
"""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from .window import ahead

_HIGHEST = (1 << 32) - 1

I = TypeVar("I")  # an item  # noqa: E741


class Told(NamedTuple):
    """What one or more dispositions, in their order, tell about a delivery.

    Attributes:
        state: The name of the last state, if any.
        outcome: What the last outcome means, if any.
        since: When that outcome came first.
        had_other: True if another outcome came before, so that it is new in any case.
    """

    state: str | None
    outcome: str | None
    since: int
    had_other: bool = False

    def then(self, later: Told) -> Told:
        """Return both, in their order."""
        state = self.state if later.state is None else later.state
        if later.outcome is None or (later.outcome == self.outcome and not later.had_other):
            return Told(state, *self[1:])
        return Told(state, later.outcome, later.since, later.had_other or self.outcome is not None)


class _Spot(Generic[I]):
    """A branch, which has two halves; or an item, which has none."""

    __slots__ = ("first", "high", "item", "last", "low", "middle", "told")

    def __init__(self, first: int, last: int, item: I | None = None) -> None:
        self.first = first
        self.last = last
        self.middle = (first + last) // 2  # the last number of the lower half
        self.item = item
        self.told: Told | None = None
        self.low: _Spot[I] | None = None
        self.high: _Spot[I] | None = None

    def half(self, number: int) -> _Spot[I]:
        """Return the half of a branch with a number, after what was told about the branch."""
        low, high = self.low, self.high
        assert low is not None and high is not None
        if self.told is not None:
            low.tell(self.told)
            high.tell(self.told)
            self.told = None
        return high if number > self.middle else low

    def tell(self, told: Told) -> None:
        self.told = told if self.told is None else self.told.then(told)

    def replace(self, half: _Spot[I], other: _Spot[I]) -> None:
        if half is self.low:
            self.low = other
        else:
            self.high = other


class NumberRanges(Generic[I]):
    """Items by number. A range may go on after the highest number with 0; it is empty if it ends before it begins."""

    __slots__ = ("_root",)

    def __init__(self) -> None:
        self._root: _Spot[I] | None = None

    def add(self, number: int, item: I) -> None:
        """Add an item whose number is free."""
        above, spot, added = None, self._root, _Spot(number, number, item)
        while spot is not None and spot.first <= number <= spot.last:
            above, spot = spot, spot.half(number)
        joined = added if spot is None else _branch(spot, added)
        if above is None or spot is None:
            self._root = joined
        else:
            above.replace(spot, joined)

    def take(self, number: int) -> Told | None:
        """Remove an item, which must be there. Return what was told about it since ``hear``."""
        before, above, spot = None, None, self._root
        assert spot is not None
        while spot.item is None:
            before, above, spot = above, spot, spot.half(number)
        if above is None:
            self._root = None
            return spot.told
        rest = above.high if spot is above.low else above.low
        assert rest is not None
        if before is None:
            self._root = rest
        else:
            before.replace(above, rest)
        return spot.told

    def hear(self, number: int) -> Told | None:
        """Return what was told about an item, which must be there, since the last time."""
        spot = self._root
        assert spot is not None
        while spot.item is None:
            spot = spot.half(number)
        told, spot.told = spot.told, None
        return told

    def first(self, first: int, last: int) -> I | None:
        """Return the item with the first number of a range."""
        for begin, end in _parts(first, last):
            item = _first(self._root, begin, end)
            if item is not None:
                return item
        return None

    def tell(self, first: int, last: int, told: Told) -> None:
        """Note what is told about the items of a range."""
        for begin, end in _parts(first, last):
            _tell(self._root, begin, end, told)


def _branch(spot: _Spot[I], other: _Spot[I]) -> _Spot[I]:
    """Return the smallest aligned block with the items of a spot and another item."""
    mask = (1 << (spot.first ^ other.first).bit_length()) - 1
    branch: _Spot[I] = _Spot(other.first & ~mask, other.first | mask)
    branch.low, branch.high = (spot, other) if spot.first < other.first else (other, spot)
    return branch


def _parts(first: int, last: int) -> tuple[tuple[int, int], ...]:
    """Return a range as ranges that do not go on with 0."""
    if ahead(last, first) < 0:
        return ()
    return ((first, last),) if first <= last else ((first, _HIGHEST), (0, last))


def _first(spot: _Spot[I] | None, first: int, last: int) -> I | None:
    """Each branch in a range has an item there, so this walks down the two ends of the range at most."""
    if spot is None or spot.last < first or last < spot.first:
        return None
    if spot.item is not None:
        return spot.item
    item = _first(spot.low, first, last)
    return _first(spot.high, first, last) if item is None else item


def _tell(spot: _Spot[I] | None, first: int, last: int, told: Told) -> None:
    if spot is None or spot.last < first or last < spot.first:
        return
    if first <= spot.first and spot.last <= last:
        spot.tell(told)
        return
    spot.half(first)
    _tell(spot.low, first, last, told)
    _tell(spot.high, first, last, told)
