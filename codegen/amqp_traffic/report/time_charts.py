"""Charts over time, of all clients together and of one."""

from __future__ import annotations

from .activity import PARTS, Activity
from .time_span import TimeSpan
from .vega import Chart, chart, color, counts_axis, quantity, time_axis, time_marks, time_text, tooltip

_EVENTS = {
    "publish": "published",
    "deliver": "delivered",
    "ack": "acknowledged",
    "confirm": "confirmed",
    "return": "returned",
}

# For the labels of the other axis: so a moment is at the same place in all charts.
_SAME_ROOM = {"axisY": {"minExtent": 45}}
_SEVERITIES = {"error": "var(--bad)", "warning": "var(--warn)", "info": "var(--accent)"}
_LINE = {"type": "line", "interpolate": "step", "tooltip": True, "strokeWidth": 1.5}


def _over_time(span: TimeSpan, data: Chart, *, mark: Chart, encoding: Chart, height: int = 200) -> Chart:
    """Return a chart of one kind of mark over the whole time, with a line at each pause that is left out."""
    marks = {"transform": time_text(span), "mark": mark, "encoding": {"x": time_axis(span), **encoding}}
    return chart(data=data, height=height, layer=[marks, time_marks(span)], config=_SAME_ROOM)


def _moments(activity: Activity, span: TimeSpan) -> list[tuple[int, float]]:
    """Return each part of the time with its middle, in milliseconds since 1970 without pauses."""
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
    return _over_time(
        span,
        {"values": rows},
        mark=_LINE,
        encoding={
            "tooltip": tooltip("time", "what", "rate"),
            "y": quantity("rate", title="messages per second"),
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
    return _over_time(
        span,
        {"values": rows},
        height=120,
        mark={"type": "area", "interpolate": "step", "tooltip": True, "color": "var(--warn)", "opacity": 0.6},
        encoding={
            "tooltip": tooltip("time", "waiting"),
            "y": quantity("waiting", title="unsettled deliveries"),
        },
    )


def churn(activity: Activity, span: TimeSpan) -> Chart | None:
    """Chart connections opened and closed."""
    half = activity.step / 2e6
    rows = [
        {"ms": ms - half, "end": ms + half, "what": word, "times": sign * activity.times[event][part]}
        for event, word, sign in (("open", "opened", 1), ("close", "closed", -1))
        for part, ms in _moments(activity, span)
        if part in activity.times.get(event, {})
    ]
    if not rows:
        return None
    return _over_time(
        span,
        {"values": rows},
        height=120,
        mark={"type": "bar", "tooltip": True},
        encoding={
            "x2": {"field": "end"},
            "tooltip": tooltip("time", "what", "times"),
            "y": quantity("times", title="connections", axis=counts_axis()),
            "y2": {"datum": 0},
            "color": color(("opened", "closed")),
        },
    )


def client_activity(span: TimeSpan) -> Chart:
    """Chart the messages of one client; the page adds the rows: ``ms``, ``what``, ``times``."""
    return _over_time(
        span,
        {"name": "rows", "values": []},
        height=130,
        mark=_LINE,
        encoding={
            "tooltip": tooltip("time", "what", "times"),
            "y": quantity("times", title="messages", axis=counts_axis()),
            "color": color(_EVENTS.values()),
        },
    )


def client_connections(span: TimeSpan) -> Chart:
    """Chart the connections of one client with their findings.

    The page adds the rows: connections have ``row``, ``ms``, ``end``, ``how``; findings ``row``, ``ms``, ``severity``,
    ``rule``.
    """
    y = {"field": "row", "type": "ordinal", "title": "connection", "sort": None, "axis": {"labelFontSize": 9}}
    at = {"x": time_axis(span), "y": y}
    scale = {"domain": list(_SEVERITIES), "range": list(_SEVERITIES.values())}
    legend = {"orient": "top", "title": None}
    connections = {
        "transform": [{"filter": "isValid(datum.end)"}],
        "mark": {"type": "bar", "height": 6, "minBandSize": 2, "color": "var(--idle)", "tooltip": True},
        "encoding": {**at, "x2": {"field": "end"}, "tooltip": tooltip("conn", "how", "frames")},
    }
    findings = {
        "transform": [{"filter": "isValid(datum.severity)"}],
        "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1, "tooltip": True},
        "encoding": {
            **at,
            "color": {"field": "severity", "type": "nominal", "scale": scale, "legend": legend},
            "tooltip": tooltip("rule", "evidence"),
        },
    }
    return chart(
        data={"name": "rows", "values": []},
        height={"step": 14},
        layer=[connections, findings, time_marks(span)],
        config=_SAME_ROOM,
    )
