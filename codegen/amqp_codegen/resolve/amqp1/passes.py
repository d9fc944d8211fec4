"""Parts, sections and types of a 1.0 specification, put together from what the other passes have found.

The whole way from a raw 1.0 specification to a resolved one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...model.amqp1.raw import RawPart, RawSection, RawSpec
from ...model.amqp1.spec import Archetype, Definition, Part, Section, Spec
from ...model.amqp1.types import Choice, Composite, Encoding, Field, Primitive, Restricted, Rule, Type, Union
from ...model.problem import Position, Problem, Severity
from ..names import bad_name, duplicates
from .archetypes import resolve_archetypes, union_members
from .definitions import Place, resolve_definitions
from .encodings import check_descriptors, resolve_descriptors, resolve_encodings
from .fields import resolve_fields
from .names import part_module, type_identifier
from .rules import check_paths, error_conditions, resolve_rules
from .types import ANY_REFERENCE, KnownType, Types, know_types, refer
from .values import resolve_choices


@dataclass(frozen=True, slots=True)
class Resolved:
    """What the passes have found, by the names of types, archetypes and sections."""

    types: Types
    encodings: Mapping[str, tuple[Encoding, ...]]
    choices: Mapping[str, tuple[Choice, ...]]
    fields: Mapping[str, tuple[Field, ...]]
    archetypes: Mapping[str, Archetype]
    definitions: Mapping[Place, tuple[Definition, ...]]
    conditions: frozenset[str]


def resolve_parts(raw: RawSpec, resolved: Resolved) -> tuple[tuple[Part, ...], list[Problem]]:
    """The parts with all that is in them."""
    problems: list[Problem] = []
    taken: set[str] = set()
    parts = []
    for entry in raw.parts:
        module = part_module(entry.name, taken)
        if not module:
            problems.append(bad_name("part", entry.name, entry.position))
        problems += duplicates(
            entry.sections,
            lambda section: section.name,
            lambda section: section.position,
            "name",
            "duplicate-section",
            lambda section: f"section {section.name!r}",
        )
        rules, found = resolve_rules(entry.rules, entry.name, resolved.conditions)
        problems += found
        sections = []
        for each in entry.sections:
            section, found = _section(each, entry, resolved)
            problems += found
            sections.append(section)
        parts.append(Part(entry.name, module, entry.label, entry.doc, tuple(sections), rules, entry.position))
    return tuple(parts), problems


def _section(raw: RawSection, part: RawPart, resolved: Resolved) -> tuple[Section, list[Problem]]:
    rules, problems = resolve_rules(raw.rules, raw.name, resolved.conditions)
    types = []
    for entry in raw.types:
        known = resolved.types[entry.name]
        if known.raw is entry:  # and no second type of that name
            type_rules, found = resolve_rules(entry.rules, entry.name, resolved.conditions)
            problems += found
            types.append(_type(known, type_rules, resolved))
    section = Section(
        name=raw.name,
        title=raw.title,
        label=raw.label,
        doc=raw.doc,
        part=part.name,
        types=tuple(types),
        definitions=resolved.definitions[part.name, raw.name],
        rules=rules,
        position=raw.position,
    )
    return section, problems


def _type(known: KnownType, rules: tuple[Rule, ...], resolved: Resolved) -> Type:
    name = known.raw.name
    common = _common(known, rules)
    if known.raw.type_class == "primitive":
        return Primitive(*common, encodings=resolved.encodings.get(name, ()))
    if known.raw.type_class == "union":
        return Union(*common, members=union_members(known, resolved.archetypes))
    descriptors = resolve_descriptors(known.raw.descriptors)
    if known.raw.type_class == "composite":
        return Composite(*common, descriptors=descriptors, fields=resolved.fields[name])
    reference = refer(name, resolved.types) or ANY_REFERENCE
    return Restricted(
        *common,
        source=refer(known.raw.source, resolved.types) or ANY_REFERENCE,
        chain=known.chain,
        primitive=known.primitive,
        descriptors=descriptors,
        choices=resolved.choices[name],
        enumeration=reference.enumeration,
        open=reference.open,
    )


def _common(
    known: KnownType, rules: tuple[Rule, ...]
) -> tuple[str, str, str, tuple[str, ...], str, str, str, str, tuple[Rule, ...], Position]:
    """The attributes that every type has, in their order."""
    raw = known.raw
    return (
        raw.name,
        type_identifier(raw.name),
        known.class_name,
        tuple(dict.fromkeys(raw.provides)),
        known.part,
        known.section,
        raw.label,
        raw.doc,
        rules,
        raw.position,
    )


def resolve_amqp1(raw: RawSpec) -> tuple[Spec | None, list[Problem]]:
    """Resolves a specification.

    Every pass goes on as far as it can with what those before it have found, so that all problems are
    reported at once.

    Args:
        raw: As read, overlays merged.

    Returns:
        The specification, None when a problem is an error; and all problems.
    """
    types, problems = know_types(raw)
    conditions = error_conditions(types)
    encodings, found = resolve_encodings(types.values())
    problems += found
    problems += check_descriptors(types.values())
    choices = {}
    for name, known in types.items():
        choices[name], found = resolve_choices(known, types, conditions)
        problems += found
    archetypes, found = resolve_archetypes(types)
    problems += found
    by_name = {archetype.name: archetype for archetype in archetypes}
    fields = {}
    for name, known in types.items():
        fields[name], found = resolve_fields(known, types, choices, by_name, conditions)
        problems += found
    definitions, found = resolve_definitions(raw)
    problems += found
    resolved = Resolved(types, encodings, choices, fields, by_name, definitions, conditions)
    parts, found = resolve_parts(raw, resolved)
    problems += found
    spec = Spec(
        version=raw.version,
        title=f"AMQP {raw.version}",
        package=f"amqp_{raw.version.replace('.', '_')}",
        sources=raw.sources,
        parts=parts,
        archetypes=archetypes,
    )
    problems += check_paths(spec.rules)
    return None if any(problem.severity is Severity.ERROR for problem in problems) else spec, problems
