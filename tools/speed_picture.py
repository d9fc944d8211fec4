"""Draw how fast the cores in C are, from what `make bench` measured, as docs/native.svg.

    make bench BENCH_FLAGS="--output benchmarks/speeds.json"
    python tools/speed_picture.py          # write the picture
    python tools/speed_picture.py --check  # is the committed picture current?

A row is a workload, and what is right of the line is faster than the first of the other libraries. The scale is
logarithmic: equal distances are equal ratios.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tools.picture import ROOT, svg, write_or_check

SPEEDS = ROOT / "benchmarks" / "speeds.json"
PICTURE = ROOT / "docs" / "native.svg"

NATIVE, PURE, NEW = "native", "pure", "native, all texts new"
# The libraries of each family, the one with which all are compared first; and the rows: workload and label.
PEERS = {"AMQP 0-9-1": ("pika", "py-amqp", "pamqp"), "AMQP 1.0": ("proton", "azure")}
ROWS = {
    "AMQP 0-9-1": (
        ("decode deliver + header + body", "decode a delivered message"),
        ("encode publish + header + body", "encode a message"),
        ("build and encode them", "build and encode it"),
        ("decode a table of 20 entries", "decode a table of 20 entries"),
        ("encode a table of 20 entries", "encode a table of 20 entries"),
    ),
    "AMQP 1.0": (
        ("decode transfer + message", "decode a transferred message"),
        ("encode transfer + message", "encode a message"),
        ("build and encode transfer + message", "build and encode it"),
        ("decode a list of 50", "decode a list of 50 values"),
        ("encode a list of 50", "encode a list of 50 values"),
        ("decode a map of 50", "decode a map of 50 values"),
        ("encode a map of 50", "encode a map of 50 values"),
    ),
}

_WIDTH, _LABELS, _RIGHT = 880, 226, 40
_ROW, _TITLE, _AXIS, _MARGIN = 30, 66, 44, 16
_TICKS = (0.5, 1, 2, 5, 10, 20, 50)
_LEAST, _MOST = 0.35, 60.0
_SHAPES = ("M-4 -4H4V4H-4z", "M0 -5 5 4H-5z", "M0 -5.5 5.5 0 0 5.5 -5.5 0z")  # of the peers, in order
_STYLE = """
text { font-family: system-ui, sans-serif; font-size: 13px; fill: #1b2733 }
.title { font-size: 16px; font-weight: 600 }
.small { font-size: 12px; fill: #51606f }
.tick { font-size: 12px; fill: #51606f; text-anchor: middle }
.row { text-anchor: end }
.value { font-weight: 600; fill: #0b5cad }
.grid { stroke: #e1e6eb }
.base { stroke: #51606f; stroke-dasharray: 3 3 }
.gain { stroke: #9cc3ea; stroke-width: 5; stroke-linecap: round }
.native { fill: #0b5cad }
.new { fill: #fff; stroke: #0b5cad; stroke-width: 2 }
.pure { fill: #5b9bd8 }
.peer { fill: #7a8794 }
"""


@dataclass(frozen=True)
class Row:
    """A workload.

    Attributes:
        speeds: Each candidate, and how many times as fast as the first library it is.
    """

    label: str
    speeds: Mapping[str, float]


def rows_of(family: str, document: Mapping[str, Any]) -> list[Row]:
    """Return the rows of a family that were measured; `NEW` is among the candidates of most."""
    times = {
        (workload["family"], workload["name"], workload["strings"]): workload["microseconds"]
        for workload in document["workloads"]
    }
    base, rows = PEERS[family][0], []
    for name, label in ROWS[family]:
        repeated, new = times.get((family, name, "repeated")), times.get((family, name, "new"))
        if repeated:
            speeds = {candidate: repeated[base] / time for candidate, time in repeated.items()}
            if new and NATIVE in new:
                speeds[NEW] = new[base] / new[NATIVE]
            rows.append(Row(label, speeds))
    return rows


def draw(document: Mapping[str, Any]) -> str:
    """Return the picture as the text of an SVG file."""
    shapes: list[str] = []
    top = _MARGIN
    for family in PEERS:
        rows = rows_of(family, document)
        shapes += _panel(family, rows, document["versions"], top)
        top += _TITLE + len(rows) * _ROW + _AXIS
    shapes.append(
        f'<text class="small" x="{_MARGIN}" y="{top + 2}">{escape(document["python"])}, {escape(document["machine"])}.'
        " Processor time, measured by make bench; further right is faster.</text>"
    )
    title = "How many times as fast the cores in C are as pure Python and as other libraries"
    return svg(title, (_WIDTH, top + _MARGIN), _STYLE, shapes)


def _panel(family: str, rows: list[Row], versions: Mapping[str, str], top: float) -> Iterator[str]:
    peers = PEERS[family]
    yield f'<text class="title" x="{_MARGIN}" y="{top + 18}">{family}: how many times as fast as {peers[0]}</text>'
    yield from _legend(peers, versions, top + 42)
    start, end = top + _TITLE, top + _TITLE + len(rows) * _ROW
    for tick in _TICKS:
        place = _place(tick)
        kind = "base" if tick == 1 else "grid"
        yield f'<line class="{kind}" x1="{place:.1f}" y1="{start}" x2="{place:.1f}" y2="{end}"/>'
        yield f'<text class="tick" x="{place:.1f}" y="{end + 16}">{tick:g}</text>'
    for number, row in enumerate(rows):
        yield from _row(row, peers, start + (number + 0.5) * _ROW)


def _row(row: Row, peers: tuple[str, ...], y: float) -> Iterator[str]:
    yield f'<text class="row" x="{_LABELS - 12}" y="{y + 4:g}">{escape(row.label)}</text>'
    if NATIVE in row.speeds:
        pure, native = _place(row.speeds[PURE]), _place(row.speeds[NATIVE])
        yield f'<line class="gain" x1="{pure:.1f}" y1="{y:g}" x2="{native:.1f}" y2="{y:g}"/>'
    for name in (*peers, PURE, NEW, NATIVE):
        if name in row.speeds:
            yield _mark(name, peers, _place(row.speeds[name]), y)
    fastest = max(row.speeds.get(NATIVE, 0), row.speeds.get(NEW, 0), row.speeds[PURE])
    shown = row.speeds.get(NATIVE, row.speeds[PURE])
    yield f'<text class="value" x="{_place(fastest) + 11:.1f}" y="{y + 4:g}">{shown:.{1 if shown < 10 else 0}f}</text>'


def _mark(name: str, peers: tuple[str, ...], x: float, y: float) -> str:
    if name in peers:
        return f'<path class="peer" transform="translate({x:.1f} {y:g})" d="{_SHAPES[peers.index(name)]}"/>'
    kind, radius = {NATIVE: ("native", 7), NEW: ("new", 5), PURE: ("pure", 6)}[name]
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:g}" r="{radius}"/>'


def _legend(peers: tuple[str, ...], versions: Mapping[str, str], y: float) -> Iterator[str]:
    x = float(_MARGIN + 8)
    for name in (NATIVE, NEW, PURE, *peers):
        text = f"{name} {versions[name]}" if name in versions else name
        yield _mark(name, peers, x, y)
        yield f'<text x="{x + 12:g}" y="{y + 4:g}">{escape(text)}</text>'
        x += 44 + 6.8 * len(text)


def _place(ratio: float) -> float:
    share = math.log(ratio / _LEAST) / math.log(_MOST / _LEAST)
    return _LABELS + share * (_WIDTH - _RIGHT - _LABELS)


if __name__ == "__main__":
    text = draw(json.loads(SPEEDS.read_text(encoding="utf-8")))
    sys.exit(write_or_check(__doc__, PICTURE, text, "python tools/speed_picture.py"))
