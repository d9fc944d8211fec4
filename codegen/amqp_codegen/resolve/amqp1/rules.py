"""The pass for rules: their paths, level words, actors, error conditions, and which of them map types obey."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ...model.amqp1.raw import RawRule
from ...model.amqp1.spec import Field, Restricted, Spec, WireFieldRule, WireMapRule
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


def rules_of_maps(spec: Spec, rules: Iterable[WireMapRule]) -> Mapping[str, tuple[WireMapRule, ...]]:
    """Return the rules that each map obeys, by the name of its type, or by the path of a field that has rules of its own.

    A type obeys also the rules of the types it is derived from, a field those of its type. Rules that the specification
    does not have are left out.
    """
    stated = {rule.path for rule in spec.rules}
    known = [(rule.path.partition("/")[0], rule) for rule in rules if rule.path in stated]
    owners = {
        type_.name: {type_.name, *type_.chain}
        for type_ in spec.types
        if isinstance(type_, Restricted) and type_.primitive == "map"
    }
    for composite in spec.composites:
        for field in composite.fields:
            path = f"{composite.name}.{field.name}"
            if any(owner == path for owner, _ in known):
                owners[path] = {path, *_type_names(field, spec)}
    found = {name: tuple(rule for owner, rule in known if owner in those) for name, those in owners.items()}
    return {name: obeyed for name, obeyed in found.items() if obeyed}


def rules_of_fields(spec: Spec, rules: Iterable[WireFieldRule]) -> Mapping[str, tuple[WireFieldRule, ...]]:
    """Return the rules that each field obeys, by its path: its own, and those of its type.

    Rules that the specification does not have are left out, and those about fields or definitions that it does not have.
    """
    stated = {rule.path for rule in spec.rules}
    known = [(rule.path.partition("/")[0], rule) for rule in rules if rule.path in stated]
    found: dict[str, tuple[WireFieldRule, ...]] = {}
    for composite in spec.composites:
        names = {field.name for field in composite.fields}
        for field in composite.fields:
            path = f"{composite.name}.{field.name}"
            owners = {path, *_type_names(field, spec)}
            resolved = [_with_number(rule, spec) for owner, rule in known if owner in owners]
            obeyed = tuple(
                rule for rule in resolved if rule and names >= {rule.needs, rule.required_by} - {""}
            )
            if obeyed:
                found[path] = obeyed
    return found


def _type_names(field: Field, spec: Spec) -> Iterator[str]:
    """Return the names of the types that a value of a field is of for certain."""
    for reference in (field.type, *(field.providers if len(field.providers) == 1 else ())):
        yield reference.name
        named = spec.type(reference.name)
        if isinstance(named, Restricted):
            yield from named.chain


def _with_number(rule: WireFieldRule, spec: Spec) -> WireFieldRule | None:
    """Return a rule with the number that a definition stands for; None if it is not there."""
    if not isinstance(rule.least, str):
        return rule
    definition = spec.definition(rule.least)
    return replace(rule, least=definition.value) if definition and isinstance(definition.value, int) else None
