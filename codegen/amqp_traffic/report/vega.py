"""The common parts of the Vega-Lite charts, and the library that draws them.

The package vl-convert-python has the library: its JavaScript, and the compiler of Vega-Lite. Colours are CSS variables
of the page, so that they follow its style.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any, TypeAlias

from amqp_codegen.support.cache import cache_key, open_cache

from .time_span import TimeSpan

_ENTRY = "window.vegaEmbed = vegaEmbed;"


def library_script() -> str:
    """Return the JavaScript that sets ``window.vegaEmbed``, safe inside an element of a page.

    To bundle it takes seconds; the user's cache keeps it.
    """
    import vl_convert

    cache, key = open_cache(), cache_key("vega", version("vl-convert-python"), _ENTRY)
    kept = cache.read(key)
    if kept is not None:
        return kept.decode()
    bundle: str = vl_convert.javascript_bundle(_ENTRY)
    script = bundle.replace("</script", "<\\/script").replace("<!--", "<\\!--")
    cache.write(key, script.encode())
    cache.trim()
    return script


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
    "closed": "var(--idle)",
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


def quantity(field: str, **more: Any) -> Chart:
    """Return the encoding of a field of numbers."""
    return {"field": field, "type": "quantitative", **more}


def tooltip(*fields: str) -> list[Chart]:
    """Return a tooltip with these fields."""
    return [{"field": field} for field in fields]


def color(names: Iterable[str]) -> Chart:
    """Return the colours of the field ``what``, by its values."""
    domain = list(names)
    return {
        "field": "what",
        "type": "nominal",
        "scale": {"domain": domain, "range": [_COLORS[name] for name in domain]},
        "legend": {"orient": "top", "title": None, "columns": 3},
    }


def _moment(span: TimeSpan, value: str) -> str:
    """Return an expression for a moment as a text: the shorter the span, the more digits.

    Args:
        span: The time. Charts do not show its pauses, so the expression adds those before the moment.
        value: An expression for the moment in the time of charts, in milliseconds since 1970.
    """
    form = next(form for seconds, form in _TIME_FORMATS if span.seconds - span.paused_seconds < seconds)
    before, added = 0, ""
    for pause in span.pauses:
        added += f" + ({value} > {(pause.start_ns - before) / 1e6} ? {pause.length / 1e6} : 0)"
        before += pause.length
    return f"utcFormat({value}{added}, '{form}')"


def time_axis(span: TimeSpan) -> Chart:
    """Return an axis of the field ``ms``, milliseconds since 1970 without pauses; see also ``time_marks``."""
    return {
        "field": "ms",
        "type": "temporal",
        "title": None,
        "axis": {
            "labelExpr": _moment(span, "time(datum.value)"),
            "labelOverlap": True,
            "tickCount": {"expr": "max(2, width / 110)"},
        },
        "scale": {"type": "utc", "nice": False},
    }


def time_text(span: TimeSpan) -> list[Chart]:
    """Return a transform that adds the field ``time`` for tooltips."""
    return [{"calculate": _moment(span, "datum.ms"), "as": "time"}]


def time_marks(span: TimeSpan) -> Chart:
    """Return a layer with a dashed line at each pause, and nothing at the ends of the time, which the axis then covers.

    A domain would be simpler, but Vega-Lite does not merge those of layers into one that Vega draws.
    """
    ends = [{"ms": span.first_ns / 1e6, "shown": 0}, {"ms": span.end_ns / 1e6, "shown": 0}]
    pauses = [
        {
            "ms": shown_ms(span, pause.end_ns),
            "shown": 1,
            "pause": f"{duration(pause.length / 1e9)} without traffic, left out",
        }
        for pause in span.pauses
    ]
    return {
        "data": {"values": [*ends, *pauses]},
        "mark": {"type": "rule", "strokeDash": [2, 3], "strokeWidth": 1.5, "color": "var(--soft)"},
        "encoding": {
            "x": time_axis(span),
            "opacity": quantity("shown", scale=None),
            "tooltip": {"field": "pause"},
        },
    }


def shown_ms(span: TimeSpan, ns: int) -> float:
    """Return a moment in the time of charts, in milliseconds since 1970."""
    return (ns - sum(min(max(ns - pause.start_ns, 0), pause.length) for pause in span.pauses)) / 1e6


def counts_axis(**more: Any) -> Chart:
    """Return an axis of counts, with labels such as ``200`` and ``10k``.

    The format of an axis would give all labels the unit of the largest.
    """
    return {"labelExpr": "format(datum.value, '~s')", **more}


def duration(seconds: float) -> str:
    """Return a duration for people: ``27 s``, ``3.5 h``."""
    if seconds < 120:
        return f"{seconds:.3g} s"
    return f"{seconds / 60:.3g} min" if seconds < 7200 else f"{seconds / 3600:.3g} h"
