"""The report of an audit as SARIF 2.1.0 (OASIS, 2020), the format of code scanning in forges and editors."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from ...capture.stream_data import SIDES
from ..finding import AuditFinding
from ..outcome import AuditOutcome
from ..rules.catalogue import RULES
from ..rules.rule import AuditRule

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"info": "note", "warning": "warning", "error": "error"}


def sarif_findings(outcome: AuditOutcome) -> str:
    """Return the report: a run with a result for each finding, located at its packet in the capture file."""
    used = sorted({finding.rule_id for finding in outcome.findings})
    driver = {"name": "amqp-codegen traffic audit", "rules": [_rule(RULES[rule_id]) for rule_id in used]}
    results = [_result(finding, used.index(finding.rule_id), outcome) for finding in outcome.findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(rule: AuditRule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "shortDescription": {"text": f"{rule.purpose}."},
        "help": {"text": f"Source: {rule.source}. Example: {rule.example}."},
        "defaultConfiguration": {"level": _LEVELS[rule.severity.value]},
        "properties": {"category": rule.category, "targets": list(rule.targets)},
    }


def _result(finding: AuditFinding, rule_index: int, outcome: AuditOutcome) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule_id,
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{finding.client}: {finding.evidence}"},
        "locations": [_location(finding, outcome)],
        "partialFingerprints": {"findingId/v1": finding.finding_id},
        "occurrenceCount": finding.occurrences,
        "properties": {
            "specRef": finding.spec_ref,
            "captureId": finding.capture_id,
            "packet": finding.pkt_no,
            "streamOffset": finding.stream_off,
            "bytes": finding.bytes_hex,
        },
    }
    return result


def _location(finding: AuditFinding, outcome: AuditOutcome) -> dict[str, Any]:
    name = f"connection {finding.conn_id}"
    if finding.channel is not None:
        name += f" channel {finding.channel}"
    if finding.frame_no is not None and finding.dir is not None:
        name += f" frame {finding.frame_no} from the {SIDES[finding.dir]}"
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": name}]}
    file = outcome.file_of(finding)
    if file is not None:
        region = {"byteOffset": finding.pkt_off, "byteLength": 0} if finding.pkt_off is not None else None
        physical: dict[str, Any] = {"artifactLocation": {"uri": quote(file)}}
        if region is not None:
            physical["region"] = region
        location["physicalLocation"] = physical
    return location
