"""The filters and tests of the 1.0 templates, by the name that templates use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from typing import Any

from ...model.amqp1.spec import (
    Composite,
    Field,
    Part,
    Primitive,
    Restricted,
    Spec,
    Union,
    WireFieldRule,
    WireMapRule,
)
from ..python_text import docstring, literal, tuple_literal
from . import archetypes, column_code, docstrings
from .pack_code import descriptor_prefix, field_expressions, restricted_expression
from .primitives import hex_literal
from .python_types import (
    annotation,
    carrier,
    constructor_arguments,
    default_expression,
    enum_base,
    enum_constant,
    field_carrier,
    is_described,
    module_name,
    parameter_annotations,
    part_module,
    plain_name,
    positional_fields,
    restricted_types,
    type_module,
    value_type,
)
from .read_code import (
    commonest_type,
    field_reader,
    initial_value,
    leading_fields,
    primitive_reader,
    restricted_reader,
    several_reader,
    wrong_count,
)


def amqp1_filters() -> dict[str, Callable[..., Any]]:
    """Return the filters by name."""
    return {
        "attribute_lines": attribute_lines,
        "composite_docstring": docstrings.composite_docstring,
        "composite_init_parameters": composite_init_parameters,
        "commonest_type": commonest_type,
        "definition_comment": docstrings.definition_comment,
        "docstring_text": docstring_text,
        "enum_archetypes": archetypes.enum_archetypes,
        "descriptor_prefix": descriptor_prefix,
        "enum_base": enum_base,
        "enum_constant": enum_constant,
        "enum_names": enum_names,
        "enum_octets": enum_octets,
        "field_annotation": annotation,
        "field_carrier": field_carrier,
        "field_expressions": field_expressions,
        "field_reader": field_reader,
        "field_layout": field_layout,
        "rule_arguments": rule_arguments,
        "other_descriptors": other_descriptors,
        "restricted_expression": restricted_expression,
        "source_name": source_name,
        "transfer_arguments": transfer_arguments,
        "flat": flat,
        "hex": hex_literal,
        "initial_value": initial_value,
        "init_value_of": init_value_of,
        "leading_fields": leading_fields,
        "module_name": module_name,
        "octet": octet,
        "part_docstring": docstrings.part_docstring,
        "part_exports": part_exports,
        "part_imports": part_imports,
        "part_module": part_module,
        "plain_name": plain_name,
        "plain_type": plain_type,
        "positional_fields": positional_fields,
        "primitive_reader": primitive_reader,
        "primitive_docstring": docstrings.primitive_docstring,
        "restricted_comment": docstrings.restricted_comment,
        "restricted_docstring": docstrings.restricted_docstring,
        "restricted_reader": restricted_reader,
        "restricted_types": restricted_types,
        "several_reader": several_reader,
        "type_module": type_module,
        "value_annotation": value_annotation,
        "value_parameter": value_parameter,
        "variant_reader": column_code.variant_reader,
        "wrong_count": wrong_count,
    }


def amqp1_tests() -> dict[str, Callable[[object], bool]]:
    """Return the tests by name."""
    return {
        "composite": lambda value: isinstance(value, Composite),
        "described": is_described,
        "primitive": lambda value: isinstance(value, Primitive),
        "restricted": lambda value: isinstance(value, Restricted),
        "union": lambda value: isinstance(value, Union),
    }


def octet(code: str) -> str:
    r"""Return a format code as an escape within a bytes literal: ``\x40`` for ``0x40``."""
    return f"\\x{int(code, 16):02x}"


def flat(groups: Iterable[str | Iterable[str]]) -> list[str]:
    """Return lines and lists of lines as one list."""
    return [line for group in groups for line in ([group] if isinstance(group, str) else group)]


def docstring_text(text: str) -> str:
    """Return a text for the inside of a docstring of ours."""
    return docstring(text, 0).removeprefix('"""').removesuffix('"""')


def enum_octets(restricted: Restricted) -> str:
    """Return the call that writes ``member`` of an enum."""
    return (
        f"write_{restricted.primitive}({'bool(member)' if restricted.primitive == 'boolean' else 'member'})"
    )


def enum_names(part: Part) -> list[str]:
    """Return what the module of restricted types defines of a part for codecs: enums of choices, and their mappings."""
    return [
        name
        for own_type in restricted_types([part])
        if enum_base(own_type)
        for name in (
            own_type.class_name,
            f"{enum_constant(own_type)}_{'MEMBERS' if own_type.open else 'OCTETS'}",
        )
    ]


def part_imports(part: Part) -> list[tuple[str, list[str]]]:
    """Return the modules of the types of a part, and the names that they define."""
    modules = [
        (type_module(own_type), [own_type.class_name]) for own_type in part.types if is_described(own_type)
    ]
    restricted = sorted(own_type.class_name for own_type in restricted_types([part]))
    return sorted([*modules, *([("_restricted", restricted)] if restricted else [])])


def part_exports(part: Part) -> list[str]:
    """Return the names that the module of a part exports."""
    return sorted(name for _, names in part_imports(part) for name in names)


def composite_init_parameters(composite: Composite, spec: Spec) -> list[str]:
    """Return the parameters of a composite's constructor."""
    parameters = ["self"]
    positional = positional_fields(composite)
    annotations = parameter_annotations(composite, spec)
    for number, (field, annotated) in enumerate(zip(composite.fields, annotations, strict=True)):
        default = default_expression(field)
        if number == positional:
            parameters.append("*")
        parameters.append(f"{field.identifier}: {annotated}{f' = {default}' if default else ''}")
    return parameters


