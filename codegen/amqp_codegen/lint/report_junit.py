"""The report for continuous integration: a test suite for each file; errors and warnings are failures."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree.ElementTree import Element, SubElement

from ..junit import junit_document, legal
from .catalogue import RULES
from .rule import LintFinding, LintSeverity
from .run import LintOutcome


def junit_report(outcome: LintOutcome) -> str:
    """The report as JUnit XML: a test case for each finding, or one that passed for a file without any."""
    files = dict.fromkeys((*outcome.files, *(finding.position.file for finding in outcome.findings)))
    return junit_document(
        _suite(file, [finding for finding in outcome.findings if finding.position.file == file])
        for file in files
    )


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
