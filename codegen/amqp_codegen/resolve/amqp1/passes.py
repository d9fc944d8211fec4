"""The resolution of a raw 1.0 specification: the list of passes, what they work on, and its result.

The last pass builds parts, sections and types from the results of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ...model.amqp1.raw import RawPart, RawSection, RawSpec
from ...model.amqp1.spec import Archetype, Definition, Part, Section, Spec, Wire, WireMapRule, WireNames
from ...model.amqp1.types import (
    Choice,
    Composite,
    Encoding,
    Field,
    Primitive,
    Restricted,
    Rule,
    Type,
    Union,
)
from ...model.problem import Position, Problem, Problems
from ..names import bad_name, repeated_names
from .archetypes import resolve_archetypes, union_members
from .definitions import Place, resolve_definitions
from .encodings import check_descriptors, resolve_descriptors, resolve_encodings
from .fields import KnownNames, resolve_fields
from .names import part_module, type_identifier
from .rules import check_paths, error_conditions, resolve_rules
from .types import ANY_REFERENCE, KnownType, Types, know_types, refer
from .values import resolve_choices


@dataclass(frozen=True, slots=True)
class Resolved:
    """The results of the passes before the last, by the names of types, archetypes and sections."""

    types: Types
    encodings: Mapping[str, tuple[Encoding, ...]]
    choices: Mapping[str, tuple[Choice, ...]]
    fields: Mapping[str, tuple[Field, ...]]
    archetypes: Mapping[str, Archetype]
    definitions: Mapping[Place, tuple[Definition, ...]]
    conditions: frozenset[str]
    map_rules: Sequence[WireMapRule]


def resolve_parts(raw: RawSpec, resolved: Resolved, problems: Problems) -> tuple[Part, ...]:
    """Build the parts with their sections and types."""
    taken: set[str] = set()
    parts = []
    for entry in raw.parts:
        module = part_module(entry.name, taken)
        if not module:
            problems.add(bad_name("part", entry.name, entry.position))
        problems.extend(repeated_names("duplicate-section", entry.sections, str))
        rules = resolve_rules(entry.rules, entry.name, resolved.conditions, problems)
        sections = tuple(_section(section, entry, resolved, problems) for section in entry.sections)
        parts.append(Part(entry.name, module, entry.label, entry.doc, sections, rules, entry.position))
    return tuple(parts)


def _section(raw: RawSection, part: RawPart, resolved: Resolved, problems: Problems) -> Section:
    rules = resolve_rules(raw.rules, raw.name, resolved.conditions, problems)
    types = []
    for entry in raw.types:
        known = resolved.types[entry.name]
        if known.raw is entry:  # else it is a repeated name
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
    map_rules = [rule for rule in resolved.map_rules if rule.path.partition("/")[0] in (name, *known.chain)]
    return Restricted(
        *common,
        source=refer(known.raw.source, resolved.types) or ANY_REFERENCE,
        chain=known.chain,
        primitive=known.primitive,
        descriptors=descriptors,
        choices=resolved.choices[name],
        enumeration=reference.enumeration,
        open=reference.open,
        keys=next((rule.keys for rule in map_rules if rule.keys), ()),
        excluded=tuple(kind for rule in map_rules for kind in rule.excluded),
    )


def _common(
    known: KnownType, rules: tuple[Rule, ...]
) -> tuple[str, str, str, tuple[str, ...], str, str, str, str, tuple[Rule, ...], Position]:
    """Return the attributes of ``NamedType``, in order."""
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


@dataclass(frozen=True, slots=True)
class Resolution:
    """A resolved specification, or the valid parts of one with errors.

    Attributes:
        spec: The resolved model; None if a problem is an error.
        problems: The problems that the passes found, in their order.
        types: Every type by its name.
    """

    raw: RawSpec
    spec: Spec | None
    problems: tuple[Problem, ...]
    types: Types


def resolve_amqp1(raw: RawSpec, wire: Wire) -> Resolution:
    """Resolve a specification."""
    draft = _Draft(raw, wire)
    for resolve in _PASSES:
        resolve(draft)
    spec = _spec(draft)
    draft.problems.extend(check_paths(spec.rules))
    return Resolution(raw, None if draft.problems.has_errors else spec, tuple(draft.problems), draft.types)


@dataclass(slots=True)
class _Draft:
    """A specification in progress: the input, and the results and problems of the passes so far."""

    raw: RawSpec
    wire: Wire
    problems: Problems = field(default_factory=Problems)
    types: dict[str, KnownType] = field(default_factory=dict)
    conditions: frozenset[str] = frozenset()
    encodings: dict[str, tuple[Encoding, ...]] = field(default_factory=dict)
    choices: dict[str, tuple[Choice, ...]] = field(default_factory=dict)
    archetypes: tuple[Archetype, ...] = ()
    fields: dict[str, tuple[Field, ...]] = field(default_factory=dict)
    definitions: dict[Place, tuple[Definition, ...]] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()

    @property
    def archetypes_by_name(self) -> dict[str, Archetype]:
        return {archetype.name: archetype for archetype in self.archetypes}


def _know_types(draft: _Draft) -> None:
    draft.types = know_types(draft.raw, draft.problems)
    draft.conditions = error_conditions(draft.types)


def _resolve_encodings(draft: _Draft) -> None:
    draft.encodings = resolve_encodings(draft.types.values(), draft.problems)


def _check_descriptors(draft: _Draft) -> None:
    draft.problems.extend(check_descriptors(draft.types.values()))


def _resolve_choices(draft: _Draft) -> None:
    for name, known in draft.types.items():
        draft.choices[name] = resolve_choices(known, draft.types, draft.conditions, draft.problems)


def _resolve_archetypes(draft: _Draft) -> None:
    draft.archetypes = resolve_archetypes(draft.types, draft.problems)


def _resolve_fields(draft: _Draft) -> None:
    names = KnownNames(draft.types, draft.choices, draft.archetypes_by_name, draft.conditions)
    for name, known in draft.types.items():
        draft.fields[name] = resolve_fields(known, names, draft.problems)


def _resolve_definitions(draft: _Draft) -> None:
    draft.definitions = resolve_definitions(draft.raw, draft.problems)


def _resolve_parts(draft: _Draft) -> None:
    resolved = Resolved(
        types=draft.types,
        encodings=draft.encodings,
        choices=draft.choices,
        fields=draft.fields,
        archetypes=draft.archetypes_by_name,
        definitions=draft.definitions,
        conditions=draft.conditions,
        map_rules=draft.wire.map_rules,
    )
    draft.parts = resolve_parts(draft.raw, resolved, draft.problems)


# Each pass does what it can with the results of those before it, so that all problems are reported at once.
_PASSES: Sequence[Callable[[_Draft], None]] = (
    _know_types,
    _resolve_encodings,
    _check_descriptors,
    _resolve_choices,
    _resolve_archetypes,
    _resolve_fields,
    _resolve_definitions,
    _resolve_parts,
)


def _spec(draft: _Draft) -> Spec:
    raw = draft.raw
    own = WireNames(raw.version, f"AMQP {raw.version}", f"amqp_{raw.version.replace('.', '_')}")
    names = next((draft.wire.names[part.name] for part in raw.parts if part.name in draft.wire.names), own)
    return Spec(
        version=names.version,
        title=names.title,
        package=names.package,
        sources=raw.sources,
        parts=draft.parts,
        archetypes=draft.archetypes,
    )
