"""The columns of methods and content headers, and the functions that read these into rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...model.amqp0.spec import Class, Field, Method, Spec, WireType
from ...resolve.amqp0.layout import method_layout
from ..python_text import import_from, literal
from .wire_code import unpacked_letters

# Name and type.
Column = tuple[str, str]

# Arrow's name of the narrowest SQL type for all values of a field; for longlong, for all that occur.
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
        imports: The names that the function imports, each with its module.
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
    imports: frozenset[tuple[str, str]]
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
        return [(name, _TYPES[field.type])]


def method_names(spec: Spec) -> ColumnNames:
    """Return the column names of all methods."""
    return ColumnNames((field for each in spec.methods for field in each.arguments), (_METHOD, _MISFITS))


def header_names(spec: Spec) -> ColumnNames:
    """Return the column names of all content headers."""
    return ColumnNames(_properties(spec.classes), (*_HEADER, _MISFITS))


def method_schema(spec: Spec) -> list[Column]:
    """Return the columns of the table of all methods, each once, in the order of the specification."""
    names = method_names(spec)
    fields = [field for each in spec.methods for field in each.arguments]
    return list(dict.fromkeys([_METHOD, *_columns(names, fields), _MISFITS]))


def header_schema(spec: Spec) -> list[Column]:
    """Return the columns of the table of all content headers."""
    return list(dict.fromkeys([*_HEADER, *_columns(header_names(spec), _properties(spec.classes)), _MISFITS]))


def _properties(classes: Iterable[Class]) -> list[Field]:
    return [each.field for entry in classes for each in entry.properties]


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
        _imports(method.fields, method.arguments, tests, unpacked_letters(method, with_reserved=True)),
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
    letters = [
        "HHQ",
        "H",
        *(_PROPERTY_LETTERS[field.type] for field in fields if field.type in _PROPERTY_LETTERS),
    ]
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
            _imports(fields, fields, tests, letters) | {("._misfits", "LARGEST")},
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


_LIMITS = {WireType.LONGLONG: "LARGEST", WireType.TIMESTAMP: "LAST_MOMENT"}


def _misfit_test(field: Field, value: str) -> str:
    """Return the test whether a value does not fit its column; empty for types whose values all fit."""
    limit = _LIMITS.get(field.type)
    return f"{value} > {limit}" if limit else ""


def _values(field: Field) -> list[str]:
    """Return the expressions for the columns of a field of a method."""
    if field.type is WireType.CONTENT:
        return [f"{field.local}.kind", f"{field.local}.data"]
    return [f"{field.local} * MICROSECONDS" if field.type is WireType.TIMESTAMP else field.local]


# The integer that a property is read with; for a longstr, its length.
_PROPERTY_LETTERS = {
    WireType.SHORT: "H",
    WireType.LONG: "I",
    WireType.LONGSTR: "I",
    WireType.LONGLONG: "Q",
    WireType.TIMESTAMP: "Q",
}


def _imports(
    read: Sequence[Field], kept: Sequence[Field], tests: Sequence[str], letters: Iterable[str]
) -> frozenset[tuple[str, str]]:
    """Return the imports of a row's function, for the fields it reads, those with columns, its tests and runs."""
    needed = {("._batch", name) for name in ("Columns", "Row", "RowKind")}
    needed |= {("..errors", "Malformed"), ("._variant_reader", "VariantReader")}
    needed |= {(".._wire", f"unpack_{each}") for each in letters}
    if tests:
        needed.add(("._misfits", "misfit_row"))
    needed |= {("._misfits", limit) for field in kept if (limit := _LIMITS.get(field.type))}
    if any(field.type is WireType.TIMESTAMP for field in kept):
        needed.add(("._misfits", "MICROSECONDS"))
    if any(field.type is WireType.CONTENT for field in kept):
        needed.add((".._fields", "Content"))
    if any(field.type is WireType.TABLE for field in read):
        needed.add(("._variant_reader", "read_variant"))
    return frozenset(needed)


def row_imports(rows: Sequence[Row]) -> list[str]:
    """Return the import statements of a module of rows."""
    needed = {each for row in rows for each in row.imports}
    modules = sorted({module for module, _ in needed})
    return [import_from(module, {name for of, name in needed if of == module}) for module in modules]
