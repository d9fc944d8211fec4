"""Choices of restricted types: values parsed, members named."""

from __future__ import annotations

from ...model.problem import Problem, Problems
from ...model.raw1 import RawChoice
from ...model.types1 import Choice
from ..names import bad_name, collisions, duplicates, repeated_names
from .names import member_name
from .rules import resolve_rules
from .types import KnownType, Types, is_open
from .values import parse_value


def resolve_choices(
    known: KnownType, types: Types, conditions: frozenset[str], problems: Problems
) -> tuple[Choice, ...]:
    """The choices of a restricted type.

    Args:
        known: The type.
        types: All types.
        conditions: All known error conditions.
        problems: For names and values that clash or do not fit.
    """
    raw = known.raw.choices
    problems.extend(repeated_names("duplicate-choice", raw, str))
    by_name: dict[str, Choice] = {}
    for entry in raw:
        choice = _choice(entry, known, conditions, problems)
        if choice is not None:
            by_name.setdefault(choice.name, choice)
    choices = list(by_name.values())
    problems.extend(
        duplicates(
            choices,
            "value",
            lambda choice: choice.value,
            "duplicate-choice",
            lambda choice: f"choice {choice.name!r} ({choice.value!r})",
        )
    )
    problems.extend(collisions("choice", choices, lambda choice: choice.identifier))
    problems.extend(_outside_source(choices, known, types))
    return tuple(choices)


def _choice(
    entry: RawChoice, known: KnownType, conditions: frozenset[str], problems: Problems
) -> Choice | None:
    rules = resolve_rules(entry.rules, f"{known.raw.name}.{entry.name}", conditions, problems)
    if not member_name(entry.name):
        problems.add(bad_name("choice", entry.name, entry.position))
        return None
    if not known.resolved:
        return None
    value, wrong = parse_value(known.primitive, entry.value)
    if value is None:
        message = f"choice {entry.name!r} of {known.raw.name!r}: value {entry.value!r} {wrong}"
        problems.add(Problem("bad-choice", message, entry.position))
        return None
    return Choice(
        name=entry.name,
        identifier=member_name(entry.name),
        value=value,
        label=entry.label,
        doc=entry.doc,
        rules=rules,
        position=entry.position,
    )


def _outside_source(choices: list[Choice], known: KnownType, types: Types) -> list[Problem]:
    """A type derived from one with choices can only choose among those, unless that is open."""
    source = next((types[name] for name in known.chain if name in types and types[name].raw.choices), None)
    if source is None or is_open(source):
        return []
    allowed = {parse_value(known.primitive, each.value)[0] for each in source.raw.choices}
    return [
        Problem(
            "bad-choice",
            f"choice {choice.name!r} of {known.raw.name!r}: {choice.value!r} is none of {source.raw.name!r}, its source",
            choice.position,
        )
        for choice in choices
        if choice.value not in allowed
    ]
