"""Which element of an old specification is which of the new one: by name, and failing that by what it is."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
# Words that two texts must share, of all the words in them, to say the same in other words.
_ALIKE = 0.5


@dataclass(frozen=True, slots=True)
class Pairs(Generic[T]):
    """Elements that are in both specifications, and those that are only in one; each in file order."""

    both: tuple[tuple[T, T], ...]
    removed: tuple[T, ...]
    added: tuple[T, ...]


def pair(old: Sequence[T], new: Sequence[T], *keys: Callable[[T], Hashable | None]) -> Pairs[T]:
    """Pairs elements that have a key in common, the first key first.

    A key that several of the elements left over share tells nothing, and so does None.

    Args:
        old: Elements of the old specification.
        new: Elements of the new one.
        keys: What identifies an element, the best first: usually its name, then what it looks like on the wire.
    """
    found: dict[int, int] = {}
    for key in keys:
        left = _by_key(old, key, found)
        right = _by_key(new, key, set(found.values()))
        found |= {left[value]: right[value] for value in left if value in right}
    return _pairs(old, new, found)


def pair_alike(pairs: Pairs[T], words: Callable[[T], Iterable[str]]) -> Pairs[T]:
    """Pairs of what is left over those that consist of much the same words, the most alike first."""
    left = [frozenset(words(each)) for each in pairs.removed]
    right = [frozenset(words(each)) for each in pairs.added]
    likeness = sorted(
        (
            (len(one & other) / len(one | other), -i, -j)
            for i, one in enumerate(left)
            for j, other in enumerate(right)
            if one and other
        ),
        reverse=True,
    )
    found: dict[int, int] = {}
    for ratio, i, j in likeness:
        if ratio >= _ALIKE and -i not in found and -j not in found.values():
            found[-i] = -j
    rest = _pairs(pairs.removed, pairs.added, found)
    return Pairs((*pairs.both, *rest.both), rest.removed, rest.added)


def _by_key(
    entries: Sequence[T], key: Callable[[T], Hashable | None], taken: Iterable[int]
) -> dict[Hashable, int]:
    """Key to index, of the keys that exactly one of the entries not taken has."""
    found: dict[Hashable, list[int]] = {}
    for index, entry in enumerate(entries):
        if index not in taken and (value := key(entry)) is not None:
            found.setdefault(value, []).append(index)
    return {value: indices[0] for value, indices in found.items() if len(indices) == 1}


def _pairs(old: Sequence[T], new: Sequence[T], found: dict[int, int]) -> Pairs[T]:
    taken = set(found.values())
    return Pairs(
        tuple((old[i], new[found[i]]) for i in sorted(found)),
        tuple(entry for index, entry in enumerate(old) if index not in found),
        tuple(entry for index, entry in enumerate(new) if index not in taken),
    )


def moved(both: Sequence[tuple[T, T]], order: Callable[[T], int]) -> set[int]:
    """The pairs, by their place in ``both``, that stand in another order among themselves than before.

    ``order`` tells the place of a new element. As few pairs as possible count as moved: those outside the
    longest run that kept its order.
    """
    places = [order(new) for _, new in both]
    runs: list[tuple[int, ...]] = []
    for index, place in enumerate(places):
        before = [run for run in runs if places[run[-1]] < place]
        runs.append((*_longest(before), index))
    return set(range(len(places))) - set(_longest(runs))


def _longest(runs: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return max(runs, key=len) if runs else ()
