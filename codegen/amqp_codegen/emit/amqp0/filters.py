"""The filters of the 0-x templates, by the name that templates use.

The tests of the 0-x templates (``{% if step is run %}``), by the name that templates use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...model.amqp0.layout import Layout, Octets, Run, TableStep
from ...model.amqp0.spec import Class, Method, Spec, WireType
from ...resolve.amqp0.layout import method_layout
from ..python_text import columns_literal, import_from
from . import (
    alias_code,
    column_code,
    docstrings,
    pack_code,
    python_types,
    read_code,
    validation_code,
    wire_code,
)
from .pack_code import packed_letters


def amqp0_tests() -> dict[str, Callable[[object], bool]]:
    """Name to function: the steps of a layout."""
    return {
        "octets": lambda value: isinstance(value, Octets),
        "run": lambda value: isinstance(value, Run),
        "table": lambda value: isinstance(value, TableStep),
    }


def amqp0_filters() -> dict[str, Callable[..., Any]]:
    """Name to function."""
    return {
        "alias_properties": alias_code.alias_properties,
        "annotation": python_types.annotation,
        "check_lines": validation_code.check_lines,
        "class_docstring": docstrings.class_docstring,
        "columns_literal": columns_literal,
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
        "pack_lines": pack_code.pack_lines,
        "pack_properties_lines": pack_properties_lines,
        "properties_aliases": alias_code.properties_aliases,
        "properties_docstring": docstrings.properties_docstring,
        "properties_init_parameters": properties_init_parameters,
        "property_annotation": python_types.property_annotation,
        "read_lines": read_code.read_lines,
        "read_properties_lines": read_code.read_properties_lines,
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


def suffixed(text: str, suffix: str) -> str:
    """The text with something after it."""
    return f"{text}{suffix}"


def layout(method: Method) -> Layout:
    """How the fields of a method lie in its payload."""
    return method_layout(method.fields)


def constant_name(name: str) -> str:
    """``spec-0-8`` as ``SPEC_0_8``."""
    return name.upper().replace("-", "_")


def field_layouts(method: Method) -> list[str]:
    """The ``FieldLayout`` of each field of a method."""
    return [
        f'FieldLayout("{field.identifier}", "{field.type.value}"{", reserved=True" if field.reserved else ""})'
        for field in method.fields
    ]


def init_parameters(method: Method) -> list[str]:
    """The parameters of a method's constructor."""
    return ["self", *map(python_types.parameter, method.arguments)]


def properties_init_parameters(entry: Class) -> list[str]:
    """The parameters of a property set's constructor."""
    return ["self", *(python_types.property_parameter(each.field) for each in entry.properties)]


def pack_properties_lines(entry: Class) -> list[str]:
    """The statements that pack a property set."""
    fields = [
        (each.field.identifier, each.field.local, each.field.type, each.word << 16 | each.mask)
        for each in entry.properties
    ]
    return pack_code.properties_pack_lines(fields, entry.flag_words)


def unstated_frame_constants(spec: Spec) -> list[tuple[str, int]]:
    """Constants of frames that ``wire.toml`` has and the XML has not, as constant name and number."""
    stated = {constant.name for constant in spec.constants}
    facts = {**spec.wire.frames, "end": spec.wire.frame_end, "min-size": spec.wire.min_frame_size}
    return [
        (constant_name(meaning), number)
        for meaning, number in facts.items()
        if f"frame-{meaning}" not in stated
    ]


def class_imports(entry: Class) -> list[str]:
    """The import statements of a class's module, in order."""
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
    return sorted(names)
