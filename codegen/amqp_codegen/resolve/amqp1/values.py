"""Values as 1.0 files write them, of choices and defaults, to values in Python.

Choices of restricted types: values parsed, members named.

Defaults of fields: a value of the field's type, or the name of one of its choices.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ...model.amqp1.raw import RawChoice, RawField
from ...model.amqp1.spec import Value
from ...model.amqp1.types import Choice, Default, TypeReference
from ...model.problem import Problem
from ..names import bad_name, duplicates, suggest
from .names import member_name
from .rules import resolve_rules
from .types import KnownType, Types, is_open

# The number of bits of each integral type, and whether it is signed.
_INTEGERS: Mapping[str, tuple[int, bool]] = {
    "ubyte": (8, False),
    "ushort": (16, False),
    "uint": (32, False),
    "ulong": (64, False),
    "byte": (8, True),
    "short": (16, True),
    "int": (32, True),
    "long": (64, True),
    "timestamp": (64, True),
}
_INTEGER = re.compile(r"-?[0-9]{1,20}|0[xX][0-9a-fA-F]{1,16}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,4})?")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_LARGEST = {"float": 3.4028234663852886e38, "double": 1.7976931348623157e308}


def parse_value(primitive: str, text: str) -> tuple[Value | None, str]:
    """Reads a value.

    Args:
        primitive: The name of the primitive type it is of; empty for any type.
        text: As written.

    Returns:
        The value, and what is wrong with it, to follow "value 'x'"; one of the two is there.
    """
    if primitive in _INTEGERS:
        return _integer(primitive, text)
    parser = _PARSERS.get(primitive)
    if parser is None:
        return None, f"cannot be read: values of type {primitive or '*'} cannot be written down"
    value = parser(text)
    return value, "" if value is not None else f"is no {primitive}"


def _integer(primitive: str, text: str) -> tuple[Value | None, str]:
    bits, signed = _INTEGERS[primitive]
    lowest = -(1 << bits - 1) if signed else 0
    highest = (1 << bits - signed) - 1
    if not _INTEGER.fullmatch(text):
        return None, f"is no {primitive}"
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
    "float": _floating(_LARGEST["float"]),
    "double": _floating(_LARGEST["double"]),
}


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


Choices = Mapping[str, tuple[Choice, ...]]


def resolve_default(
    entry: RawField, reference: TypeReference, types: Types, choices: Choices, what: str
) -> tuple[Default | None, list[Problem]]:
    """The default of a field, None where it has none or a wrong one.

    Args:
        entry: The field as read.
        reference: Its type.
        types: All types.
        choices: The choices of each type by its name.
        what: The field in words.
    """
    known = types.get(reference.name)
    if entry.default is None or (known is not None and not known.resolved):
        return None, []
    text = entry.default
    known_choices = choices.get(known.choosing, ()) if known else ()
    by_name = next((each for each in known_choices if each.name == text), None)
    if by_name is not None:
        return _member(text, by_name, reference), []
    value, wrong = parse_value(reference.primitive, text)
    by_value = next((each for each in known_choices if each.value == value), None)
    if by_value is not None:
        return _member(text, by_value, reference), []
    if known_choices and not reference.open:
        message = f"{what}: default {text!r} is no choice of {reference.name!r}"
        hint = suggest(text, [each.name for each in known_choices])
        return None, [Problem("bad-default", message, entry.position, hint)]
    if value is None:
        return None, [Problem("bad-default", f"{what}: default {text!r} {wrong}", entry.position)]
    return Default(text, value, "", "", repr(value)), []


def _member(text: str, choice: Choice, reference: TypeReference) -> Default:
    expression = f"{reference.enumeration}.{choice.identifier}"
    return Default(text, choice.value, reference.enumeration, choice.identifier, expression)
