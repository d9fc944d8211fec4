"""The report for machines, and the catalogue for them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from .catalogue import RULES
from .rule import LintFinding, LintRule, LintSeverity
from .run import LintOutcome


def json_report(outcome: LintOutcome) -> str:
    """The report as a JSON document: ``{"files", "counts", "findings": [{"file", "line", ...}], ...}``."""
    document = {
        "files": list(outcome.files),
        "counts": {severity.value: outcome.count(severity) for severity in LintSeverity},
        "findings": [_record(finding) for finding in outcome.findings],
        "silenced": [_record(finding) for finding in outcome.silenced],
        "incomplete": list(outcome.incomplete),
    }
    return json.dumps(document, indent=2) + "\n"


def json_catalogue(rules: Iterable[LintRule]) -> str:
    """The catalogue as a JSON document: ``{"rules": [{"id", "purpose", "category", "severity", "example"}]}``."""
    records = [
        {
            "id": rule.id,
            "purpose": rule.purpose,
            "category": rule.category,
            "severity": rule.severity.value,
            "example": rule.example,
        }
        for rule in rules
    ]
    return json.dumps({"rules": records}, indent=2) + "\n"


def _record(finding: LintFinding) -> dict[str, Any]:
    rule = RULES[finding.rule]
    return {
        "file": finding.position.file,
        "line": finding.position.line,
        "column": finding.position.column,
        "rule": finding.rule,
        "category": rule.category,
        "severity": rule.severity.value,
        "message": finding.message,
        "hint": finding.hint,
    }
