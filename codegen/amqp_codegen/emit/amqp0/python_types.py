"""The Python types of the elementary types of the 0-x family, and the aliases of fields."""

from __future__ import annotations

from dataclasses import dataclass

from ...model.amqp0.field_types import WireType
from ...model.amqp0.spec import Class, Field, Method
from ..python_text import literal


def annotation(field: Field) -> str:
    """Return the type of the attribute that holds a field."""
    return field.type.facts.python + field.type.facts.taken


def property_annotation(field: Field) -> str:
    """Return the type of the attribute that holds a content property; None stands for an absent one."""
    if field.type is WireType.BIT:
        return "bool"
    return f"{annotation(field)} | None"


def default(field: Field) -> str:
    """Return the default of the constructor's parameter: its own, or the zero value of the type."""
    if field.default is not None:
        return literal(field.default)
    return "None" if field.type.facts.is_mutable else zero(field)


def parameter(field: Field) -> str:
    """Return the constructor's parameter for a field."""
    if field.required:
        return f"{field.identifier}: {annotation(field)}"
    if _has_none_as_default(field):
        return f"{field.identifier}: {_taken(field)} | None = None"
    return f"{field.identifier}: {annotation(field)} = {default(field)}"


def _has_none_as_default(field: Field) -> bool:
    """Return whether the constructor stores something else for None.

    That is a new object for a mutable default. Of a field with aliases, None tells that it was not given by its own name.
    """
    return field.type.facts.is_mutable or bool(field.aliases and not field.required)


def property_parameter(field: Field) -> str:
    """Return the constructor's parameter for a content property."""
    if field.type is WireType.BIT and not field.aliases:
        return f"{field.identifier}: bool = False"
    return f"{field.identifier}: {_taken(field)} | None = None"


def _taken(field: Field) -> str:
    """Return what the constructor takes for a field; a ``TypedDict`` is a table, too."""
    return "TableLike" if field.type is WireType.TABLE else annotation(field)


def init_value(field: Field) -> str:
    """Return the expression that the constructor stores."""
    if _has_none_as_default(field):
        return f"{_initial(field)} if {field.identifier} is None else {_given(field)}"
    return _given(field)


def _given(field: Field) -> str:
    """Return the argument of the constructor; no type checker takes a TypedDict, which it may be, for a ``FieldTable``."""
    return f"cast(FieldTable, {field.identifier})" if field.type is WireType.TABLE else field.identifier


def property_init_value(field: Field) -> str:
    """Return the expression that the constructor of a property set stores."""
    if field.type is WireType.TABLE:
        return f"None if {field.identifier} is None else {_given(field)}"
    return init_value(field) if field.type is WireType.BIT else field.identifier


def zero(field: Field) -> str:
    """Return the value of a reserved field that has none."""
    return field.type.facts.zero


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of a field: a property of its class, and a keyword of its constructor.

    Attributes:
        annotation: The type of the property.
        is_parameter: Whether the constructor takes it; of a required field the name itself has to be given.
    """

    name: str
    field: Field
    annotation: str
    is_parameter: bool


def method_aliases(method: Method) -> list[Alias]:
    """Return the aliases of the fields of a method, each name once."""
    aliases = [
        Alias(
            name,
            field,
            field.type.facts.python if field.reserved else annotation(field),
            not field.required,
        )
        for field in method.fields
        for name in field.aliases
    ]
    return _distinct(aliases, {field.identifier for field in method.fields})


def _initial(field: Field) -> str:
    """Return what the constructor stores without an argument."""
    return zero(field) if field.type.facts.is_mutable else default(field)


def properties_aliases(entry: Class) -> list[Alias]:
    """Return the aliases of the content properties of a class, each name once."""
    fields = [property_.field for property_ in entry.properties]
    aliases = [
        Alias(name, field, property_annotation(field), True) for field in fields for name in field.aliases
    ]
    return _distinct(aliases, {field.identifier for field in fields})


def _distinct(aliases: list[Alias], taken: set[str]) -> list[Alias]:
    unique = []
    for alias in aliases:
        if alias.name not in taken:
            unique.append(alias)
            taken.add(alias.name)
    return unique


def alias_table(aliases: list[Alias]) -> dict[str, str]:
    """Return the alias names with the attributes that they stand for."""
    return {alias.name: alias.field.identifier for alias in aliases}


def alias_parameters(aliases: list[Alias]) -> list[str]:
    """Return the parameters for aliases.

    They are not keyword-only: CPython looks up the default of such a parameter in a dict at every call.
    """
    return [
        f"{alias.name}: {alias.annotation.removesuffix(' | None')} | None = None"
        for alias in aliases
        if alias.is_parameter
    ]


def reserved_annotation(field: Field) -> str:
    """Return the type of the property that holds a reserved field."""
    return field.type.facts.python
