"""The forms of a report: each is a function of an ``Outcome`` to text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..outcome import Outcome
from .report_json import json_report
from .report_sarif import sarif_report
from .report_text import text_report

REPORTS: Mapping[str, Callable[[Outcome], str]] = {
    "text": text_report,
    "json": json_report,
    "sarif": sarif_report,
}
