"""Cases of archetypes: every provider in every field that requires it, and values that provide something else."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.spec1 import Field, Kind
from ...model.types1 import Composite
from ..case import Case
from .maker import Maker
from .value import Described, List, Scalar, Value, symbol


def archetype_cases(maker: Maker) -> Iterator[Case]:
    """Every field of any type that requires an archetype."""
    for kind in maker.spec.composites:
        for field in kind.fields:
            if field.requires and field.type.kind is Kind.ANY:
                yield from _field_cases(maker, kind, field)


def _field_cases(maker: Maker, kind: Composite, field: Field) -> Iterator[Case]:
    element = f"{kind.name}.{field.name}"
    for provider in field.providers:
        value = maker.sampler.of_type(provider, field.name)
        note = f"{provider.name} provides {' or '.join(field.requires)}"
        yield maker.both(element, provider.name, maker.sampler.with_field(kind, field, value), note)
    unknown = Described(symbol("com.example:other:list"), List((Scalar("int", 1),)))
    note = "a type of an extension may provide it"
    yield maker.both(element, "unknown-descriptor", maker.sampler.with_field(kind, field, unknown), note)
    if not field.providers:
        return
    note = f"the type must provide {' or '.join(field.requires)} (1.3)"
    for name, other in _others(maker, field):
        octets = maker.with_item(kind, field, other)
        yield maker.reject(element, f"{name}-provides-something-else", octets, "malformed", note)


def _others(maker: Maker, field: Field) -> Iterator[tuple[str, Value]]:
    """A composite and a primitive value, of types that do not provide what the field requires."""
    providers = {each.name for each in field.providers}
    plain = {each.primitive for each in field.providers if not each.described}
    for kind in maker.spec.composites:
        if kind.name not in providers and not set(kind.provides) & set(field.requires):
            yield kind.name, maker.sampler.minimum(kind)
            break
    for name in ("uint", "binary"):
        if name not in plain:
            yield name, maker.sampler.primitives[name].typical
            break
