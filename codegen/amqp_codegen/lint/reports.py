"""The forms of a report: each is a function of an ``LintOutcome`` to text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .report_github import github_report
from .report_json import json_report
from .report_junit import junit_report
from .report_text import text_report
from .run import LintOutcome

REPORTS: Mapping[str, Callable[[LintOutcome], str]] = {
    "text": text_report,
    "json": json_report,
    "github": github_report,
    "junit": junit_report,
}
