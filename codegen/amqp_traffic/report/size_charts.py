"""Charts of the sizes of frames and bodies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log2

from .chart_parts import Chart, chart, color
from .sizes import Bar, Sizes

_MOST_DRAWN = 1 << 24  # octets; a frame-max beyond is none


def _size_word(octets: float) -> str:
    for unit in ("B", "KiB", "MiB", "GiB"):
        if octets < 1024 or unit == "GiB":
            break
        octets /= 1024
    return f"{octets:g} {unit}"


def _histogram(bars: Sequence[Bar], limits: Iterable[int], title: str) -> Chart | None:
    rows = [
        {"power": each.power, "from": each.power - 1, "what": each.what, "times": each.times} for each in bars
    ]
    if not bars:
        return None
    whats = dict.fromkeys(each.what for each in bars)
    last = max(each.power for each in bars)
    words = {power: _size_word(2**power) for power in range(0, 41, 2)}
    label = " : ".join(f"datum.value == {power} ? '{word}'" for power, word in words.items()) + " : ''"
    axis = {"values": list(range(0, last + 2, 2)), "labelExpr": label, "grid": False}
    marks: list[Chart] = [
        {
            "mark": {"type": "bar", "opacity": 0.7, "tooltip": True},
            "encoding": {
                "x": {"field": "from", "type": "quantitative", "title": title, "axis": axis},
                "x2": {"field": "power"},
                "y": {
                    "field": "times",
                    "type": "quantitative",
                    "title": "how many",
                    "scale": {"type": "symlog", "constant": 1},
                    "axis": {"values": [0, *(10**power for power in range(10))], "format": "~s"},
                },
                "y2": {"datum": 0},
                "color": color(whats),
            },
        }
    ]
    lines = [{"at": log2(size), "word": f"frame-max {size:,}"} for size in limits if 1 < size <= _MOST_DRAWN]
    if lines:
        marks.append(
            {
                "data": {"values": lines},
                "mark": {
                    "type": "rule",
                    "strokeDash": [4, 3],
                    "strokeWidth": 1.5,
                    "color": "var(--bad)",
                    "tooltip": True,
                },
                "encoding": {
                    "x": {"field": "at", "type": "quantitative"},
                    "tooltip": {"field": "word"},
                },
            }
        )
    return chart(data={"values": rows}, layer=marks)


def frame_sizes(found: Sizes) -> Chart | None:
    """Frames, with lines where frame-max is."""
    return _histogram(found.frames, (size for size, _ in found.frame_max), "octets in a frame")


def body_sizes(found: Sizes) -> Chart | None:
    """Bodies of messages."""
    return _histogram(found.bodies, (), "octets in a body")
