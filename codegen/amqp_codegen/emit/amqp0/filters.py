"""The filters and tests of the 0-x templates, by the name that templates use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...model.amqp0.layout import Layout, Octets, Run, TableStep
from ...model.amqp0.spec import Class, Method, Spec, WireType
from ...resolve.amqp0.layout import method_layout, packing_steps
from ..python_text import import_from
from . import (
    column_code,
    docstrings,
    python_types,
    validation_code,
    wire_code,
)
from . import (
    python_types as alias_code,
)
from . import (
    wire_code as pack_code,
)
from . import (
    wire_code as read_code,
)
from .wire_code import packed_letters


def amqp0_filters() -> dict[str, Callable[..., Any]]:
    """Return the filters by name."""
    return {
        "alias_properties": alias_code.alias_properties,
        "annotation": python_types.annotation,
        "checked_asserts": validation_code.checked_asserts,
        "violation": validation_code.violation,
        "violation_text": validation_code.violation_text,
        "class_docstring": docstrings.class_docstring,
        "constant_comment": docstrings.constant_comment,
        "constant_docstring": docstrings.constant_docstring,
        "constant_name": constant_name,
        "field_layouts": field_layouts,
        "domain_annotation": python_types.domain_annotation,
        "domain_comment": docstrings.domain_comment,
        "class_imports": class_imports,
        "init_parameters": init_parameters,
        "init_value": python_types.init_value,
        "method_docstring": docstrings.method_docstring,
        "pack_expression": pack_code.pack_expression,
        "pack_locals": pack_code.pack_locals,
        "pack_steps": packing_steps,
        "properties_aliases": alias_code.properties_aliases,
        "properties_docstring": docstrings.properties_docstring,
        "properties_init_parameters": properties_init_parameters,
        "property_annotation": python_types.property_annotation,
        "flag_names": read_code.flag_names,
        "run_locals": read_code.run_locals,
        "spare_flags": read_code.spare_flags,
        "run_checks": wire_code.run_checks,
        "run_parameters": wire_code.run_parameters,
        "run_reads": wire_code.run_reads,
        "run_packs": wire_code.run_packs,
        "run_types": wire_code.run_types,
        "row_imports": column_code.row_imports,
        "layout": layout,
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


def init_parameters(method: Method) -> list[str]:
    """Return the parameters of a method's constructor."""
    return ["self", *map(python_types.parameter, method.arguments)]


def properties_init_parameters(entry: Class) -> list[str]:
    """Return the parameters of the constructor of a class's properties."""
    return ["self", *(python_types.property_parameter(each.field) for each in entry.properties)]


def unstated_frame_constants(spec: Spec) -> list[tuple[str, int]]:
    """Return name and number of the frame constants that are in ``wire.toml`` but not in the XML."""
    stated = {constant.name for constant in spec.constants}
    facts = {**spec.wire.frames, "end": spec.wire.frame_end, "min-size": spec.wire.min_frame_size}
    return [
        (constant_name(meaning), number)
        for meaning, number in facts.items()
        if f"frame-{meaning}" not in stated
    ]


def class_imports(entry: Class) -> list[str]:
    """Return the import statements of a class's module, in order."""
    kinds = {field.type for method in entry.methods for field in method.fields}
    written = {field.type for method in entry.methods for field in method.arguments}
    has_tables = WireType.TABLE in kinds
    lines = [f"from collections.abc import Callable{', Mapping' if has_tables else ''}"]
    lines.append("from dataclasses import dataclass")
    if WireType.TIMESTAMP in written:
        lines.append("from datetime import datetime")
    lines.append(f"from typing import {'Any, ' if has_tables else ''}Final")
    lines.append("")
    wire = _wire_names(entry)
    if wire:
        lines.append(import_from(".._wire", wire))
    if WireType.CONTENT in kinds:
        lines.append("from ..domains import Content")
    lines.append("from ..errors import Malformed")
    if any(method.fields for method in entry.methods):
        lines.append("from ..fields import FieldLayout")
    lines.append("from ..method import MethodBase, describe")
    lines.append(f"from ..table_reader import TableReader{', read_table' if has_tables else ''}")
    lines.append(
        f"from ..table_writer import TableWriter{', write_table' if WireType.TABLE in written else ''}"
    )
    values = ["epoch_seconds"] if WireType.TIMESTAMP in written else []
    values += ["octets"] if written & {WireType.LONGSTR, WireType.CONTENT} else []
    if values:
        lines.append(f"from ..values import {', '.join(values)}")
    return lines


def _wire_names(entry: Class) -> list[str]:
    names = set()
    for method in entry.methods:
        names |= {f"pack_{letters}" for letters in packed_letters(method)}
        names |= {f"unpack_{letters}" for letters in read_code.unpacked_letters(method)}
        if pack_code.uses_octets(method):
            names.add("OCTETS")
        if pack_code.uses_bits(method):
            names.add("NOT_A_BIT")
    return sorted(names)
