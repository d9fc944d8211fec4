"""Silenced findings: by a comment beside the element, by a table of the project, or by our own for the built-in specifications."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from ..model.problem import Position, Problem, SpecError
from ..reader.element import Element
from ..support import toml
from ..support.resources import specs_dir
from ..support.toml_table import RULE_ID, TomlTable, tables_of
from ..support.wording import did_you_mean, quote
from .rule import LintFinding, LintRule, LintSeverity

_LINT_COMMENT = re.compile(r"\s*lint:\s*(.*)", re.DOTALL)
_DISABLE_COMMENT = re.compile(r"disable=([^\s,]+(?:,[^\s,]+)*)(?:\s+(.*\S))?\s*", re.DOTALL)

_SILENCE, _WARNING = "silence", LintSeverity.WARNING
_FORM = LintRule(
    _SILENCE, "silence-form", _WARNING, "A comment for lint that is not understood", "<!-- lint: off -->"
)
_UNKNOWN = LintRule(
    _SILENCE,
    "silence-unknown",
    _WARNING,
    "A silence of a rule that does not exist",
    "<!-- lint: disable=may-nt why -->",
)
_REASON = LintRule(
    _SILENCE, "silence-reason", _WARNING, "A silence without a reason", "<!-- lint: disable=may-not -->"
)
_IDLE = LintRule(
    _SILENCE,
    "silence-idle",
    _WARNING,
    "A comment that silences nothing (any more)",
    "<!-- lint: disable=may-not why --> beside a rule that says MUST",
)


@dataclass(frozen=True, slots=True)
class Silence:
    """A request not to report some rules.

    Attributes:
        position: Where the silence stands.
        file: The file it applies to: its name, or, for a whole file, a pattern such as ``specs/*.xml`` that is
            compared with the absolute name from the right.
        lines: The lines it applies to; None for the whole file.
    """

    rules: tuple[str, ...]
    reason: str
    position: Position
    file: str
    lines: range | None = None

    def covers(self, finding: LintFinding) -> bool:
        """Return whether the silence applies to a finding."""
        if finding.rule not in self.rules:
            return False
        if self.lines is None:
            return PurePath(os.path.abspath(finding.position.file)).match(self.file)
        return finding.position.file == self.file and finding.position.line in self.lines


def read_silences(root: Element) -> tuple[list[Silence], list[LintFinding]]:
    """Read the silences in the comments of a file; return them, and what is wrong with such comments."""
    silences: list[Silence] = []
    findings: list[LintFinding] = []
    for comment in root.comments:
        mark = _LINT_COMMENT.fullmatch(comment.text)
        if mark is None:
            continue
        wish = _DISABLE_COMMENT.fullmatch(mark[1])
        if wish is None:
            message = f"this comment is not understood: {quote(comment.text.strip())}"
            findings.append(_FORM.finding(message, comment.position, "write lint: disable=rule-id reason"))
            continue
        lines = range(comment.first_line, comment.last_line + 1)
        position = comment.position
        silences.append(Silence(tuple(wish[1].split(",")), wish[2] or "", position, position.file, lines))
    return silences, findings


def check_silences(silences: Iterable[Silence], known: Collection[str]) -> Iterator[LintFinding]:
    """Yield a finding for each silence of an unknown rule, and for each without a reason."""
    for silence in silences:
        for rule in silence.rules:
            if rule not in known:
                message = f"there is no rule {quote(rule)} to silence"
                hint = did_you_mean(rule, known) or "amqp-codegen lint --list has them all"
                yield _UNKNOWN.finding(message, silence.position, hint)
        if not silence.reason:
            message = f"{', '.join(silence.rules)} is silenced without a reason"
            yield _REASON.finding(message, silence.position, "say why, behind the ids")


def silenced(
    findings: Sequence[LintFinding], silences: Sequence[Silence], known: Collection[str]
) -> tuple[list[LintFinding], list[LintFinding], list[LintFinding]]:
    """Divide findings by silences.

    Returns:
        The findings reported, those suppressed, and findings about comments that silence nothing. A silence of a
        project may be idle: it is for files that are not linted each time.
    """
    heard: list[LintFinding] = []
    unheard: list[LintFinding] = []
    needed: set[tuple[Silence, str]] = set()
    for finding in findings:
        covering = [silence for silence in silences if silence.covers(finding)]
        needed.update((silence, finding.rule) for silence in covering)
        (unheard if covering else heard).append(finding)
    idle = [
        _IDLE.finding(f"nothing here breaks {rule}", silence.position, "remove what silences it")
        for silence in silences
        for rule in silence.rules
        if silence.lines is not None and rule in known and (silence, rule) not in needed
    ]
    return heard, unheard, idle


_KEYS = ("rules", "files", "reason")


def built_in_silences() -> list[Silence]:
    """Return the silences of the built-in specifications, which hold in every project.

    Raises:
        SpecError: ``specs/lint.toml`` is wrong.
    """
    folder = specs_dir()
    path = folder / "lint.toml"
    values = toml.loads(path.read_text(encoding="utf-8"))
    silences = silences_of(TomlTable(values, path.name, Position(str(path), 1, 1)))
    place = glob.escape(str(folder))
    return [replace(silence, file=os.path.join(place, silence.file)) for silence in silences]


def undeclared(problems: Iterable[Problem]) -> list[Problem]:
    """Return the warnings without those that are declared for the built-in specifications, in their ``lint.toml``.

    Who generates a package from a built-in specification can do nothing about them.
    """
    warnings = list(problems)
    silences = built_in_silences() if warnings else []
    return [
        warning for warning in warnings if not any(_is_declared(warning, silence) for silence in silences)
    ]


def _is_declared(problem: Problem, silence: Silence) -> bool:
    if problem.position is None:
        return False
    return silence.covers(LintFinding(problem.rule_id, problem.message, problem.position, problem.hint))


def silences_of(table: TomlTable) -> list[Silence]:
    """Read a table that has ``silence``, an array of tables, and nothing else."""
    table.refuse_unknown(["silence"])
    silences = [
        silence
        for number, entry in enumerate(tables_of(table, "silence"), 1)
        for silence in _silence(TomlTable(entry, f"silence {number}", table.position, table.problems))
    ]
    if table.problems:
        raise SpecError(table.problems)
    return silences


def _silence(entry: TomlTable) -> list[Silence]:
    """Return one silence for each pattern of files."""
    entry.refuse_unknown(_KEYS)
    rules = tuple(entry.texts("rules", or_one=True))
    if not rules:
        entry.problems.append(Problem(RULE_ID, f"{entry.name} has no rules", entry.position))
    files = entry.texts("files", or_one=True) or ["*"]
    reason = entry.text("reason")
    return [Silence(rules, reason, entry.position, file) for file in files]
