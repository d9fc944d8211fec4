"""The pass for fields of composite types: their types, attribute names and defaults; and the names they refer to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...model.amqp1.raw import RawField
from ...model.amqp1.spec import Archetype
from ...model.amqp1.types import Field, Kind, TypeReference
from ...model.problem import Problem, Problems
from ..names import bad_name, collisions, repeated_names, unique_local
from .archetypes import find_providers
from .names import CODEC_LOCALS, field_identifier
from .rules import resolve_rules
from .types import KnownType, Types, refer, undefined_type
from .values import Choices, resolve_default


@dataclass(frozen=True, slots=True)
class KnownNames:
    """The known names of a specification; ``choices`` are those of each type, ``conditions`` all error conditions."""

    types: Types
    choices: Choices
    archetypes: Mapping[str, Archetype]
    conditions: frozenset[str]


def resolve_fields(known: KnownType, names: KnownNames, problems: Problems) -> tuple[Field, ...]:
    """Resolve the fields of a composite type.

    Problems are names that repeat or clash, unknown types, and wrong defaults and rules.
    """
    types = names.types
    problems.extend(repeated_names("duplicate-field", known.raw.fields, str))
    by_name: dict[str, Field] = {}
    taken = set(CODEC_LOCALS)
    for entry in known.raw.fields:
        rules = resolve_rules(entry.rules, f"{known.raw.name}.{entry.name}", names.conditions, problems)
        name = field_identifier(entry.name)
        if not name:
            problems.add(bad_name("field", entry.name, entry.position))
            continue
        what = f"field {entry.name!r} of {known.raw.name!r}"
        reference = refer(entry.type, types)
        if reference is None:
            problems.add(undefined_type(f"{what} has the type", entry.type, types, entry.position))
            continue
        providers = find_providers(entry.requires, names.archetypes)
        problems.extend(_check_multiple(entry, reference, providers, what))
        default = resolve_default(entry, reference, types, names.choices, what, problems)
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
    problems.extend(collisions("field", fields, lambda field: field.identifier))
    return tuple(fields)


def _check_multiple(
    entry: RawField, reference: TypeReference, providers: Sequence[TypeReference], what: str
) -> list[Problem]:
    """Report a multiple field that may hold arrays or null: these encode several values, or none."""
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
            f"{what} is multiple, but {type_.name!r} is {_with_article(type_.primitive)}",
            entry.position,
            hint,
        )
        for type_ in held
        if type_.primitive in ("array", "null") and not type_.described
    ]


def _with_article(primitive: str) -> str:
    return f"an {primitive}" if primitive == "array" else primitive
