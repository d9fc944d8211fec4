"""Encodings of primitive types: codes and names that occur once in the whole specification.

Descriptors: each symbol and each number stands for one type only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ...model.amqp1.raw import RawDescriptor, RawEncoding
from ...model.amqp1.types import Descriptor, Encoding
from ...model.problem import Problem
from ...reader.amqp1.schema import format_width
from ..names import bad_name, duplicates
from .names import member_name
from .types import KnownType


def resolve_encodings(types: Iterable[KnownType]) -> tuple[dict[str, tuple[Encoding, ...]], list[Problem]]:
    """The encodings of each primitive type by its name; problems for codes and names that occur twice."""
    problems: list[Problem] = []
    by_type: dict[str, list[Encoding]] = {}
    for known in types:
        for raw in known.raw.encodings:
            if raw.name and not member_name(raw.name):
                problems.append(bad_name("encoding", raw.name, raw.position))
            by_type.setdefault(known.raw.name, []).append(_encoding(known.raw.name, raw))
        problems += duplicates(
            [raw for raw in known.raw.encodings if raw.name],
            lambda raw: raw.name,
            lambda raw: raw.position,
            "name",
            "duplicate-encoding",
            lambda raw: f"encoding {raw.name!r}",
        )
    problems += duplicates(
        [encoding for encodings in by_type.values() for encoding in encodings],
        lambda encoding: encoding.code,
        lambda encoding: encoding.position,
        "code",
        "duplicate-code",
        lambda encoding: f"encoding 0x{encoding.code:02x} of {encoding.type!r}",
    )
    return _with_identifiers(by_type), problems


def _encoding(owner: str, raw: RawEncoding) -> Encoding:
    return Encoding(
        name=raw.name,
        identifier="_".join(filter(None, (member_name(owner), member_name(raw.name)))),
        type=owner,
        code=raw.code,
        category=raw.category,
        width=format_width(raw.code) if raw.width is None else raw.width,
        label=raw.label,
        doc=raw.doc,
        position=raw.position,
    )


def _with_identifiers(by_type: Mapping[str, Iterable[Encoding]]) -> dict[str, tuple[Encoding, ...]]:
    """Adds the code to an identifier that an earlier encoding has: a type may have two without names."""
    taken: set[str] = set()
    resolved = {}
    for owner, encodings in by_type.items():
        unique = []
        for encoding in encodings:
            if encoding.identifier in taken:
                encoding = replace(encoding, identifier=f"{encoding.identifier}_{encoding.code:02X}")
            taken.add(encoding.identifier)
            unique.append(encoding)
        resolved[owner] = tuple(unique)
    return resolved


def check_descriptors(types: Iterable[KnownType]) -> list[Problem]:
    """Problems for symbols and numbers that occur twice in the whole specification."""
    found = [(known.raw.name, each) for known in types for each in known.raw.descriptors]
    by_symbol = duplicates(
        [each for each in found if each[1].name],
        lambda each: each[1].name,
        lambda each: each[1].position,
        "name",
        "duplicate-descriptor",
        lambda each: f"descriptor {each[1].name!r} of type {each[0]!r}",
    )
    by_code = duplicates(
        [each for each in found if each[1].code is not None],
        lambda each: each[1].code,
        lambda each: each[1].position,
        "code",
        "duplicate-descriptor",
        lambda each: f"descriptor {show_code(each[1].code or 0)} of type {each[0]!r}",
    )
    return by_symbol + by_code


def resolve_descriptors(raw: Iterable[RawDescriptor]) -> tuple[Descriptor, ...]:
    """The descriptors of one type."""
    return tuple(Descriptor(each.name, each.code, each.position) for each in raw)


def show_code(code: int) -> str:
    """A descriptor's number as files write it: ``0x00000000:0x00000010``."""
    return f"0x{code >> 32:08x}:0x{code & 0xFFFF_FFFF:08x}"
