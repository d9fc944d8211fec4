"""The expressions that read a 1.0 type with a descriptor; ``templates/amqp1/read.jinja`` has the statements."""

from __future__ import annotations

from ...model.amqp1.primitive_types import PRIMITIVE_TYPES
from ...model.amqp1.spec import Composite, Field, Restricted, Spec
from .python_types import Carrier, carrier, default_expression, field_carrier, provider_primitives


def leading_fields(composite: Composite) -> int:
    """Return the number of fields that are always sent: those up to the last mandatory one."""
    return max((number for number, field in enumerate(composite.fields, 1) if field.mandatory), default=0)


def wrong_count(composite: Composite) -> str:
    """Return the expression that is true if the list of a composite has too few or too many items."""
    least, most = leading_fields(composite), len(composite.fields)
    if most == 0:
        return "count"
    if least == most:
        return f"count != {most}"
    return f"not {least} <= count <= {most}" if least else f"count > {most}"


def initial_value(field: Field) -> str:
    """Return what a field has that is not sent."""
    return "[]" if field.multiple else default_expression(field) or "None"


def commonest_type(field: Field, spec: Spec) -> str:
    """Return the primitive type of most values of a field, if its commonest constructor is read in place."""
    wire_type = field_carrier(field, spec)
    if field.multiple or wire_type.enumeration or wire_type.described:
        return ""
    if wire_type.archetype:
        providers = provider_primitives(field.requires or (field.type.name,), spec)
        return "string" if not wire_type.primitive and "string" in providers else ""
    return wire_type.primitive if _reader_of(wire_type) == "in place" else ""


def field_reader(field: Field, spec: Spec) -> str:
    """Return the call that reads a value of a field."""
    wire_type = field_carrier(field, spec)
    if wire_type.archetype and not wire_type.described and not wire_type.primitive:
        return f"read_required(buffer, position, limits, {wire_type.archetype})"
    return _reader(wire_type) or f"read_{'any' if field.mandatory else 'value'}(buffer, position, limits)"


def restricted_reader(restricted: Restricted, spec: Spec) -> str:
    """Return the call that reads the value of a restricted type with a descriptor."""
    return _reader(carrier(restricted.source, spec)) or "read_value(buffer, position, limits)"


def _reader(wire_type: Carrier) -> str:
    """Return the call that reads a value of one type; empty if it may be any value."""
    if wire_type.described:
        return f'read_described(buffer, position, limits, "{wire_type.described}")'
    return primitive_reader(wire_type) if wire_type.primitive else ""


def primitive_reader(wire_type: Carrier) -> str:
    """Return the call that reads a value of the primitive type, whatever it means."""
    if _reader_of(wire_type):
        return f"read_{wire_type.primitive}(buffer, position)"
    if wire_type.primitive == "map":
        return "read_map(buffer, position, limits)"
    return f'read_primitive(buffer, position, limits, "{wire_type.primitive}")'


def _reader_of(wire_type: Carrier) -> str:
    return PRIMITIVE_TYPES[wire_type.primitive].reader if wire_type.primitive in PRIMITIVE_TYPES else ""


def several_reader(wire_type: Carrier) -> str:
    """Return the call that reads a value, or an array of several."""
    name = wire_type.described or wire_type.primitive or "*"
    archetype = f", {wire_type.archetype}" if wire_type.archetype else ""
    return f'read_several(buffer, position, limits, "{name}"{archetype})'
