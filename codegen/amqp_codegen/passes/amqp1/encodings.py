"""Encodings of primitive types: codes and names that occur once in the whole specification."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ...model.problem import Problems
from ...model.raw1 import RawEncoding
from ...model.types1 import Encoding
from ...spec.check_amqp1 import format_width
from ..names import bad_name, duplicates, repeated_names
from .names import member_name
from .types import KnownType


def resolve_encodings(types: Iterable[KnownType], problems: Problems) -> dict[str, tuple[Encoding, ...]]:
    """The encodings of each primitive type by its name; problems for codes and names that occur twice."""
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
