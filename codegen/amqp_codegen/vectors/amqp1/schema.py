"""The names and types of a 1.0 specification, for implementations that do not know them."""

from __future__ import annotations

from typing import Any

from ...model.amqp1.spec import Primitive, Restricted, Spec
from ...model.amqp1.types import Composite, Descriptor, Field
from ..case import Neutral, Schema
from .values import declared_value, default_value, neutral


def amqp1_schema(spec: Spec) -> Schema:
    """Return the primitive types with their encodings, restricted types and composites."""
    return {
        "primitives": [_primitive(type_) for type_ in spec.types if isinstance(type_, Primitive)],
        "restricted": [_restricted(spec, type_) for type_ in spec.types if isinstance(type_, Restricted)],
        "composites": [_composite(spec, composite) for composite in spec.composites],
    }


def _primitive(kind: Primitive) -> dict[str, Any]:
    encodings = [
        {"name": encoding.name, "code": encoding.code, "category": encoding.category, "width": encoding.width}
        for encoding in kind.encodings
    ]
    return {"name": kind.name, "encodings": encodings}


def _restricted(spec: Spec, kind: Restricted) -> dict[str, Any]:
    return {
        "name": kind.name,
        "source": kind.source.name,
        "primitive": kind.primitive,
        "descriptors": [_descriptor(descriptor) for descriptor in kind.descriptors],
        "provides": list(kind.provides),
        "choices": [
            {"name": choice.name, "value": neutral(spec, declared_value(kind.primitive, choice.value))}
            for choice in kind.choices
        ],
    }


def _composite(spec: Spec, kind: Composite) -> dict[str, Any]:
    return {
        "name": kind.name,
        "descriptors": [_descriptor(descriptor) for descriptor in kind.descriptors],
        "provides": list(kind.provides),
        "fields": [_field(spec, field) for field in kind.fields],
    }


def _descriptor(descriptor: Descriptor) -> Neutral:
    """Return a descriptor; its code is text, because not every JSON reader keeps 64 bits."""
    return {
        "symbol": descriptor.symbol,
        "code": None if descriptor.code is None else str(descriptor.code),
    }


def _field(spec: Spec, field: Field) -> dict[str, Any]:
    default = default_value(field)
    return {
        "name": field.name,
        "type": field.type.name,
        "primitive": field.type.primitive,
        "mandatory": field.mandatory,
        "multiple": field.multiple,
        "requires": list(field.requires),
        "default": None if default is None else neutral(spec, default),
    }
