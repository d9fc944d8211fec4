"""Rules in words: do they say how strictly, and can one tell whether they are kept? Both families have them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..model import raw0, raw1
from ..passes.levels import level_words
from .finding import Finding

_LOWER_CASE = re.compile(r"\b(must|should|shall|may)\b")
_HALF = re.compile(r"\b(?:MUST|SHOULD) not\b")
_UNFINISHED = re.compile(r"(todo|tbd|fixme|\?+)[.: ]*", re.IGNORECASE)


def check_demands(rules: Iterable[raw0.RawRule | raw1.RawRule]) -> Iterator[Finding]:
    """Rules without a level, with several or unclear ones, and scenarios that are yet to be written."""
    for rule in rules:
        what = f"rule {rule.name!r}" if rule.name else "this rule"
        levels = set(level_words(rule.text))
        yield from _check_levels(rule, what, levels)
        if rule.on_failure and levels and not levels & {"MUST", "MUST NOT", "MAY NOT"}:
            message = f"{what} names an error for its violation but has no MUST"
            yield Finding("failure-without-must", message, rule.position, "say MUST, or leave out on-failure")
        if rule.scenario is not None and _UNFINISHED.fullmatch(rule.scenario or "todo"):
            message = f"the scenario of {what} is yet to be written"
            yield Finding(
                "unwritten-scenario", message, rule.position, "say how to test the rule, or remove it"
            )


def _check_levels(rule: raw0.RawRule | raw1.RawRule, what: str, levels: set[str]) -> Iterator[Finding]:
    if not levels and not (isinstance(rule, raw0.RawRule) and rule.level):
        lower = _LOWER_CASE.search(rule.text)
        message = f"{what} has no level: neither MUST nor SHOULD nor MAY"
        hint = f"write {lower[0].upper()!r} in capitals" if lower else "say how strictly it is meant"
        yield Finding("rule-without-level", message, rule.position, hint)
    if len({level.removesuffix(" NOT") for level in levels}) > 1:
        message = f"{what} has several levels: {', '.join(sorted(levels))}"
        hint = "one rule for each can be tested and reported by itself"
        yield Finding("mixed-levels", message, rule.position, hint)
    half = _HALF.search(rule.text)
    if half:
        message = f"{what} says {half[0]!r}: it is easy to overlook that it forbids"
        yield Finding("half-level", message, rule.position, f"write {half[0].upper()!r}")
    if "MAY NOT" in levels:
        message = f"{what} says MAY NOT, which forbids to one reader and permits to the next"
        yield Finding("may-not", message, rule.position, "write MUST NOT, or 'need not'")
