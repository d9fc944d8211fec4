"""Choices of restricted types: values parsed, members named."""

from __future__ import annotations

from ...model.problem import Problem
from ...model.raw1 import RawChoice
from ...model.types1 import Choice
from ..names import bad_name, duplicates
from .names import member_name
from .rules import resolve_rules
from .types import KnownType, Types, is_open
from .values import parse_value


def resolve_choices(
    known: KnownType, types: Types, conditions: frozenset[str]
) -> tuple[tuple[Choice, ...], list[Problem]]:
    """The choices of a restricted type; problems for names and values that clash or do not fit.

    Args:
        known: The type.
        types: All types.
        conditions: All known error conditions.
    """
    raw = known.raw.choices
    problems = duplicates(
        raw,
        lambda entry: entry.name,
        lambda entry: entry.position,
        "name",
        "duplicate-choice",
        lambda entry: f"choice {entry.name!r}",
    )
    by_name: dict[str, Choice] = {}
    for entry in raw:
        choice, found = _choice(entry, known, conditions)
        problems += found
        if choice is not None:
            by_name.setdefault(choice.name, choice)
    choices = list(by_name.values())
    problems += duplicates(
        choices,
        lambda choice: choice.value,
        lambda choice: choice.position,
        "value",
        "duplicate-choice",
        lambda choice: f"choice {choice.name!r} ({choice.value!r})",
    )
    problems += duplicates(
        choices,
        lambda choice: choice.identifier,
        lambda choice: choice.position,
        "Python name",
        "name-collision",
        lambda choice: f"choice {choice.name!r}",
    )
    return tuple(choices), problems + _outside_source(choices, known, types)


def _choice(
    entry: RawChoice, known: KnownType, conditions: frozenset[str]
) -> tuple[Choice | None, list[Problem]]:
    rules, problems = resolve_rules(entry.rules, f"{known.raw.name}.{entry.name}", conditions)
    if not member_name(entry.name):
        return None, [*problems, bad_name("choice", entry.name, entry.position)]
    if not known.resolved:
        return None, problems
    value, wrong = parse_value(known.primitive, entry.value)
    if value is None:
        message = f"choice {entry.name!r} of {known.raw.name!r}: value {entry.value!r} {wrong}"
        return None, [*problems, Problem("bad-choice", message, entry.position)]
    choice = Choice(
        name=entry.name,
        identifier=member_name(entry.name),
        value=value,
        label=entry.label,
        doc=entry.doc,
        rules=rules,
        position=entry.position,
    )
    return choice, problems


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
