"""The values of choices and defaults: from the text in 1.0 files to Python values.

Choices of restricted types get a value and a member name. The default of a field is a value of its type, or the
name of one of its choices.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ...model.amqp1.primitive_types import INTEGERS
from ...model.amqp1.raw import RawChoice, RawField
from ...model.amqp1.spec import Value
from ...model.amqp1.types import Choice, Default, TypeReference
from ...model.problem import Problem, Problems
from ..names import bad_name, collisions, duplicates, repeated_names, suggest
from .names import member_name
from .rules import resolve_rules
from .types import KnownType, Types, is_open

_INTEGER = re.compile(r"-?[0-9]{1,20}|0[xX][0-9a-fA-F]{1,16}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,4})?")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_LARGEST_FLOATS = {"float": 3.4028234663852886e38, "double": 1.7976931348623157e308}


def parse_value(primitive: str, text: str) -> tuple[Value | None, str]:
    """Parse a value of a primitive type; an empty ``primitive`` means any type.

    Returns:
        The value or None, and its fault or an empty text, to follow "value 'x'".
    """
    if primitive in INTEGERS:
        return _integer(primitive, text)
    parser = _PARSERS.get(primitive)
    if parser is None:
        return None, f"cannot be read: values of type {primitive or '*'} cannot be written down"
    value = parser(text)
    return value, "" if value is not None else f"is not a valid {primitive}"


def _integer(primitive: str, text: str) -> tuple[Value | None, str]:
    lowest, highest = INTEGERS[primitive].low, INTEGERS[primitive].high
    if not _INTEGER.fullmatch(text):
        return None, f"is not a valid {primitive}"
    value = int(text, 16) if text[1:2] in ("x", "X") else int(text)
    if not lowest <= value <= highest:
        return None, f"is out of the range of {primitive}: {lowest} to {highest}"
    return value, ""


def _boolean(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text)


def _symbol(text: str) -> str | None:
    return text if text.isascii() else None


def _character(text: str) -> str | None:
    return text if len(text) == 1 else None


def _decimal(text: str) -> str | None:
    return text if _NUMBER.fullmatch(text) else None


def _uuid(text: str) -> str | None:
    return text.lower() if _UUID.fullmatch(text.lower()) else None


def _floating(largest: float) -> Callable[[str], float | None]:
    def parse(text: str) -> float | None:
        value = float(text) if _NUMBER.fullmatch(text) else None
        return value if value is not None and abs(value) <= largest else None

    return parse


_PARSERS: Mapping[str, Callable[[str], Value | None]] = {
    "boolean": _boolean,
    "string": str,
    "symbol": _symbol,
    "char": _character,
    "uuid": _uuid,
    "decimal32": _decimal,
    "decimal64": _decimal,
    "decimal128": _decimal,
    "float": _floating(_LARGEST_FLOATS["float"]),
    "double": _floating(_LARGEST_FLOATS["double"]),
}


def resolve_choices(
    known: KnownType, types: Types, conditions: frozenset[str], problems: Problems
) -> tuple[Choice, ...]:
    """Resolve the choices of a restricted type; problems are names and values that clash or do not fit.

    ``conditions`` are all known error conditions.
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
    """Report choices that the source, if it has choices and is not open, does not have."""
    source = next((types[name] for name in known.chain if name in types and types[name].raw.choices), None)
    if source is None or is_open(source):
        return []
    allowed = {parse_value(known.primitive, choice.value)[0] for choice in source.raw.choices}
    return [
        Problem(
            "bad-choice",
            f"choice {choice.name!r} of {known.raw.name!r}: {choice.value!r} is none of {source.raw.name!r}, its source",
            choice.position,
        )
        for choice in choices
        if choice.value not in allowed
    ]


Choices = Mapping[str, tuple[Choice, ...]]


def resolve_default(
    entry: RawField, reference: TypeReference, types: Types, choices: Choices, what: str, problems: Problems
) -> Default | None:
    """Resolve the default of a field; None if it has none or a wrong one, which is a problem.

    Args:
        entry: The raw field.
        reference: Its type.
        types: All types.
        choices: The choices of each type by its name.
        what: The field in words.
        problems: Receives the problem.
    """
    known = types.get(reference.name)
    if entry.default is None or (known is not None and not known.resolved):
        return None
    text = entry.default
    known_choices = choices.get(known.choosing, ()) if known else ()
    by_name = next((choice for choice in known_choices if choice.name == text), None)
    if by_name is not None:
        return _member(text, by_name, reference)
    value, wrong = parse_value(reference.primitive, text)
    by_value = next((choice for choice in known_choices if choice.value == value), None)
    if by_value is not None:
        return _member(text, by_value, reference)
    if known_choices and not reference.open:
        message = f"{what}: default {text!r} is not a choice of {reference.name!r}"
        hint = suggest(text, [choice.name for choice in known_choices])
        problems.add(Problem("bad-default", message, entry.position, hint))
        return None
    if value is None:
        problems.add(Problem("bad-default", f"{what}: default {text!r} {wrong}", entry.position))
        return None
    return Default(text, value, "", "", repr(value))


def _member(text: str, choice: Choice, reference: TypeReference) -> Default:
    expression = f"{reference.enumeration}.{choice.identifier}"
    return Default(text, choice.value, reference.enumeration, choice.identifier, expression)
