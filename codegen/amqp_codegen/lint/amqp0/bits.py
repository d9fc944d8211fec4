"""Bits, flags and reserved fields of 0-x: where the octets surprise, or peers disagree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from ...model.amqp0.field_types import WireType
from ...model.amqp0.raw import RawAssert, RawField
from ...reader.check_schema import parse_number
from ...resolve.amqp0.classes import PROPERTIES_PER_WORD
from ...resolve.names import normalise
from ..rule import LintSeverity, Remark, rule
from .subject import LintedSpec

_BITS = "bits-0-x"
_WARNING, _NOTE = LintSeverity.WARNING, LintSeverity.NOTE
_BITS_PER_OCTET = 8


@rule(_BITS, "long-bit-run", _WARNING, "nine fields of the domain bit")
def long_bit_run(subject: LintedSpec) -> Iterator[Remark]:
    """More than eight bits in a row: the ninth begins another octet, which known decoders miss."""
    for path, runs in _bit_runs(subject):
        for run in runs:
            if len(run) > _BITS_PER_OCTET:
                field = run[_BITS_PER_OCTET]
                message = (
                    f"{len(run)} bits in a row in {path}: from {field.name!r} on they are in another octet"
                )
                hint = f"known decoders get this wrong: keep to {_BITS_PER_OCTET} bits in a row"
                yield Remark(message, field.position, hint)


@rule(_BITS, "parted-bit-run", _NOTE, "bit, short, bit")
def parted_bit_run(subject: LintedSpec) -> Iterator[Remark]:
    """Bits with another field between them: they take two octets instead of one."""
    for path, runs in _bit_runs(subject):
        for run in runs[1:]:
            message = (
                f"bit {run[0].name!r} of {path} does not stand beside the other bits and takes an octet more"
            )
            yield Remark(message, run[0].position, "put all bits in a row")


def _bit_runs(subject: LintedSpec) -> Iterator[tuple[str, list[list[RawField]]]]:
    """Yield the path of each method and its runs of bits."""
    for owner, method in subject.methods:
        runs = groupby(method.fields, lambda field: subject.type_of(field) is WireType.BIT)
        yield f"{owner.name}.{method.name}", [list(run) for is_bit, run in runs if is_bit]


@rule(_BITS, "bit-property", _WARNING, '<field name="p" type="bit"/> in a class')
def bit_property(subject: LintedSpec) -> Iterator[Remark]:
    """A content property that is a bit."""
    for owner in subject.raw.classes:
        for field in owner.fields:
            if subject.type_of(field) is WireType.BIT:
                message = f"property {field.name!r} is a bit: its flag is its value, and no octet follows"
                yield Remark(message, field.position, "libraries differ here: make it an octet")


@rule(_BITS, "many-properties", _WARNING, "sixteen fields in a class")
def many_properties(subject: LintedSpec) -> Iterator[Remark]:
    """More than fifteen properties: their flags need a second word, which RabbitMQ refuses."""
    for owner in subject.raw.classes:
        if len(owner.fields) > PROPERTIES_PER_WORD:
            field = owner.fields[PROPERTIES_PER_WORD]
            message = f"property {field.name!r} of class {owner.name!r} needs a second word of flags"
            hint = f"many peers read one word only: keep to {PROPERTIES_PER_WORD} properties"
            yield Remark(message, field.position, hint)


# --- reserved fields ---


@rule(_BITS, "reserved-not-zero", _WARNING, '<field name="reserved-1" domain="delivery-tag" reserved="1"/>')
def reserved_not_zero(subject: LintedSpec) -> Iterator[Remark]:
    """A reserved field, which is zero, with an assert that forbids zero."""
    asserts = {normalise(domain.name): domain.asserts for domain in subject.raw.domains}
    for field in subject.fields:
        inherited = asserts.get(normalise(field.type or field.domain), ())
        wrong = next(filter(_forbids_zero, (*field.asserts, *inherited)), None)
        if field.reserved and wrong is not None:
            message = f"reserved field {field.name!r} must be zero, which assert {wrong.check!r} forbids"
            hint = "give it a type instead of the domain" if wrong in inherited else "remove the assert"
            yield Remark(message, field.position, hint)


def _forbids_zero(check: RawAssert) -> bool:
    """Return whether zero, or an empty string, breaks an assert."""
    if check.check == "regexp":
        try:
            return re.search(check.value, "") is None
        except re.error:
            return False
    return check.check == "notnull" or (check.check == "ne" and parse_number(check.value) == 0)


@rule(_BITS, "unmarked-reserved", _WARNING, '<field name="reserved-1"/>')
def unmarked_reserved(subject: LintedSpec) -> Iterator[Remark]:
    """A field called reserved that is not marked so."""
    for field in subject.fields:
        if not field.reserved and re.fullmatch(r"reserved(-\d+)?", normalise(field.name)):
            message = f"field {field.name!r} is not marked as reserved"
            yield Remark(message, field.position, 'write reserved="1", or rename it')
