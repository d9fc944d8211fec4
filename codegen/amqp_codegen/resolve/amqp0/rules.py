"""The passes for rules and asserts.

Rules get paths, level words, actors and the constants that report violations. The values of asserts are parsed
and compared with the types they check, and their bounds are found.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...model.amqp0.field_types import WireType
from ...model.amqp0.raw import RawAssert, RawRule
from ...model.amqp0.spec import Assert, Field, Method, Rule
from ...model.problem import Problem, Problems
from ...reader.check_schema import parse_number
from ...support.wording import quote
from ..names import LEVEL, identifier, level_words, normalise, repeated_names, suggest

_ACTOR = re.compile(r"\b(server|client|peer)s?\b", re.IGNORECASE)
# "the server MUST", but not "the version proposed by the server MUST".
_SUBJECT = re.compile(
    r"(?<!\bby )(?<!\bfrom )(?<!\bto )(?<!\bof )\bthe\s+(server|client|peer)s?\s*$", re.IGNORECASE
)
_CLAUSE_END = re.compile(r"[.;:,]\s")


def actor(text: str) -> str:
    """Return who must obey a rule: server, client or peer, or ``other`` if the text names none of them.

    It is the subject of the first level word; if that is none of the three, the first one in its clause, or else
    the last one before it.
    """
    level = LEVEL.search(text)
    if level is None:
        return "other"
    before = text[: level.start()]
    clause = _CLAUSE_END.split(before)[-1]
    actors = _SUBJECT.findall(before) or _ACTOR.findall(clause) or _ACTOR.findall(before)[-1:]
    return str(actors[0]).lower() if actors else "other"


def _number_name(number: int, names: set[str]) -> str:
    """Return the name of an unnamed rule: its number among the rules of the element."""
    name = f"{number:02d}"
    return f"rule-{name}" if name in names else name


def resolve_rules(
    raw: Sequence[RawRule], owner: str, constants: frozenset[str], problems: Problems
) -> list[Rule]:
    """Resolve the rules of the element with the path ``owner``, for example ``queue.declare.passive``.

    Problems are repeated names, and ``on-failure`` constants that are not in ``constants`` (normalised names).
    """
    rules = []
    problems.extend(repeated_names("duplicate-rule", [rule for rule in raw if rule.name]))
    names = {normalise(rule.name) for rule in raw}
    for number, rule in enumerate(raw, start=1):
        name = normalise(rule.name) if rule.name else _number_name(number, names)
        on_failure = normalise(rule.on_failure)
        if on_failure and on_failure not in constants:
            problems.add(
                Problem(
                    "unknown-on-failure",
                    f"on-failure names {rule.on_failure!r}, which is not a constant",
                    rule.position,
                    suggest(rule.on_failure, constants),
                )
            )
        levels = level_words(rule.text)
        rules.append(
            Rule(
                path=f"{owner}/{name}",
                name=name,
                label=rule.label,
                text=rule.text,
                levels=levels or ((rule.level,) if rule.level else ()),
                actor=actor(rule.text),
                on_failure=on_failure,
                scenario=rule.scenario,
                test=rule.test,
                position=rule.position,
            )
        )
    return rules


_STRING_TYPES = frozenset(kind for kind in WireType if kind.facts.python in ("str", "bytes"))
_NUMBER_TYPES = frozenset(kind for kind in WireType if kind.width is not None)
# The types that a check can be used on; ``notnull``, ``null`` and ``syntax`` (a rule in words) fit every type.
_FITTING_TYPES: Mapping[str, tuple[frozenset[WireType], str]] = {
    "length": (_STRING_TYPES, "a string"),
    "regexp": (_STRING_TYPES, "a string"),
    "enum": (_NUMBER_TYPES, "a number"),
    "ne": (_NUMBER_TYPES, "a number"),
    "le": (_NUMBER_TYPES, "a number"),
}


def resolve_asserts(
    raw: Sequence[RawAssert], kind: WireType | None, origin: str, problems: Problems
) -> list[Assert]:
    """Resolve the asserts of a field or a domain; problems are asserts that do not fit its type.

    Args:
        raw: The asserts.
        kind: The type of the field or domain; None if it is unknown, which has been reported.
        origin: ``domain NAME`` or ``field``.
        problems: Receives the problems.
    """
    if kind is not None:
        problems.extend(filter(None, (_unfitting(check, kind) for check in raw)))
    return [_resolve_assert(check, origin) for check in raw]


def _unfitting(raw: RawAssert, kind: WireType) -> Problem | None:
    kinds, wanted = _FITTING_TYPES.get(raw.check, (frozenset(WireType), ""))
    if kind not in kinds:
        message = f"the assert {raw.check!r} needs {wanted}, and this is of the type {kind.value}"
        return Problem("unfitting-assert", message, raw.position)
    if raw.check in ("length", "ne") and parse_number(raw.value) is None:
        message = f"the assert {raw.check!r} needs a number as its value, not {quote(raw.value)}"
        return Problem("unfitting-assert", message, raw.position)
    return None


def _resolve_assert(raw: RawAssert, origin: str) -> Assert:
    """Parse the value of an assert; ``resolve_bounds`` resolves the method of ``le`` when all are known."""
    return Assert(
        check=raw.check,
        number=parse_number(raw.value) or 0,
        text=raw.value if raw.check == "regexp" else raw.rule,
        values=raw.values,
        method=normalise(raw.method),
        field=identifier(raw.field),
        origin=origin,
        position=raw.position,
    )


def bounds_of_properties(properties: Sequence[Field]) -> list[Problem]:
    """Report ``le`` asserts of content properties: without a method there is no field to compare with."""
    return [
        Problem(
            "dangling-assert",
            f"property {field.name!r} cannot be compared with a field of a method",
            check.position,
        )
        for field in properties
        for check in field.asserts
        if check.check == "le"
    ]


def resolve_bounds(methods: Sequence[Method], problems: Problems) -> list[Method]:
    """Replace the method name of each ``le`` assert by its class name, now that all methods are known."""
    known = {method.name: method for method in methods}

    def resolve(check: Assert, field: Field, owner: Method) -> Assert:
        if check.check != "le":
            return check
        bound = (
            known.get(check.method) if check.method else owner
        )  # without a method name, the field is in the same method
        if bound is None:
            message = f"field {field.name!r} must not exceed a field of {quote(check.method)}, which is not a method"
            problems.add(Problem("dangling-assert", message, check.position, suggest(check.method, known)))
            return check
        fields = [field.identifier for field in bound.fields]
        if check.field not in fields:
            message = f"field {field.name!r} must not exceed {quote(check.field)} of {bound.full_name}, which has no such field"
            problems.add(Problem("dangling-assert", message, check.position, suggest(check.field, fields)))
            return check
        if bound.fields[fields.index(check.field)].type not in _NUMBER_TYPES:
            message = f"field {field.name!r} must not exceed {quote(check.field)} of {bound.full_name}, which is not a number"
            problems.add(Problem("unfitting-assert", message, check.position))
            return check
        return replace(check, method=bound.class_name)

    resolved = []
    for method in methods:
        fields = tuple(
            replace(field, asserts=tuple(resolve(check, field, method) for check in field.asserts))
            for field in method.fields
        )
        resolved.append(replace(method, fields=fields))
    return resolved
