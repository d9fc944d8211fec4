"""Asserts that can never fail, that cannot all hold, or that are said twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...model.position import Position
from ...model.raw0 import RawAssert
from ...model.spec0 import WireType
from ...passes.names import normalise
from ...spec.check_value import parse_number
from ...spec.wording import quote
from ..finding import Finding
from ..subject import Subject0

# The longest short string, in octets: its length is one octet (section 4.2.5.3 of 0-9-1).
_LONGEST = 255


def check_asserts(subject: Subject0) -> Iterator[Finding]:
    """What is odd about the asserts of every domain and field, each with those of its domain."""
    inherited = {normalise(domain.name): domain.asserts for domain in subject.raw.domains}
    for domain in subject.raw.domains:
        known = subject.domains.get(normalise(domain.name))
        yield from _check(f"domain {domain.name!r}", domain.asserts, (), known.type if known else None)
    for field in subject.fields:
        own = inherited.get(normalise(field.domain), ())
        yield from _check(f"field {field.name!r}", field.asserts, own, subject.type_of(field))
    for owner, method in subject.methods:
        for field in method.fields:
            for check in field.asserts:
                bound = normalise(check.method) or normalise(method.name), normalise(check.field)
                if check.check == "le" and bound == (normalise(method.name), normalise(field.name)):
                    message = f"field {field.name!r} of {owner.name}.{method.name} is its own upper limit"
                    yield Finding("own-bound", message, check.position, "name the field that is the limit")


def _check(
    what: str, asserts: Sequence[RawAssert], inherited: Sequence[RawAssert], kind: WireType | None
) -> Iterator[Finding]:
    seen = {_meaning(check): check.position for check in inherited}
    for check in asserts:
        meaning = _meaning(check)
        if meaning in seen:
            message = f"{what} has the assert {check.check!r} already, at {seen[meaning]}"
            yield Finding("repeated-assert", message, check.position, "one of them will do")
        seen.setdefault(meaning, check.position)
        yield from _contradiction(what, check, seen)
        if _always_holds(check, kind):
            message = (
                f"the assert {check.check!r} {quote(check.value)} of {what} holds for every {_name(kind)}"
            )
            yield Finding("idle-assert", message, check.position, "correct the value, or remove the assert")


def _contradiction(what: str, check: RawAssert, seen: dict[tuple[str, ...], Position]) -> Iterator[Finding]:
    opposite = {"null": "notnull", "notnull": "null"}.get(check.check)
    place = next((position for meaning, position in seen.items() if meaning[0] == opposite), None)
    if place is not None:
        message = f"{what} is to be {check.check!r} here and {opposite!r} at {place}"
        yield Finding("assert-contradiction", message, check.position, "keep the one that is right")


def _meaning(check: RawAssert) -> tuple[str, ...]:
    names = (normalise(check.method), normalise(check.field), normalise(check.rule))
    return (check.check, check.value, *names, *check.values)


def _always_holds(check: RawAssert, kind: WireType | None) -> bool:
    number = parse_number(check.value)
    if number is None or kind is None:
        return False
    if check.check == "length":
        return kind is WireType.SHORTSTR and number >= _LONGEST
    return check.check == "ne" and kind.width is not None and number >= 1 << 8 * kind.width


def _name(kind: WireType | None) -> str:
    return kind.value if kind else "value"
