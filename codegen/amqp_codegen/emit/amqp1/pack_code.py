"""The expressions that write a 1.0 type with a descriptor."""

from __future__ import annotations

import struct
from collections.abc import Collection
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


def field_expressions(composite: Composite, spec: Spec, symbol_keys: Collection[str]) -> list[Expression]:
    """Return an expression for the octets of each field."""
    return [_expression(field, spec, symbol_keys) for field in composite.fields]


class Expression(NamedTuple):
    """An expression: ``written``, or ``NULL`` if the condition is true."""

    written: str
    condition: str = ""

    def __str__(self) -> str:
        return f"NULL if {self.condition} else {self.written}" if self.condition else self.written


def _expression(field: Field, spec: Spec, symbol_keys: Collection[str]) -> Expression:
    value = f"self.{field.identifier}"
    wire_type = field_carrier(field, spec)
    if field.multiple:
        function = "write_at_least_one" if field.mandatory else "write_several"
        return Expression(f"{function}({value}, depth, {literal(wire_type.primitive)})")
    written = _write(value, field, wire_type, spec, symbol_keys)
    if field.mandatory or written.startswith("write_value("):
        return Expression(written)
    if field.default is None:
        return Expression(written, f"{value} is None")
    compare = "is" if field.default.expression in ("True", "False") else "=="
    return Expression(written, f"{value} {compare} {field.default.expression}")


def _write(value: str, field: Field, wire_type: Carrier, spec: Spec, symbol_keys: Collection[str]) -> str:
    if wire_type.enumeration and not wire_type.open:
        return f"{wire_type.octets}[{value}]"
    known = _write_known(value, wire_type, field.type.name, spec, symbol_keys)
    if known:
        return known
    if wire_type.archetype:
        text = "string" in provider_primitives(field.requires or (field.type.name,), spec)
        return f"write_required{'_text' if text else ''}({value}, depth, {wire_type.archetype})"
    return f"write_{'any' if field.mandatory else 'value'}({value}, depth)"


def _write_known(value: str, wire_type: Carrier, name: str, spec: Spec, symbol_keys: Collection[str]) -> str:
    """Return the call that writes a value of a type; empty if any may occur. Its name determines the map keys."""
    if wire_type.described:
        return f"write_described({value}, depth, {literal(wire_type.described)})"
    if wire_type.primitive == "map":
        return f"{_map_writer(name, spec, symbol_keys)}({value}, depth)"
    if wire_type.primitive == "list":
        return f"write_primitive({value}, depth, (list, tuple))"
    if wire_type.primitive == "array":
        return f"write_primitive({value}, depth, Array)"
    return f"write_{wire_type.primitive}({value})" if wire_type.primitive else ""


def _map_writer(name: str, spec: Spec, symbol_keys: Collection[str]) -> str:
    """Return ``write_symbol_map`` for map types whose keys are symbols, else ``write_mapping``."""
    return "write_symbol_map" if has_symbol_keys(name, spec, symbol_keys) else "write_mapping"


def has_symbol_keys(name: str, spec: Spec, symbol_keys: Collection[str]) -> bool:
    """Return whether a type is, or is derived from, a map type whose keys are symbols."""
    named = spec.type(name)
    chain = (name, *named.chain) if isinstance(named, Restricted) else (name,)
    return any(each in symbol_keys for each in chain)


def restricted_expression(restricted: Restricted, spec: Spec, symbol_keys: Collection[str]) -> str:
    """Return the expression for the octets of the value of a restricted type with a descriptor."""
    wire_type = carrier(restricted.source, spec)
    known = _write_known("self.value", wire_type, restricted.name, spec, symbol_keys)
    return known or "write_value(self.value, depth)"
