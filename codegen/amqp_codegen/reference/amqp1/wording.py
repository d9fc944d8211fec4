"""The elements of a 1.0 specification in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...model.amqp1.spec import Encoding
from ...model.amqp1.types import Choice, Composite, Descriptor, Field, Primitive, Restricted, Type
from .anchors import members
from .examples import Examples

_ITEM = re.compile(r"\s*(-|\d+\.) ")


def blocks(doc: str) -> Iterator[tuple[str, str]]:
    """Yield a doc in blocks: ``text``, ``item`` (of a list) or ``picture``, whose lines stay as they are."""
    for piece in doc.split("\n\n"):
        if not piece.strip():
            continue
        if _ITEM.match(piece):
            yield "item", piece.strip()
        elif piece.startswith("    "):
            yield "picture", piece.strip("\n")
        else:
            yield "text", piece.strip()


def kind_of(type_: Type) -> str:
    """Return the sort of a type in words."""
    if isinstance(type_, Primitive):
        return "primitive type"
    if isinstance(type_, Composite):
        return "composite type"
    if isinstance(type_, Restricted):
        return "restricted type with choices" if type_.choices else "restricted type"
    return "union of types"


def ruled_members(type_: Type) -> list[Field | Choice]:
    """Return the fields or choices of a type that have rules."""
    return [inner for inner in members(type_) if inner.rules]


def descriptor_code(descriptor: Descriptor) -> str:
    """Return ``0x00000000:0x00000010``: domain and id; empty if it is a symbol alone."""
    if descriptor.code is None:
        return ""
    return f"{descriptor.code >> 32:#010x}:{descriptor.code & 0xFFFFFFFF:#010x}"


def encoding_title(encoding: Encoding) -> str:
    """Return ``smalluint``, or the name of its type if the encoding has none of its own."""
    return encoding.name or encoding.type


def encoding_form(encoding: Encoding) -> str:
    """Describe what follows the format code."""
    octets = "1 octet" if encoding.width == 1 else f"{encoding.width} octets"
    if encoding.category == "fixed":
        return f"{octets} of data" if encoding.width else "no data"
    if encoding.category == "variable":
        return f"size in {octets}, data"
    items = "constructor, elements" if encoding.category == "array" else "items"
    return f"size and count in {octets} each, {items}"


def choice_octets(examples: Examples, kind: Restricted, number: int) -> str:
    """Return the octets of one of the choices of a type, in hexadecimal."""
    return (examples.of_choice(kind, number) or b"").hex(" ")


def choice_value(choice: Choice) -> str:
    """Return the value as the specification writes it."""
    return str(choice.value).lower() if isinstance(choice.value, bool) else str(choice.value)
