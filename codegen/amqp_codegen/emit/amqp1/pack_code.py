"""The expressions that write a 1.0 type with a descriptor."""

from __future__ import annotations

import struct
from typing import NamedTuple

from ...model.amqp1.spec import Composite, Descriptor, Field, Restricted, Spec
from ..python_text import literal
from .python_types import Carrier, carrier, field_carrier, provider_primitives


def descriptor_prefix(descriptor: Descriptor, codes: dict[str, int]) -> str:
    """Return the octets before the value of a type, as a literal: zero and the shortest form of the descriptor."""
    return literal(b"\x00" + _descriptor_octets(descriptor, codes))


def _descriptor_octets(descriptor: Descriptor, codes: dict[str, int]) -> bytes:
    if descriptor.code is None:
        octets = descriptor.symbol.encode("ascii")
        if len(octets) <= 255:
            return bytes((codes["SYMBOL_SYM8"], len(octets))) + octets
        return struct.pack(">BI", codes["SYMBOL_SYM32"], len(octets)) + octets
    if descriptor.code == 0:
        return bytes((codes["ULONG_ULONG0"],))
    if descriptor.code <= 255:
        return bytes((codes["ULONG_SMALLULONG"], descriptor.code))
    return struct.pack(">BQ", codes["ULONG"], descriptor.code)


def field_expressions(composite: Composite, spec: Spec) -> list[Expression]:
    """Return an expression for the octets of each field."""
    return [_expression(field, spec) for field in composite.fields]


class Expression(NamedTuple):
    """An expression: ``written``, or ``NULL`` if the condition is true."""

    written: str
    condition: str = ""

    def __str__(self) -> str:
        return f"NULL if {self.condition} else {self.written}" if self.condition else self.written


def _expression(field: Field, spec: Spec) -> Expression:
    value = f"self.{field.identifier}"
    wire_type = field_carrier(field, spec)
    if field.multiple:
        function = "write_at_least_one" if field.mandatory else "write_several"
        return Expression(f"{function}({value}, depth, {literal(wire_type.primitive)})")
    written = _write(value, field, wire_type, spec)
    if field.mandatory or written.startswith("write_value("):
        return Expression(written)
    default = "None" if field.default is None else field.default.expression
    if default in ("None", "True", "False") or wire_type.primitive == "boolean":
        return Expression(written, f"{value} is {default}")
    if (
        wire_type.enumeration and _choice(value, wire_type) != value
    ):  # a bool may be equal, but is not a number
        return Expression(written, f"{value} is {default} or {_choice(value, wire_type)} == {default}")
    return Expression(written, f"{value} == {default}")


def _write(value: str, field: Field, wire_type: Carrier, spec: Spec) -> str:
    if wire_type.enumeration and not wire_type.open:
        return f"{wire_type.octets}[{_choice(value, wire_type)}]"
    known = _write_known(value, wire_type, field.type.name, spec)
    if known:
        return known
    if wire_type.archetype:
        text = "string" in provider_primitives(field.requires or (field.type.name,), spec)
        return f"write_required{'_text' if text else ''}({value}, depth, {wire_type.archetype})"
    return f"write_{'any' if field.mandatory else 'value'}({value}, depth)"


def _choice(value: str, wire_type: Carrier) -> str:
    """Return the expression for a choice of an enum, which refuses numbers for booleans and booleans for numbers."""
    if wire_type.primitive == "boolean":
        enum = wire_type.enumeration
        return f"{value} if type({value}) is {enum} else boolean_choice({value}, {enum})"
    return value if wire_type.primitive in ("string", "symbol", "char") else f"whole_number({value})"


def _write_known(value: str, wire_type: Carrier, name: str, spec: Spec) -> str:
    """Return the call that writes a value of a type; empty if any may occur. Its name determines the map keys."""
    if wire_type.described:
        return f"write_described({value}, depth, {literal(wire_type.described)})"
    if wire_type.primitive == "map":
        return (
            f"write_mapping({value}, depth{', (), write_symbol_map' if has_symbol_keys(name, spec) else ''})"
        )
    if wire_type.primitive == "list":
        return f"write_primitive({value}, depth, (list, tuple))"
    if wire_type.primitive == "array":
        return f"write_primitive({value}, depth, Array)"
    return f"write_{wire_type.primitive}({value})" if wire_type.primitive else ""


def has_symbol_keys(name: str, spec: Spec) -> bool:
    """Return whether a type is a map type whose keys may be symbols: encoders make these of strings."""
    named = spec.type(name)
    return isinstance(named, Restricted) and "symbol" in named.keys


def restricted_expression(restricted: Restricted, spec: Spec) -> str:
    """Return the expression for the octets of the value of a restricted type with a descriptor."""
    wire_type = carrier(restricted.source, spec)
    known = _write_known("self.value", wire_type, restricted.name, spec)
    return known or "write_value(self.value, depth)"
