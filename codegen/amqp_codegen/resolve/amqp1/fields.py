"""Fields of composite types: types found, attributes named, defaults read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...model.amqp1.raw import RawField
from ...model.amqp1.spec import Archetype
from ...model.amqp1.types import Field, Kind, TypeReference
from ...model.problem import Problem
from ..names import bad_name, duplicates, unique_local
from .archetypes import find_providers
from .names import CODEC_LOCALS, field_identifier
from .rules import resolve_rules
from .types import KnownType, Types, refer, undefined_type
from .values import Choices, resolve_default


def resolve_fields(
    known: KnownType,
    types: Types,
    choices: Choices,
    archetypes: Mapping[str, Archetype],
    conditions: frozenset[str],
) -> tuple[tuple[Field, ...], list[Problem]]:
    """The fields of a composite type.

    Args:
        known: The type.
        types: All types.
        choices: The choices of each type by its name.
        archetypes: By name.
        conditions: All known error conditions.
    """
    problems = duplicates(
        known.raw.fields,
        lambda entry: entry.name,
        lambda entry: entry.position,
        "name",
        "duplicate-field",
        lambda entry: f"field {entry.name!r}",
    )
    by_name: dict[str, Field] = {}
    taken = set(CODEC_LOCALS)
    for entry in known.raw.fields:
        rules, found = resolve_rules(entry.rules, f"{known.raw.name}.{entry.name}", conditions)
        problems += found
        name = field_identifier(entry.name)
        if not name:
            problems.append(bad_name("field", entry.name, entry.position))
            continue
        what = f"field {entry.name!r} of {known.raw.name!r}"
        reference = refer(entry.type, types)
        if reference is None:
            problems.append(undefined_type(f"{what} has the type", entry.type, types, entry.position))
            continue
        providers = find_providers(entry.requires, archetypes)
        problems += _check_multiple(entry, reference, providers, what)
        default, found = resolve_default(entry, reference, types, choices, what)
        problems += found
        field = Field(
            name=entry.name,
            identifier=name,
            local=unique_local(name, taken),
            type=reference,
            mandatory=entry.mandatory,
            multiple=entry.multiple,
            default=default,
            requires=tuple(dict.fromkeys(entry.requires)),
            providers=providers,
            label=entry.label,
            doc=entry.doc,
            rules=rules,
            position=entry.position,
        )
        by_name.setdefault(field.name, field)
    fields = list(by_name.values())
    problems += duplicates(
        fields,
        lambda field: field.identifier,
        lambda field: field.position,
        "Python name",
        "name-collision",
        lambda field: f"field {field.name!r}",
    )
    return tuple(fields), problems


def _check_multiple(
    entry: RawField, reference: TypeReference, providers: Sequence[TypeReference], what: str
) -> list[Problem]:
    """Several values are an array of them, none is null: neither may be a value of the field itself."""
    if not entry.multiple:
        return []
    hint = "one array could not be told from several values, nor null from none"
    held = providers if reference.kind is Kind.ANY else (reference,)
    if reference.kind is Kind.ANY and not entry.requires:
        message = f"{what} is multiple and of any type"
        return [Problem("impossible-multiple", message, entry.position, hint)]
    return [
        Problem(
            "impossible-multiple",
            f"{what} is multiple, but {each.name!r} is {_with_article(each.primitive)}",
            entry.position,
            hint,
        )
        for each in held
        if each.primitive in ("array", "null") and not each.described
    ]


def _with_article(primitive: str) -> str:
    return f"an {primitive}" if primitive == "array" else primitive