def transfer_arguments(composite: Composite) -> list[str]:
    """Return the arguments that make a copy of ``transfer``."""
    return constructor_arguments(composite, [f"transfer.{field.identifier}" for field in composite.fields])


def attribute_lines(composite: Composite, spec: Spec) -> list[str]:
    """Return the declarations of a composite's attributes."""
    return [f"{field.identifier}: {annotation(field, spec)}" for field in composite.fields]


def init_value_of(field: Field) -> str:
    """Return the expression that the constructor stores for a field."""
    return f"several({field.identifier})" if field.multiple else str(field.identifier)


def value_annotation(restricted: Restricted, spec: Spec) -> str:
    """Return the annotation of the value of a restricted type with a descriptor."""
    return value_type(restricted, spec).attribute


def value_parameter(restricted: Restricted, spec: Spec) -> str:
    """Return the annotation of the parameter that gives that value."""
    return value_type(restricted, spec).parameter


def plain_type(restricted: Restricted, spec: Spec) -> str:
    """Return the Python type that a restricted type without choices or descriptor is an alias of."""
    wire_type = carrier(restricted.source, spec)
    return wire_type.enumeration or value_type(restricted, spec).alias


def other_descriptors(described: Composite | Restricted) -> list[int | str]:
    """Return the descriptors of a type besides its first one: codes and symbols."""
    return [
        name
        for other in described.descriptors[1:]
        for name in (other.code, other.symbol)
        if name not in (None, "")
    ]


def source_name(restricted: Restricted, spec: Spec) -> str:
    """Return the name of the type that the descriptor of a restricted type describes; ``*`` for any."""
    wire_type = carrier(restricted.source, spec)
    return wire_type.described or wire_type.primitive or "*"


def field_layout(field: Field, spec: Spec) -> str:
    """Return the ``FieldLayout`` call for a field."""
    wire_type = field_carrier(field, spec)
    parts = [literal(field.name), literal(field.identifier)]
    parts += [literal(wire_type.described or field.type.name), literal(wire_type.primitive)]
    if field.mandatory:
        parts.append("mandatory=True")
    if field.multiple:
        parts.append("multiple=True")
    if wire_type.archetype:
        parts.append(f"archetype={wire_type.archetype}")
    if wire_type.enumeration and not wire_type.open:
        parts.append(f"values=frozenset({wire_type.enumeration})")
    if field.default is not None:
        parts.append(f"default={field.default.expression}")
    return f"FieldLayout({', '.join(parts)})"


def rule_arguments(rule: WireMapRule | WireFieldRule) -> str:
    """Return the arguments that make a rule for ``validate``: its path, and what it restricts."""
    parts = [literal(rule.path)]
    for field in fields(rule)[1:]:
        value = getattr(rule, field.name)
        if value != field.default or type(value) is not type(field.default):
            parts.append(
                f"{field.name}={tuple_literal(value) if isinstance(value, tuple) else literal(value)}"
            )
    return ", ".join(parts)
