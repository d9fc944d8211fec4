"""Properties of generated classes: reserved fields, and aliases that users know from other libraries."""

from __future__ import annotations

from dataclasses import dataclass

from ...model.amqp0.spec import Class, Field, Method, WireType
from ..python_text import join_words
from .python_types import annotation, property_annotation

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
