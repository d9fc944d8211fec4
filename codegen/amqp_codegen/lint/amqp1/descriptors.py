"""Descriptors: both forms given, a symbol that tells the truth, and a number of one's own."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.raw1 import RawDescriptor, RawPart, RawType
from ...spec.inputs import PARTS_1_0
from ...spec.wording import quote
from ..finding import Finding
from ..subject import Subject1


def check_descriptors(subject: Subject1) -> Iterator[Finding]:
    """What is odd about the descriptors of every type."""
    for part in subject.raw.parts:
        for section in part.sections:
            for each in section.types:
                for descriptor in each.descriptors:
                    yield from _check(subject, part, each, descriptor)


def _check(subject: Subject1, part: RawPart, owner: RawType, entry: RawDescriptor) -> Iterator[Finding]:
    if not entry.name or entry.code is None:
        lacking, present = ("name", "code") if not entry.name else ("code", "name")
        message = f"the descriptor of {owner.name!r} has a {present} but no {lacking}"
        hint = "peers may send either, so give both"
        yield Finding("half-descriptor", message, entry.position, hint)
    suffix = entry.name.rpartition(":")[2]
    known = subject.types.get(owner.name)
    fitting = {"list"} if owner.type_class == "composite" else {owner.source, *(known.chain if known else ())}
    if ":" in entry.name and suffix in {*subject.types, "*"} and suffix not in fitting:
        message = f"the symbol {quote(entry.name)} says {suffix!r}, but {owner.name!r} is a {owner.source!r}"
        yield Finding(
            "descriptor-suffix", message, entry.position, "end it with the type that carries the value"
        )
    # Domain 0 is AMQP's own (section 1.5): the numbers of others begin with their enterprise number.
    if entry.code is not None and entry.code >> 32 == 0 and part.name not in PARTS_1_0:
        message = f"the code of {owner.name!r} is in domain 0, which is the standard's own"
        hint = "take the IANA enterprise number of whoever defines it"
        yield Finding("foreign-descriptor", message, entry.position, hint)
