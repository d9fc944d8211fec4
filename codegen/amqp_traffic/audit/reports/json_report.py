"""The report of an audit and the catalogue as JSON documents."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ..finding import FINDINGS, AuditFinding
from ..outcome import AuditOutcome
from ..rules.rule import AuditRule, AuditSeverity


def json_findings(outcome: AuditOutcome) -> str:
    """Return the report as a JSON document: ``{"target", "counts", "findings": [{"finding_id", "rule_id", ...}]}``.

    A finding has the columns of ``FINDINGS`` and the name of its file.
    """
    document = {
        "target": outcome.target,
        "counts": {severity.value: outcome.count(severity) for severity in reversed(AuditSeverity)},
        "findings": [_record(finding, outcome) for finding in outcome.findings],
    }
    return json.dumps(document, indent=2) + "\n"


def _record(finding: AuditFinding, outcome: AuditOutcome) -> dict[str, Any]:
    values = dict(zip((name for name, _ in FINDINGS), finding.row(), strict=True))
    return {**values, "file": outcome.file_of(finding)}


def findings_of(document: str) -> list[AuditFinding]:
    """Return the findings of a report.

    Raises:
        ValueError: The document is not a report of an audit.
    """
    try:
        return [
            AuditFinding(*(record[name] for name, _ in FINDINGS))
            for record in json.loads(document)["findings"]
        ]
    except (KeyError, TypeError) as error:
        raise ValueError(f"it is no report of an audit: {error}") from None


def json_rule_list(rules: Iterable[AuditRule]) -> str:
    """Return the catalogue as a JSON document: ``{"rules": [{"id", "severity", "purpose", "source", ...}]}``."""
    records = [
        {
            "id": rule.id,
            "category": rule.category,
            "severity": rule.severity.value,
            "purpose": rule.purpose,
            "source": rule.source,
            "example": rule.example,
            "targets": list(rule.targets),
            "only_for_target": rule.only_for_target,
        }
        for rule in rules
    ]
    return json.dumps({"rules": records}, indent=2) + "\n"
