"""Defaults of fields: a value of the field's type, or the name of one of its choices."""

from __future__ import annotations

from collections.abc import Mapping

from ...model.problem import Problem, Problems
from ...model.raw1 import RawField
from ...model.types1 import Choice, Default, TypeReference
from ..names import suggest
from .types import Types
from .values import parse_value

Choices = Mapping[str, tuple[Choice, ...]]


def resolve_default(
    entry: RawField, reference: TypeReference, types: Types, choices: Choices, what: str, problems: Problems
) -> Default | None:
    """The default of a field, None where it has none or a wrong one.

    Args:
        entry: The field as read.
        reference: Its type.
        types: All types.
        choices: The choices of each type by its name.
        what: The field in words.
        problems: For a default that is no value of its type.
    """
    known = types.get(reference.name)
    if entry.default is None or (known is not None and not known.resolved):
        return None
    text = entry.default
    known_choices = choices.get(known.choosing, ()) if known else ()
    by_name = next((each for each in known_choices if each.name == text), None)
    if by_name is not None:
        return _member(text, by_name, reference)
    value, wrong = parse_value(reference.primitive, text)
    by_value = next((each for each in known_choices if each.value == value), None)
    if by_value is not None:
        return _member(text, by_value, reference)
    if known_choices and not reference.open:
        message = f"{what}: default {text!r} is no choice of {reference.name!r}"
        hint = suggest(text, [each.name for each in known_choices])
        problems.add(Problem("bad-default", message, entry.position, hint))
        return None
    if value is None:
        problems.add(Problem("bad-default", f"{what}: default {text!r} {wrong}", entry.position))
        return None
    return Default(text, value, "", "", repr(value))


def _member(text: str, choice: Choice, reference: TypeReference) -> Default:
    expression = f"{reference.enumeration}.{choice.identifier}"
    return Default(text, choice.value, reference.enumeration, choice.identifier, expression)
