"""A layered drawing: boxes in rows, and lanes in which arrows pass the rows between their ends.

Sugiyama's method. An arrow that passes a row gets a place in it, its lane, so that no arrow crosses a box. Arrows to one
box share their lanes. The places of each row are sorted by the places that they are linked to, then moved towards these.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

BOX_WIDTH, BOX_HEIGHT = 136, 44
_BOX_GAP, _LANE_GAP = 22, 14
_SWEEPS = 40
_STRAIGHT = 8  # how much more a lane follows another lane than a box

Folder: TypeAlias = tuple[str, str]


class Place(NamedTuple):
    """A place in a row: the box of a folder, or a lane of the arrows to it."""

    folder: Folder
    row: int
    is_lane: bool = False


class Layers(NamedTuple):
    """The drawing of a package.

    Attributes:
        rows: The places from the top, each row from the left.
        routes: The places of each arrow, from its folder to the one it points to.
        centres: The middle of each place, from the left edge of the drawing.
    """

    rows: list[list[Place]]
    routes: list[list[Place]]
    centres: dict[Place, float]

    @property
    def width(self) -> float:
        """The width of the drawing."""
        return max(centre + _half(place) for place, centre in self.centres.items())


def arrange(rows: Sequence[Sequence[Folder]], arrows: Mapping[Folder, Iterable[Folder]]) -> Layers:
    """Arrange folders, given in rows such that each arrow leads to a lower row."""
    boxes = {folder: Place(folder, number) for number, row in enumerate(rows) for folder in row}
    routes = [
        _route(boxes[folder], boxes[target]) for folder in sorted(arrows) for target in sorted(arrows[folder])
    ]
    linked: dict[Place, set[Place]] = defaultdict(set)
    for route in routes:
        for upper, lower in pairwise(route):
            linked[upper].add(lower)
            linked[lower].add(upper)
    places = {*boxes.values(), *linked}
    filled = [sorted(place for place in places if place.row == number) for number in range(len(rows))]
    centres = {place: float(x) for row in filled for place, x in zip(row, _packed(row), strict=True)}
    for sweep in range(_SWEEPS):
        for row in filled if sweep % 2 else reversed(filled):
            wished = {place: _wish(place, linked[place], centres) for place in row}
            if sweep < _SWEEPS // 2:
                row.sort(key=wished.__getitem__)
            centres |= _spaced(row, wished)
    left = min(centre - _half(place) for place, centre in centres.items())
    return Layers(filled, routes, {place: round(centre - left, 1) for place, centre in centres.items()})


def _route(start: Place, end: Place) -> list[Place]:
    lanes = [Place(end.folder, row, is_lane=True) for row in range(start.row + 1, end.row)]
    return [start, *lanes, end]


def _half(place: Place) -> float:
    return 0 if place.is_lane else BOX_WIDTH / 2


def _distance(left: Place, right: Place) -> float:
    """Return how far apart the middles of two neighbours are at least."""
    gap = _LANE_GAP if left.is_lane or right.is_lane else _BOX_GAP
    return _half(left) + gap + _half(right)


def _packed(row: Sequence[Place]) -> list[float]:
    """Return the middles of the places of a row without spare room, around zero."""
    middles = [0.0]
    for left, right in pairwise(row):
        middles.append(middles[-1] + _distance(left, right))
    return [middle - middles[-1] / 2 for middle in middles]


def _wish(place: Place, linked: Iterable[Place], centres: Mapping[Place, float]) -> float:
    """Return where a place had best be: amid those that it is linked to; lanes keep straight."""
    weights = {other: _STRAIGHT if place.is_lane and other.is_lane else 1 for other in sorted(linked)}
    total = sum(weights.values())
    return (
        sum(centres[other] * weight for other, weight in weights.items()) / total if total else centres[place]
    )


def _spaced(row: Sequence[Place], wished: Mapping[Place, float]) -> dict[Place, float]:
    """Return middles near those wished for, in the order of the row and far enough apart.

    They are the mean of two solutions, one that gives way to the right and one to the left.
    """
    rightwards: list[float] = []
    for number, place in enumerate(row):
        least = rightwards[-1] + _distance(row[number - 1], place) if rightwards else wished[place]
        rightwards.append(max(wished[place], least))
    leftwards: list[float] = []
    for number, place in reversed(list(enumerate(row))):
        most = leftwards[-1] - _distance(place, row[number + 1]) if leftwards else wished[place]
        leftwards.append(min(wished[place], most))
    pairs = zip(row, rightwards, reversed(leftwards), strict=True)
    return {place: (one + two) / 2 for place, one, two in pairs}
