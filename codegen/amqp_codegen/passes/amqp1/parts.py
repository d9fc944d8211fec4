"""Parts, sections and types of a 1.0 specification, put together from what the other passes have found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...model.position import Position
from ...model.problem import Problems
from ...model.raw1 import RawPart, RawSection, RawSpec
from ...model.rule1 import Rule
from ...model.spec1 import Archetype, Definition, Part, Section
from ...model.types1 import Choice, Composite, Encoding, Field, Primitive, Restricted, Type, Union
from ..names import bad_name, repeated_names
from .archetypes import union_members
from .definitions import Place
from .descriptors import resolve_descriptors
from .names import part_module, type_identifier
from .rules import resolve_rules
from .types import ANY_REFERENCE, KnownType, Types, refer


@dataclass(frozen=True, slots=True)
class Resolved:
    """What the passes before this one have made, by the names of types, archetypes and sections."""

    types: Types
    encodings: Mapping[str, tuple[Encoding, ...]]
    choices: Mapping[str, tuple[Choice, ...]]
    fields: Mapping[str, tuple[Field, ...]]
    archetypes: Mapping[str, Archetype]
    definitions: Mapping[Place, tuple[Definition, ...]]
    conditions: frozenset[str]


def resolve_parts(raw: RawSpec, resolved: Resolved, problems: Problems) -> tuple[Part, ...]:
    """The parts with all that is in them."""
    taken: set[str] = set()
    parts = []
    for entry in raw.parts:
        module = part_module(entry.name, taken)
        if not module:
            problems.add(bad_name("part", entry.name, entry.position))
        problems.extend(repeated_names("duplicate-section", entry.sections, str))
        rules = resolve_rules(entry.rules, entry.name, resolved.conditions, problems)
        sections = tuple(_section(each, entry, resolved, problems) for each in entry.sections)
        parts.append(Part(entry.name, module, entry.label, entry.doc, sections, rules, entry.position))
    return tuple(parts)


def _section(raw: RawSection, part: RawPart, resolved: Resolved, problems: Problems) -> Section:
    rules = resolve_rules(raw.rules, raw.name, resolved.conditions, problems)
    types = []
    for entry in raw.types:
        known = resolved.types[entry.name]
        if known.raw is entry:  # and no second type of that name
            type_rules = resolve_rules(entry.rules, entry.name, resolved.conditions, problems)
            types.append(_type(known, type_rules, resolved))
    return Section(
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
