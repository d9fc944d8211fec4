"""Rules: their paths, level words, actors and the constants that report violations."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...model.problem import Problem, Problems
from ...model.raw0 import RawRule
from ...model.spec0 import Rule
from ..levels import LEVEL, level_words
from ..names import normalise, repeated_names, suggest

_ACTOR = re.compile(r"\b(server|client|peer)s?\b", re.IGNORECASE)
# "the server MUST", but not "the version proposed by the server MUST".
_SUBJECT = re.compile(
    r"(?<!\bby )(?<!\bfrom )(?<!\bto )(?<!\bof )\bthe\s+(server|client|peer)s?\s*$", re.IGNORECASE
)
_CLAUSE_END = re.compile(r"[.;:,]\s")


def actor(text: str) -> str:
    """Whose duty a rule is: server, client or peer, or ``other`` where the text names none of them.

    That is the subject of the first level word; where it is none of the three, the one that its clause names
    first, or else the last one named before.
    """
    level = LEVEL.search(text)
    if level is None:
        return "other"
    before = text[: level.start()]
    clause = _CLAUSE_END.split(before)[-1]
    found = _SUBJECT.findall(before) or _ACTOR.findall(clause) or _ACTOR.findall(before)[-1:]
    return str(found[0]).lower() if found else "other"


def _number_name(number: int, names: set[str]) -> str:
    """The name of a rule that has none: its place among the rules of the element."""
    name = f"{number:02d}"
    return f"rule-{name}" if name in names else name


def resolve_rules(
    raw: Sequence[RawRule], owner: str, constants: frozenset[str], problems: Problems
) -> list[Rule]:
    """The rules of one element.

    Args:
        raw: As read.
        owner: The path of the element, for example ``queue.declare.passive``.
        constants: The normalised names of all constants.
        problems: For repeated names and unknown ``on-failure`` constants.
    """
    rules = []
    problems.extend(repeated_names("duplicate-rule", [rule for rule in raw if rule.name]))
    names = {normalise(rule.name) for rule in raw}
    for number, rule in enumerate(raw, start=1):
        name = normalise(rule.name) if rule.name else _number_name(number, names)
        on_failure = normalise(rule.on_failure)
        if on_failure and on_failure not in constants:
            problems.add(
                Problem(
                    "unknown-on-failure",
                    f"on-failure names {rule.on_failure!r}, which is no constant",
                    rule.position,
                    suggest(rule.on_failure, constants),
                )
            )
        levels = level_words(rule.text)
        rules.append(
            Rule(
                path=f"{owner}/{name}",
                name=name,
                label=rule.label,
                text=rule.text,
                levels=levels or ((rule.level,) if rule.level else ()),
                actor=actor(rule.text),
                on_failure=on_failure,
                scenario=rule.scenario,
                test=rule.test,
                position=rule.position,
            )
        )
    return rules
