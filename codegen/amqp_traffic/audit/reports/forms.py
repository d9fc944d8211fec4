"""The report formats by name: each is a function from an ``AuditOutcome`` to text."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..outcome import AuditOutcome
from .json_report import json_findings
from .sarif import sarif_findings
from .text import text_findings

REPORTS: Mapping[str, Callable[[AuditOutcome], str]] = {
    "text": text_findings,
    "json": json_findings,
    "sarif": sarif_findings,
}
