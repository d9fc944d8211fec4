"""Draw the packages under codegen/, their folders and the imports between them, as docs/architecture.svg.

    python tools/house_picture.py          # write the picture
    python tools/house_picture.py --check  # is the committed picture current?

An arrow points from a folder to one that it imports. An arrow that other arrows already imply is left out.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from html import escape
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.structure.arrows import PACKAGES, is_allowed, room
from tools.structure.imports import ROOT, House, read_house

PICTURE = ROOT / "docs" / "architecture.svg"

_BOX_WIDTH, _BOX_HEIGHT = 128, 44
_GAP_X, _GAP_Y = 22, 54
_MARGIN, _TITLE = 24, 34
_PANEL_GAP = 46
_ROW_LENGTH = 4  # folders of one level beside each other

_STYLE = """
text { font-family: system-ui, sans-serif; font-size: 14px; fill: #1b2733; text-anchor: middle }
.title { font-size: 17px; font-weight: 600; text-anchor: start }
.count { font-size: 11px; fill: #51606f }
.panel { fill: #f5f7fa; stroke: #b9c4cf }
.folder { fill: #fff; stroke: #51606f }
.arrow { fill: none; stroke: #51606f; stroke-width: 1.2; marker-end: url(#head) }
.border { stroke: #b3541e; stroke-width: 2.4 }
"""

Folder = tuple[str, str]  # package and folder, as `room` returns them


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
    inside = {
        folder: {target for target in targets if target[0] == folder[0]} for folder, targets in arrows.items()
    }
    inside = without_implied(inside)
    left, height = _MARGIN, 0
    centres: dict[Folder, tuple[float, float]] = {}
    panels, boxes = [], []
    borders: dict[str, tuple[float, float, float]] = {}
    for package in PACKAGES:
        folders = [folder for folder in counts if folder[0] == package and folder[1] != "."]
        rows = levels(folders, inside)
        width = max(len(row) for row in rows) * (_BOX_WIDTH + _GAP_X) + _GAP_X
        bottom = _MARGIN + _TITLE + len(rows) * (_BOX_HEIGHT + _GAP_Y)
        height = max(height, bottom)
        files = sum(count for folder, count in counts.items() if folder[0] == package)
        panels.append((left, width, package, files))
        borders[package] = (left, left + width, bottom)
        for number, row in enumerate(rows):
            start = left + (width - len(row) * (_BOX_WIDTH + _GAP_X) + _GAP_X) / 2
            for column, folder in enumerate(row):
                x = start + column * (_BOX_WIDTH + _GAP_X)
                y = _MARGIN + _TITLE + number * (_BOX_HEIGHT + _GAP_Y)
                centres[folder] = (x + _BOX_WIDTH / 2, y)
                boxes.append(_box(x, y, folder[1], counts[folder]))
        left += width + _PANEL_GAP
    shapes = [_panel(x, width, height, name, files) for x, width, name, files in panels]
    for folder in sorted(inside):
        shapes += [_arrow(centres[folder], centres[target]) for target in sorted(inside[folder])]
    shapes += boxes
    shapes += _borders(arrows, borders, height)
    total_width, total_height = left - _PANEL_GAP + _MARGIN, height + _MARGIN + 70
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {total_width:g} {total_height:g}" role="img">',
            "<title>The packages under codegen/ and the imports between their folders</title>",
            f"<style>{_STYLE}</style>",
            '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
            '<path d="M0 0 8 4 0 8z" fill="#51606f"/></marker></defs>',
            f'<rect width="{total_width:g}" height="{total_height:g}" fill="#fff"/>',
            *shapes,
            "</svg>",
            "",
        ]
    )


def _panel(x: float, width: float, height: float, name: str, files: int) -> str:
    return (
        f'<rect class="panel" x="{x:g}" y="{_MARGIN / 2:g}" width="{width:g}" height="{height:g}" rx="10"/>'
        f'<text class="title" x="{x + 14:g}" y="{_MARGIN + 12:g}">{escape(name)}, {files} files</text>'
    )


def _box(x: float, y: float, name: str, count: int) -> str:
    middle = x + _BOX_WIDTH / 2
    return (
        f'<rect class="folder" x="{x:g}" y="{y:g}" width="{_BOX_WIDTH}" height="{_BOX_HEIGHT}" rx="6"/>'
        f'<text x="{middle:g}" y="{y + 19:g}">{escape(name)}</text>'
        f'<text class="count" x="{middle:g}" y="{y + 35:g}">{count} file{"s" * (count != 1)}</text>'
    )


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    (x, y), (to_x, to_y) = (start[0], start[1] + _BOX_HEIGHT), end
    bend = (to_y - y) / 2
    return f'<path class="arrow" d="M{x:g} {y:g}C{x:g} {y + bend:g} {to_x:g} {to_y - bend:g} {to_x:g} {to_y - 1:g}"/>'


def _borders(
    arrows: dict[Folder, set[Folder]], borders: dict[str, tuple[float, float, float]], height: float
) -> list[str]:
    """Return one arrow under the panels for each pair of packages, with the folders that are used."""
    used: dict[tuple[str, str], set[str]] = defaultdict(set)
    for folder, targets in arrows.items():
        for target in targets:
            if target[0] != folder[0]:
                used[folder[0], target[0]].add(target[1])
    shapes = []
    for number, ((package, other), folders) in enumerate(sorted(used.items())):
        left, right, _ = borders[package]
        other_left, other_right, _ = borders[other]
        start, end = (left + right) / 2, (other_left + other_right) / 2 + 60 * number
        y = height + _MARGIN / 2
        low = y + 22 + 26 * number
        shapes.append(
            f'<path class="arrow border" d="M{start:g} {y:g}V{low:g}H{end:g}V{y + 4:g}"/>'
            f'<text class="count" x="{(start + end) / 2:g}" y="{low - 6:g}">'
            f"{escape(package)} uses {escape(other)}: {escape(', '.join(sorted(folders)))}</text>"
        )
    return shapes


def main() -> int:
    """Write the picture, or with ``--check`` return 1 if it is not current."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--check", action="store_true", help="only say whether the committed picture is current"
    )
    arguments = parser.parse_args()
    text = draw(read_house())
    if not arguments.check:
        PICTURE.write_text(text, encoding="utf-8")
        return 0
    if PICTURE.is_file() and PICTURE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PICTURE.relative_to(ROOT)} is not current; run: make house")
    return 1


if __name__ == "__main__":
    sys.exit(main())
