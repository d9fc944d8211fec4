"""The report for a terminal: a line for each finding, then the counts."""

from __future__ import annotations

from collections.abc import Iterator

from ..counted import counted
from .catalogue import RULES
from .rule import LintFinding, LintSeverity
from .run import LintOutcome


def text_report(outcome: LintOutcome) -> str:
    """The report as lines of text."""
    return "".join(f"{line}\n" for line in _lines(outcome))


def _lines(outcome: LintOutcome) -> Iterator[str]:
    yield from map(_line, outcome.findings)
    for file in outcome.incomplete:
        yield f"{file}: more may be found once these errors are mended"
    counts = [counted(outcome.count(severity), severity.value) for severity in LintSeverity]
    silenced = f"; {len(outcome.silenced)} silenced" if outcome.silenced else ""
    yield f"{counted(len(outcome.files), 'file')}: {', '.join(counts)}{silenced}"


def _line(finding: LintFinding) -> str:
    severity = RULES[finding.rule].severity.value
    hint = f" ({finding.hint})" if finding.hint else ""
    return f"{finding.position}: {severity}: {finding.message}{hint} [{finding.rule}]"
