"""The report formats, each a function of a ``LintOutcome`` to text, and the catalogue as text and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from ..model.problem import Problem
from ..support.github import Level, workflow_command
from ..support.junit import junit_document, legal
from ..support.wording import counted
from .catalogue import RULES
from .rule import LintFinding, LintRule, LintSeverity
from .run import LintOutcome

_GITHUB_LEVELS: Mapping[LintSeverity, Level] = {
    LintSeverity.ERROR: "error",
    LintSeverity.WARNING: "warning",
    LintSeverity.NOTE: "notice",
}


# --- for a terminal: a line for each finding, then the counts ---


def text_report(outcome: LintOutcome) -> str:
    """Return the report as lines of text."""
    return "".join(f"{line}\n" for line in _text_lines(outcome))


def _text_lines(outcome: LintOutcome) -> Iterator[str]:
    yield from map(_text_line, outcome.findings)
    for file in outcome.incomplete:
        yield f"{file}: more may be found once these errors are mended"
    counts = [counted(outcome.count(severity), severity.value) for severity in LintSeverity]
    silenced = f"; {len(outcome.silenced)} silenced" if outcome.silenced else ""
    if outcome.files:
        yield f"{counted(len(outcome.files), 'file')}: {', '.join(counts)}{silenced}"


def _text_line(finding: LintFinding) -> str:
    severity = RULES[finding.rule].severity.value
    hint = f" ({finding.hint})" if finding.hint else ""
    return f"{finding.position}: {severity}: {finding.message}{hint} [{finding.rule}]"


# --- for machines ---


def json_report(outcome: LintOutcome) -> str:
    """Return the report as a JSON document: ``{"files", "counts", "findings": [{"file", "line", ...}], ...}``."""
    document = {
        "files": list(outcome.files),
        "counts": {severity.value: outcome.count(severity) for severity in LintSeverity},
        "findings": [_record(finding) for finding in outcome.findings],
        "silenced": [_record(finding) for finding in outcome.silenced],
        "incomplete": list(outcome.incomplete),
        "unread": [str(problem) for problem in outcome.unread],
    }
    return json.dumps(document, indent=2) + "\n"


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


# --- for GitHub Actions: workflow commands that become annotations of a pull request ---


def github_report(outcome: LintOutcome) -> str:
    """Return a workflow command for each finding, and for each reason why a file could not be linted."""
    unread = [
        workflow_command("error", problem.position, problem.rule_id, problem.message)
        for problem in outcome.unread
    ]
    return "".join(f"{line}\n" for line in (*unread, *map(_command, outcome.findings)))


def _command(finding: LintFinding) -> str:
    hint = f" ({finding.hint})" if finding.hint else ""
    level = _GITHUB_LEVELS[RULES[finding.rule].severity]
    return workflow_command(level, finding.position, finding.rule, finding.message + hint)


# --- for continuous integration: a test suite for each file; errors and warnings are failures ---


def junit_report(outcome: LintOutcome) -> str:
    """Return the report as JUnit XML: a test case for each finding, or one that passed for a file without any."""
    files = dict.fromkeys((*outcome.files, *(finding.position.file for finding in outcome.findings)))
    suites = [
        _suite(file, [finding for finding in outcome.findings if finding.position.file == file])
        for file in files
    ]
    return junit_document([*suites, *map(_unread_suite, outcome.unread)])


def _unread_suite(problem: Problem) -> Element:
    name = legal(problem.position.file if problem.position else "amqp-codegen lint")
    suite = Element("testsuite", name=name, tests="1", failures="0", errors="1", skipped="0")
    case = SubElement(suite, "testcase", classname=name, name=problem.rule_id)
    SubElement(case, "error", type=problem.rule_id, message=legal(str(problem)))
    return suite


def _suite(file: str, findings: Sequence[LintFinding]) -> Element:
    cases = [_case(finding) for finding in findings] or [
        Element("testcase", classname=legal(file), name="lint")
    ]
    suite = Element(
        "testsuite",
        name=legal(file),
        tests=str(len(cases)),
        failures=str(sum(case.find("failure") is not None for case in cases)),
        errors="0",
        skipped=str(sum(case.find("skipped") is not None for case in cases)),
    )
    suite.extend(cases)
    return suite


def _case(finding: LintFinding) -> Element:
    position, severity = finding.position, RULES[finding.rule].severity
    case = Element(
        "testcase",
        classname=legal(position.file),
        name=f"{finding.rule} at {position.line}:{position.column}",
        file=legal(position.file),
        line=str(position.line),
    )
    if severity is LintSeverity.NOTE:
        SubElement(case, "skipped", message=legal(finding.message))
    else:
        failure = SubElement(case, "failure", type=severity.value, message=legal(finding.message))
        failure.text = legal(f"{position}: {finding.message}\n{finding.hint}")
    return case


REPORTS: Mapping[str, Callable[[LintOutcome], str]] = {
    "text": text_report,
    "json": json_report,
    "github": github_report,
    "junit": junit_report,
}


# --- the catalogue ---


def text_catalogue(rules: Iterable[LintRule]) -> str:
    """List the rules by category: id, severity and purpose, and an example below."""
    return "".join(f"{line}\n" for line in _catalogue_lines(rules))


def _catalogue_lines(rules: Iterable[LintRule]) -> Iterator[str]:
    for category, members in groupby(rules, lambda rule: rule.category):
        yield f"{category}:"
        for rule in members:
            yield f"  {rule.id} ({rule.severity.value}): {rule.purpose}"
            yield f"      {rule.example}"


def json_catalogue(rules: Iterable[LintRule]) -> str:
    """Return the catalogue as JSON: ``{"rules": [{"id", "purpose", "category", "severity", "example"}]}``."""
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
