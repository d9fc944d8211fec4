"""The columns of 1.0 composites, and the functions that read composites into rows.

The statements are built here and not in templates; ``read_code`` says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...model.amqp1.spec import Composite, Field, Spec
from ..python_text import literal, tuple_source
from .pack_code import has_symbol_keys
from .python_types import Carrier, field_carrier, plain_name, type_module
from .read_code import (
    Codes,
    fast_path,
    leading_fields,
    list_end_lines,
    list_start_lines,
    null_or_lines,
    reader_call,
)

# Name and type.
Column = tuple[str, str]

# Arrow's name of the narrowest SQL type for all values of a primitive type; for ulong, for all that occur.
_TYPES = {
    "boolean": "bool",
    "ubyte": "int16",
    "ushort": "int32",
    "uint": "int64",
    "ulong": "int64",
    "byte": "int8",
    "short": "int16",
    "int": "int32",
    "long": "int64",
    "float": "float",
    "double": "double",
    "binary": "binary",
    "string": "string",
    "symbol": "string",
    "timestamp": "timestamp[us]",
}
_VARIANT = "variant"
_SYMBOLS = "list<string>"

# Columns that are not fields.
PERFORMATIVE = ("performative", "string")
MISFITS = ("misfits", _VARIANT)


# The modules of ``columns/`` besides those of rows, which are named after composites.
RUNTIME_MODULES = (
    "variant",
    "_variant_described",
    "_variant_fields",
    "_variant_lists",
    "_variant_maps",
    "_variant_reader",
    "_variant_scalars",
    "_variant_state",
)
# Those that both families share.
COMMON_MODULES = ("_batch", "_misfits", "variant_octets")


@dataclass(frozen=True, slots=True)
class Row:
    """How generated code reads a composite into a row.

    Attributes:
        constant: The name of the constant with the columns.
        lines: The statements of the function that reads it.
    """

    composite: Composite
    constant: str
    columns: tuple[Column, ...]
    lines: tuple[str, ...]

    @property
    def module(self) -> str:
        """The module of the function."""
        name = type_module(self.composite)
        return f"{name}_" if name in (*RUNTIME_MODULES, *COMMON_MODULES) else name

    @property
    def function(self) -> str:
        """The name of the function that reads it."""
        return f"row_{plain_name(self.composite)}"


class Rows:
    """The rows of some composites; fields of the same name and type share a column."""

    def __init__(self, composites: Sequence[Composite], spec: Spec, codes: Codes) -> None:
        self._spec = spec
        self._codes = codes
        types: dict[str, set[str]] = {name: {""} for name, _ in (PERFORMATIVE, MISFITS)}
        for field in (field for each in composites for field in each.fields):
            types.setdefault(field.identifier, set()).add(self._type(field))
        self._several = {name for name, names in types.items() if len(names) > 1}
        self._taken = set(types)
        self.rows = [self._row(each) for each in composites]

    def _type(self, field: Field) -> str:
        primitive = field_carrier(field, self._spec).primitive
        if field.multiple:
            return _SYMBOLS if primitive == "symbol" else _VARIANT
        return _TYPES.get(primitive, _VARIANT)

    def _columns(self, field: Field) -> list[Column]:
        """Return the column of a field, and for a composite the columns of the texts in it."""
        name, kind = field.identifier, self._type(field)
        if name in self._several:
            name = f"{name}_{kind.rstrip('>]').replace('<', '_').replace('[', '_')}"
        return [
            (name, kind),
            *((f"{field.identifier}_{each.identifier}", "string") for each in self._texts(field)),
        ]

    def _texts(self, field: Field) -> list[Field]:
        """Return the texts in a composite field, without those whose column name is already taken."""
        composite = self._spec.type(field_carrier(field, self._spec).described)
        if field.multiple or not isinstance(composite, Composite):
            return []
        return [
            each
            for each in composite.fields
            if self._type(each) == "string" and f"{field.identifier}_{each.identifier}" not in self._taken
        ]

    def _row(self, composite: Composite) -> Row:
        columns = [column for field in composite.fields for column in self._columns(field)]
        tests = [test for field in composite.fields for test in self._misfit_tests(field)]
        if tests:
            columns.append(MISFITS)
        constant = plain_name(composite).upper()
        lines = [*self._read_lines(composite), *self._return_lines(composite, constant, tests)]
        return Row(composite, constant, tuple(columns), tuple(lines))

    def _read_lines(self, composite: Composite) -> list[str]:
        """Return the statements that read the fields into local variables."""
        lines = list_start_lines(self._codes)
        leading = leading_fields(composite)
        for number, field in enumerate(composite.fields):
            slow = self._value_lines(field, composite, number)
            fast = self._fast_lines(field)
            if field.mandatory:
                lines += slow
                continue
            lines += self._default_lines(field)
            body = null_or_lines(fast, slow, self._codes)
            lines += (
                body if number < leading else [f"if count > {number}:", *(f"    {line}" for line in body)]
            )
        return [*lines, *list_end_lines(composite)]

    def _fast_lines(self, field: Field) -> list[str]:
        """Return inline code for the commonest constructor; a string in a variant column becomes a variant."""
        lines = fast_path(field, field.local, self._spec, self._codes)
        if self._type(field) != _VARIANT or not lines:
            return lines
        *start, _ = lines
        return [*start, f"    {field.local} = text_variant(buffer[start:position])"]

    def _default_lines(self, field: Field) -> list[str]:
        """Return the statements for a field that is not sent."""
        plain = field.default is not None and self._type(field) not in (_VARIANT, _SYMBOLS)
        lines = [f"{field.local} = {literal(field.default.value) if plain and field.default else 'None'}"]
        return lines + [f"{_text_local(field, each)} = None" for each in self._texts(field)]

    def _value_lines(self, field: Field, composite: Composite, number: int) -> list[str]:
        """Return the statements that read a value other than null."""
        target, wire_type = field.local, field_carrier(field, self._spec)
        if field.multiple:
            return self._several_lines(field, wire_type, f"{composite.class_name}.FIELDS[{number}]")
        if wire_type.enumeration:
            return self._choice_lines(field, wire_type)
        if self._type(field) == _TYPES["timestamp"]:
            return [
                f"moment, position = {reader_call(field, wire_type)}",
                f"{target} = moment * MICROSECONDS",
            ]
        if self._type(field) != _VARIANT:
            return [f"{target}, position = {reader_call(field, wire_type)}"]
        if wire_type.described:
            call = (
                f"read_described_variant(buffer, position, limits, {literal(wire_type.described)}, variants)"
            )
            texts = [_text_line(field, each) for each in self._texts(field)]
            return [f"{'found' if texts else '_'}, {target}, position = {call}", *texts]
        return [f"{target}, position = {self._variant_call(field, wire_type)}"]

    def _variant_call(self, field: Field, wire_type: Carrier) -> str:
        if wire_type.primitive == "map":
            symbols = has_symbol_keys(field.type.name, self._spec)
            return f"read_map_variant(buffer, position, limits, {symbols}, variants)"
        if wire_type.primitive:
            return (
                f"read_primitive_variant(buffer, position, limits, {literal(wire_type.primitive)}, variants)"
            )
        if wire_type.archetype:
            return f"read_required_variant(buffer, position, limits, {wire_type.archetype}, variants)"
        return f"read_{'any_' if field.mandatory else ''}variant(buffer, position, limits, variants)"

    def _several_lines(self, field: Field, wire_type: Carrier, layout: str) -> list[str]:
        kind = wire_type.described or wire_type.primitive or "*"
        archetype = f", {wire_type.archetype}" if wire_type.archetype else ""
        call = f"read_several(buffer, position, limits, {literal(kind)}{archetype})"
        plain = self._type(field) == _SYMBOLS
        lines = [f"items, {'position' if plain else '_'} = {call}"]
        if wire_type.enumeration and not wire_type.open:
            lines.append(f"if not {wire_type.octets}.keys() >= set(items):")
            lines.append(f"    raise Malformed({literal(field.name)})")
        if field.mandatory:
            lines += ["if not items:", f"    raise Malformed({literal(field.name)})"]
        if plain:
            return [*lines, f"{field.local} = list(map(str, items)) or None"]
        call = f"read_several_variant(buffer, position, limits, {layout}, variants)"
        return [*lines, f"{field.local}, position = {call}"]

    def _choice_lines(self, field: Field, wire_type: Carrier) -> list[str]:
        call = reader_call(field, Carrier(primitive=wire_type.primitive))
        if self._type(field) != _VARIANT:
            lines, name = [f"{field.local}, position = {call}"], field.local
        else:
            variant = "read_variant(buffer, position, limits, variants)"
            lines, name = [f"choice, _ = {call}", f"{field.local}, position = {variant}"], "choice"
        if wire_type.open:
            return lines
        return [
            *lines,
            f"if {name} not in {wire_type.octets}:",
            f"    raise Malformed({literal(field.name)})",
        ]

    def _misfit_tests(self, field: Field) -> list[str]:
        """Return the test whether a value does not fit its column; none for types whose values all fit."""
        primitive = field_carrier(field, self._spec).primitive
        value = field.local if field.mandatory else f"({field.local} or 0)"
        if self._type(field) == _TYPES["timestamp"]:
            return [f"not FIRST_MOMENT <= {value} <= LAST_MOMENT"]
        if primitive == "ulong" and not field.multiple:
            return [f"{value} > LARGEST"]
        return []

    def _return_lines(self, composite: Composite, constant: str, tests: list[str]) -> list[str]:
        values: list[str] = []
        for field in composite.fields:
            values += [field.local, *(_text_local(field, each) for each in self._texts(field))]
        if tests:
            values.append("None")
        lines = [f"row = {tuple_source(values)}"]
        if tests:
            lines.append(f"if {' or '.join(tests)}:")
            lines.append(f"    return misfit_row({constant}, row, {{}}), position")
        return [*lines, "return row, position"]

    def schema(self, first: Iterable[Column] = ()) -> list[Column]:
        """Return all columns, each once; ``misfits`` comes last."""
        columns = [column for row in self.rows for column in row.columns if column != MISFITS]
        misfits = [MISFITS] if any(MISFITS in row.columns for row in self.rows) else []
        return list(dict.fromkeys([*first, *columns, *misfits]))


def message_columns(sections: Mapping[str, Row]) -> list[Column]:
    """Return the columns of a message, in the order of its sections."""
    header = [
        ("header_misfits" if column == MISFITS else column[0], column[1])
        for column in sections["header"].columns
    ]
    return [
        *header,
        ("delivery_annotations", _VARIANT),
        ("message_annotations", _VARIANT),
        *sections["properties"].columns,
        ("application_properties", _VARIANT),
        ("data", "list<binary>"),
        ("amqp_sequence", _VARIANT),
        ("amqp_value", _VARIANT),
        ("footer", _VARIANT),
    ]


def _text_local(field: Field, text: Field) -> str:
    return f"{field.identifier}_{text.identifier}"


def _text_line(field: Field, text: Field) -> str:
    value = f"found.{text.identifier}"
    return f"{_text_local(field, text)} = {'' if text.mandatory else f'None if {value} is None else '}str({value})"
