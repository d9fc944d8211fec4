"""The forms of a report: each is a function of a ``Run`` to text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .report_html import html_report
from .report_json import json_report
from .report_junit import junit_report
from .report_text import text_report
from .verdict import Run

# ``text`` is for the terminal, with the evidence only on request: in ``evidence``.
REPORTS: Mapping[str, Callable[[Run], str]] = {
    "text": text_report,
    "evidence": lambda run: text_report(run, evidence=True),
    "json": json_report,
    "junit": junit_report,
    "html": html_report,
}
