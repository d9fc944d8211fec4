"""The columns of 1.0 composites, and what generated functions read into them; ``row.py.jinja`` has the statements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...model.amqp1.primitive_types import PRIMITIVE_TYPES
from ...model.amqp1.spec import Composite, Field, Spec
from ..python_text import literal
from .pack_code import has_symbol_keys
from .python_types import Carrier, field_carrier, plain_name, type_module

# Name and type.
Column = tuple[str, str]

VARIANT = "variant"
_SYMBOLS = "list<string>"

# Columns that are not fields.
PERFORMATIVE = ("performative", "string")
MISFITS = ("misfits", VARIANT)


# The modules of ``columns/`` besides those of rows, which are named after composites.
RUNTIME_MODULES = (
    "_rows",
    "variant",
    "_variant_fields",
    "_variant_lists",
    "_variant_maps",
    "_variant_reader",
    "_variant_scalars",
    "_variant_state",
)
# Those that both families share.
COMMON_MODULES = ("variant_octets",)


@dataclass(frozen=True, slots=True)
class RowField:
    """How generated code reads a field of a composite into a row.

    Attributes:
        type: The type of its column.
        texts: The texts in a composite field that have columns of their own.
        misfit: The expression that is true if a value does not fit the column; empty if all do.
    """

    field: Field
    carrier: Carrier
    type: str
    texts: tuple[Field, ...]
    misfit: str

    @property
    def is_variant(self) -> bool:
        """True if the column has variants."""
        return self.type == VARIANT

    @property
    def default(self) -> str:
        """What the column has if the field is not sent."""
        if self.field.default is None or self.type in (VARIANT, _SYMBOLS):
            return "None"
        return literal(self.field.default.value)

    @property
    def columns(self) -> list[str]:
        """The local variables for its columns."""
        return [self.field.local, *map(self.text_column, self.texts)]

    def text_column(self, text: Field) -> str:
        """Return the local variable for the column of a text."""
        return f"{self.field.identifier}_{text.identifier}"


@dataclass(frozen=True, slots=True)
class Row:
    """How generated code reads a composite into a row.

    Attributes:
        constant: The name of the constant with the columns.
    """

    composite: Composite
    constant: str
    columns: tuple[Column, ...]
    fields: tuple[RowField, ...]

    @property
    def module(self) -> str:
        """The module of the function."""
        name = type_module(self.composite)
        return f"{name}_" if name in (*RUNTIME_MODULES, *COMMON_MODULES) else name

    @property
    def function(self) -> str:
        """The name of the function that reads it."""
        return f"row_{plain_name(self.composite)}"

    @property
    def misfits(self) -> list[str]:
        """The expressions that are true if a value does not fit its column."""
        return [field.misfit for field in self.fields if field.misfit]

    @property
    def values(self) -> list[str]:
        """The expressions for the columns, in order."""
        return [
            *(name for field in self.fields for name in field.columns),
            *(["None"] if self.misfits else []),
        ]


class Rows:
    """The rows of some composites; fields of the same name and type share a column."""

    def __init__(self, composites: Sequence[Composite], spec: Spec) -> None:
        self._spec = spec
        types: dict[str, set[str]] = {name: {""} for name, _ in (PERFORMATIVE, MISFITS)}
        for field in (field for composite in composites for field in composite.fields):
            types.setdefault(field.identifier, set()).add(self._type(field))
        self._several = {name for name, names in types.items() if len(names) > 1}
        self._taken = set(types)
        self.rows = [self._row(composite) for composite in composites]

    def _type(self, field: Field) -> str:
        primitive = field_carrier(field, self._spec).primitive
        if field.multiple:
            return _SYMBOLS if primitive == "symbol" else VARIANT
        return PRIMITIVE_TYPES[primitive].column if primitive in PRIMITIVE_TYPES else VARIANT

    def _row(self, composite: Composite) -> Row:
        fields = tuple(map(self._field, composite.fields))
        columns = [column for field in fields for column in self._columns(field)]
        if any(field.misfit for field in fields):
            columns.append(MISFITS)
        return Row(composite, plain_name(composite).upper(), tuple(columns), fields)

    def _field(self, field: Field) -> RowField:
        carrier, texts = field_carrier(field, self._spec), tuple(self._texts(field))
        return RowField(field, carrier, self._type(field), texts, self._misfit(field, carrier))

    def _columns(self, row_field: RowField) -> list[Column]:
        """Return the column of a field, and for a composite the columns of the texts in it."""
        name, kind = row_field.field.identifier, row_field.type
        if name in self._several:
            name = f"{name}_{kind.rstrip('>]').replace('<', '_').replace('[', '_')}"
        return [(name, kind), *((row_field.text_column(text), "string") for text in row_field.texts)]

    def _texts(self, field: Field) -> list[Field]:
        """Return the texts in a composite field, without those whose column name is already taken."""
        composite = self._spec.type(field_carrier(field, self._spec).described)
        if field.multiple or not isinstance(composite, Composite):
            return []
        return [
            inner
            for inner in composite.fields
            if self._type(inner) == "string" and f"{field.identifier}_{inner.identifier}" not in self._taken
        ]

    def _misfit(self, field: Field, carrier: Carrier) -> str:
        value = field.local if field.mandatory else f"({field.local} or 0)"
        facts = PRIMITIVE_TYPES.get(carrier.primitive)
        return facts.misfit.format(value) if facts and self._type(field) == facts.column else ""

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
        ("delivery_annotations", VARIANT),
        ("message_annotations", VARIANT),
        *sections["properties"].columns,
        ("application_properties", VARIANT),
        ("data", "list<binary>"),
        ("amqp_sequence", VARIANT),
        ("amqp_value", VARIANT),
        ("footer", VARIANT),
    ]


def variant_reader(row_field: RowField, spec: Spec) -> str:
    """Return the call that reads a value of a field as a variant."""
    field, wire_type = row_field.field, row_field.carrier
    if wire_type.primitive == "map":
        symbols = has_symbol_keys(field.type.name, spec)
        return f"read_map_variant(buffer, position, limits, {symbols}, variants)"
    if wire_type.primitive:
        return f"read_primitive_variant(buffer, position, limits, {literal(wire_type.primitive)}, variants)"
    if wire_type.archetype:
        return f"read_required_variant(buffer, position, limits, {wire_type.archetype}, variants)"
    return f"read_{'any_' if field.mandatory else ''}variant(buffer, position, limits, variants)"
