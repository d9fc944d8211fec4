"""Charts of what happens as time goes on: of all clients together, and of one."""

from __future__ import annotations

from collections.abc import Mapping

from .activity import PARTS, Activity
from .chart_parts import Chart, chart, color, time_axis, told, whole_time
from .time_span import TimeSpan

_EVENTS = {
    "publish": "published",
    "deliver": "delivered",
    "ack": "acknowledged",
    "confirm": "confirmed",
    "return": "returned",
}


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
    return chart(
        data={"values": rows},
        transform=told(span),
        mark={"type": "line", "interpolate": "step", "tooltip": True, "strokeWidth": 1.5},
        encoding={
            "x": time_axis(span),
            "tooltip": [{"field": field} for field in ("time", "what", "rate")],
            "y": {"field": "rate", "type": "quantitative", "title": "messages a second"},
            "color": color(seen.values()),
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
    return chart(
        data={"values": rows},
        transform=told(span),
        height=120,
        mark={"type": "area", "interpolate": "step", "tooltip": True, "color": "var(--warn)", "opacity": 0.6},
        encoding={
            "x": time_axis(span),
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
    return chart(
        data={"values": rows},
        transform=told(span),
        height=120,
        mark={"type": "bar", "tooltip": True},
        encoding={
            "x": whole_time(span),
            "x2": {"field": "end"},
            "tooltip": [{"field": field} for field in ("time", "what", "times")],
            "y": {"field": "times", "type": "quantitative", "title": "connections", "axis": {"format": "~s"}},
            "y2": {"datum": 0},
            "color": color(("opened", "closed")),
        },
    )


def client_activity(span: TimeSpan) -> Chart:
    """Messages of one client; the page puts the rows in: ``ms``, ``what``, ``times``."""
    return chart(
        data={"name": "rows", "values": []},
        transform=told(span),
        height=130,
        mark={"type": "line", "interpolate": "step", "tooltip": True, "strokeWidth": 1.5},
        encoding={
            "x": time_axis(span),
            "tooltip": [{"field": field} for field in ("time", "what", "times")],
            "y": {"field": "times", "type": "quantitative", "title": "messages", "axis": {"format": "~s"}},
            "color": color(_EVENTS.values()),
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
    scale = {"domain": list(severities), "range": list(severities.values())}
    return chart(
        data={"name": "rows", "values": []},
        height={"step": 14},
        encoding={"x": whole_time(span), "y": y},
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
                        "scale": scale,
                        "legend": {"orient": "top", "title": None},
                    },
                    "tooltip": [{"field": key} for key in ("rule", "evidence")],
                },
            },
        ],
    )
