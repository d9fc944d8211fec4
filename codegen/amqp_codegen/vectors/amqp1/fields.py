"""Cases of the fields of composites: each alone at both ends of its range, and with a value of another type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...model.spec1 import Field, Kind
from ...model.types1 import Composite
from ..case import Case
from .maker import Maker
from .value import NULL, Array, CompositeValue, Scalar, Value, string, symbol


def field_cases(maker: Maker) -> Iterator[Case]:
    """Every field of every composite."""
    for kind in maker.spec.composites:
        for field in kind.fields:
            yield from _range(maker, kind, field)
            yield from _absence(maker, kind, field)
            yield from _default(maker, kind, field)
            yield from _number_of_values(maker, kind, field)
            yield from _other_type(maker, kind, field)


def _range(maker: Maker, kind: Composite, field: Field) -> Iterator[Case]:
    low, high = maker.sampler.ends(field)
    element = f"{kind.name}.{field.name}"
    yield maker.both(element, "low", maker.sampler.with_field(kind, field, low))
    if high != low:
        yield maker.both(element, "high", maker.sampler.with_field(kind, field, high))


def _absence(maker: Maker, kind: Composite, field: Field) -> Iterator[Case]:
    """No value: not in the list, and null. What is mandatory must not be missing in either way (1.4)."""
    element = f"{kind.name}.{field.name}"
    position = kind.fields.index(field)
    before = maker.items(maker.sampler.minimum(kind))[:position]
    if not field.mandatory:
        return
    note = "a mandatory field must have a value (1.4)"
    yield maker.reject(element, "absent", maker.composite(kind, before), "malformed", note)
    yield maker.reject(element, "null", maker.with_item(kind, field, NULL), "malformed", note)
    fields = dict(maker.sampler.minimum(kind).fields)
    del fields[field.name]
    yield maker.refuse(element, "missing", CompositeValue(kind.name, fields), note)


def _default(maker: Maker, kind: Composite, field: Field) -> Iterator[Case]:
    """The default: sent as null, and sent as a value."""
    if field.mandatory or field.multiple:
        return
    element = f"{kind.name}.{field.name}"
    minimum = maker.sampler.minimum(kind)
    note = "null stands for the default (1.4)" if field.default else "null stands for no value (1.4)"
    yield maker.decode(element, "null", minimum, maker.with_item(kind, field, NULL), note)
    if field.default is not None:
        value = maker.sampler.default(field)
        octets = maker.with_item(kind, field, value)
        yield maker.decode(element, "default-sent", minimum, octets, "a default may be sent as well (1.4)")


def _number_of_values(maker: Maker, kind: Composite, field: Field) -> Iterator[Case]:
    """Null, one value and several, for a field that may have several and for one that may not (1.4)."""
    element = f"{kind.name}.{field.name}"
    if not field.multiple:
        if field.type.primitive not in ("", "array") and not field.type.described:
            octets = maker.with_item(kind, field, maker.encoder.array_of((maker.sampler.value(field),)))
            yield maker.reject(
                element, "array", octets, "malformed", "a single value is never an array (1.4)"
            )
        return
    value, other = maker.sampler.several(field)
    array = maker.encoder.array_of((value,))
    one, two = (maker.sampler.with_field(kind, field, *each) for each in ((value,), (value, other)))
    yield maker.both(element, "one", one)
    yield maker.decode(element, "array-of-one", one, maker.with_item(kind, field, array))
    yield maker.both(element, "array-of-two", two)
    empty = maker.with_item(kind, field, replace(array, items=()))
    null = maker.with_item(kind, field, NULL)
    if field.mandatory:
        note = "there must be at least one value (1.4)"
        yield maker.reject(element, "empty-array", empty, "malformed", note)
    else:
        minimum = maker.sampler.minimum(kind)
        yield maker.decode(element, "null", minimum, null, "no value (1.4)")
        yield maker.decode(element, "empty-array", minimum, empty, "the same as null (1.4)")
    wrong = Scalar("byte", -1)
    if field.type.kind is not Kind.ANY and field.type.primitive != wrong.type:
        octets = maker.with_item(kind, field, Array(wrong.type, (wrong, wrong)))
        note = f"it takes {field.type.name}"
        yield maker.reject(element, "array-of-another-type", octets, "malformed", note)


def _other_type(maker: Maker, kind: Composite, field: Field) -> Iterator[Case]:
    """A value of another type, which nothing allows; for text one that looks the same."""
    if field.type.kind in (Kind.ANY, Kind.UNION) or not field.type.primitive:  # see archetypes
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
    octets = maker.with_item(kind, field, value)
    yield maker.reject(
        f"{kind.name}.{field.name}", value.type, octets, "malformed", f"it takes {field.type.name}"
    )
