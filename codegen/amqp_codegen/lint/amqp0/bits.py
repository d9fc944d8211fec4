"""Bits and flags: where they take more octets than one would think, or peers disagree about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from ...model.raw0 import RawField
from ...model.spec0 import WireType
from ...passes.amqp0.fields import PROPERTIES_PER_WORD
from ..finding import Finding
from ..subject import Subject0

_BITS_PER_OCTET = 8


def check_bits(subject: Subject0) -> Iterator[Finding]:
    """Long and parted runs of bits, bits as properties, and more properties than one flag word has."""
    for owner, method in subject.methods:
        yield from _runs(subject, f"{owner.name}.{method.name}", method.fields)
    for owner in subject.raw.classes:
        for field in owner.fields:
            if subject.type_of(field) is WireType.BIT:
                message = f"property {field.name!r} is a bit: its flag is its value, and no octet follows"
                hint = "libraries differ here: make it an octet"
                yield Finding("bit-property", message, field.position, hint)
        if len(owner.fields) > PROPERTIES_PER_WORD:
            field = owner.fields[PROPERTIES_PER_WORD]
            message = f"property {field.name!r} of class {owner.name!r} needs a second word of flags"
            hint = f"many peers read one word only: keep to {PROPERTIES_PER_WORD} properties"
            yield Finding("many-properties", message, field.position, hint)


def _runs(subject: Subject0, path: str, fields: Sequence[RawField]) -> Iterator[Finding]:
    runs = [
        list(run)
        for is_bit, run in groupby(fields, lambda each: subject.type_of(each) is WireType.BIT)
        if is_bit
    ]
    for run in runs:
        if len(run) > _BITS_PER_OCTET:
            field = run[_BITS_PER_OCTET]
            message = f"{len(run)} bits in a row in {path}: from {field.name!r} on they are in another octet"
            hint = f"known decoders get this wrong: keep to {_BITS_PER_OCTET} bits in a row"
            yield Finding("long-bit-run", message, field.position, hint)
    for run in runs[1:]:
        message = (
            f"bit {run[0].name!r} of {path} does not stand beside the other bits and takes an octet more"
        )
        yield Finding("parted-bit-run", message, run[0].position, "put all bits in a row")
