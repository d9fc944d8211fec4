"""The Python types of the elementary types of the 0-x family, and the properties for aliases of fields."""

from __future__ import annotations

from dataclasses import dataclass

from ...model.amqp0.spec import Class, Domain, Field, Method, WireType
from ..python_text import join_words, literal

TABLE = "Mapping[str, Any]"

_ANNOTATIONS = {
    WireType.BIT: "bool",
    WireType.SHORTSTR: "str",
    WireType.LONGSTR: "bytes",
    WireType.TABLE: TABLE,
    WireType.TIMESTAMP: "int",
    WireType.CONTENT: "Content",
}
_DEFAULTS = {
    WireType.BIT: "False",
    WireType.SHORTSTR: '""',
    WireType.LONGSTR: 'b""',
    WireType.TABLE: "None",
    WireType.CONTENT: "None",
}


def annotation(field: Field) -> str:
    """Return the type of the attribute that holds a field."""
    if field.type is WireType.TIMESTAMP:
        return "int | datetime"
    return _ANNOTATIONS.get(field.type, "int")


def property_annotation(field: Field) -> str:
    """Return the type of the attribute that holds a content property; None stands for an absent one."""
    if field.type is WireType.BIT:
        return "bool"
    return f"{annotation(field)} | None"


def domain_annotation(domain: Domain) -> str:
    """Return the type that a domain stands for."""
    return _ANNOTATIONS.get(domain.type, "int")


def default(field: Field) -> str:
    """Return the default of the constructor's parameter: its own, or the zero value of the type."""
    if field.default is not None:
        return literal(field.default)
    return _DEFAULTS.get(field.type, "0")


def parameter(field: Field) -> str:
    """Return the constructor's parameter for a field."""
    optional = " | None" if field.type in (WireType.TABLE, WireType.CONTENT) else ""
    return f"{field.identifier}: {annotation(field)}{optional} = {default(field)}"


def property_parameter(field: Field) -> str:
    """Return the constructor's parameter for a content property."""
    return f"{field.identifier}: {property_annotation(field)} = {'False' if field.type is WireType.BIT else 'None'}"


def init_value(field: Field) -> str:
    """Return the expression that the constructor stores; it makes a new object for a mutable default."""
    if field.type is WireType.TABLE:
        return f"{{}} if {field.identifier} is None else {field.identifier}"
    if field.type is WireType.CONTENT:
        return f"Content() if {field.identifier} is None else {field.identifier}"
    return field.identifier


def wire_description(field: Field) -> str:
    """Return the wire type with its range, for docstrings."""
    return {
        WireType.BIT: "bit",
        WireType.OCTET: "octet, 0 to 255",
        WireType.SHORT: "short, 0 to 65535",
        WireType.LONG: "long, 0 to 2^32 - 1",
        WireType.LONGLONG: "longlong, 0 to 2^64 - 1",
        WireType.SHORTSTR: "shortstr, at most 255 octets",
        WireType.LONGSTR: "longstr, at most 2^32 - 1 octets",
        WireType.TIMESTAMP: "timestamp, seconds since 1970-01-01 UTC",
        WireType.TABLE: "field table",
        WireType.CONTENT: "content, an octet and a longstr",
    }[field.type]


_ZEROS = {
    WireType.BIT: "False",
    WireType.SHORTSTR: '""',
    WireType.LONGSTR: 'b""',
    WireType.TABLE: "{}",
    WireType.CONTENT: "Content()",
}


@dataclass(frozen=True, slots=True)
class AliasProperty:
    """One ``property`` of a generated class.

    Attributes:
        getter: The expression that it returns.
        setter: The target that it assigns to; empty for a read-only property.
    """

    name: str
    annotation: str
    doc: str
    getter: str
    setter: str


def alias_properties(method: Method) -> list[AliasProperty]:
    """Return the reserved fields as read-only properties, and every alias of a field."""
    properties = []
    taken = {field.identifier for field in method.arguments}
    for field in method.fields:
        if field.reserved:
            zero = _ZEROS.get(field.type, "0")
            getter = f'{zero} if self.residue is None else self.residue.get("{field.identifier}", {zero})'
            doc = f"Reserved: {zero} unless lossless decoding found something else."
            if field.aliases:
                doc = f"{doc[:-1]}; known as {join_words(field.aliases)}."
            properties.append(AliasProperty(field.identifier, _plain(field), doc, getter, ""))
            getter = f"self.{field.identifier}"
            for alias in field.aliases:
                properties.append(
                    AliasProperty(alias, _plain(field), f"Alias of ``{field.identifier}``.", getter, "")
                )
        else:
            properties += [_alias(alias, field, annotation(field)) for alias in field.aliases]
    unique: list[AliasProperty] = []
    for each in properties:
        if each.name not in taken:
            unique.append(each)
            taken.add(each.name)
    return unique


def properties_aliases(entry: Class) -> list[AliasProperty]:
    """Return every alias of a content property."""
    return [
        _alias(alias, each.field, property_annotation(each.field))
        for each in entry.properties
        for alias in each.field.aliases
    ]


def _alias(name: str, field: Field, type_name: str) -> AliasProperty:
    target = f"self.{field.identifier}"
    return AliasProperty(name, type_name, f"Alias of ``{field.identifier}``.", target, target)


def _plain(field: Field) -> str:
    return "int" if field.type is WireType.TIMESTAMP else annotation(field)
