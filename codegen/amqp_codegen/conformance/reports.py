"""The forms of a report: each is a function of a ``Run`` to text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .report_text import text_report
from .verdict import Run

REPORTS: Mapping[str, Callable[[Run, bool], str]] = {"text": text_report}
