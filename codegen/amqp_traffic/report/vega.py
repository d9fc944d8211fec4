"""The common parts of the Vega-Lite charts, and the library that draws them.

The package vl-convert-python has the library: its JavaScript, and the compiler of Vega-Lite. Colours are CSS variables
of the page, so that they follow its style.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from .queries import TimeSpan


def library_script() -> str:
    """Return the JavaScript that sets ``window.vegaEmbed``, safe inside an element of a page. This takes seconds."""
    import vl_convert

    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def compiled(chart: Mapping[str, Any]) -> dict[str, Any]:
    """Compile a Vega-Lite chart to Vega, so that the page needs no compiler."""
    import vl_convert

    spec: dict[str, Any] = vl_convert.vegalite_to_vega(dict(chart))
    return spec


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
    """Return a chart with these parts, as wide as its place in the page."""
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "width": "container",
        "height": 200,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "background": None,
        **parts,
    }


def color(names: Iterable[str], title: str | None = None) -> Chart:
    """Return the colours of the field ``what``, by its values."""
    domain = list(names)
    return {
        "field": "what",
        "type": "nominal",
        "scale": {"domain": domain, "range": [_COLORS[name] for name in domain]},
        "legend": {"orient": "top", "title": title, "columns": 3},
    }


def _format(span: TimeSpan) -> str:
    """Return a format of moments: the shorter the span, the more digits."""
    return next(form for seconds, form in _TIME_FORMATS if span.seconds < seconds)


def time_axis(span: TimeSpan, **scale: Any) -> Chart:
    """Return an axis of the field ``ms``, milliseconds since 1970."""
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
    """Return a time axis that covers the whole span, also where there are no rows."""
    return time_axis(span, domain=[span.first_ns // 10**6, -(-span.last_ns // 10**6)])


def time_text(span: TimeSpan) -> list[Chart]:
    """Return a transform that adds the field ``time`` for tooltips."""
    return [{"calculate": f"utcFormat(datum.ms, '{_format(span)}')", "as": "time"}]
