"""Fields and content properties: types resolved, attributes named, flags counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...model.problem import Problem
from ...model.raw0 import RawField
from ...model.spec0 import Domain, Field, Property, WireType
from ..names import bad_name, distinct, duplicates, identifier, normalise, unique_local
from .asserts import resolve_asserts
from .domains import undefined_domain
from .reserved import LOCALS, METHOD_ATTRIBUTES, free_name, is_reserved_local
from .rules import resolve_rules

PROPERTIES_PER_WORD = 15

Aliases = Mapping[str, tuple[str, ...]]


def resolve_fields(
    raw: Sequence[RawField],
    owner: str,
    domains: Mapping[str, Domain],
    constants: frozenset[str],
    aliases: Aliases,
) -> tuple[list[Field], list[Problem]]:
    """The fields of a method, or the properties of a class.

    Args:
        raw: As read.
        owner: The path of the method (``queue.declare``), or ``basic.properties``.
        domains: All domains by normalised name.
        constants: The normalised names of all constants.
        aliases: Field path, or bare field name, to alias names.
    """
    problems = duplicates(
        raw,
        lambda entry: normalise(entry.name),
        lambda entry: entry.position,
        "name",
        "duplicate-field",
        lambda entry: f"field {entry.name!r}",
    )
    fields = []
    locals_taken = set(LOCALS)
    for entry in raw:
        name = identifier(entry.name)
        if not name:
            problems.append(bad_name("field", entry.name, entry.position))
            continue
        name = free_name(name, METHOD_ATTRIBUTES)
        type_name = normalise(entry.type or entry.domain)
        domain = domains.get(type_name)
        if domain is None:
            problems.append(
                undefined_domain(type_name, list(domains), f"field {entry.name!r}", entry.position)
            )
            continue
        path = f"{owner}.{normalise(entry.name)}"
        rules, found = resolve_rules(entry.rules, path, constants)
        problems += found
        asserts, found = resolve_asserts(entry.asserts, domain.type, "field")
        problems += found
        fields.append(
            Field(
                name=normalise(entry.name),
                identifier=name,
                local=unique_local(f"the_{name}" if is_reserved_local(name) else name, locals_taken),
                aliases=aliases.get(path, ()) + aliases.get(normalise(entry.name), ()),
                domain=normalise(entry.domain),
                type=domain.type,
                reserved=entry.reserved,
                label=entry.label or domain.label,
                doc=entry.doc or domain.doc,
                asserts=domain.asserts + tuple(asserts),
                rules=tuple(rules),
                position=entry.position,
            )
        )
    problems += duplicates(
        distinct(fields, lambda entry: entry.name),
        lambda entry: entry.identifier,
        lambda entry: entry.position,
        "Python name",
        "name-collision",
        lambda entry: f"field {entry.name!r}",
    )
    return [_without_clashing_aliases(field, fields) for field in fields], problems


def _without_clashing_aliases(field: Field, fields: Sequence[Field]) -> Field:
    """An alias never hides a real field: RabbitMQ's overlay turns ``reserved-2`` into ``auto-delete``."""
    taken = {each.identifier for each in fields} | METHOD_ATTRIBUTES
    kept = tuple(alias for alias in field.aliases if alias not in taken)
    if kept == field.aliases:
        return field
    return replace(field, aliases=kept)


def resolve_properties(fields: Sequence[Field]) -> tuple[list[Property], list[Problem]]:
    """The properties with their flags: fifteen a word, highest bit first; bit 0 says that a word follows."""
    problems = [
        Problem("property-type", f"property {field.name!r} cannot be of the type content", field.position)
        for field in fields
        if field.type is WireType.CONTENT
    ]
    properties = [
        Property(field, index // PROPERTIES_PER_WORD, 0x8000 >> index % PROPERTIES_PER_WORD)
        for index, field in enumerate(fields)
    ]
    return properties, problems
