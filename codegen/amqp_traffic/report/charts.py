"""The charts of the page that do not show time: waits, sizes, topology."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log2

from .contents import ReportContents
from .measures import Bar, Sizes, Waits
from .time_charts import churn, client_activity, client_connections, rates, unsettled
from .topology import Topology
from .vega import Chart, chart, color, counts_axis, quantity, tooltip

_MOST_CLIENTS_IN_CHART = 15
_POWERS_OF_TEN = [10.0**power for power in range(-4, 8)]
_POINT = {"type": "point", "filled": True, "opacity": 1}
_PERCENTILES = (
    ("p50", "circle", "var(--good)"),
    ("p95", "square", "var(--warn)"),
    ("p99", "diamond", "var(--bad)"),
)


def latency(waits_by_client: Iterable[tuple[str, Waits]]) -> Chart | None:
    """Chart the clients that wait longest: from the median to the 99th percentile."""
    slowest = sorted(waits_by_client, key=lambda named: (-named[1].p99, named[0]))[:_MOST_CLIENTS_IN_CHART]
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
    axis = {"values": _POWERS_OF_TEN, "labelOverlap": True}
    scale = {"type": "log", "nice": True}
    line = {
        "mark": {"type": "rule", "strokeWidth": 3, "color": "var(--line)"},
        "encoding": {"x": quantity("p50"), "x2": {"field": "p99"}},
    }
    points = [
        {
            "mark": {**_POINT, "shape": shape, "size": 60, "color": fill},
            "encoding": {
                "x": quantity(name, scale=scale, title="milliseconds", axis=axis),
                "tooltip": tooltip("client", "times", "p50", "p95", "p99"),
            },
        }
        for name, shape, fill in _PERCENTILES
    ]
    return chart(data={"values": rows}, height={"step": 20}, encoding={"y": y}, layer=[line, *points])


_MOST_FRAME_MAX_DRAWN = 1 << 24  # octets; a larger frame-max means no limit


def _size_word(octets: float) -> str:
    for unit in ("B", "KiB", "MiB", "GiB"):
        if octets < 1024 or unit == "GiB":
            break
        octets /= 1024
    return f"{octets:g} {unit}"


def _histogram(bars: Sequence[Bar], limits: Iterable[int], title: str) -> Chart | None:
    rows = [{"power": bar.power, "from": bar.power - 1, "what": bar.what, "times": bar.times} for bar in bars]
    if not bars:
        return None
    whats = dict.fromkeys(bar.what for bar in bars)
    last = max(bar.power for bar in bars)
    words = {power: _size_word(2**power) for power in range(0, 41, 2)}
    label = " : ".join(f"datum.value == {power} ? '{word}'" for power, word in words.items()) + " : ''"
    axis = {"values": list(range(0, last + 2, 2)), "labelExpr": label, "grid": False}
    counts = counts_axis(values=[0, *(10**power for power in range(10))])
    histogram: Chart = {
        "mark": {"type": "bar", "opacity": 0.7, "tooltip": True},
        "encoding": {
            "x": quantity("from", title=title, axis=axis),
            "x2": {"field": "power"},
            "y": quantity("times", title="number", scale={"type": "symlog", "constant": 1}, axis=counts),
            "y2": {"datum": 0},
            "color": color(whats),
        },
    }
    sizes = [size for size in limits if 1 < size <= _MOST_FRAME_MAX_DRAWN]
    lines: Chart = {
        "data": {"values": [{"at": log2(size), "word": f"frame-max {size:,}"} for size in sizes]},
        "mark": {
            "type": "rule",
            "strokeDash": [4, 3],
            "strokeWidth": 1.5,
            "color": "var(--bad)",
            "tooltip": True,
        },
        "encoding": {"x": quantity("at"), "tooltip": {"field": "word"}},
    }
    return chart(data={"values": rows}, layer=[histogram, lines] if sizes else [histogram])


def frame_sizes(sizes: Sizes) -> Chart | None:
    """Return a histogram of frames, with a line at each usual frame-max."""
    return _histogram(sizes.frames, (size for size, _ in sizes.frame_max), "octets in a frame")


def body_sizes(sizes: Sizes) -> Chart | None:
    """Return a histogram of the bodies of messages."""
    return _histogram(sizes.bodies, (), "octets in a body")


def topology_chart(topology: Topology) -> Chart | None:
    """Chart the topology: boxes in four columns; the width of a line grows with the number of messages."""
    if not topology.nodes:
        return None
    most = max([edge.messages for edge in topology.edges] + [1])
    edges = [
        {
            "x": edge.start.column + 0.03,
            "x2": edge.end.column - 0.03,
            "y": edge.start.place,
            "y2": edge.end.place,
            "share": edge.messages / most,
            "messages": edge.messages,
            "from": edge.start.name,
            "to": edge.end.name,
            "kind": "messages" if edge.messages else "binding",
        }
        for edge in topology.edges
    ]
    nodes = [
        {"x": node.column, "y": node.place, "name": node.name, "messages": node.messages}
        for node in topology.nodes
    ]
    rows = max([sum(node.column == column for node in topology.nodes) for column in range(4)])
    x = quantity("x", axis=None, scale={"domain": [-0.35, 3.35], "nice": False})
    y = quantity("y", axis=None, scale={"domain": [0, 1], "reverse": True, "nice": False})
    width = quantity("share", legend=None, scale={"type": "sqrt", "range": [1, 9]})
    dash = {"domain": ["messages", "binding"], "range": [[1, 0], [3, 3]]}
    text = {"type": "text", "color": "var(--text)", "fontSize": 11, "limit": 190, "tooltip": True, "dy": -9}
    messages = {"field": "messages", "format": ","}
    about_node = [*tooltip("name"), messages]
    lines = {
        "data": {"values": edges},
        "mark": {"type": "rule", "color": "var(--accent)", "opacity": 0.35, "tooltip": True},
        "encoding": {
            "x": x,
            "x2": {"field": "x2"},
            "y": y,
            "y2": {"field": "y2"},
            "strokeWidth": width,
            "strokeDash": {"field": "kind", "type": "nominal", "legend": None, "scale": dash},
            "tooltip": [*tooltip("from", "to"), messages],
        },
    }
    points = {
        "data": {"values": nodes},
        "mark": {**_POINT, "size": 45, "color": "var(--accent)"},
        "encoding": {"x": x, "y": y, "tooltip": about_node},
    }
    names = {
        "data": {"values": nodes},
        "mark": text,
        "encoding": {"x": x, "y": y, "text": {"field": "name"}, "tooltip": about_node},
    }
    return chart(height=max(180, 26 * rows), layer=[lines, points, names])


WAITS = {
    "reply": "Replies to requests",
    "confirm": "Confirms of publishes",
    "ack": "Acknowledgements of deliveries",
}


def all_charts(contents: ReportContents) -> dict[str, Chart]:
    """Return the charts of a report by their places in the page; empty charts are left out."""
    charts = {
        "rates": rates(contents.activities.together, contents.span),
        "unsettled": unsettled(contents.activities.together, contents.span),
        "churn": churn(contents.activities.together, contents.span),
        "frames": frame_sizes(contents.sizes),
        "bodies": body_sizes(contents.sizes),
        "topology": topology_chart(contents.topology),
        "client-activity": client_activity(contents.span),
        "client-connections": client_connections(contents.span),
    }
    names = {client.key: client.label for client in contents.clients}
    for kind in WAITS:
        waits = (
            (names[key], by_kind[kind]) for key, by_kind in contents.latencies.items() if kind in by_kind
        )
        charts[f"waits-{kind}"] = latency(waits)
    return {name: drawn for name, drawn in charts.items() if drawn is not None}
