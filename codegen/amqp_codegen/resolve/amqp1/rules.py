"""The pass for rules: their paths, level words, actors, error conditions, and which of them map types obey."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...model.amqp1.raw import RawRule
from ...model.amqp1.spec import MapRule, Restricted, Spec
from ...model.amqp1.types import Rule
from ...model.problem import Problem, Problems
from ..names import duplicates, level_words, suggest
from .types import Types

_ACTOR = re.compile(
    r"\b(sender|receiver|client|server|peer|partner|endpoint|container|coordinator|controller|resource"
    r"|intermediary|intermediarie|broker|application|implementation)s?\b",
    re.IGNORECASE,
)

# The archetype of the symbols that close, end, detach and reject give as their reason.
ERROR_CONDITION = "error-condition"


def resolve_rules(
    raw: Sequence[RawRule], owner: str, conditions: frozenset[str], problems: Problems
) -> tuple[Rule, ...]:
    """Resolve the rules of one element; problems are ``on-failure`` conditions not in ``conditions``.

    ``owner`` is the path of the element: a part, a section, a type, or ``open.channel-max``.
    """
    problems.extend(
        Problem(
            "unknown-on-failure",
            f"on-failure names {entry.on_failure!r}, which is not an error condition",
            entry.position,
            suggest(entry.on_failure, conditions),
        )
        for entry in raw
        if entry.on_failure and entry.on_failure not in conditions
    )
    return tuple(_rule(entry, f"{owner}/{entry.name}") for entry in raw)


def check_paths(rules: Iterable[Rule]) -> Iterator[Problem]:
    """Report paths that occur twice: a part, a section and a type may have the same name."""
    return duplicates(
        rules, "path", lambda rule: rule.path, "duplicate-rule", lambda rule: f"rule {rule.path!r}"
    )


def actor(text: str) -> str:
    """Return who must obey a rule: the first of sender, receiver, peer ... in its text, else ``other``."""
    match = _ACTOR.search(text)
    return match.group(1).lower().replace("arie", "ary") if match else "other"


def error_conditions(types: Types) -> frozenset[str]:
    """Return the values of all choices of types that provide error conditions."""
    providers = (known.raw for known in types.values() if ERROR_CONDITION in known.raw.provides)
    return frozenset(choice.value for raw in providers for choice in raw.choices)


def _rule(entry: RawRule, path: str) -> Rule:
    return Rule(
        path=path,
        name=entry.name,
        label=entry.label,
        section=entry.section,
        text=entry.text,
        levels=level_words(entry.text),
        actor=actor(entry.text),
        on_failure=entry.on_failure,
        scenario=entry.scenario,
        position=entry.position,
    )


def rules_of_maps(spec: Spec, rules: Iterable[MapRule]) -> Mapping[str, tuple[MapRule, ...]]:
    """Return the rules that each map type obeys, by its name: its own, and those of the types it is derived from.

    Rules that the specification does not have are left out.
    """
    stated = {rule.path for rule in spec.rules}
    known = [rule for rule in rules if rule.path in stated]
    found: dict[str, tuple[MapRule, ...]] = {}
    for each in spec.types:
        if isinstance(each, Restricted) and each.primitive == "map":
            line = (each.name, *each.chain)
            obeyed = tuple(rule for rule in known if rule.path.partition("/")[0] in line)
            if obeyed:
                found[each.name] = obeyed
    return found
