"""Checks the values in the fields of composites, and names those that the specification names (1.4)."""

from __future__ import annotations

from dataclasses import replace

from ...model.amqp1.spec import Encoding, Spec
from ...model.amqp1.types import Choice, Composite, Field, Kind, Restricted, TypeReference
from ..annotation import ABSENT, Annotation, Element

_NULL, _ARRAY = "null", "array"


def field_kind(field: Field) -> str:
    """Describe the type of a field: ``milliseconds (uint)``, ``provides outcome``, ``one or more symbol``."""
    name = field.type.name
    if name == "*":
        name = f"provides {', '.join(field.requires)}" if field.requires else "any type"
    carried = field.type.primitive
    if carried and carried != name and not field.type.described:
        name = f"{name} ({carried})"
    return f"one or more {name}" if field.multiple else name


def checked(spec: Spec, field: Field, value: Annotation) -> Annotation:
    """Return the value of a field, with the name of its choice and what is wrong with it."""
    element = value.element
    value = replace(value, element=field)
    if value.is_wrong:
        return value
    if isinstance(element, Encoding) and element.type == _NULL:
        if field.mandatory:
            return replace(value, error=f"{field.name} is mandatory, but null")
        default = f"default {field.default.text}" if field.default else ""
        return replace(value, meaning=default)
    several = _elements(value) if field.multiple and _is_array(element) else None
    kinds = [element] if several is None else [several]
    if not all(_fits(field, kind) for kind in kinds):
        return replace(value, error=f"{field.name} takes {field_kind(field)}, not {_described(element)}")
    if several is not None:
        return value
    return _named(spec, field.type, value)


def missing_fields(kind: Composite, count: int, position: int) -> tuple[Annotation, ...]:
    """Return an error for each mandatory field after those that are there."""
    return tuple(
        Annotation(
            position, position, field.name, error=f"{field.name} is mandatory, but not there", element=field
        )
        for field in kind.fields[count:]
        if field.mandatory
    )


def choices_of(spec: Spec, reference: TypeReference) -> tuple[Choice, ...]:
    """Return the choices of a type, its own or inherited ones."""
    kind = spec.type(reference.name)
    while isinstance(kind, Restricted):
        if kind.choices:
            return kind.choices
        kind = spec.type(kind.source.name)
    return ()


def _named(spec: Spec, reference: TypeReference, value: Annotation) -> Annotation:
    """Return a value with the name of its choice."""
    if value.value is ABSENT:
        return value
    for choice in choices_of(spec, reference):
        if choice.value == value.value and type(choice.value) is type(value.value):
            return replace(value, meaning=choice.name if choice.name != value.value else "")
    if reference.enumeration and not reference.open:
        return replace(value, error=f"{value.value!r} is not a {reference.name}")
    return value


def _is_array(element: Element | None) -> bool:
    return isinstance(element, Encoding) and element.type == _ARRAY


def _elements(array: Annotation) -> Element | None:
    """Return the type of the elements of an array."""
    return next((part.element for part in array.children if part.name == "constructor"), None)


def _fits(field: Field, element: Element | None) -> bool:
    """Return whether a value may stand in a field; one whose descriptor is unknown may provide anything."""
    if isinstance(element, Encoding):
        if field.type.kind is Kind.ANY:
            return not field.providers or any(
                not each.described and element.type in (each.primitive, "") for each in field.providers
            )
        return element.type == field.type.primitive and not field.type.described
    if field.type.kind is Kind.ANY:
        provided = {each.name for each in field.providers}
        return not provided or element is None or _name(element) in provided
    return _name(element) == field.type.name


def _described(element: Element | None) -> str:
    return element.type if isinstance(element, Encoding) else _name(element) or "a described value"


def _name(element: Element | None) -> str:
    return element.name if isinstance(element, (Composite, Restricted)) else ""
