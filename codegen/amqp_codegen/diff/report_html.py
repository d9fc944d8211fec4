"""The differences as one HTML page that needs no network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..support.page import render_page
from .change import LEVELS, Comparison, ConceptMap
from .phrases import SIGNS, happened, place

# What the templates need to say a change in words.
FILTERS: Mapping[str, Callable[..., Any]] = {"sign": SIGNS.__getitem__, "happened": happened, "place": place}


def html_report(found: Comparison | ConceptMap) -> str:
    """The page; all of its style and script is in it."""
    return render_page(f"diff_report/{template_name(found)}.html.jinja", FILTERS, **report_variables(found))


def template_name(found: Comparison | ConceptMap) -> str:
    """``changes`` within a family, ``concepts`` between families."""
    return "changes" if isinstance(found, Comparison) else "concepts"


def report_variables(found: Comparison | ConceptMap) -> dict[str, Any]:
    """What the template shows."""
    return {"title": f"AMQP {found.old.version} to {found.new.version}", "found": found, "levels": LEVELS}
