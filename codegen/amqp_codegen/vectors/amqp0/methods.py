"""Each method with the least, the most and ordinary values, and what no method may look like."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.spec0 import Method, Spec, WireType
from ..case import Case, refused_octets
from .neutral import Values, method_input
from .reference_encoder import encode
from .values import maximum, minimum, typical


def method_cases(spec: Spec) -> Iterator[Case]:
    """The cases of every method as a whole."""
    for method in spec.methods:
        yield method_case(spec, method, method.full_name, "minimum", {})
        if method.arguments:
            yield method_case(spec, method, method.full_name, "maximum", _maximum_values(spec, method))
            yield method_case(spec, method, method.full_name, "typical", typical_values(spec, method))
        octets = encode(spec, "method", method_input(method, typical_values(spec, method)), spec.dialect)
        yield refused_octets(method.full_name, "an-octet-too-many", "method", octets + b"\0", "malformed")


def method_case(spec: Spec, method: Method, element: str, what: str, values: Values) -> Case:
    """A method that goes both ways."""
    value = method_input(method, values)
    return Case(
        id=f"{element}/{what}",
        element=element,
        kind="method",
        input=value,
        octets=encode(spec, "method", value, spec.dialect),
    )


def typical_values(spec: Spec, method: Method) -> Values:
    """Ordinary values for all that a user sets."""
    return {
        field.name: typical(field, place, spec.dialect)
        for place, field in enumerate(method.fields)
        if not field.reserved
    }


def values_without_tables(spec: Spec, method: Method) -> Values:
    """Ordinary values, but for tables, which are large."""
    tables = {field.name: minimum(field.type) for field in method.arguments if field.type is WireType.TABLE}
    return {**typical_values(spec, method), **tables}


def _maximum_values(spec: Spec, method: Method) -> Values:
    # Characters of two octets: a length counts octets.
    return {field.name: maximum(field.type, spec.dialect, "ü") for field in method.arguments}
