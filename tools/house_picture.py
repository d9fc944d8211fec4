"""Draw the packages under codegen/, their folders and the imports between them, as docs/architecture.svg.

    python tools/house_picture.py          # write the picture
    python tools/house_picture.py --check  # is the committed picture current?

An arrow points from a folder to one that it imports. An arrow that other arrows already imply is left out. Arrows pass
boxes in lanes of their own (`tools/structure/layers.py`).
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.picture import svg, write_or_check
from tools.structure.arrows import PACKAGES, is_allowed, room
from tools.structure.imports import ROOT, House, read_house
from tools.structure.layers import BOX_HEIGHT, BOX_WIDTH, Folder, Layers, Place, arrange

PICTURE = ROOT / "docs" / "architecture.svg"

_GAP_Y = 54
_MARGIN, _TITLE, _PADDING = 24, 34, 22
_PANEL_GAP = 46
_ROW_LENGTH = 4  # folders of one level beside each other

_HEAD = (
    '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0 0 8 4 0 8z" fill="#51606f"/></marker></defs>'
)
_STYLE = """
text { font-family: system-ui, sans-serif; font-size: 14px; fill: #1b2733; text-anchor: middle }
.title { font-size: 17px; font-weight: 600; text-anchor: start }
.count { font-size: 11px; fill: #51606f }
.panel { fill: #f5f7fa; stroke: #b9c4cf }
.folder { fill: #fff; stroke: #51606f }
.arrow { fill: none; stroke: #51606f; stroke-width: 1.2; marker-end: url(#head) }
.border { stroke: #b3541e; stroke-width: 2.4 }
"""


def folder_arrows(house: House) -> dict[Folder, set[Folder]]:
    """Return which folders each folder imports, in its own package and in others; arrows that run back are left out."""
    arrows: dict[Folder, set[Folder]] = defaultdict(set)
    for found in house.imports:
        importer, imported = room(found.importer, house), room(found.imported, house)
        if importer != imported and "." not in (importer[1], imported[1]) and is_allowed(found, house):
            arrows[importer].add(imported)
    return arrows


def without_implied(arrows: dict[Folder, set[Folder]]) -> dict[Folder, set[Folder]]:
    """Return the arrows without those that a longer way implies (the transitive reduction)."""

    def reached(start: Folder) -> set[Folder]:
        return {start}.union(*(reached(target) for target in arrows.get(start, ())))

    return {
        folder: {
            target
            for target in targets
            if not any(target in reached(other) for other in targets if other != target)
        }
        for folder, targets in arrows.items()
    }


def levels(folders: list[Folder], arrows: dict[Folder, set[Folder]]) -> list[list[Folder]]:
    """Return the folders in rows from the top; every arrow leads to a lower row."""

    def depth(folder: Folder) -> int:
        return 1 + max((depth(target) for target in arrows.get(folder, ()) if target in folders), default=-1)

    rows: dict[int, list[Folder]] = defaultdict(list)
    for folder in sorted(folders):
        rows[depth(folder)].append(folder)
    result = []
    for level in sorted(rows, reverse=True):
        row = rows[level]
        result += [row[start : start + _ROW_LENGTH] for start in range(0, len(row), _ROW_LENGTH)]
    return result


def draw(house: House) -> str:
    """Return the picture as the text of an SVG file."""
    arrows = folder_arrows(house)
    counts = Counter(room(module, house) for module in house.files)
    panels = {package: _layers(package, counts, arrows) for package in PACKAGES}
    height = _MARGIN + _TITLE + max(len(layers.rows) for layers in panels.values()) * (BOX_HEIGHT + _GAP_Y)
    left, shapes = float(_MARGIN), []
    borders: dict[str, tuple[float, float]] = {}
    for package, layers in panels.items():
        width = layers.width + 2 * _PADDING
        files = sum(count for folder, count in counts.items() if folder[0] == package)
        shapes.append(_panel(left, width, height, package, files))
        shapes += [_arrow(route, layers.centres, left + _PADDING) for route in layers.routes]
        shapes += [
            _box(left + _PADDING + layers.centres[place], _top(place), place.folder[1], counts[place.folder])
            for row in layers.rows
            for place in row
            if not place.is_lane
        ]
        borders[package] = (left, left + width)
        left += width + _PANEL_GAP
    shapes += _borders(arrows, borders, height)
    size = left - _PANEL_GAP + _MARGIN, height + _MARGIN + 70
    return svg(
        "The packages under codegen/ and the imports between their folders", size, _STYLE, shapes, _HEAD
    )


def _layers(package: str, folders: Iterable[Folder], arrows: dict[Folder, set[Folder]]) -> Layers:
    inside = without_implied(
        {
            folder: {target for target in targets if target[0] == package}
            for folder, targets in arrows.items()
            if folder[0] == package
        }
    )
    own = [folder for folder in folders if folder[0] == package and folder[1] != "."]
    return arrange(levels(own, inside), inside)


def _top(place: Place) -> float:
    return _MARGIN + _TITLE + place.row * (BOX_HEIGHT + _GAP_Y)


def _panel(x: float, width: float, height: float, name: str, files: int) -> str:
    return (
        f'<rect class="panel" x="{x:g}" y="{_MARGIN / 2:g}" width="{width:g}" height="{height:g}" rx="10"/>'
        f'<text class="title" x="{x + 14:g}" y="{_MARGIN + 12:g}">{escape(name)}, {files} files</text>'
    )


def _box(middle: float, y: float, name: str, count: int) -> str:
    return (
        f'<rect class="folder" x="{middle - BOX_WIDTH / 2:g}" y="{y:g}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6"/>'
        f'<text x="{middle:g}" y="{y + 19:g}">{escape(name)}</text>'
        f'<text class="count" x="{middle:g}" y="{y + 35:g}">{count} file{"s" * (count != 1)}</text>'
    )


def _arrow(route: Sequence[Place], centres: Mapping[Place, float], left: float) -> str:
    """Return an arrow: a curve between two rows, a straight line past the boxes of a row."""
    x, y = left + centres[route[0]], _top(route[0]) + BOX_HEIGHT
    path = f"M{x:g} {y:g}"
    for place in route[1:]:
        to_x, to_y = left + centres[place], _top(place)
        middle = (y + to_y) / 2
        path += f"C{x:g} {middle:g} {to_x:g} {middle:g} {to_x:g} {to_y - (not place.is_lane):g}"
        x, y = to_x, to_y + BOX_HEIGHT
        if place.is_lane:
            path += f"V{y:g}"
    return f'<path class="arrow" d="{path}"/>'


def _borders(
    arrows: dict[Folder, set[Folder]], borders: dict[str, tuple[float, float]], height: float
) -> list[str]:
    """Return one arrow under the panels for each pair of packages, with the folders that are used."""
    used: dict[tuple[str, str], set[str]] = defaultdict(set)
    for folder, targets in arrows.items():
        for target in targets:
            if target[0] != folder[0]:
                used[folder[0], target[0]].add(target[1])
    shapes = []
    for number, ((package, other), folders) in enumerate(sorted(used.items())):
        left, right = borders[package]
        other_left, other_right = borders[other]
        start, end = (left + right) / 2, (other_left + other_right) / 2 + 60 * number
        y = height + _MARGIN / 2
        low = y + 22 + 26 * number
        shapes.append(
            f'<path class="arrow border" d="M{start:g} {y:g}V{low:g}H{end:g}V{y + 4:g}"/>'
            f'<text class="count" x="{(start + end) / 2:g}" y="{low - 6:g}">'
            f"{escape(package)} uses {escape(other)}: {escape(', '.join(sorted(folders)))}</text>"
        )
    return shapes


if __name__ == "__main__":
    sys.exit(write_or_check(__doc__, PICTURE, draw(read_house()), "make house"))
