"""The pass for definitions: constants, each with a unique identifier."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.amqp1.raw import RawDefinition, RawPart, RawSection, RawSpec
from ...model.amqp1.spec import Definition
from ...model.problem import Problems
from ...reader.check_schema import parse_number
from ..names import bad_name, repeated_names
from .names import member_name

Place = tuple[str, str]


def resolve_definitions(raw: RawSpec, problems: Problems) -> dict[Place, tuple[Definition, ...]]:
    """Return the definitions of each section, by the names of its part and itself.

    Two sections may define the same name. The first keeps it; the identifier of the other gets its section as a
    prefix, so that the identifiers of the standard do not change if files extend it.
    """
    taken: set[str] = set()
    by_place: dict[Place, tuple[Definition, ...]] = {}
    for part, section in _sections(raw):
        problems.extend(repeated_names("duplicate-definition", section.definitions, str))
        problems.extend(
            bad_name("definition", entry.name, entry.position)
            for entry in section.definitions
            if not member_name(entry.name)
        )
        definitions = tuple(_definition(entry, part, section, taken) for entry in section.definitions)
        by_place[part.name, section.name] = by_place.get((part.name, section.name), ()) + definitions
    return by_place


def _sections(raw: RawSpec) -> Iterator[tuple[RawPart, RawSection]]:
    return ((part, section) for part in raw.parts for section in part.sections)


def _definition(entry: RawDefinition, part: RawPart, section: RawSection, taken: set[str]) -> Definition:
    number = parse_number(entry.value)
    return Definition(
        name=entry.name,
        identifier=_identifier(entry, part, section, taken),
        value=entry.value if number is None else number,
        part=part.name,
        section=section.name,
        label=entry.label,
        doc=entry.doc,
        position=entry.position,
    )


def _identifier(entry: RawDefinition, part: RawPart, section: RawSection, taken: set[str]) -> str:
    plain = member_name(entry.name)
    places = ("", f"{member_name(section.name)}_", f"{member_name(part.name)}_{member_name(section.name)}_")
    candidate = next((f"{place}{plain}" for place in places if f"{place}{plain}" not in taken), plain)
    while candidate in taken:
        candidate += "_"
    taken.add(candidate)
    return candidate
