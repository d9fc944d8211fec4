"""The passes for constants: identifiers, error classes, reply codes, frame types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
    problems.extend(_unfit_reply_codes(constants))
    errors = [entry for entry in distinct(constants, lambda entry: entry.name) if entry.error]
    problems.extend(collisions("constant", constants, lambda entry: entry.identifier))
    problems.extend(collisions("constant", errors, lambda entry: entry.class_name))
    return constants


_LARGEST_REPLY_CODE = 0xFFFF  # the field of a close method that carries it is a short
# A frame around a content header without properties: 8 octets, and class, weight, size of the body and flags.
_SMALLEST_FRAME_SIZE = 8 + 14


def _unfit_reply_codes(constants: Sequence[Constant]) -> Iterator[Problem]:
    for entry in constants:
        if entry.is_reply_code and not 0 <= entry.value <= _LARGEST_REPLY_CODE:
            message = (
                f"reply code {entry.name!r} is {entry.value}, but closes carry at most {_LARGEST_REPLY_CODE}"
            )
            yield Problem("reply-code-size", message, entry.position, "correct the number")


def check_frame_types(constants: Sequence[Constant], facts: WireVersion, problems: Problems) -> None:
    """Check that frame types in both the XML and ``wire.toml`` have the same number."""
    known = {constant.name: constant for constant in constants}
    for meaning, number in facts.frames.items():
        stated = known.get(f"frame-{meaning}")
        if stated is not None and stated.value != number:
            message = f"constant {stated.name!r} is {stated.value}, but frames of this version have {number}"
            problems.add(Problem("frame-type", message, stated.position))
    least = known.get("frame-min-size")
    if least is not None and least.value < _SMALLEST_FRAME_SIZE:
        message = f"constant {least.name!r} is {least.value}, but the smallest content header needs a frame of {_SMALLEST_FRAME_SIZE} octets"
        problems.add(Problem("frame-min-size", message, least.position, "the published versions have 4096"))
    end = known.get("frame-end")
    if end is not None and end.value != facts.frame_end:
        message = (
            f"constant {end.name!r} is {end.value}, but frames of this version end with {facts.frame_end}"
        )
        problems.add(Problem("frame-type", message, end.position))
