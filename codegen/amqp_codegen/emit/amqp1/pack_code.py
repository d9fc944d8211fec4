"""The expressions that write a described type of the 1.0 family."""

from __future__ import annotations

import struct
from collections.abc import Collection
from typing import NamedTuple

from ...model.amqp1.spec import Composite, Descriptor, Field, Restricted, Spec
from ..python_text import literal
from .python_types import Carrier, carrier, field_carrier, provider_primitives


def descriptor_prefix(descriptor: Descriptor, codes: dict[str, int]) -> str:
    """The octets before the value of a type, as a literal: zero and the descriptor in its shortest form."""
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
    """An expression for the octets of each field."""
    return [_expression(field, spec, symbol_keys) for field in composite.fields]


class Expression(NamedTuple):
    """An expression: ``written``, or ``NULL`` on a condition."""

    written: str
    condition: str = ""

    def __str__(self) -> str:
        return f"NULL if {self.condition} else {self.written}" if self.condition else self.written


def _expression(field: Field, spec: Spec, symbol_keys: Collection[str]) -> Expression:
    value = f"self.{field.identifier}"
    found = field_carrier(field, spec)
    if field.multiple:
        function = "write_at_least_one" if field.mandatory else "write_several"
        return Expression(f"{function}({value}, depth, {literal(found.primitive)})")
    written = _write(value, field, found, spec, symbol_keys)
    if field.mandatory or written.startswith("write_value("):
        return Expression(written)
    if field.default is None:
        return Expression(written, f"{value} is None")
    compare = "is" if field.default.expression in ("True", "False") else "=="
    return Expression(written, f"{value} {compare} {field.default.expression}")


def _write(value: str, field: Field, found: Carrier, spec: Spec, symbol_keys: Collection[str]) -> str:
    if found.enumeration and not found.open:
        return f"{found.octets}[{value}]"
    known = _write_known(value, found, field.type.name, spec, symbol_keys)
    if known:
        return known
    if found.archetype:
        text = "string" in provider_primitives(field.requires or (field.type.name,), spec)
        return f"write_required{'_text' if text else ''}({value}, depth, {found.archetype})"
    return f"write_{'any' if field.mandatory else 'value'}({value}, depth)"


def _write_known(value: str, found: Carrier, name: str, spec: Spec, symbol_keys: Collection[str]) -> str:
    """The call that writes a value carried by a described or a primitive type; empty where it is any type.

    Args:
        value: The expression for the value.
        found: What carries it.
        name: The name of its type, which tells what the keys of a map are.
        spec: The specification.
        symbol_keys: The types over maps whose keys are symbols.
    """
    if found.described:
        return f"write_described({value}, depth, {literal(found.described)})"
    if found.primitive == "map":
        return f"{_map_writer(name, spec, symbol_keys)}({value}, depth)"
    if found.primitive == "list":
        return f"write_primitive({value}, depth, (list, tuple))"
    if found.primitive == "array":
        return f"write_primitive({value}, depth, Array)"
    return f"write_{found.primitive}({value})" if found.primitive else ""


def _map_writer(name: str, spec: Spec, symbol_keys: Collection[str]) -> str:
    """``write_symbol_map`` for the types whose keys are symbols, and those derived from them."""
    return "write_symbol_map" if has_symbol_keys(name, spec, symbol_keys) else "write_mapping"


def has_symbol_keys(name: str, spec: Spec, symbol_keys: Collection[str]) -> bool:
    """Whether a type is one over maps whose keys are symbols, or derived from one."""
    found = spec.type(name)
    chain = (name, *found.chain) if isinstance(found, Restricted) else (name,)
    return any(each in symbol_keys for each in chain)


def restricted_expression(restricted: Restricted, spec: Spec, symbol_keys: Collection[str]) -> str:
    """The expression for the octets of the value of a restricted type with a descriptor."""
    found = carrier(restricted.source, spec)
    known = _write_known("self.value", found, restricted.name, spec, symbol_keys)
    return known or "write_value(self.value, depth)"
