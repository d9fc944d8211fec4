"""A chart of how long clients wait."""

from __future__ import annotations

from collections.abc import Iterable

from .chart_parts import Chart, chart
from .latencies import Waits

_MOST_CLIENTS = 15  # in a chart of latencies
_TENS = [10.0**power for power in range(-4, 8)]


def latency(found: Iterable[tuple[str, Waits]]) -> Chart | None:
    """The clients that wait longest: from the median to 99 of 100."""
    slowest = sorted(found, key=lambda each: (-each[1].p99, each[0]))[:_MOST_CLIENTS]
    if not slowest:
        return None
    rows = [
        {
            "client": name,
            "times": waits.times,
            **{p: max(getattr(waits, p), 1) / 1e6 for p in ("p50", "p95", "p99")},
        }
        for name, waits in slowest
    ]
    y = {"field": "client", "type": "nominal", "sort": None, "title": None, "axis": {"labelLimit": 190}}
    scale = {"type": "log", "nice": True}
    marks: list[Chart] = [
        {
            "mark": {"type": "rule", "strokeWidth": 3, "color": "var(--line)"},
            "encoding": {"x": {"field": "p50", "type": "quantitative"}, "x2": {"field": "p99"}},
        }
    ]
    for name, shape, color in (
        ("p50", "circle", "var(--good)"),
        ("p95", "square", "var(--warn)"),
        ("p99", "diamond", "var(--bad)"),
    ):
        marks.append(
            {
                "mark": {
                    "type": "point",
                    "filled": True,
                    "shape": shape,
                    "size": 60,
                    "color": color,
                    "opacity": 1,
                },
                "encoding": {
                    "x": {
                        "field": name,
                        "type": "quantitative",
                        "scale": scale,
                        "title": "milliseconds",
                        "axis": {"values": _TENS, "labelOverlap": True},
                    },
                    "tooltip": [{"field": key} for key in ("client", "times", "p50", "p95", "p99")],
                },
            }
        )
    return chart(data={"values": rows}, height={"step": 20}, encoding={"y": y}, layer=marks)
