"""Values of AMQP 1.0: as Python objects, as the specification declares them, and as JSON."""

from __future__ import annotations

import dataclasses
import struct
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeAlias

from ...model.amqp1.primitive_types import PRIMITIVE_TYPES
from ...model.amqp1.spec import Spec
from ...model.amqp1.types import Composite, Field
from ...model.amqp1.types import Value as WrittenValue
from ..case import Neutral


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value of a primitive type that is not a compound.

    Attributes:
        type: ``uint``, ``symbol`` ...
        content: None for null; a bool; an int for the integers, timestamps and characters; a str for strings
            and symbols; bytes for binaries, and for UUIDs, floating point numbers and decimals the octets of
            their standard.
    """

    type: str
    content: bool | int | str | bytes | None


@dataclass(frozen=True, slots=True)
class ListValue:
    """A list."""

    items: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class MapValue:
    """A map: keys and values, in order."""

    entries: tuple[tuple[Value, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class ArrayValue:
    """An array.

    Attributes:
        type: The primitive type of its elements, without their descriptors: ``list`` for composites.
        items: Its elements, without their descriptors; composites are ``CompositeValue`` nevertheless.
        descriptors: The descriptors of all elements, the outermost first; usually none.
    """

    type: str
    items: tuple[Value, ...] = ()
    descriptors: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class DescribedValue:
    """A value whose descriptor is of no type of the specification."""

    descriptor: Value
    value: Value


@dataclass(frozen=True, slots=True)
class CompositeValue:
    """A value of a composite type.

    Attributes:
        type: The name of the type: ``open``.
        fields: The fields that hold a value, by name; several values are a tuple.
    """

    type: str
    fields: Mapping[str, Value | tuple[Value, ...]] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RestrictedValue:
    """A value of a restricted type that has a descriptor: ``data``, ``footer`` ..."""

    type: str
    value: Value


Value: TypeAlias = (
    "Scalar | ListValue | MapValue | ArrayValue | DescribedValue | CompositeValue | RestrictedValue"
)

NULL = Scalar("null", None)
TRUE = Scalar("boolean", True)
FALSE = Scalar("boolean", False)


def string(text: str) -> Scalar:
    """Return a string value."""
    return Scalar("string", text)


def symbol(text: str) -> Scalar:
    """Return a symbol value."""
    return Scalar("symbol", text)


def uint(number: int) -> Scalar:
    """Return a uint value."""
    return Scalar("uint", number)


def ulong(number: int) -> Scalar:
    """Return a ulong value."""
    return Scalar("ulong", number)


# IEEE 754-2008, 3.6: width in bits, bias of the exponent, bits of a small significand.
DECIMALS = {"decimal32": (32, 101, 23), "decimal64": (64, 398, 53), "decimal128": (128, 6176, 113)}
FLOATS = {name: f">{facts.letter}" for name, facts in PRIMITIVE_TYPES.items() if facts.letter}


def declared_value(primitive: str, value: WrittenValue) -> Scalar:
    """Return a declared choice or default as a value of its primitive type."""
    if primitive in FLOATS:
        return Scalar(primitive, struct.pack(FLOATS[primitive], value))
    if primitive in DECIMALS:
        return Scalar(primitive, decimal_octets(Decimal(str(value)), *DECIMALS[primitive]))
    if primitive == "uuid":
        return Scalar(primitive, uuid.UUID(str(value)).bytes)
    if primitive == "char":
        return Scalar(primitive, ord(str(value)))
    assert not isinstance(value, float), primitive
    return Scalar(primitive, value)


def decimal_octets(value: Decimal, bits: int, bias: int, small: int) -> bytes:
    """Return the binary encoding of a decimal: sign, exponent, significand; large significands have a shorter form."""
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int), "what is written down is a number"
    significand = int("".join(map(str, digits)))
    biased = exponent + bias
    if significand < 1 << small:
        number = biased << small | significand
    else:
        number = 3 << bits - 3 | biased << small - 2 | significand & (1 << small - 2) - 1
    return (sign << bits - 1 | number).to_bytes(bits // 8, "big")


def neutral(spec: Spec, value: Value) -> Neutral:
    """Return the neutral form of a value.

    A composite has the fields that hold a value, whether sent or by default.
    """
    if isinstance(value, Scalar):
        return _scalar(value)
    if isinstance(value, ListValue):
        return {"type": "list", "items": _all(spec, value.items)}
    if isinstance(value, MapValue):
        return {"type": "map", "entries": [_all(spec, entry) for entry in value.entries]}
    if isinstance(value, ArrayValue):
        described = {"descriptors": _all(spec, value.descriptors)} if value.descriptors else {}
        return {"type": "array", "of": value.type, **described, "items": _all(spec, value.items)}
    if isinstance(value, DescribedValue):
        descriptor = neutral(spec, value.descriptor)
        return {"type": "described", "descriptor": descriptor, "value": neutral(spec, value.value)}
    if isinstance(value, RestrictedValue):
        return {"type": value.type, "value": neutral(spec, value.value)}
    return {"type": value.type, "fields": _fields(spec, value)}


def _all(spec: Spec, values: tuple[Value, ...]) -> list[Neutral]:
    return [neutral(spec, value) for value in values]


def _scalar(value: Scalar) -> Neutral:
    content = value.content
    if isinstance(content, bytes):
        return {"type": value.type, "value": {"hex": content.hex()}}
    if PRIMITIVE_TYPES[value.type].is_wide:
        return {"type": value.type, "value": str(content)}
    return {"type": value.type, "value": content}


def _fields(spec: Spec, value: CompositeValue) -> Neutral:
    kind = spec.type(value.type)
    assert isinstance(kind, Composite), value.type
    fields = {}
    for field in kind.fields:
        content = value.fields.get(field.name)
        if content is None:
            content = default_value(field)
        if isinstance(content, tuple):
            fields[field.name] = _all(spec, content)
        elif content is not None:
            fields[field.name] = neutral(spec, content)
    return fields


def default_value(field: Field) -> Scalar | None:
    """Return the value of a field that is not sent."""
    if field.default is None:
        return None
    return declared_value(field.type.primitive, field.default.value)
