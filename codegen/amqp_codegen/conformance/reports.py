"""The forms of a report: each is a function of a ``Run`` to text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .report_html import html_report
from .report_text import text_report
from .verdict import Run

REPORTS: Mapping[str, Callable[[Run, bool], str]] = {
    "html": lambda run, evidence: html_report(run),  # the page folds the evidence away
    "text": text_report,
}
