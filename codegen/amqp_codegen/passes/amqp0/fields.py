"""Fields and content properties: types resolved, attributes named, flags counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...model.problem import Problem, Problems
from ...model.raw0 import RawField
from ...model.spec0 import Field, Property, WireType
from ..names import bad_name, collisions, identifier, normalise, repeated_names, unique_local
from .asserts import resolve_asserts
from .domains import undefined_domain
from .known_names import KnownNames
from .reserved import LOCALS, METHOD_ATTRIBUTES, free_name, is_reserved_local
from .rules import resolve_rules

PROPERTIES_PER_WORD = 15


def resolve_fields(raw: Sequence[RawField], owner: str, names: KnownNames, problems: Problems) -> list[Field]:
    """The fields of a method, or the properties of a class.

    Args:
        raw: As read.
        owner: The path of the method (``queue.declare``), or ``basic.properties``.
        names: What is known by name.
        problems: For names that repeat or clash, unknown domains, and what is wrong with rules and asserts.
    """
    problems.extend(repeated_names("duplicate-field", raw))
    fields = []
    locals_taken = set(LOCALS)
    for entry in raw:
        name = identifier(entry.name)
        if not name:
            problems.add(bad_name("field", entry.name, entry.position))
            continue
        name = free_name(name, METHOD_ATTRIBUTES)
        type_name = normalise(entry.type or entry.domain)
        domain = names.domains.get(type_name)
        if domain is None:
            what = f"field {entry.name!r}"
            problems.add(undefined_domain(type_name, list(names.domains), what, entry.position))
            continue
        path = f"{owner}.{normalise(entry.name)}"
        rules = resolve_rules(entry.rules, path, names.constants, problems)
        asserts = resolve_asserts(entry.asserts, domain.type, "field", problems)
        fields.append(
            Field(
                name=normalise(entry.name),
                identifier=name,
                local=unique_local(f"the_{name}" if is_reserved_local(name) else name, locals_taken),
                aliases=names.aliases.get(path, ()) + names.aliases.get(normalise(entry.name), ()),
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
    problems.extend(collisions("field", fields, lambda entry: entry.identifier))
    return [_without_clashing_aliases(field, fields) for field in fields]


def _without_clashing_aliases(field: Field, fields: Sequence[Field]) -> Field:
    """An alias never hides a real field: RabbitMQ's overlay turns ``reserved-2`` into ``auto-delete``."""
    taken = {each.identifier for each in fields} | METHOD_ATTRIBUTES
    kept = tuple(alias for alias in field.aliases if alias not in taken)
    if kept == field.aliases:
        return field
    return replace(field, aliases=kept)


def resolve_properties(fields: Sequence[Field], problems: Problems) -> list[Property]:
    """The properties with their flags: fifteen a word, highest bit first; bit 0 says that a word follows."""
    problems.extend(
        Problem("property-type", f"property {field.name!r} cannot be of the type content", field.position)
        for field in fields
        if field.type is WireType.CONTENT
    )
    return [
        Property(field, index // PROPERTIES_PER_WORD, 0x8000 >> index % PROPERTIES_PER_WORD)
        for index, field in enumerate(fields)
    ]
