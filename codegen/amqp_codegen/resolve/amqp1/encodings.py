"""The passes for encodings and descriptors.

Codes and names of encodings are unique in the specification, and so are the symbols and numbers of descriptors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from ...model.amqp1.raw import RawDescriptor, RawEncoding
from ...model.amqp1.types import Descriptor, Encoding
from ...model.problem import Position, Problem, Problems
from ...reader.amqp1.schema import format_width
from ..names import bad_name, duplicates, repeated_names
from .names import member_name
from .types import KnownType


def resolve_encodings(types: Iterable[KnownType], problems: Problems) -> dict[str, tuple[Encoding, ...]]:
    """Return the encodings of each primitive type by its name; problems are repeated codes and names."""
    by_type: dict[str, list[Encoding]] = {}
    for known in types:
        for raw in known.raw.encodings:
            if raw.name and not member_name(raw.name):
                problems.add(bad_name("encoding", raw.name, raw.position))
            by_type.setdefault(known.raw.name, []).append(_encoding(known.raw.name, raw))
        problems.extend(
            repeated_names("duplicate-encoding", [raw for raw in known.raw.encodings if raw.name], str)
        )
    problems.extend(
        duplicates(
            [encoding for encodings in by_type.values() for encoding in encodings],
            "code",
            lambda encoding: encoding.code,
            "duplicate-code",
            lambda encoding: f"encoding 0x{encoding.code:02x} of {encoding.type!r}",
        )
    )
    return _with_identifiers(by_type)


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


def _with_identifiers(
    by_type: Mapping[str, Iterable[Encoding]],
) -> dict[str, tuple[Encoding, ...]]:
    """Append the code to repeated identifiers, because a type may have two encodings without names."""
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


class _Owned(NamedTuple):
    """A descriptor and the name of its type."""

    type: str
    raw: RawDescriptor

    @property
    def name(self) -> str:
        return self.raw.name

    @property
    def position(self) -> Position:
        return self.raw.position


def check_descriptors(types: Iterable[KnownType]) -> Iterator[Problem]:
    """Report symbols and numbers that occur twice in the whole specification."""
    owned = [_Owned(known.name, descriptor) for known in types for descriptor in known.raw.descriptors]
    yield from duplicates(
        [descriptor for descriptor in owned if descriptor.name],
        "name",
        lambda descriptor: descriptor.name,
        "duplicate-descriptor",
        lambda descriptor: f"descriptor {descriptor.name!r} of type {descriptor.type!r}",
    )
    yield from duplicates(
        [descriptor for descriptor in owned if descriptor.raw.code is not None],
        "code",
        lambda descriptor: descriptor.raw.code,
        "duplicate-descriptor",
        lambda descriptor: f"descriptor {show_code(descriptor.raw.code or 0)} of type {descriptor.type!r}",
    )


def resolve_descriptors(raw: Iterable[RawDescriptor]) -> tuple[Descriptor, ...]:
    """Return the descriptors of one type."""
    return tuple(Descriptor(descriptor.name, descriptor.code, descriptor.position) for descriptor in raw)


def show_code(code: int) -> str:
    """Return a descriptor's number as written in files: ``0x00000000:0x00000010``."""
    return f"0x{code >> 32:08x}:0x{code & 0xFFFF_FFFF:08x}"
