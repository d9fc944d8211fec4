"""Constants: identifiers, error classes, and which of them are reply codes."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.problem import Problem
from ..model.raw0 import RawConstant
from ..model.spec0 import Constant
from .names import bad_name, class_name, duplicates, identifier, normalise

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
                identifier=name.rstrip("_").upper(),
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
    return constants, problems
