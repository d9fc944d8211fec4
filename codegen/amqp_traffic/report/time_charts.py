"""Charts over time, of all clients together and of one."""

from __future__ import annotations

from collections.abc import Mapping

from .activity import PARTS, Activity
from .queries import TimeSpan
from .vega import Chart, chart, color, time_axis, time_text, whole_time

_EVENTS = {
    "publish": "published",
    "deliver": "delivered",
    "ack": "acknowledged",
    "confirm": "confirmed",
    "return": "returned",
}


def _moments(activity: Activity, span: TimeSpan) -> list[tuple[int, float]]:
    """Return each part of the time with its middle, in milliseconds since 1970."""
    return [(part, (span.first_ns + (part + 0.5) * activity.step) / 1e6) for part in range(PARTS)]


def rates(activity: Activity, span: TimeSpan) -> Chart | None:
    """Chart messages a second."""
    seen = {event: word for event, word in _EVENTS.items() if activity.total(event)}
    if not seen:
        return None
    seconds = activity.step / 1e9
    rows = [
        {"ms": ms, "what": word, "rate": round(activity.times[event].get(part, 0) / seconds, 3)}
        for part, ms in _moments(activity, span)
        for event, word in seen.items()
    ]
    return chart(
        data={"values": rows},
        transform=time_text(span),
        mark={"type": "line", "interpolate": "step", "tooltip": True, "strokeWidth": 1.5},
        encoding={
            "x": time_axis(span),
            "tooltip": [{"field": field} for field in ("time", "what", "rate")],
            "y": {"field": "rate", "type": "quantitative", "title": "messages a second"},
            "color": color(seen.values()),
        },
    )


def unsettled(activity: Activity, span: TimeSpan) -> Chart | None:
    """Chart the deliveries that are not acknowledged yet."""
    if not activity.total("owed"):
        return None
    waiting, rows = 0, []
    for part, ms in _moments(activity, span):
        waiting += activity.times["owed"].get(part, 0) - activity.times.get("ack", {}).get(part, 0)
        rows.append({"ms": ms, "waiting": max(waiting, 0)})
    return chart(
        data={"values": rows},
        transform=time_text(span),
        height=120,
        mark={"type": "area", "interpolate": "step", "tooltip": True, "color": "var(--warn)", "opacity": 0.6},
        encoding={
            "x": time_axis(span),
            "tooltip": [{"field": field} for field in ("time", "waiting")],
            "y": {"field": "waiting", "type": "quantitative", "title": "unsettled deliveries"},
        },
    )


def churn(activity: Activity, span: TimeSpan) -> Chart | None:
    """Chart connections opened and closed."""
    rows = [
        {"ms": ms, "end": ms + activity.step / 1e6, "what": word, "times": sign * activity.times[event][part]}
        for event, word, sign in (("open", "opened", 1), ("close", "closed", -1))
        for part, ms in _moments(activity, span)
        if part in activity.times.get(event, {})
    ]
    if not rows:
        return None
    return chart(
        data={"values": rows},
        transform=time_text(span),
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
    """Chart the messages of one client; the page adds the rows: ``ms``, ``what``, ``times``."""
    return chart(
        data={"name": "rows", "values": []},
        transform=time_text(span),
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
    """Chart the connections of one client with their findings.

    The page adds the rows: connections have ``row``, ``ms``, ``end``, ``how``; findings ``row``, ``ms``, ``severity``,
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
