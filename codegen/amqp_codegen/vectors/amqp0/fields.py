"""Each field of each method: the ends of its range, and what is beyond them."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.spec0 import Field, Method, Spec, WireType
from ..case import Case, refused_octets
from .methods import method_case, values_without_tables
from .neutral import Values, method_input
from .reference_encoder import encode
from .values import beyond, maximum, minimum

# Not UTF-8 wherever it stands, and as many octets as the text that it is put in place of.
_PLACEHOLDER = "~!"
_NOT_UTF8 = b"\xc3\x28"


def field_cases(spec: Spec) -> Iterator[Case]:
    """The cases of every field but bits, which ``bits`` has; the other fields have ordinary values."""
    for method in spec.methods:
        values = values_without_tables(spec, method)
        for field in method.arguments:
            if field.type is not WireType.BIT:
                yield from _cases_of(spec, method, field, values)


def _cases_of(spec: Spec, method: Method, field: Field, values: Values) -> Iterator[Case]:
    element = f"{method.full_name}.{field.name}"
    ends = {"lowest": minimum(field.type), "highest": maximum(field.type, spec.dialect)}
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
