"""A whole run of lint: specifications to findings, sorted, with the silenced ones set aside."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..model.problem import Problem, SpecError
from ..reader.grouping import group_specifications
from ..reader.inputs import Inputs, is_built_in_file
from ..reader.load import Documents
from .catalogue import CALL, RULES
from .examine import Examination, examine
from .rule import LintFinding, LintSeverity
from .silence import Silence, check_silences, read_silences, silenced


@dataclass(frozen=True, slots=True)
class LintOutcome:
    """The result of a run.

    Attributes:
        findings: Sorted by position.
        silenced: The findings that a silence suppresses.
        files: Every file that was linted, in order of the call.
        unread: Why a file could not be linted at all.
        incomplete: The files whose errors kept some rules from being checked.
    """

    findings: Sequence[LintFinding]
    silenced: Sequence[LintFinding]
    files: Sequence[str]
    unread: Sequence[Problem]
    incomplete: Sequence[str]

    def count(self, severity: LintSeverity) -> int:
        """Return the number of findings of a severity."""
        return sum(RULES[finding.rule].severity is severity for finding in self.findings)

    @property
    def is_clean(self) -> bool:
        """Whether there is nothing but notes."""
        return self.count(LintSeverity.ERROR) + self.count(LintSeverity.WARNING) == 0


def lint(inputs: Iterable[Inputs], silences: Sequence[Silence] = ()) -> LintOutcome:
    """Lint specifications.

    Args:
        inputs: Files and overlays, grouped into specifications as ``group_specifications`` does it.
        silences: Those of the project; the silences in the files are found.
    """
    given = list(inputs)
    documents = Documents()
    specifications, problems = group_specifications(given, documents)
    files = list(dict.fromkeys(path for one in given for path in (*one.files, *one.overlays)))
    findings: list[LintFinding] = []
    set_aside: list[LintFinding] = []
    incomplete = []
    for one in specifications:
        examination = examine(one, documents)
        known = _of_built_in(one, documents)
        problems += [problem for problem in examination.problems if problem not in known.problems]
        findings += [finding for finding in examination.findings if finding not in known.findings]
        set_aside += [*known.findings, *map(_finding, filter(_has_place, known.problems))]
        if not examination.is_complete:
            incomplete += [str(path) for path in one.files]
    unread = [problem for problem in problems if problem.position is None or _is_call(problem)]
    findings += map(_finding, filter(_has_place, problems))
    all_silences = list(silences)
    for path in files:
        try:
            root = documents.read(path).root
        except SpecError:
            continue  # reported already
        file_silences, faults = read_silences(root)
        all_silences += file_silences
        findings += faults
    findings += check_silences(all_silences, RULES)
    hidden = set(set_aside) - set(findings)
    heard, unheard, idle = silenced(_sorted([*findings, *hidden]), all_silences, RULES)
    heard = [finding for finding in heard if finding not in hidden]
    failed = {problem.position.file for problem in unread if problem.position is not None}
    linted = {str(path) for one in specifications for path in (*one.files, *one.overlays)} - failed
    linted |= {finding.position.file for finding in heard}  # such as XML that is not well-formed
    names = [str(path) for path in files if str(path) in linted]
    return LintOutcome(_sorted([*heard, *idle]), unheard, names, unread, incomplete)


def _has_place(problem: Problem) -> bool:
    return problem.position is not None and not _is_call(problem)


def _finding(problem: Problem) -> LintFinding:
    rule = RULES[problem.rule_id]
    assert problem.position is not None
    return rule.finding(problem.message, problem.position, problem.hint or rule.hint)


def _of_built_in(inputs: Inputs, documents: Documents) -> Examination:
    """Return what is found in the built-in files alone, if others stand beside them: their author cannot mend those."""
    files = tuple(path for path in inputs.files if is_built_in_file(path))
    overlays = tuple(path for path in inputs.overlays if is_built_in_file(path))
    is_mixed = len(files) + len(overlays) < len(inputs.files) + len(inputs.overlays)
    if not files or not is_mixed:
        return Examination((), (), is_complete=True)
    return examine(replace(inputs, files=files, overlays=overlays), documents)


def _is_call(problem: Problem) -> bool:
    return RULES[problem.rule_id].category == CALL


def _sorted(findings: Iterable[LintFinding]) -> list[LintFinding]:
    """Sort by position and drop duplicates: a file may be linted with and without overlays."""
    return sorted(dict.fromkeys(findings), key=lambda finding: (finding.position, finding.rule))
