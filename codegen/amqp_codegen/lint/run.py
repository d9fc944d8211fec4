"""A whole run: specifications in, findings out, sorted and with the silenced ones set aside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..model.problem import Problem, SpecError
from ..reader.inputs import Inputs
from ..reader.load import read_document
from ..reader.versions import KnownVersion, identify
from .catalogue import CALL, RULES
from .examine import examine
from .rule import LintFinding, LintSeverity
from .silence import Silence, check_silences, read_silences, silenced


@dataclass(frozen=True, slots=True)
class LintOutcome:
    """What a run found.

    Attributes:
        findings: Sorted by place.
        silenced: What would be among them but for a silence.
        files: Every file that was given, in order.
        unread: Why something could not be linted at all.
        incomplete: The files whose errors kept some rules from being tried.
    """

    findings: Sequence[LintFinding]
    silenced: Sequence[LintFinding]
    files: Sequence[str]
    unread: Sequence[Problem]
    incomplete: Sequence[str]

    def count(self, severity: LintSeverity) -> int:
        """How many findings are of a severity."""
        return sum(RULES[finding.rule].severity is severity for finding in self.findings)

    @property
    def is_clean(self) -> bool:
        """Whether there is nothing but notes."""
        return self.count(LintSeverity.ERROR) + self.count(LintSeverity.WARNING) == 0


def lint(inputs: Iterable[Inputs], silences: Sequence[Silence] = ()) -> LintOutcome:
    """Lints specifications.

    Args:
        inputs: Files and overlays. All files of 1.0 are taken as one specification, each other file as one of
            its own, with the overlays that are given with it.
        silences: Those of the project; those in the files are found.
    """
    given = list(inputs)
    specifications, problems = _specifications(given)
    files = list(dict.fromkeys(path for one in given for path in (*one.files, *one.overlays)))
    findings: list[LintFinding] = []
    incomplete = []
    for one, version in specifications:
        examination = examine(one, version)
        problems += examination.problems
        findings += examination.findings
        if not examination.is_complete:
            incomplete += [str(path) for path in one.files]
    unread = [problem for problem in problems if problem.position is None or _is_call(problem)]
    findings += [
        RULES[each.rule_id].finding(each.message, each.position, each.hint or RULES[each.rule_id].hint)
        for each in problems
        if each.position is not None and not _is_call(each)
    ]
    own = list(silences)
    for path in files:
        try:
            root, _ = read_document(path)
        except SpecError:
            continue  # reported already
        found, wrong = read_silences(root)
        own += found
        findings += wrong
    findings += check_silences(own, RULES)
    heard, unheard, idle = silenced(_sorted(findings), own, RULES)
    return LintOutcome(_sorted([*heard, *idle]), unheard, [str(path) for path in files], unread, incomplete)


def _is_call(problem: Problem) -> bool:
    return RULES[problem.rule_id].category == CALL


def _sorted(findings: Iterable[LintFinding]) -> list[LintFinding]:
    """Sorts by place, and leaves out what is found twice: a file may be linted with and without overlays."""
    return sorted(dict.fromkeys(findings), key=lambda finding: (finding.position, finding.rule))


def _specifications(inputs: Iterable[Inputs]) -> tuple[list[tuple[Inputs, KnownVersion]], list[Problem]]:
    """Parts files into specifications; those that are no specification are problems."""
    found: list[tuple[Inputs, KnownVersion]] = []
    parts: list[Path] = []
    overlays: list[Path] = []
    version_of_parts: KnownVersion | None = None
    problems: list[Problem] = []
    for given in inputs:
        for path in given.files:
            version = _version(path)
            if isinstance(version, list):
                problems += version
            elif version.family == "amqp1":
                version_of_parts = version
                parts.append(path)
                overlays += given.overlays
            else:
                found.append((Inputs((path,), given.overlays), version))
    if version_of_parts:
        whole = Inputs(tuple(dict.fromkeys(parts)), tuple(dict.fromkeys(overlays)))
        found.append((whole, version_of_parts))
    return found, problems


def _version(path: Path) -> KnownVersion | list[Problem]:
    try:
        version = identify(read_document(path)[0])
    except SpecError as error:
        return list(error.problems)
    return [version] if isinstance(version, Problem) else version
