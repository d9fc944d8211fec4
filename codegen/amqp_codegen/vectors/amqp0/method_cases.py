"""Cases of methods: fields at and beyond the ends of their ranges, bits, and unknown ids."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.amqp0.field_types import WireType
from ...model.amqp0.spec import Field, Method, Spec
from ..case import Case, refused_octets
from .reference_encoder import Values, encode, method_input
from .values import beyond, lowest, maximum, minimum, typical


def method_cases(spec: Spec) -> Iterator[Case]:
    """Yield the cases of every method as a whole."""
    for method in spec.methods:
        yield method_case(spec, method, method.full_name, "minimum", {})
        if method.arguments:
            yield method_case(spec, method, method.full_name, "maximum", _maximum_values(spec, method))
            yield method_case(spec, method, method.full_name, "typical", typical_values(spec, method))
        octets = encode(spec, "method", method_input(method, typical_values(spec, method)), spec.dialect)
        yield refused_octets(method.full_name, "an-octet-too-many", "method", octets + b"\0", "malformed")


def method_case(spec: Spec, method: Method, element: str, what: str, values: Values) -> Case:
    """Return the case of a method that is both encoded and decoded."""
    value = method_input(method, values)
    return Case(
        id=f"{element}/{what}",
        element=element,
        kind="method",
        input=value,
        octets=encode(spec, "method", value, spec.dialect),
    )


def typical_values(spec: Spec, method: Method) -> Values:
    """Return typical values for the fields that users set."""
    return {
        field.name: typical(field, place, spec.dialect)
        for place, field in enumerate(method.fields)
        if not field.reserved
    }


def values_without_tables(spec: Spec, method: Method) -> Values:
    """Return typical values, but empty tables, as full ones are large."""
    tables = {field.name: minimum(field.type) for field in method.arguments if field.type is WireType.TABLE}
    return {**typical_values(spec, method), **tables}


def _maximum_values(spec: Spec, method: Method) -> Values:
    # A character of two octets: lengths count octets, not characters.
    return {field.name: maximum(field.type, spec.dialect, "ü") for field in method.arguments}


def bit_cases(spec: Spec) -> Iterator[Case]:
    """Yield the cases of every method that has bits."""
    for method in spec.methods:
        bits = [field.name for field in method.arguments if field.type is WireType.BIT]
        clear = {**values_without_tables(spec, method), **dict.fromkeys(bits, False)}
        for bit in bits:
            yield method_case(spec, method, f"{method.full_name}.{bit}", "alone", {**clear, bit: True})
        if len(bits) > 1:
            everything = dict.fromkeys(bits, True)
            yield method_case(spec, method, method.full_name, "all-bits", {**clear, **everything})
            yield method_case(spec, method, method.full_name, "no-bits", clear)


# Invalid UTF-8 in any context, of the same length as the text that it replaces.
_PLACEHOLDER = "~!"
_NOT_UTF8 = b"\xc3\x28"


def field_cases(spec: Spec) -> Iterator[Case]:
    """Yield the cases of every field but bits, which ``bit_cases`` covers; other fields have typical values."""
    for method in spec.methods:
        values = values_without_tables(spec, method)
        for field in method.arguments:
            if field.type is not WireType.BIT:
                yield from _cases_of(spec, method, field, values)


def _cases_of(spec: Spec, method: Method, field: Field, values: Values) -> Iterator[Case]:
    element = f"{method.full_name}.{field.name}"
    ends = {"lowest": lowest(field.type), "highest": maximum(field.type, spec.dialect)}
    for what, value in ends.items():
        yield method_case(spec, method, element, what, {**values, field.name: value})
    for what, value in beyond(field.type).items():
        yield Case(
            id=f"{element}/{what}",
            element=element,
            kind="method",
            input=method_input(method, {field.name: value}),
            verdict="reject",
            error="range",
            way="encode",
        )
    if field.type is WireType.SHORTSTR:
        yield _not_utf8(spec, method, element, {**values, field.name: _PLACEHOLDER})


def _not_utf8(spec: Spec, method: Method, element: str, values: Values) -> Case:
    octets = encode(spec, "method", method_input(method, values), spec.dialect)
    wrong = octets.replace(_PLACEHOLDER.encode(), _NOT_UTF8)
    return refused_octets(
        element, "not-utf-8", "method", wrong, "malformed", "4.2.5.3: short strings are UTF-8"
    )


_HIGHEST_ID = 0xFFFF


def unknown_cases(spec: Spec) -> Iterator[Case]:
    """Yield unknown classes, and unknown methods of each class."""
    classes = {entry.index for entry in spec.classes}
    for index in _beside(classes):
        yield _unknown("class-id", f"{index}", index, 10, "method")
    for entry in spec.classes:
        for index in _beside({method.index for method in entry.methods}):
            yield _unknown(entry.name, f"method-{index}", entry.index, index, "method")
    content = {entry.index for entry in spec.content_classes}
    for index in sorted((classes | set(_beside(content))) - content):
        yield _unknown("content-class-id", f"{index}", index, 0, "header")


def _beside(known: set[int]) -> list[int]:
    """Return the unknown numbers next to known ones, and the ends of the range if unknown."""
    near = {0, _HIGHEST_ID, *(index + step for index in known for step in (-1, 1))}
    return sorted(index for index in near - known if 0 <= index <= _HIGHEST_ID)


def _unknown(element: str, what: str, class_id: int, second: int, kind: str) -> Case:
    # Enough octets for any fixed part, so that the case cannot be refused as truncated.
    octets = class_id.to_bytes(2, "big") + second.to_bytes(2, "big") + bytes(12)
    part = octets[:14] if kind == "header" else octets
    return refused_octets(element, f"unknown-{what}", kind, part, "unknown")
