"""Content headers: each property alone and all together, and what no header may look like."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.spec0 import Class, Spec, WireType
from ..case import Case, refused_octets
from .neutral import Values, header_input
from .reference_encoder import encode
from .values import maximum, minimum, typical

_WEIGHT = 2  # where the weight stands in a payload
_FLAGS = 12


def header_cases(spec: Spec) -> Iterator[Case]:
    """The cases of every class with content."""
    for entry in spec.content_classes:
        element = f"{entry.name}.properties"
        everything = _typical_values(spec, entry)
        yield _header_case(spec, entry, element, "none", {})
        yield _header_case(spec, entry, element, "largest-body", {}, (1 << 64) - 1)
        if entry.properties:
            least = {each.field.name: minimum(each.field.type) for each in entry.properties}
            most = {each.field.name: maximum(each.field.type, spec.dialect, "ü") for each in entry.properties}
            yield _header_case(spec, entry, element, "all", everything, 258)
            yield _header_case(spec, entry, element, "all-lowest", least)
            yield _header_case(spec, entry, element, "all-highest", most)
        for each in entry.properties:
            name, kind = each.field.name, each.field.type
            ends = {"lowest": minimum(kind), "highest": maximum(kind, spec.dialect)}
            if kind is WireType.BIT:
                yield _header_case(spec, entry, f"{element}.{name}", "alone", {name: True})
            else:
                for what, value in {"alone": everything[name], **ends}.items():
                    yield _header_case(spec, entry, f"{element}.{name}", what, {name: value})
        yield from _wrong_headers(spec, entry, element)


def _header_case(
    spec: Spec, entry: Class, element: str, what: str, values: Values, body_size: int = 0
) -> Case:
    value = header_input(entry, values, body_size)
    octets = encode(spec, "header", value, spec.dialect)
    return Case(f"{element}/{what}", element, "header", value, octets)


def _wrong_headers(spec: Spec, entry: Class, element: str) -> Iterator[Case]:
    plain = encode(spec, "header", header_input(entry, {}), spec.dialect)
    yield refused_octets(element, "an-octet-too-many", "header", plain + b"\0", "malformed")
    weighty = plain[:_WEIGHT] + b"\0\1" + plain[_WEIGHT + 2 :]
    yield refused_octets(
        element, "weight", "header", weighty, "malformed", "4.2.6.1: the weight is unused and must be zero"
    )
    spare = 0x8000 >> len(entry.properties) % 15
    if spare > 1 and len(entry.properties) < 15:
        flagged = plain[:_FLAGS] + spare.to_bytes(2, "big")
        yield refused_octets(element, "flag-of-no-property", "header", flagged, "unknown")
    if len(entry.properties) < 15:
        yield refused_octets(
            element, "second-word-of-flags", "header", plain[:_FLAGS] + b"\0\1\0\0", "unknown"
        )


def _typical_values(spec: Spec, entry: Class) -> Values:
    return {
        each.field.name: typical(each.field, place, spec.dialect)
        for place, each in enumerate(entry.properties)
    }
