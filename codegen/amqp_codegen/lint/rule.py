"""A rule of lint: its catalogue entry and the function that checks it, in one value.

A rule that lint checks is a decorated function, as the drivers of the conformance runner are::

    @rule("names-0-x", "index-zero", LintSeverity.WARNING, '<class name="c" index="0">')
    def index_zero(subject: Subject) -> Iterator[Remark]:
        \"\"\"A class or method with the index 0, which close methods use for none.\"\"\"

A rule that reading and resolving report is a plain ``LintRule`` without a check.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from types import ModuleType
from typing import Any, NamedTuple

from ..model.problem import Position


class LintSeverity(Enum):
    """How bad a finding is.

    An error stops generation. A warning is a trap for a peer or for a reader of the text. A note is a matter
    of taste, or something to know; it never fails a run.
    """

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Remark(NamedTuple):
    """What a check finds: what is wrong (without a full stop), where, and what to do about it."""

    message: str
    position: Position
    hint: str


@dataclass(frozen=True, slots=True)
class LintFinding:
    """A violation of a rule.

    Attributes:
        message: What is wrong, one sentence without a full stop.
        hint: What to do about it.
    """

    rule: str
    message: str
    position: Position
    hint: str


@dataclass(frozen=True, slots=True)
class LintRule:
    """One rule of the catalogue.

    Attributes:
        id: Its stable kebab-case name, by which it is silenced.
        purpose: What it finds, and why that matters: a sentence without a full stop.
        hint: What to do about a finding that has no hint of its own, or empty if each has one.
        check: Finds what breaks the rule; None if reading or resolving reports it.
    """

    category: str
    id: str
    severity: LintSeverity
    purpose: str
    example: str
    hint: str = ""
    check: Callable[[Any], Iterator[Remark]] | None = None

    def finding(self, message: str, position: Position, hint: str) -> LintFinding:
        """Return a finding of this rule."""
        return LintFinding(self.id, message, position, hint)


def rule(
    category: str, rule_id: str, severity: LintSeverity, example: str
) -> Callable[[Callable[[Any], Iterator[Remark]]], LintRule]:
    """Declare a function as the check of a rule, whose purpose is the function's docstring."""

    def declare(check: Callable[[Any], Iterator[Remark]]) -> LintRule:
        purpose = (inspect.getdoc(check) or "").removesuffix(".")
        return LintRule(category, rule_id, severity, purpose, example, check=check)

    return declare


def reported(category: str, *rules: tuple[str, LintSeverity, str, str, str]) -> tuple[LintRule, ...]:
    """Return rules that reading and resolving report: a row has id, severity, purpose, example and hint."""
    return tuple(LintRule(category, *rule) for rule in rules)


def rules_in(*modules: ModuleType) -> list[LintRule]:
    """Return the rules that some modules declare, alone or in tuples, in the order of the files."""
    rules: list[LintRule] = []
    for module in modules:
        for value in vars(module).values():
            rules += [
                one for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, LintRule)
            ]
    return rules


def check_all(rules: Sequence[LintRule], subjects: Iterable[Any]) -> list[LintFinding]:
    """Return what the checks of some rules find in each of the subjects."""
    return [
        one.finding(*remark)
        for subject in subjects
        for one in rules
        if one.check
        for remark in one.check(subject)
    ]
