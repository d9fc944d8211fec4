"""The types of a 1.0 file: encodings, descriptors, fields and choices."""

from __future__ import annotations

from ..model.raw1 import RawChoice, RawDescriptor, RawEncoding, RawField, RawType
from .check_value import parse_number
from .descriptor_code import parse_descriptor_code
from .element import Element
from .read_amqp1_parts import names, plain_doc, read_rules, truth


def read_type(element: Element) -> RawType:
    """Read a ``type`` that the schema has checked."""
    type_class = element.attributes["class"]
    # A composite type is a list; the standard's own example leaves that out.
    source = element.attributes.get("source", "list" if type_class == "composite" else "")
    return RawType(
        name=element.attributes["name"],
        type_class=type_class,
        source=source,
        provides=names(element, "provides"),
        label=element.attributes.get("label", ""),
        doc=plain_doc(element),
        encodings=tuple(_read_encoding(child) for child in element.find_all("encoding")),
        descriptors=tuple(_read_descriptor(child) for child in element.find_all("descriptor")),
        fields=tuple(_read_field(child) for child in element.find_all("field")),
        choices=tuple(_read_choice(child) for child in element.find_all("choice")),
        rules=read_rules(element),
        position=element.position,
        origin=element.origin,
    )


def _read_encoding(element: Element) -> RawEncoding:
    width = element.attributes.get("width")
    return RawEncoding(
        name=element.attributes.get("name", ""),
        code=parse_number(element.attributes["code"]) or 0,
        category=element.attributes["category"],
        width=None if width is None else parse_number(width),
        label=element.attributes.get("label", ""),
        doc=plain_doc(element),
        position=element.position,
        origin=element.origin,
    )


def _read_descriptor(element: Element) -> RawDescriptor:
    code = element.attributes.get("code")
    return RawDescriptor(
        name=element.attributes.get("name", ""),
        code=None if code is None else parse_descriptor_code(code),
        doc=plain_doc(element),
        position=element.position,
        origin=element.origin,
    )


def _read_field(element: Element) -> RawField:
    return RawField(
        name=element.attributes["name"],
        type=element.attributes.get("type", "*"),
        requires=names(element, "requires"),
        default=element.attributes.get("default"),
        mandatory=truth(element, "mandatory"),
        multiple=truth(element, "multiple"),
        label=element.attributes.get("label", ""),
        doc=plain_doc(element),
        rules=read_rules(element),
        position=element.position,
        origin=element.origin,
    )


def _read_choice(element: Element) -> RawChoice:
    return RawChoice(
        name=element.attributes["name"],
        value=element.attributes["value"],
        label=element.attributes.get("label", ""),
        doc=plain_doc(element),
        rules=read_rules(element),
        position=element.position,
        origin=element.origin,
    )
