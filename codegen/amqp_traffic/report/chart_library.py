"""The plotting library, Vega, comes with the package vl-convert-python: its JavaScript, and the compiler of Vega-Lite."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

_EXTRA = "pip install 'amqp-codegen[report]'"


class NoCharts(Exception):
    """The plotting library is missing; says in one line what to install."""


def require_charts() -> None:
    """To be called before the work.

    Raises:
        NoCharts: It is not installed.
    """
    if find_spec("vl_convert") is None:
        raise NoCharts(f"charts of the report need vl-convert-python, which is not installed: {_EXTRA}")


def library_script() -> str:
    """The JavaScript, which sets ``window.vegaEmbed``. Takes seconds; may stand in an element of a page as it is."""
    import vl_convert

    script: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def compiled(chart: Mapping[str, Any]) -> dict[str, Any]:
    """A chart of Vega-Lite as Vega, which is all that the page then needs."""
    import vl_convert

    spec: dict[str, Any] = vl_convert.vegalite_to_vega(dict(chart))
    return spec
