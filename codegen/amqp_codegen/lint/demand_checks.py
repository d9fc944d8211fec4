"""Rules in words: do they say how strictly, and can a reader tell whether they are kept? For both families."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..model.amqp0 import raw
from ..model.amqp1 import raw as raw1
from ..resolve.names import level_words
from .rule import LintSeverity, Remark, reported, rule

_DEMANDS = "demands"
_ERROR, _WARNING, _NOTE = LintSeverity.ERROR, LintSeverity.WARNING, LintSeverity.NOTE
_LOWER_CASE_LEVEL = re.compile(r"\b(must|should|shall|may)\b")
_HALF_LEVEL = re.compile(r"\b(?:MUST|SHOULD) not\b")
_UNFINISHED = re.compile(r"(todo|tbd|fixme|\?+)[.: ]*", re.IGNORECASE)

_Demand = raw.RawRule | raw1.RawRule


def _named(demand: _Demand) -> str:
    return f"rule {demand.name!r}" if demand.name else "this rule"


@rule(_DEMANDS, "rule-without-level", _WARNING, "<doc>The name must begin with a letter.</doc>")
def rule_without_level(demand: _Demand) -> Iterator[Remark]:
    """A rule that does not say how strictly it is meant."""
    if not level_words(demand.text) and not (isinstance(demand, raw.RawRule) and demand.level):
        lower = _LOWER_CASE_LEVEL.search(demand.text)
        message = f"{_named(demand)} has no level: neither MUST nor SHOULD nor MAY"
        hint = f"write {lower[0].upper()!r} in capitals" if lower else "say how strictly it is meant"
        yield Remark(message, demand.position, hint)


@rule(_DEMANDS, "mixed-levels", _NOTE, "<doc>The server MUST log it and SHOULD tell.</doc>")
def mixed_levels(demand: _Demand) -> Iterator[Remark]:
    """A rule with several levels: it can be kept and broken at once."""
    levels = set(level_words(demand.text))
    if len({level.removesuffix(" NOT") for level in levels}) > 1:
        message = f"{_named(demand)} has several levels: {', '.join(sorted(levels))}"
        hint = "one rule for each can be tested and reported by itself"
        yield Remark(message, demand.position, hint)


@rule(_DEMANDS, "half-level", _NOTE, "<doc>The name MUST not be empty.</doc>")
def half_level(demand: _Demand) -> Iterator[Remark]:
    """A level in capitals whose not is in small letters."""
    half = _HALF_LEVEL.search(demand.text)
    if half:
        message = f"{_named(demand)} says {half[0]!r}: it is easy to overlook that it forbids"
        yield Remark(message, demand.position, f"write {half[0].upper()!r}")


@rule(_DEMANDS, "may-not", _WARNING, "<doc>The client MAY NOT wait.</doc>")
def may_not(demand: _Demand) -> Iterator[Remark]:
    """MAY NOT, which has two meanings."""
    if "MAY NOT" in level_words(demand.text):
        message = f"{_named(demand)} says MAY NOT, which forbids to one reader and permits to the next"
        yield Remark(message, demand.position, "write MUST NOT, or 'need not'")


@rule(
    _DEMANDS,
    "failure-without-must",
    _WARNING,
    '<rule name="r" on-failure="not-found"><doc>The server SHOULD ...',
)
def failure_without_must(demand: _Demand) -> Iterator[Remark]:
    """A rule that names an error for what it does not forbid."""
    levels = set(level_words(demand.text))
    if demand.on_failure and levels and not levels & {"MUST", "MUST NOT", "MAY NOT"}:
        message = f"{_named(demand)} names an error for its violation but has no MUST"
        yield Remark(message, demand.position, "say MUST, or leave out on-failure")


@rule(_DEMANDS, "unwritten-scenario", _NOTE, '<doc type="scenario">TODO.</doc>')
def unwritten_scenario(demand: _Demand) -> Iterator[Remark]:
    """A scenario that is yet to be written."""
    if demand.scenario is not None and _UNFINISHED.fullmatch(demand.scenario or "todo"):
        message = f"the scenario of {_named(demand)} is yet to be written"
        yield Remark(message, demand.position, "say how to test the rule, or remove it")


REPORTED_DEMANDS = reported(
    _DEMANDS,
    ("duplicate-rule", _ERROR, "Two rules of one name in one place: results of tests could not be told apart",
     'two <rule name="01"> in one method', ""),
    ("unknown-on-failure", _ERROR, "A rule that fails with something that is neither a constant nor an error condition",
     '<rule name="r" on-failure="not-fuond">', "name what the specification declares"),
)  # fmt: skip
