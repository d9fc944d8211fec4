"""Names the values in fields of composites as the specification does (1.4)."""

from __future__ import annotations

from dataclasses import replace

from ...model.amqp1.spec import Encoding, Spec
from ...model.amqp1.types import Choice, Field, Restricted, TypeReference
from ..annotation import Annotation


def named(spec: Spec, field: Field, value: Annotation) -> Annotation:
    """Return the value of a field, with the name of its choice or, if it is null, its default."""
    encoding = value.element.type if isinstance(value.element, Encoding) else ""
    value = replace(value, element=field)
    if value.is_wrong or (field.multiple and encoding == "array"):
        return value
    if encoding == "null":
        return replace(value, meaning=f"default {field.default.text}" if field.default else "")
    for choice in choices_of(spec, field.type):
        if choice.value == value.value and type(choice.value) is type(value.value):
            return replace(value, meaning=choice.name if choice.name != value.value else "")
    return value


def choices_of(spec: Spec, reference: TypeReference) -> tuple[Choice, ...]:
    """Return the choices of a type, its own or inherited ones."""
    kind = spec.type(reference.name)
    while isinstance(kind, Restricted):
        if kind.choices:
            return kind.choices
        kind = spec.type(kind.source.name)
    return ()
