"""The report of an audit as text, JSON and SARIF, and the catalogue of rules as text, JSON and Markdown."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from urllib.parse import quote

import pyarrow.parquet as pq
from amqp_codegen.support.json_text import json_text
from amqp_codegen.support.wording import counted, visible

from ..capture.stream_data import SIDES
from ..lake.folder import Lake
from ..lake.storage import capture_of
from .catalogue import RULES
from .connection_frames import SERVER
from .finding import FINDINGS, AuditFinding, place_in_words
from .rule import AuditRule, AuditSeverity


@dataclass(frozen=True, slots=True)
class AuditOutcome:
    """All findings of a lake.

    Attributes:
        findings: Sorted.
        files: The names of capture files, by capture and number.
        target: The target of a migration, if one was given.
    """

    findings: Sequence[AuditFinding]
    files: Mapping[tuple[str, int], str]
    target: str | None = None

    def count(self, severity: AuditSeverity) -> int:
        """Return the number of findings of a severity."""
        return sum(finding.severity == severity.value for finding in self.findings)

    def has(self, least: AuditSeverity) -> bool:
        """Return whether there is a finding of this severity or a worse one."""
        return any(AuditSeverity(finding.severity).rank >= least.rank for finding in self.findings)

    def file_of(self, finding: AuditFinding) -> str | None:
        """Return the name of the file in which the frame of a finding begins."""
        return None if finding.file_no is None else self.files.get((finding.capture_id, finding.file_no))


def capture_files(lake: Lake) -> dict[tuple[str, int], str]:
    """Return the names of the files of all captures of a lake, by capture and number."""
    files = {}
    for path in lake.files("captures"):
        with lake.filesystem.open_input_file(f"{lake.root}/{path}") as stream:
            rows = pq.ParquetFile(stream).read(["file", "file_no"]).to_pylist()
        capture_id = capture_of(path.split("/")[-2]) or ""
        files.update({(capture_id, row["file_no"]): row["file"] for row in rows})
    return files


def text_findings(outcome: AuditOutcome) -> str:
    """Return the report as lines of text."""
    return "".join(f"{line}\n" for line in _lines(outcome))


def _lines(outcome: AuditOutcome) -> Iterator[str]:
    for (capture_id, conn_id), of_one in groupby(
        outcome.findings, lambda finding: (finding.capture_id, finding.conn_id)
    ):
        findings = list(of_one)
        spec = findings[0].spec or ""
        spoken = f", AMQP {spec}" if spec[:1].isdigit() else f", {spec}" if spec else ""
        yield f"{findings[0].client}: connection {conn_id} of {visible(capture_id)}{spoken}"
        for finding in findings:
            by_server = ", by the broker" if finding.culprit == SIDES[SERVER] else ""
            yield f"  {finding.severity}{by_server}: {finding.evidence} [{finding.rule_id}]"
            yield f"      {_where(finding, outcome)}"
    counts = [counted(outcome.count(severity), severity.value) for severity in reversed(AuditSeverity)]
    yield f"{counted(len(outcome.findings), 'finding')}: {', '.join(counts)}"


def _where(finding: AuditFinding, outcome: AuditOutcome) -> str:
    """Return the name of a finding (for ``traffic explain``), its place and its source."""
    parts = [finding.finding_id, *place_in_words(finding)]
    if finding.pkt_no is not None:
        file = outcome.file_of(finding)
        of_file = f" of {visible(file)}" if file else ""
        parts.append(f"packet {finding.pkt_no}{of_file} at {finding.pkt_off}")
    if finding.occurrences > 1:
        parts.append(f"{finding.occurrences:,} times")
    parts.append(finding.spec_ref)
    return ", ".join(parts)


def json_findings(outcome: AuditOutcome) -> str:
    """Return the report as a JSON document: ``{"target", "counts", "findings": [{"finding_id", "rule_id", ...}]}``.

    A finding has the columns of ``FINDINGS``, its culprit, and the name of its file.
    """
    document = {
        "target": outcome.target,
        "counts": {severity.value: outcome.count(severity) for severity in reversed(AuditSeverity)},
        "findings": [_record(finding, outcome) for finding in outcome.findings],
    }
    return json_text(document, indent=2) + "\n"


def _record(finding: AuditFinding, outcome: AuditOutcome) -> dict[str, Any]:
    values = dict(zip((name for name, _ in FINDINGS), finding.row(), strict=True))
    return {**values, "culprit": finding.culprit, "file": outcome.file_of(finding)}


def findings_of(document: str) -> list[AuditFinding]:
    """Return the findings of a report.

    Raises:
        ValueError: The document is not a report of an audit.
    """
    try:
        return [
            AuditFinding(*(_checked(record[name], name, kind) for name, kind in FINDINGS))
            for record in json.loads(document)["findings"]
        ]
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError(f"it is not a report of an audit: {error}") from None


_MOST = 1 << 63  # of 64 bits


def _checked(value: Any, name: str, kind: str) -> Any:
    """Return a value of a finding. Raises TypeError for one that no audit writes."""
    wanted = str if kind == "string" else int
    is_known = value is None or (
        type(value) is wanted and (isinstance(value, str) or -_MOST <= value < _MOST)
    )
    if not is_known or (name == "rule_id" and value not in RULES):
        raise TypeError(f"{value!r:.80} is no {name}")
    return value


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
    return json_text({"rules": records}, indent=2) + "\n"


_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"info": "note", "warning": "warning", "error": "error"}


def sarif_findings(outcome: AuditOutcome) -> str:
    """Return the report: a run with a result for each finding, located at its packet in the capture file."""
    used = sorted({finding.rule_id for finding in outcome.findings})
    driver = {"name": "amqp-codegen traffic audit", "rules": [_rule(RULES[rule_id]) for rule_id in used]}
    results = [_result(finding, used.index(finding.rule_id), outcome) for finding in outcome.findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json_text({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


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
        "message": {"text": f"{_named_culprit(finding)}: {finding.evidence}"},
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


def _named_culprit(finding: AuditFinding) -> str:
    return f"the broker of {finding.client}" if finding.culprit == SIDES[SERVER] else finding.client


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


def text_rule_list(rules: Iterable[AuditRule]) -> str:
    """Return the rules by category: id, severity and purpose, and below them the source and an example."""
    return "".join(f"{line}\n" for line in _rule_lines(rules))


def _rule_lines(rules: Iterable[AuditRule]) -> Iterator[str]:
    for category, members in groupby(rules, lambda rule: rule.category):
        yield f"{category}:"
        for rule in members:
            yield f"  {rule.id} ({rule.severity.value}): {rule.purpose}"
            yield f"      {rule.source}; for example: {rule.example}"


REPORTS: Mapping[str, Callable[[AuditOutcome], str]] = {
    "text": text_findings,
    "json": json_findings,
    "sarif": sarif_findings,
}
