"""Archetypes: what types provide and fields require, brought together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from ...model.amqp1.raw import RawField, RawType
from ...model.amqp1.spec import Archetype
from ...model.amqp1.types import TypeReference
from ...model.problem import Position, Problem, Severity
from ..names import bad_name, suggest
from .names import archetype_class_name, python_name
from .types import ANY, KnownType, Types, refer


def resolve_archetypes(types: Types) -> tuple[tuple[Archetype, ...], list[Problem]]:
    """Every archetype in the order in which types and fields name them first.

    An archetype that nobody requires is fine: ``frame`` and ``section`` are for people. One that nobody
    provides gets a warning (the standard's own ``global-tx-id`` does), since no value can fill its fields.
    """
    problems: list[Problem] = []
    providers: dict[str, list[TypeReference]] = {}
    required_by: dict[str, list[str]] = {}
    for known in types.values():
        problems += _check_list(known.raw.provides, f"type {known.raw.name!r} provides", known.raw.position)
        for name in dict.fromkeys(known.raw.provides):
            reference = refer(known.raw.name, types)
            providers.setdefault(name, []).extend([reference] if reference else [])
        for field in known.raw.fields:
            problems += _check_list(field.requires, f"field {field.name!r} requires", field.position)
            for name in dict.fromkeys(field.requires):
                providers.setdefault(name, [])
                required_by.setdefault(name, []).append(f"{known.raw.name}.{field.name}")
    provided = {name for name, found in providers.items() if found}
    for known in types.values():
        for field in known.raw.fields:
            problems += _check_requires(field, known.raw, provided, types)
    taken = {known.class_name for known in types.values()}
    archetypes = (
        Archetype(
            name=name,
            class_name=archetype_class_name(name, taken),
            providers=tuple(found),
            required_by=tuple(required_by.get(name, ())),
        )
        for name, found in providers.items()
    )
    return tuple(archetypes), problems


def find_providers(requires: Iterable[str], archetypes: Mapping[str, Archetype]) -> tuple[TypeReference, ...]:
    """The types that provide any of some archetypes, each once."""
    found = (each for name in requires if name in archetypes for each in archetypes[name].providers)
    return tuple(dict.fromkeys(found))


def _check_list(names: tuple[str, ...], what: str, position: Position) -> list[Problem]:
    problems = [bad_name("archetype", name, position) for name in names if not python_name(name)]
    for name, count in Counter(names).items():
        if count > 1:
            message = f"{what} {name!r} {count} times"
            problems.append(Problem("repeated-archetype", message, position, "", Severity.WARNING))
    return problems


def _check_requires(field: RawField, owner: RawType, provided: set[str], types: Types) -> list[Problem]:
    what = f"field {field.name!r} of {owner.name!r} requires"
    problems = [
        Problem(
            "unprovided-archetype",
            f"{what} {name!r}, which no type provides",
            field.position,
            suggest(name, provided),
            Severity.WARNING,
        )
        for name in dict.fromkeys(field.requires)
        if name not in provided
    ]
    required = [name for name in field.requires if name in provided]
    if field.type != ANY and field.type in types and required and not _some_fits(field, required, types):
        message = (
            f"{what} {' or '.join(map(repr, required))}, but no type that provides it is a {field.type!r}"
        )
        problems.append(Problem("unfit-archetype", message, field.position, "", Severity.WARNING))
    return problems


def _some_fits(field: RawField, required: list[str], types: Types) -> bool:
    """Whether a provider is the type of the field, derived from it, or what it is derived from."""
    return any(
        field.type in (known.raw.name, *known.chain) or known.raw.name in types[field.type].chain
        for known in types.values()
        if not set(required).isdisjoint(known.raw.provides)
    )


def union_members(known: KnownType, archetypes: Mapping[str, Archetype]) -> tuple[TypeReference, ...]:
    """The members of a type of the class ``union``."""
    found = archetypes.get(known.raw.name)
    return found.providers if found else ()
