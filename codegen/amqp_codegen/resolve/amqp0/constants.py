"""The passes for constants: identifiers, error classes, reply codes, frame types."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.amqp0.raw import RawConstant
from ...model.amqp0.spec import Constant
from ...model.amqp0.wire import WireVersion
from ...model.problem import Problem, Problems
from ..names import (
    bad_name,
    class_name,
    collisions,
    distinct,
    duplicates,
    identifier,
    normalise,
    repeated_names,
)
from .reserved_names import CONSTANTS, free_name

_ERRORS = {"soft-error": "soft", "hard-error": "hard"}


def resolve_constants(raw: Sequence[RawConstant], problems: Problems) -> list[Constant]:
    """Resolve constants; problems are bad or repeated names, and repeated reply codes.

    A frame constant may have the same value as a reply code, but two reply codes may not.
    """
    problems.extend(repeated_names("duplicate-constant", raw))
    constants = []
    for entry in raw:
        name = identifier(entry.name)
        if not name:
            problems.add(bad_name("constant", entry.name, entry.position))
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
    problems.extend(
        duplicates(
            [entry for entry in constants if entry.is_reply_code],
            "value",
            lambda entry: entry.value,
            "duplicate-reply-code",
            lambda entry: f"constant {entry.name!r} ({entry.value})",
        )
    )
    errors = [entry for entry in distinct(constants, lambda entry: entry.name) if entry.error]
    problems.extend(collisions("constant", constants, lambda entry: entry.identifier))
    problems.extend(collisions("constant", errors, lambda entry: entry.class_name))
    return constants


def check_frame_types(constants: Sequence[Constant], facts: WireVersion, problems: Problems) -> None:
    """Check that frame types in both the XML and ``wire.toml`` have the same number."""
    known = {each.name: each for each in constants}
    for meaning, number in facts.frames.items():
        stated = known.get(f"frame-{meaning}")
        if stated is not None and stated.value != number:
            message = f"constant {stated.name!r} is {stated.value}, but frames of this version have {number}"
            problems.add(Problem("frame-type", message, stated.position))
    end = known.get("frame-end")
    if end is not None and end.value != facts.frame_end:
        message = (
            f"constant {end.name!r} is {end.value}, but frames of this version end with {facts.frame_end}"
        )
        problems.add(Problem("frame-type", message, end.position))
