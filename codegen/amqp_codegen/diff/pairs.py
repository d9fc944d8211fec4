"""Which element of an old specification is which of the new one: by name, else by content."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
# Share of all their words that two texts must have in common to count as reworded.
_LEAST_WORDS_SHARED = 0.5
# All pairs are compared, which takes time. No published element has more than twenty rules.
_MOST_COMPARISONS = 40_000


@dataclass(frozen=True, slots=True)
class Pairs(Generic[T]):
    """Elements that are in both specifications, and those that are only in one; each in file order."""

    both: tuple[tuple[T, T], ...]
    removed: tuple[T, ...]
    added: tuple[T, ...]


def pair(old: Sequence[T], new: Sequence[T], *keys: Callable[[T], Hashable | None]) -> Pairs[T]:
    """Pair elements that have a key in common, the first key first.

    A key that several of the remaining elements share identifies none, and neither does None.

    ``keys`` are what identifies an element, the best first: usually its name, then its form on the wire.
    """
    partners: dict[int, int] = {}
    for key in keys:
        left = _by_key(old, key, partners)
        right = _by_key(new, key, set(partners.values()))
        partners |= {left[value]: right[value] for value in left if value in right}
    return _pairs(old, new, partners)


def pair_alike(pairs: Pairs[T], words: Callable[[T], Iterable[str]]) -> Pairs[T]:
    """Pair the remaining elements whose words are most alike, the best match first.

    Too many are not compared at all.
    """
    if len(pairs.removed) * len(pairs.added) > _MOST_COMPARISONS:
        return pairs
    left = [frozenset(words(text)) for text in pairs.removed]
    right = [frozenset(words(text)) for text in pairs.added]
    likeness = sorted(
        (
            (len(one & other) / len(one | other), -i, -j)
            for i, one in enumerate(left)
            for j, other in enumerate(right)
            if one and other
        ),
        reverse=True,
    )
    partners: dict[int, int] = {}
    taken: set[int] = set()
    for ratio, i, j in likeness:
        if ratio >= _LEAST_WORDS_SHARED and -i not in partners and -j not in taken:
            partners[-i] = -j
            taken.add(-j)
    rest = _pairs(pairs.removed, pairs.added, partners)
    return Pairs((*pairs.both, *rest.both), rest.removed, rest.added)


def _by_key(
    entries: Sequence[T], key: Callable[[T], Hashable | None], taken: Iterable[int]
) -> dict[Hashable, int]:
    """Return key to index, for the keys that exactly one of the entries not taken has."""
    indices_by_key: dict[Hashable, list[int]] = {}
    for index, entry in enumerate(entries):
        if index not in taken and (value := key(entry)) is not None:
            indices_by_key.setdefault(value, []).append(index)
    return {value: indices[0] for value, indices in indices_by_key.items() if len(indices) == 1}


def _pairs(old: Sequence[T], new: Sequence[T], partners: dict[int, int]) -> Pairs[T]:
    taken = set(partners.values())
    return Pairs(
        tuple((old[i], new[partners[i]]) for i in sorted(partners)),
        tuple(entry for index, entry in enumerate(old) if index not in partners),
        tuple(entry for index, entry in enumerate(new) if index not in taken),
    )


def places(*lists: Sequence[object]) -> dict[int, int]:
    """Return where each entry stands in its list, by its ``id``: fields of one name may be equal."""
    return {id(entry): place for entries in lists for place, entry in enumerate(entries)}


def moved(order: Sequence[int]) -> set[int]:
    """Return the indices of the numbers that moved: as few as possible.

    The others are the longest rising run.
    """
    ends: list[int] = []  # of the runs of each length, the index of the least last number
    before: list[int] = []  # in its run, the index of the number before
    for index, number in enumerate(order):
        length = bisect_left(ends, number, key=order.__getitem__)
        before.append(ends[length - 1] if length else -1)
        ends[length : length + 1] = [index]
    kept: set[int] = set()
    index = ends[-1] if ends else -1
    while index >= 0:
        kept.add(index)
        index = before[index]
    return set(range(len(order))) - kept
