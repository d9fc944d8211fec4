"""Reports for continuous integration: annotations of GitHub Actions, and JUnit XML."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element, SubElement

from ..support import github
from ..support.junit import junit_document, legal
from .change import Change, ConceptMap, IgnoredChange, Level, SpecComparison
from .words import happened, subject

_GITHUB_LEVELS: Mapping[Level, github.Level] = {
    Level.WIRE: "error",
    Level.SOURCE: "warning",
    Level.BEHAVIOUR: "notice",
    Level.DOC: "notice",
}
_FAILING = (Level.WIRE, Level.SOURCE)
_OTHER_PROTOCOL = "another protocol: peers never understand each other"


def github_report(differences: SpecComparison | ConceptMap) -> str:
    """Return a workflow command for each change, at its place in the new specification."""
    if isinstance(differences, ConceptMap):
        line = github.workflow_command("error", None, "another-protocol", _OTHER_PROTOCOL)
        return f"{line}\n"
    return "".join(f"{_command(change)}\n" for change in differences.changes)


def _command(change: Change) -> str:
    message = f"{change.level.name}: {subject(change)} {happened(change)} ({change.reason})"
    position = change.new_position or change.old_position
    return github.workflow_command(_GITHUB_LEVELS[change.level], position, change.id, message)


def junit_report(differences: SpecComparison | ConceptMap) -> str:
    """Return JUnit XML with a test case for each change.

    WIRE and SOURCE fail; other changes, and those that are ignored, are skipped. A section is a suite.
    """
    if isinstance(differences, ConceptMap):
        case = Element("testcase", classname="diff", name="another-protocol")
        SubElement(case, "failure", type="WIRE", message=_OTHER_PROTOCOL)
        return junit_document([_suite("diff", [case])])
    sections = [(name, [_case(change) for change in changes]) for name, changes in differences.sections]
    if differences.ignored:
        sections.append(("ignored", [_ignored_case(ignored) for ignored in differences.ignored]))
    if not sections:
        sections.append(("diff", [Element("testcase", classname="diff", name="no differences")]))
    return junit_document(_suite(name, cases) for name, cases in sections)


def _suite(name: str, cases: list[Element]) -> Element:
    suite = Element(
        "testsuite",
        name=legal(name),
        tests=str(len(cases)),
        errors="0",
        failures=_number_with(cases, "failure"),
        skipped=_number_with(cases, "skipped"),
    )
    suite.extend(cases)
    return suite


def _number_with(cases: list[Element], tag: str) -> str:
    return str(sum(case.find(tag) is not None for case in cases))


def _case(change: Change) -> Element:
    case = Element("testcase", classname=legal(change.section), name=legal(f"{change.id} {change.path}"))
    message = legal(f"{subject(change)} {happened(change)}")
    if change.level in _FAILING:
        failure = SubElement(case, "failure", type=change.level.name, message=message)
        failure.text = legal(f"{change.new_position or change.old_position}: {change.reason}")
    else:
        SubElement(case, "skipped", message=f"{change.level.name}: {message}")
    return case


def _ignored_case(ignored: IgnoredChange) -> Element:
    case = Element("testcase", classname="ignored", name=legal(f"{ignored.change.id} {ignored.change.path}"))
    SubElement(case, "skipped", message=legal(f"ignored: {ignored.reason}"))
    return case
