"""The report of an audit for a terminal: each connection with its findings, then the counts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from amqp_codegen.support.wording import counted

from ..finding import AuditFinding, place_in_words
from ..outcome import AuditOutcome
from ..rules.rule import AuditSeverity


def text_findings(outcome: AuditOutcome) -> str:
    """Return the report as lines of text."""
    return "".join(f"{line}\n" for line in _lines(outcome))


def _lines(outcome: AuditOutcome) -> Iterator[str]:
    for (capture_id, conn_id), of_one in groupby(
        outcome.findings, lambda each: (each.capture_id, each.conn_id)
    ):
        findings = list(of_one)
        spec = f", AMQP {findings[0].spec}" if findings[0].spec else ""
        yield f"{findings[0].client}: connection {conn_id} of {capture_id}{spec}"
        for finding in findings:
            yield f"  {finding.severity}: {finding.evidence} [{finding.rule_id}]"
            yield f"      {_where(finding, outcome)}"
    counts = [counted(outcome.count(severity), severity.value) for severity in reversed(AuditSeverity)]
    yield f"{counted(len(outcome.findings), 'finding')}: {', '.join(counts)}"


def _where(finding: AuditFinding, outcome: AuditOutcome) -> str:
    """Return the name of a finding (for ``traffic explain``), its place and its source."""
    parts = [finding.finding_id, *place_in_words(finding)]
    if finding.pkt_no is not None:
        file = outcome.file_of(finding)
        of_file = f" of {file}" if file else ""
        parts.append(f"packet {finding.pkt_no}{of_file} at {finding.pkt_off}")
    if finding.occurrences > 1:
        parts.append(f"{finding.occurrences:,} times")
    parts.append(finding.spec_ref)
    return ", ".join(parts)
