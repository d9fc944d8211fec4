"""The columns of methods and content headers, and the functions that read these into rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...model.amqp0.field_types import WireType
from ...model.amqp0.spec import Class, Field, Method, Spec
from ...resolve.amqp0.layout import method_layout
from ..python_text import literal

# Name and type.
Column = tuple[str, str]

# Columns that are not fields: the first ones, and the last one.
_METHOD = ("method", "string")
_HEADER = (("class_id", "int32"), ("body_size", "int64"))
_MISFITS = ("misfits", "variant")


@dataclass(frozen=True, slots=True)
class Row:
    """How generated code reads a method or content header into a row.

    Attributes:
        key: Its key in the mapping of its module, as source.
        name: The name of the method or header, for messages.
        constant: The name of the constant with the columns.
        values: The expressions for the columns, in order.
        tests: Expressions that are true if a value does not fit its column or has none.
        others: Entries of a ``dict`` with the values that have no column.
        method: The method; None for a content header.
    """

    key: str
    name: str
    constant: str
    function: str
    columns: tuple[Column, ...]
    values: tuple[str, ...]
    tests: tuple[str, ...]
    others: tuple[str, ...]
    method: Method | None = None


class ColumnNames:
    """The columns of fields: fields of the same name share a column if their types are equal."""

    def __init__(self, fields: Iterable[Field], taken: Sequence[Column]) -> None:
        types: dict[str, set[str]] = {name: {""} for name, _ in taken}
        for field in fields:
            types.setdefault(field.identifier, set()).add(field.type.value)
        self._several = {name for name, kinds in types.items() if len(kinds) > 1}

    def columns(self, field: Field) -> list[Column]:
        """Return the columns of a field: two for content, else one."""
        name = field.identifier
        if name in self._several:
            name = f"{name}_{field.type.value}"
        if field.type is WireType.CONTENT:
            return [(f"{name}_kind", "int16"), (name, "binary")]
        return [(name, field.type.facts.column)]


def method_names(spec: Spec) -> ColumnNames:
    """Return the column names of all methods."""
    return ColumnNames((field for method in spec.methods for field in method.arguments), (_METHOD, _MISFITS))


def header_names(spec: Spec) -> ColumnNames:
    """Return the column names of all content headers."""
    return ColumnNames(_properties(spec.classes), (*_HEADER, _MISFITS))


def method_schema(spec: Spec) -> list[Column]:
    """Return the columns of the table of all methods, each once, in the order of the specification."""
    names = method_names(spec)
    fields = [field for method in spec.methods for field in method.arguments]
    return list(dict.fromkeys([_METHOD, *_columns(names, fields), _MISFITS]))


def header_schema(spec: Spec) -> list[Column]:
    """Return the columns of the table of all content headers."""
    return list(dict.fromkeys([*_HEADER, *_columns(header_names(spec), _properties(spec.classes)), _MISFITS]))


def _properties(classes: Iterable[Class]) -> list[Field]:
    return [property_.field for entry in classes for property_ in entry.properties]


def _columns(names: ColumnNames, fields: Iterable[Field]) -> list[Column]:
    return [column for field in fields for column in names.columns(field)]


def method_rows(entry: Class, names: ColumnNames) -> list[Row]:
    """Return a row for each method of a class."""
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
        (*values, "None"),
        tuple(tests),
        tuple(others),
        method,
    )


def header_rows(entry: Class, names: ColumnNames) -> list[Row]:
    """Return the row for the content header of a class; none if the class has no content."""
    if not entry.has_content:
        return []
    constant = f"{entry.identifier.upper()}_HEADER"
    fields = _properties([entry])
    tests = ["header[2] > LARGEST"]
    tests += [test for field in fields if (test := _misfit_test(field, f"({field.local} or 0)"))]
    return [
        Row(
            str(entry.index),
            f"{entry.name}.properties",
            constant,
            f"row_{entry.identifier}_header",
            (*_HEADER, *_columns(names, fields), _MISFITS),
            ("header[0]", "header[2]", *(field.local for field in fields), "None"),
            tuple(tests),
            (),
        )
    ]


def _besides(method: Method) -> tuple[list[str], list[str]]:
    """Return tests whether reserved fields and bits are not zero, and ``dict`` entries with their values."""
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
    """Return the test whether a value does not fit its column; empty for types whose values all fit."""
    return field.type.facts.misfit.format(value)


def _values(field: Field) -> list[str]:
    """Return the expressions for the columns of a field of a method."""
    if field.type is WireType.CONTENT:
        return [f"{field.local}.kind", f"{field.local}.data"]
    return [f"{field.local} * MICROSECONDS" if field.type.facts.per_second else field.local]
