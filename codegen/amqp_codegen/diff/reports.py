"""The reports by the names that the command line has for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .change import Comparison, ConceptMap
from .report_html import html_report
from .report_json import json_report
from .report_markdown import markdown_report
from .report_text import text_report

REPORTS: Mapping[str, Callable[[Comparison | ConceptMap], str]] = {
    "text": text_report,
    "markdown": markdown_report,
    "json": json_report,
    "html": html_report,
}
