"""Cases of the fields of composites: ranges, other types, choices, and required archetypes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...model.amqp1.primitive_types import INTEGERS
from ...model.amqp1.spec import Field, Kind, Restricted
from ...model.amqp1.types import Composite
from ..case import Case
from .case_factory import CaseFactory
from .values import (
    NULL,
    ArrayValue,
    CompositeValue,
    DescribedValue,
    ListValue,
    Scalar,
    Value,
    declared_value,
    default_value,
    string,
    symbol,
)


def field_cases(factory: CaseFactory) -> Iterator[Case]:
    """Yield the cases of every field of every composite."""
    for kind in factory.spec.composites:
        for field in kind.fields:
            yield from _range(factory, kind, field)
            yield from _absence(factory, kind, field)
            yield from _default(factory, kind, field)
            yield from _number_of_values(factory, kind, field)
            yield from _other_type(factory, kind, field)


def _range(factory: CaseFactory, kind: Composite, field: Field) -> Iterator[Case]:
    low, high = factory.sampler.ends(field)
    element = f"{kind.name}.{field.name}"
    yield factory.accepted(element, "low", factory.sampler.with_field(kind, field, low))
    if high != low:
        yield factory.accepted(element, "high", factory.sampler.with_field(kind, field, high))


def _absence(factory: CaseFactory, kind: Composite, field: Field) -> Iterator[Case]:
    """Yield a mandatory field that is not in the list, or null: both are refused (1.4)."""
    element = f"{kind.name}.{field.name}"
    position = kind.fields.index(field)
    before = factory.items(factory.sampler.minimum(kind))[:position]
    if not field.mandatory:
        return
    note = "a mandatory field must have a value (1.4)"
    yield factory.rejected_octets(element, "absent", factory.composite(kind, before), "malformed", note)
    yield factory.rejected_octets(element, "null", factory.with_item(kind, field, NULL), "malformed", note)
    fields = dict(factory.sampler.minimum(kind).fields)
    del fields[field.name]
    yield factory.rejected_value(element, "missing", CompositeValue(kind.name, fields), note)


def _default(factory: CaseFactory, kind: Composite, field: Field) -> Iterator[Case]:
    """Yield the default of a field, sent as null and sent as a value."""
    if field.mandatory or field.multiple:
        return
    element = f"{kind.name}.{field.name}"
    minimum = factory.sampler.minimum(kind)
    note = "null stands for the default (1.4)" if field.default else "null stands for no value (1.4)"
    yield factory.decode(element, "null", minimum, factory.with_item(kind, field, NULL), note)
    default = default_value(field)
    if default is not None:
        octets = factory.with_item(kind, field, default)
        yield factory.decode(element, "default-sent", minimum, octets, "a default may be sent as well (1.4)")


def _number_of_values(factory: CaseFactory, kind: Composite, field: Field) -> Iterator[Case]:
    """Yield null, one value and several, for a field that may have several and for one that may not (1.4)."""
    element = f"{kind.name}.{field.name}"
    if not field.multiple:
        if field.type.primitive not in ("", "array") and not field.type.described:
            octets = factory.with_item(kind, field, factory.encoder.array_of((factory.sampler.value(field),)))
            yield factory.rejected_octets(
                element, "array", octets, "malformed", "a single value is never an array (1.4)"
            )
        return
    value, other = factory.sampler.several(field)
    array = factory.encoder.array_of((value,))
    one, two = (factory.sampler.with_field(kind, field, *values) for values in ((value,), (value, other)))
    yield factory.accepted(element, "one", one)
    yield factory.decode(element, "array-of-one", one, factory.with_item(kind, field, array))
    yield factory.accepted(element, "array-of-two", two)
    empty = factory.with_item(kind, field, replace(array, items=()))
    null = factory.with_item(kind, field, NULL)
    if field.mandatory:
        note = "there must be at least one value (1.4)"
        yield factory.rejected_octets(element, "empty-array", empty, "malformed", note)
    else:
        minimum = factory.sampler.minimum(kind)
        yield factory.decode(element, "null", minimum, null, "no value (1.4)")
        yield factory.decode(element, "empty-array", minimum, empty, "the same as null (1.4)")
    wrong = Scalar("byte", -1)
    if field.type.kind is not Kind.ANY and field.type.primitive != wrong.type:
        octets = factory.with_item(kind, field, ArrayValue(wrong.type, (wrong, wrong)))
        note = f"it takes {field.type.name}"
        yield factory.rejected_octets(element, "array-of-another-type", octets, "malformed", note)


def _other_type(factory: CaseFactory, kind: Composite, field: Field) -> Iterator[Case]:
    """Yield a value of another type, which is refused; for text one with the same characters."""
    if field.type.kind in (Kind.ANY, Kind.UNION) or not field.type.primitive:  # see archetype_cases
        return
    wrong: dict[str, Value] = {
        "string": symbol("text"),
        "symbol": string("text"),
        "binary": string("text"),
        "ubyte": Scalar("byte", 1),
        "ushort": Scalar("ubyte", 1),
        "uint": Scalar("int", 1),
        "ulong": Scalar("uint", 1),
        "timestamp": Scalar("long", 1),
    }
    value = wrong.get(field.type.primitive, Scalar("ubyte", 1))
    assert isinstance(value, Scalar)
    octets = factory.with_item(kind, field, value)
    yield factory.rejected_octets(
        f"{kind.name}.{field.name}", value.type, octets, "malformed", f"it takes {field.type.name}"
    )


def choice_cases(factory: CaseFactory) -> Iterator[Case]:
    """Yield every choice of every type, in the first field that takes it."""
    for enumeration in factory.spec.enumerations:
        location = _field_for(factory, enumeration)
        if location is None:
            continue
        kind, field = location
        for choice in enumeration.choices:
            value = declared_value(enumeration.primitive, choice.value)
            composite = factory.sampler.with_field(kind, field, value)
            yield factory.accepted(f"{enumeration.name}.{choice.name}", f"in-{kind.name}", composite)
        yield from _other_values(factory, enumeration, kind, field)


def _field_for(factory: CaseFactory, wanted: Restricted) -> tuple[Composite, Field] | None:
    """Return a field of that type, or one that requires an archetype that the type provides."""
    for kind in factory.spec.composites:
        for field in kind.fields:
            if wanted.name in (field.type.name, *(provider.name for provider in field.providers)):
                return kind, field
    return None


def _other_values(
    factory: CaseFactory, restricted: Restricted, kind: Composite, field: Field
) -> Iterator[Case]:
    """Yield a value that is not a choice: refused, unless other types may provide the archetype of the field."""
    value = _value_besides_choices(factory, restricted)
    if value is None:
        return
    composite = factory.sampler.with_field(kind, field, value)
    if restricted.open:
        note = f"other types may provide {' or '.join(restricted.provides)}, so other values may occur"
        yield factory.accepted(restricted.name, "other-value", composite, note)
        return
    note = "the choices are all the values that the type has (1.3)"
    yield factory.rejected_octets(
        restricted.name, "no-choice", factory.encoder.encode(composite), "malformed", note, "composite"
    )
    yield factory.rejected_value(restricted.name, "no-choice-to-encode", composite, note)


def _value_besides_choices(factory: CaseFactory, restricted: Restricted) -> Value | None:
    """Return a value of the primitive type that is not a choice; None if the samples have none, as for boolean."""
    choices = {declared_value(restricted.primitive, choice.value) for choice in restricted.choices}
    candidates: list[Value] = [symbol("com.example:other")] if restricted.primitive == "symbol" else []
    if restricted.primitive in INTEGERS:  # the first free number, which is close to the choices
        candidates += [Scalar(restricted.primitive, number) for number in range(len(choices) + 1)]
    samples = factory.sampler.primitives[restricted.primitive]
    return next(
        (value for value in (*candidates, samples.typical, samples.low) if value not in choices), None
    )


def archetype_cases(factory: CaseFactory) -> Iterator[Case]:
    """Yield the cases of every field of any type that requires an archetype."""
    for kind in factory.spec.composites:
        for field in kind.fields:
            if field.requires and field.type.kind is Kind.ANY:
                yield from _field_cases(factory, kind, field)


def _field_cases(factory: CaseFactory, kind: Composite, field: Field) -> Iterator[Case]:
    element = f"{kind.name}.{field.name}"
    for provider in field.providers:
        value = factory.sampler.of_type(provider, field.name)
        note = f"{provider.name} provides {' or '.join(field.requires)}"
        yield factory.accepted(element, provider.name, factory.sampler.with_field(kind, field, value), note)
    unknown = DescribedValue(symbol("com.example:other:list"), ListValue((Scalar("int", 1),)))
    note = "a type of an extension may provide it"
    yield factory.accepted(
        element, "unknown-descriptor", factory.sampler.with_field(kind, field, unknown), note
    )
    if not field.providers:
        return
    note = f"the type must provide {' or '.join(field.requires)} (1.3)"
    for name, other in _values_of_other_types(factory, field):
        octets = factory.with_item(kind, field, other)
        yield factory.rejected_octets(element, f"{name}-provides-something-else", octets, "malformed", note)


def _values_of_other_types(factory: CaseFactory, field: Field) -> Iterator[tuple[str, Value]]:
    """Yield a composite and a primitive value of types that do not provide what the field requires."""
    providers = {provider.name for provider in field.providers}
    plain = {provider.primitive for provider in field.providers if not provider.described}
    for kind in factory.spec.composites:
        if kind.name not in providers and not set(kind.provides) & set(field.requires):
            yield kind.name, factory.sampler.minimum(kind)
            break
    for name in ("uint", "binary"):
        if name not in plain:
            yield name, factory.sampler.primitives[name].typical
            break
