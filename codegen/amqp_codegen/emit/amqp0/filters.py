"""The filters and tests of the 0-x templates, by the name that templates use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...model.amqp0.layout import Layout, Octets, Run, TableStep
from ...model.amqp0.spec import Class, Method, Spec
from ...resolve.amqp0.layout import method_layout, packing_steps
from . import docstrings, python_types, validation_code, wire_code


def amqp0_filters() -> dict[str, Callable[..., Any]]:
    """Return the filters by name."""
    return {
        "alias_table": python_types.alias_table,
        "annotation": python_types.annotation,
        "checked_asserts": validation_code.checked_asserts,
        "property_checks": validation_code.property_checks,
        "value_checks": validation_code.value_checks,
        "violation": validation_code.violation,
        "violation_text": validation_code.violation_text,
        "class_docstring": docstrings.class_docstring,
        "constant_comment": docstrings.constant_comment,
        "constant_docstring": docstrings.constant_docstring,
        "constant_name": constant_name,
        "field_layouts": field_layouts,
        "init_parameters": init_parameters,
        "init_value": python_types.init_value,
        "method_aliases": python_types.method_aliases,
        "method_docstring": docstrings.method_docstring,
        "pack_expression": wire_code.pack_expression,
        "packed_number": wire_code.packed_number,
        "pack_locals": wire_code.pack_locals,
        "pack_steps": packing_steps,
        "properties_aliases": python_types.properties_aliases,
        "properties_docstring": docstrings.properties_docstring,
        "properties_init_parameters": properties_init_parameters,
        "property_init_value": python_types.property_init_value,
        "property_annotation": python_types.property_annotation,
        "flag_names": wire_code.flag_names,
        "run_locals": wire_code.run_locals,
        "spare_flags": wire_code.spare_flags,
        "layout": layout,
        "reserved_annotation": python_types.reserved_annotation,
        "zero": python_types.zero,
        "suffixed": suffixed,
        "unstated_frame_constants": unstated_frame_constants,
    }


def amqp0_tests() -> dict[str, Callable[[object], bool]]:
    """Return the tests by name: the kinds of steps of a layout."""
    return {
        "octets": lambda value: isinstance(value, Octets),
        "run": lambda value: isinstance(value, Run),
        "table": lambda value: isinstance(value, TableStep),
    }


def suffixed(text: str, suffix: str) -> str:
    """Return the text with a suffix."""
    return f"{text}{suffix}"


def layout(method: Method) -> Layout:
    """Return the layout of the fields of a method in its payload."""
    return method_layout(method.fields)


def constant_name(name: str) -> str:
    """Return the name of a constant: ``SPEC_0_8`` for ``spec-0-8``."""
    return name.upper().replace("-", "_")


def field_layouts(method: Method) -> list[str]:
    """Return the ``FieldLayout`` call for each field of a method."""
    return [
        f'FieldLayout("{field.identifier}", "{field.type.value}"{", reserved=True" if field.reserved else ""})'
        for field in method.fields
    ]


_RESIDUE_PARAMETER = "residue: Residue | None = None"


def init_parameters(method: Method) -> list[str]:
    """Return the parameters of a method's constructor."""
    return [
        "self",
        *map(python_types.parameter, method.arguments),
        _RESIDUE_PARAMETER,
        *python_types.alias_parameters(python_types.method_aliases(method)),
    ]


def properties_init_parameters(entry: Class) -> list[str]:
    """Return the parameters of the constructor of a class's properties."""
    return [
        "self",
        *(python_types.property_parameter(property_.field) for property_ in entry.properties),
        _RESIDUE_PARAMETER,
        *python_types.alias_parameters(python_types.properties_aliases(entry)),
    ]


def unstated_frame_constants(spec: Spec) -> list[tuple[str, int]]:
    """Return name and number of the frame constants that are in ``wire.toml`` but not in the XML."""
    stated = {constant.name for constant in spec.constants}
    facts = {**spec.wire.frames, "end": spec.wire.frame_end, "min-size": spec.wire.min_frame_size}
    return [
        (constant_name(meaning), number)
        for meaning, number in facts.items()
        if f"frame-{meaning}" not in stated
    ]
