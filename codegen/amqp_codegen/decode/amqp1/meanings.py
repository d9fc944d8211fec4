"""What values mean to a person: plain values, and the names that the specification has for them (1.4, 1.6)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...model.amqp1.primitive_types import PRIMITIVE_TYPES
from ...model.amqp1.spec import Encoding, Spec
from ...model.amqp1.types import Field
from ..amqp0.tables import moment
from ..annotation import Annotation, Value

_PER_SECOND = PRIMITIVE_TYPES["timestamp"].per_second


def scalar(value: Any) -> tuple[Value, str]:
    """Return a value without the classes of the package, and what a person wants to know besides."""
    kind = type(value).__name__
    if kind.startswith("Decimal"):
        return str(value.decimal), ""
    if value is None or isinstance(value, (bool, bytes)):
        return value, ""
    if kind == "Timestamp":
        return int(value), moment(value / _PER_SECOND)
    if isinstance(value, int):
        return int(value), ""
    if isinstance(value, float):
        return float(value), ""
    return str(value), f"U+{ord(value):04X}" if kind == "Char" else ""


def named(spec: Spec, field: Field, value: Annotation) -> Annotation:
    """Return the value of a field, with the name of its choice or, if it is null, its default."""
    encoding = value.element.type if isinstance(value.element, Encoding) else ""
    value = replace(value, element=field)
    if value.is_wrong or (field.multiple and encoding == "array"):
        return value
    if encoding == "null":
        return replace(value, meaning=f"default {field.default.text}" if field.default else "")
    for choice in spec.choices(field.type.name):
        if choice.value == value.value and type(choice.value) is type(value.value):
            return replace(value, meaning=choice.name if choice.name != value.value else "")
    return value
