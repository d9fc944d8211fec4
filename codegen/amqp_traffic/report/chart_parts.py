"""What charts have in common, in the language of Vega-Lite. Colours are variables of the page's style, so that they follow it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from .time_span import TimeSpan

Chart: TypeAlias = dict[str, Any]

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


def chart(**parts: Any) -> Chart:
    """A chart as wide as its place, of these parts."""
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "width": "container",
        "height": 200,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "background": None,
        **parts,
    }


def color(names: Iterable[str], title: str | None = None) -> Chart:
    """Colours of the field ``what``, by the words that it has."""
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


def time_axis(span: TimeSpan, **scale: Any) -> Chart:
    """The field ``ms``, milliseconds since 1970, as an axis."""
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


def whole_time(span: TimeSpan) -> Chart:
    """Also where there are no rows at its ends."""
    return time_axis(span, domain=[span.first_ns // 10**6, -(-span.last_ns // 10**6)])


def told(span: TimeSpan) -> list[Chart]:
    """Makes the field ``time`` for tooltips, in words."""
    return [{"calculate": f"utcFormat(datum.ms, '{_format(span)}')", "as": "time"}]
