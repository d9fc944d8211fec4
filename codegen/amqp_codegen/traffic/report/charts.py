"""The charts of the page, in the language of Vega-Lite. Colours are variables of the page's style, so that they follow it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log2
from typing import Any, TypeAlias

from .activity import PARTS, Activity
from .contents import Contents
from .latencies import Waits
from .sizes import Bar, Sizes
from .time_span import TimeSpan
from .topology import Topology

Chart: TypeAlias = dict[str, Any]

_MOST_CLIENTS = 15  # in a chart of latencies
_MOST_DRAWN = 1 << 24  # octets; a frame-max beyond is none
_TENS = [10.0**power for power in range(-4, 8)]
_COLORS = {
    "published": "var(--accent)",
    "delivered": "var(--good)",
    "acknowledged": "var(--warn)",
    "confirmed": "var(--grave)",
    "returned": "var(--bad)",
    "opened": "var(--good)",
    "closed": "var(--bad)",
    "carry bodies": "var(--accent)",
    "others": "var(--idle)",
}
_TIME_FORMATS = (
    (8, "%H:%M:%S.%L"),
    (20 * 60, "%H:%M:%S"),
    (36 * 3600, "%H:%M"),
    (float("inf"), "%m-%d %H:%M"),
)
_EVENTS = {
    "publish": "published",
    "deliver": "delivered",
    "ack": "acknowledged",
    "confirm": "confirmed",
    "return": "returned",
}
WAITS = {
    "reply": "Replies to requests",
    "confirm": "Confirms of publishes",
    "ack": "Acknowledgements of deliveries",
}


def all_charts(contents: Contents) -> dict[str, Chart]:
    """The charts of a report by the names of their places in the page; those with nothing to show are left out."""
    found = {
        "rates": rates(contents.activity, contents.span),
        "unsettled": unsettled(contents.activity, contents.span),
        "churn": churn(contents.activity, contents.span),
        "frames": frame_sizes(contents.sizes),
        "bodies": body_sizes(contents.sizes),
        "topology": topology_chart(contents.topology),
        "client-activity": client_activity(contents.span),
        "client-connections": client_connections(contents.span),
    }
    names = {each.key: each.label for each in contents.clients}
    for kind in WAITS:
        waits = ((names[key], of[kind]) for key, of in contents.latencies.items() if kind in of)
        found[f"waits-{kind}"] = latency(waits)
    return {name: chart for name, chart in found.items() if chart is not None}


def _chart(**parts: Any) -> Chart:
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "width": "container",
        "height": 200,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "background": None,
        **parts,
    }


def _color(names: Iterable[str], title: str | None = None) -> Chart:
    domain = list(names)
    return {
        "field": "what",
        "type": "nominal",
        "scale": {"domain": domain, "range": [_COLORS[name] for name in domain]},
        "legend": {"orient": "top", "title": title, "columns": 3},
    }


def _format(span: TimeSpan) -> str:
    """As exact as the span is short."""
    return next(form for seconds, form in _TIME_FORMATS if span.seconds < seconds)


def _time(span: TimeSpan, **scale: Any) -> Chart:
    return {
        "field": "ms",
        "type": "temporal",
        "title": None,
        "axis": {
            "labelExpr": f"utcFormat(datum.value, '{_format(span)}')",
            "labelOverlap": True,
            "tickCount": {"expr": "max(2, width / 110)"},
        },
        "scale": {"type": "utc", **scale},
    }


def _whole_time(span: TimeSpan) -> Chart:
    """Also where there are no rows at its ends."""
    return _time(span, domain=[span.first_ns // 10**6, -(-span.last_ns // 10**6)])


def _told(span: TimeSpan) -> list[Chart]:
    """Makes the field ``time`` for tooltips, in words."""
    return [{"calculate": f"utcFormat(datum.ms, '{_format(span)}')", "as": "time"}]


def _moments(found: Activity, span: TimeSpan) -> list[tuple[int, float]]:
    """Every part with its middle, in milliseconds."""
    return [(part, (span.first_ns + (part + 0.5) * found.step) / 1e6) for part in range(PARTS)]


def rates(found: Activity, span: TimeSpan) -> Chart | None:
    """Messages a second."""
    seen = {event: word for event, word in _EVENTS.items() if found.total(event)}
    if not seen:
        return None
    seconds = found.step / 1e9
    rows = [
        {"ms": ms, "what": word, "rate": round(found.times[event].get(part, 0) / seconds, 3)}
        for part, ms in _moments(found, span)
        for event, word in seen.items()
    ]
    return _chart(
        data={"values": rows},
        transform=_told(span),
        mark={"type": "line", "interpolate": "step", "tooltip": True, "strokeWidth": 1.5},
        encoding={
            "x": _time(span),
            "tooltip": [{"field": field} for field in ("time", "what", "rate")],
            "y": {"field": "rate", "type": "quantitative", "title": "messages a second"},
            "color": _color(seen.values()),
        },
    )


def unsettled(found: Activity, span: TimeSpan) -> Chart | None:
    """Deliveries that wait to be acknowledged."""
    if not found.total("owed"):
        return None
    waiting, rows = 0, []
    for part, ms in _moments(found, span):
        waiting += found.times["owed"].get(part, 0) - found.times.get("ack", {}).get(part, 0)
        rows.append({"ms": ms, "waiting": max(waiting, 0)})
    return _chart(
        data={"values": rows},
        transform=_told(span),
        height=120,
        mark={"type": "area", "interpolate": "step", "tooltip": True, "color": "var(--warn)", "opacity": 0.6},
        encoding={
            "x": _time(span),
            "tooltip": [{"field": field} for field in ("time", "waiting")],
            "y": {"field": "waiting", "type": "quantitative", "title": "unsettled deliveries"},
        },
    )


def churn(found: Activity, span: TimeSpan) -> Chart | None:
    """Connections opened and closed."""
    rows = [
        {"ms": ms, "end": ms + found.step / 1e6, "what": word, "times": sign * found.times[event][part]}
        for event, word, sign in (("open", "opened", 1), ("close", "closed", -1))
        for part, ms in _moments(found, span)
        if part in found.times.get(event, {})
    ]
    if not rows:
        return None
    return _chart(
        data={"values": rows},
        transform=_told(span),
        height=120,
        mark={"type": "bar", "tooltip": True},
        encoding={
            "x": _whole_time(span),
            "x2": {"field": "end"},
            "tooltip": [{"field": field} for field in ("time", "what", "times")],
            "y": {"field": "times", "type": "quantitative", "title": "connections", "axis": {"format": "~s"}},
            "y2": {"datum": 0},
            "color": _color(("opened", "closed")),
        },
    )


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
    return _chart(data={"values": rows}, height={"step": 20}, encoding={"y": y}, layer=marks)


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
                "color": _color(whats),
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
    return _chart(data={"values": rows}, layer=marks)


def frame_sizes(found: Sizes) -> Chart | None:
    """Frames, with lines where frame-max is."""
    return _histogram(found.frames, (size for size, _ in found.frame_max), "octets in a frame")


def body_sizes(found: Sizes) -> Chart | None:
    """Bodies of messages."""
    return _histogram(found.bodies, (), "octets in a body")


def topology_chart(found: Topology) -> Chart | None:
    """Boxes in four columns, with lines between them as thick as there are messages."""
    if not found.nodes:
        return None
    most = max([edge.messages for edge in found.edges] + [1])
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
        for edge in found.edges
    ]
    nodes = [
        {"x": node.column, "y": node.place, "name": node.name, "messages": node.messages}
        for node in found.nodes
    ]
    rows = max([sum(node.column == column for node in found.nodes) for column in range(4)])
    x = {
        "field": "x",
        "type": "quantitative",
        "axis": None,
        "scale": {"domain": [-0.35, 3.35], "nice": False},
    }
    y = {
        "field": "y",
        "type": "quantitative",
        "axis": None,
        "scale": {"domain": [0, 1], "reverse": True, "nice": False},
    }
    width = {
        "field": "share",
        "type": "quantitative",
        "legend": None,
        "scale": {"type": "sqrt", "range": [1, 9]},
    }
    dash = {"domain": ["messages", "binding"], "range": [[1, 0], [3, 3]]}
    text = {"type": "text", "color": "var(--text)", "fontSize": 11, "limit": 190, "tooltip": True}
    tooltip = [{"field": "name"}, {"field": "messages", "format": ","}]
    return _chart(
        height=max(180, 26 * rows),
        layer=[
            {
                "data": {"values": edges},
                "mark": {"type": "rule", "color": "var(--accent)", "opacity": 0.35, "tooltip": True},
                "encoding": {
                    "x": x,
                    "x2": {"field": "x2"},
                    "y": y,
                    "y2": {"field": "y2"},
                    "strokeWidth": width,
                    "strokeDash": {"field": "kind", "type": "nominal", "legend": None, "scale": dash},
                    "tooltip": [
                        {"field": "from"},
                        {"field": "to"},
                        {"field": "messages", "format": ","},
                    ],
                },
            },
            {
                "data": {"values": nodes},
                "mark": {"type": "point", "filled": True, "size": 45, "color": "var(--accent)", "opacity": 1},
                "encoding": {"x": x, "y": y, "tooltip": tooltip},
            },
            {
                "data": {"values": nodes},
                "mark": {**text, "dy": -9},
                "encoding": {"x": x, "y": y, "text": {"field": "name"}, "tooltip": tooltip},
            },
        ],
    )


def client_activity(span: TimeSpan) -> Chart:
    """Messages of one client; the page puts the rows in: ``ms``, ``what``, ``times``."""
    return _chart(
        data={"name": "rows", "values": []},
        transform=_told(span),
        height=130,
        mark={"type": "line", "interpolate": "step", "tooltip": True, "strokeWidth": 1.5},
        encoding={
            "x": _time(span),
            "tooltip": [{"field": field} for field in ("time", "what", "times")],
            "y": {"field": "times", "type": "quantitative", "title": "messages", "axis": {"format": "~s"}},
            "color": _color(_EVENTS.values()),
        },
    )


def client_connections(span: TimeSpan) -> Chart:
    """Connections of one client and what was found on them.

    The page puts the rows in: connections have ``row``, ``ms``, ``end``, ``how``; findings ``row``, ``ms``, ``severity``,
    ``rule``.
    """
    y = {
        "field": "row",
        "type": "ordinal",
        "title": "connection",
        "sort": None,
        "axis": {"labelFontSize": 9},
    }
    severities: Mapping[str, str] = {
        "error": "var(--bad)",
        "warning": "var(--warn)",
        "info": "var(--accent)",
    }
    color = {"domain": list(severities), "range": list(severities.values())}
    return _chart(
        data={"name": "rows", "values": []},
        height={"step": 14},
        encoding={"x": _whole_time(span), "y": y},
        layer=[
            {
                "transform": [{"filter": "isValid(datum.end)"}],
                "mark": {
                    "type": "bar",
                    "height": 6,
                    "minBandSize": 2,
                    "color": "var(--idle)",
                    "tooltip": True,
                },
                "encoding": {
                    "x2": {"field": "end"},
                    "tooltip": [{"field": key} for key in ("conn", "how", "frames")],
                },
            },
            {
                "transform": [{"filter": "isValid(datum.severity)"}],
                "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1, "tooltip": True},
                "encoding": {
                    "color": {
                        "field": "severity",
                        "type": "nominal",
                        "scale": color,
                        "legend": {"orient": "top", "title": None},
                    },
                    "tooltip": [{"field": key} for key in ("rule", "evidence")],
                },
            },
        ],
    )
