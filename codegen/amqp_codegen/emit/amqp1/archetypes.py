"""Archetypes in generated packages: constants for codecs, and unions for type checkers."""

from __future__ import annotations

from dataclasses import dataclass

from ...model.amqp1.spec import Spec
from .python_types import archetype_constant, archetype_members, provider_primitives


@dataclass(frozen=True, slots=True)
class ArchetypeConstant:
    """A constant of ``_layout.py``: the archetypes that a field requires.

    Attributes:
        name: ``DELIVERY_STATE``.
        archetypes: The names of the archetypes of which one must be provided.
        primitives: The primitive types of providers without a descriptor.
    """

    name: str
    archetypes: tuple[str, ...]
    primitives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ArchetypeAlias:
    """A type alias of ``archetypes.py``.

    Attributes:
        name: ``DeliveryState``.
        members: The Python types of the providers.
    """

    name: str
    members: tuple[str, ...]


def archetype_constants(spec: Spec) -> list[ArchetypeConstant]:
    """Return a constant for each combination of archetypes that a field requires, in order of appearance."""
    combinations = [
        field.requires for composite in spec.composites for field in composite.fields if field.providers
    ]
    combinations += [(union.name,) for union in spec.unions if union.members]
    return [
        ArchetypeConstant(archetype_constant(names), names, tuple(provider_primitives(names, spec)))
        for names in dict.fromkeys(combinations)
    ]


def archetype_aliases(spec: Spec) -> list[ArchetypeAlias]:
    """Return an alias for each archetype that has providers."""
    return [
        ArchetypeAlias(archetype.class_name, tuple(archetype_members(archetype, spec)))
        for archetype in spec.archetypes
        if archetype.providers
    ]


def enum_archetypes(spec: Spec, name: str) -> list[str]:
    """Return the constants of the archetypes that the type of an enum provides; they hold its members."""
    enum_type = spec.type(name)
    if enum_type is None:
        return []
    return [
        constant.name
        for constant in archetype_constants(spec)
        if set(constant.archetypes) & set(enum_type.provides)
    ]
