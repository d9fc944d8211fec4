"""The pass for archetypes: which types provide them, and which fields require them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from ...model.amqp1.raw import RawField, RawType
from ...model.amqp1.spec import Archetype
from ...model.amqp1.types import TypeReference
from ...model.problem import Position, Problem, Problems, Severity
from ..names import bad_name, suggest
from .names import archetype_class_name, python_name
from .types import ANY, KnownType, Types, refer


def resolve_archetypes(types: Types, problems: Problems) -> tuple[Archetype, ...]:
    """Return every archetype, in the order of their first mention by types and fields.

    An archetype that no field requires is fine: ``frame`` and ``section`` are for people. One that no type
    provides gets a warning (the standard's ``global-tx-id`` does), because its fields can have no value.
    """
    providers: dict[str, list[TypeReference]] = {}
    required_by: dict[str, list[str]] = {}
    for known in types.values():
        _check_list(known.raw.provides, f"type {known.raw.name!r} provides", known.raw.position, problems)
        for name in dict.fromkeys(known.raw.provides):
            reference = refer(known.raw.name, types)
            providers.setdefault(name, []).extend([reference] if reference else [])
        for field in known.raw.fields:
            _check_list(field.requires, f"field {field.name!r} requires", field.position, problems)
            for name in dict.fromkeys(field.requires):
                providers.setdefault(name, [])
                required_by.setdefault(name, []).append(f"{known.raw.name}.{field.name}")
    provided = {name for name, found in providers.items() if found}
    for known in types.values():
        for field in known.raw.fields:
            _check_requires(field, known.raw, provided, types, problems)
    taken = {known.class_name for known in types.values()}
    return tuple(
        Archetype(
            name=name,
            class_name=archetype_class_name(name, taken),
            providers=tuple(found),
            required_by=tuple(required_by.get(name, ())),
        )
        for name, found in providers.items()
    )


def find_providers(requires: Iterable[str], archetypes: Mapping[str, Archetype]) -> tuple[TypeReference, ...]:
    """Return the types that provide any of these archetypes, each once."""
    found = (provider for name in requires if name in archetypes for provider in archetypes[name].providers)
    return tuple(dict.fromkeys(found))


def _check_list(names: tuple[str, ...], what: str, position: Position, problems: Problems) -> None:
    problems.extend(bad_name("archetype", name, position) for name in names if not python_name(name))
    for name, count in Counter(names).items():
        if count > 1:
            message = f"{what} {name!r} {count} times"
            problems.add(Problem("repeated-archetype", message, position, "", Severity.WARNING))


def _check_requires(
    field: RawField, owner: RawType, provided: set[str], types: Types, problems: Problems
) -> None:
    what = f"field {field.name!r} of {owner.name!r} requires"
    problems.extend(
        Problem(
            "unprovided-archetype",
            f"{what} {name!r}, which no type provides",
            field.position,
            suggest(name, provided),
            Severity.WARNING,
        )
        for name in dict.fromkeys(field.requires)
        if name not in provided
    )
    required = [name for name in field.requires if name in provided]
    if field.type != ANY and field.type in types and required and not _some_fits(field, required, types):
        message = (
            f"{what} {' or '.join(map(repr, required))}, but no type that provides it is a {field.type!r}"
        )
        problems.add(Problem("unfit-archetype", message, field.position, "", Severity.WARNING))


def _some_fits(field: RawField, required: list[str], types: Types) -> bool:
    """Return whether any provider is the field's type, derived from it, or a source of it."""
    return any(
        field.type in (known.raw.name, *known.chain) or known.raw.name in types[field.type].chain
        for known in types.values()
        if not set(required).isdisjoint(known.raw.provides)
    )


def union_members(known: KnownType, archetypes: Mapping[str, Archetype]) -> tuple[TypeReference, ...]:
    """Return the members of a type of the class ``union``."""
    archetype = archetypes.get(known.raw.name)
    return archetype.providers if archetype else ()
