"""The functions that read methods and content headers into rows of columns, and the columns there are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...model.amqp0.spec import Class, Field, Method, Spec, WireType
from ...resolve.amqp0.layout import method_layout
from ..python_text import Column, import_from, literal, tuple_source
from .read_code import field_lines, property_lines

# What Arrow calls the narrowest type of SQL that holds all values of a field; of longlong, all that occur.
_TYPES = {
    WireType.BIT: "bool",
    WireType.OCTET: "int16",
    WireType.SHORT: "int32",
    WireType.LONG: "int64",
    WireType.LONGLONG: "int64",
    WireType.SHORTSTR: "string",
    WireType.LONGSTR: "binary",
    WireType.TIMESTAMP: "timestamp[us]",
    WireType.TABLE: "variant",
}

# Columns that are not made of fields: before all others, and after them.
_METHOD = ("method", "string")
_HEADER = (("class_id", "int32"), ("body_size", "int64"))
_MISFITS = ("misfits", "variant")


@dataclass(frozen=True, slots=True)
class Row:
    """How a method or content header becomes a row.

    Attributes:
        key: The number in whose place it stands in the mapping of its module.
        name: What it is, for people.
        constant: The name of the constant with the columns.
        function: The name of the function that reads it.
        columns: The columns.
        lines: The statements of the function.
    """

    key: str
    name: str
    constant: str
    function: str
    columns: tuple[Column, ...]
    lines: tuple[str, ...]


class ColumnNames:
    """Columns by field: those of the same name and type share one, and those of different types have two."""

    def __init__(self, fields: Iterable[Field], taken: Sequence[Column]) -> None:
        types: dict[str, set[str]] = {name: {""} for name, _ in taken}
        for field in fields:
            types.setdefault(field.identifier, set()).add(field.type.value)
        self._several = {name for name, kinds in types.items() if len(kinds) > 1}

    def columns(self, field: Field) -> list[Column]:
        """The columns of a field: two for content, else one."""
        name = field.identifier
        if name in self._several:
            name = f"{name}_{field.type.value}"
        if field.type is WireType.CONTENT:
            return [(f"{name}_kind", "int16"), (name, "binary")]
        return [(name, _TYPES[field.type])]


def method_names(spec: Spec) -> ColumnNames:
    """The columns of all methods."""
    return ColumnNames((field for each in spec.methods for field in each.arguments), (_METHOD, _MISFITS))


def header_names(spec: Spec) -> ColumnNames:
    """The columns of all content headers."""
    return ColumnNames(_properties(spec.classes), (*_HEADER, _MISFITS))


def method_schema(spec: Spec) -> list[Column]:
    """The columns of the table of all methods, each once, in the order of the specification."""
    names = method_names(spec)
    fields = [field for each in spec.methods for field in each.arguments]
    return list(dict.fromkeys([_METHOD, *_columns(names, fields), _MISFITS]))


def header_schema(spec: Spec) -> list[Column]:
    """The columns of the table of all content headers."""
    return list(dict.fromkeys([*_HEADER, *_columns(header_names(spec), _properties(spec.classes)), _MISFITS]))


def _properties(classes: Iterable[Class]) -> list[Field]:
    return [each.field for entry in classes for each in entry.properties]


def _columns(names: ColumnNames, fields: Iterable[Field]) -> list[Column]:
    return [column for field in fields for column in names.columns(field)]


def method_rows(entry: Class, names: ColumnNames) -> list[Row]:
    """How the methods of a class become rows."""
    return [_method_row(method, names) for method in entry.methods]


def _method_row(method: Method, names: ColumnNames) -> Row:
    constant = method.function_name.upper()
    values = [value for field in method.arguments for value in _values(field)]
    tests, others = _besides(method)
    tests += [test for field in method.arguments if (test := _misfit_test(field, _values(field)[0]))]
    return Row(
        f"0x{method.key:08X}",
        method.full_name,
        constant,
        f"row_{method.function_name}",
        (*_columns(names, method.arguments), _MISFITS),
        (
            *field_lines(method, "read_variant", with_reserved=True),
            *_return_lines(constant, values, tests, others),
        ),
    )


def header_rows(entry: Class, names: ColumnNames) -> list[Row]:
    """How the content header of a class becomes a row; none when the class has no content."""
    if not entry.has_content:
        return []
    constant = f"{entry.identifier.upper()}_HEADER"
    fields = _properties([entry])
    tests = ["header[2] > LARGEST"]
    tests += [test for field in fields if (test := _misfit_test(field, f"({field.local} or 0)"))]
    lines = [
        "header = unpack_HHQ(buffer, position)  # class index, weight and size of the body",
        "position += 12",
        "if header[1]:",
        '    raise Malformed("weight")',
        *property_lines(entry, "read_variant"),
    ]
    for field in fields:
        if field.type is WireType.TIMESTAMP:
            lines += [f"if {field.local} is not None:", f"    {field.local} *= MICROSECONDS"]
    values = ["header[0]", "header[2]", *(field.local for field in fields)]
    return [
        Row(
            str(entry.index),
            f"{entry.name}.properties",
            constant,
            f"row_{entry.identifier}_header",
            (*_HEADER, *_columns(names, fields), _MISFITS),
            (*lines, *_return_lines(constant, values, tests, [])),
        )
    ]


def _besides(method: Method) -> tuple[list[str], list[str]]:
    """What a method has besides its arguments: tests for what is not zero, and the entries of a ``dict`` of it."""
    tests: list[str] = []
    entries: list[str] = []
    for atom in [atom for run in method_layout(method.fields).runs for atom in run.atoms]:
        spare = 0xFF & ~sum(1 << shift for shift, field in enumerate(atom.fields) if not field.reserved)
        if atom.kind == "bits" and spare:
            tests.append(f"{atom.local} & 0x{spare:02X}")
            entries.append(f"{literal(f'bits of {atom.fields[0].identifier}')}: {tests[-1]}")
        elif atom.kind == "discriminator" and atom.fields[0].reserved:
            tests.append(atom.local)
            entries.append(f"{literal(f'{atom.fields[0].identifier}_kind')}: {atom.local}")
    for field in method.fields:
        if field.reserved and field.type is not WireType.BIT:
            tests.append(field.local)
            entries.append(f"{literal(field.identifier)}: {field.local}")
    return tests, entries


def _misfit_test(field: Field, value: str) -> str:
    """Whether a value does not fit its column; empty for types all of whose values do."""
    limit = {WireType.LONGLONG: "LARGEST", WireType.TIMESTAMP: "LAST_MOMENT"}.get(field.type)
    return f"{value} > {limit}" if limit else ""


def _values(field: Field) -> list[str]:
    """The expressions for the columns of a field of a method."""
    if field.type is WireType.CONTENT:
        return [f"{field.local}.kind", f"{field.local}.data"]
    return [f"{field.local} * MICROSECONDS" if field.type is WireType.TIMESTAMP else field.local]


def _return_lines(constant: str, values: list[str], tests: list[str], others: list[str]) -> list[str]:
    row = tuple_source([*values, "None"])
    if not tests:
        return [f"return {row}"]
    return [
        f"row = {row}",
        f"if {' or '.join(tests)}:",
        f"    return misfit_row({constant}, row, {{{', '.join(others)}}})",
        "return row",
    ]


# Modules of the package to the names in them that rows may need.
_MODULES = {
    "..column_batch": ("Columns", "Row", "RowKind"),
    "..column_misfits": ("LARGEST", "LAST_MOMENT", "MICROSECONDS", "misfit_row"),
    "..domains": ("Content",),
    "..errors": ("Malformed",),
    "..variant_reader": ("VariantReader", "read_variant"),
}
_WORD = re.compile(r"[A-Za-z_]\w*")


def row_imports(rows: Sequence[Row]) -> list[str]:
    """The import statements of a module of rows."""
    words = {word for row in rows for line in row.lines for word in _WORD.findall(line)}
    words |= {"Columns", "Row", "RowKind", "VariantReader"}
    wire = [word for word in words if word.startswith("unpack_")]
    lines = [import_from(".._wire", wire)] if wire else []
    for module, names in _MODULES.items():
        used = [name for name in names if name in words]
        lines += [import_from(module, used)] if used else []
    return lines
