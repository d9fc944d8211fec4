"""The differences as one HTML page that needs no network."""

from __future__ import annotations

from ..page import render_page
from .change import LEVELS, Comparison, ConceptMap
from .phrases import SIGNS, happened, place


def html_report(found: Comparison | ConceptMap) -> str:
    """The page; all of its style and script is in it."""
    name = "changes" if isinstance(found, Comparison) else "concepts"
    return render_page(
        f"diff_report/{name}.html.jinja",
        {"sign": SIGNS.__getitem__, "happened": happened, "place": place},
        title=f"AMQP {found.old.version} to {found.new.version}",
        found=found,
        levels=LEVELS,
    )
