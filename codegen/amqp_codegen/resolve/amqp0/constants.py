"""Constants: identifiers, error classes, and which of them are reply codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...model.amqp0.raw import RawConstant
from ...model.amqp0.spec import Constant
from ...model.problem import Problem
from ..names import bad_name, class_name, distinct, duplicates, identifier, normalise
from .reserved_names import CONSTANTS, free_name

_ERRORS = {"soft-error": "soft", "hard-error": "hard"}


def resolve_constants(raw: Sequence[RawConstant]) -> tuple[list[Constant], list[Problem]]:
    """The constants with identifiers; problems for bad or repeated names and reply codes.

    Frame constants may share a value with a reply code (both are plain numbers), two reply codes may not.
    """
    problems = duplicates(
        raw,
        lambda entry: normalise(entry.name),
        lambda entry: entry.position,
        "name",
        "duplicate-constant",
        lambda entry: f"constant {entry.name!r}",
    )
    constants = []
    for entry in raw:
        name = identifier(entry.name)
        if not name:
            problems.append(bad_name("constant", entry.name, entry.position))
            continue
        error = _ERRORS.get(normalise(entry.error_class), "")
        constants.append(
            Constant(
                name=normalise(entry.name),
                identifier=free_name(name.rstrip("_").upper(), CONSTANTS),
                class_name=class_name(entry.name),
                value=entry.value,
                error=error,
                is_reply_code=bool(error) or normalise(entry.name).startswith("reply-"),
                label=entry.label,
                doc=entry.doc,
                position=entry.position,
            )
        )
    problems += duplicates(
        [entry for entry in constants if entry.is_reply_code],
        lambda entry: entry.value,
        lambda entry: entry.position,
        "value",
        "duplicate-reply-code",
        lambda entry: f"constant {entry.name!r} ({entry.value})",
    )
    unique = distinct(constants, lambda entry: entry.name)
    problems += _clashes(unique, lambda entry: entry.identifier)
    problems += _clashes([entry for entry in unique if entry.error], lambda entry: entry.class_name)
    return constants, problems


def _clashes(constants: Sequence[Constant], name: Callable[[Constant], str]) -> list[Problem]:
    """Constants that are not the same but would have the same Python name."""
    return duplicates(
        constants,
        name,
        lambda entry: entry.position,
        "Python name",
        "name-collision",
        lambda entry: f"constant {entry.name!r}",
    )
