"""The octets of primitive and described values of AMQP 1.0, piece by piece (1.2, 1.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from ...model.amqp1.spec import Encoding, Field, Spec
from ...model.amqp1.types import Composite, Descriptor, Restricted
from ...vectors.amqp1.reference_encoder import items_of
from ...vectors.amqp1.values import NULL, Array, List, Map, Scalar, Value
from ..layouts.boxes import run_svg
from ..layouts.pieces import Cursor, OctetPiece, OctetRun, Role
from ..layouts.svg import picture_id
from .examples import Examples, value_text

# Format code to encoding.
Encodings: TypeAlias = Mapping[int, Encoding]

_DESCRIBED = 0x00


def item_length(encodings: Encodings, octets: bytes, position: int) -> int:
    """Return the number of octets that a value takes, descriptor and format code included."""
    start = position
    while octets[position] == _DESCRIBED:
        position += 1
        position += item_length(encodings, octets, position)
    encoding = encodings[octets[position]]
    position += 1
    if encoding.category == "fixed":
        return position + encoding.width - start
    size = int.from_bytes(octets[position : position + encoding.width], "big")
    return position + encoding.width + size - start


def next_encoding(encodings: Encodings, cursor: Cursor) -> Encoding:
    """Return the encoding of the format code that comes next."""
    return encodings[cursor.peek(1)]


def encoding_name(encoding: Encoding) -> str:
    """Return ``smalluint``, if the name of the encoding includes the type; else ``float ieee-754``, ``uint``."""
    return encoding.name if encoding.type in encoding.name else f"{encoding.type} {encoding.name}".rstrip()


def descriptor_pieces(encodings: Encodings, descriptor: Descriptor, cursor: Cursor) -> Iterator[OctetPiece]:
    """Yield the octet 0x00 and the descriptor, which precede a described value."""
    yield OctetPiece("described", "constructor", cursor.take(1), 1, "", Role.FRAME)
    kind = encoding_name(next_encoding(encodings, cursor))
    octets = cursor.take(item_length(encodings, cursor.octets, cursor.position))
    width = len(octets) if descriptor.code is not None else None
    yield OctetPiece("descriptor", kind, octets, width, descriptor_text(descriptor), Role.FRAME, joined=True)


def descriptor_text(descriptor: Descriptor) -> str:
    """Return the descriptor that is sent: the code if there is one, else the symbol."""
    return descriptor.symbol if descriptor.code is None else f"{descriptor.code:#x}"


def head_pieces(encoding: Encoding, cursor: Cursor) -> Iterator[OctetPiece]:
    """Yield the format code, and size and count if the encoding has them."""
    yield OctetPiece("format code", encoding.name or encoding.type, cursor.take(1), 1, "", Role.FRAME)
    if encoding.category == "fixed":
        return
    yield _number("size", encoding.width, cursor)
    if encoding.category in ("compound", "array"):
        yield _number("count", encoding.width, cursor)


def item_piece(encodings: Encodings, name: str, kind: str, value: str, cursor: Cursor) -> OctetPiece:
    """Return a whole value with its constructor: an item of a list, the value of a field."""
    octets = cursor.take(item_length(encodings, cursor.octets, cursor.position))
    return OctetPiece(name, kind, octets, None, value)


def _number(name: str, width: int, cursor: Cursor) -> OctetPiece:
    value = str(cursor.peek(width))
    return OctetPiece(name, "", cursor.take(width), width, value, Role.FRAME, joined=True)


def encoding_layout(spec: Spec, encoding: Encoding) -> str:
    """Draw an encoding; without an example if there is none."""
    return run_svg(encoding_run(Examples(spec), encoding))


def encoding_run(examples: Examples, encoding: Encoding) -> OctetRun:
    """Return the pieces of the picture: constructor, size, count and data, as the category of the encoding demands."""
    title = f"Octets of {encoding.type} in the encoding {encoding_name(encoding)}"
    name = picture_id("encoding", encoding.identifier)
    found = examples.of_encoding(encoding)
    if found is None:
        return OctetRun(name, title, list(_without_example(encoding)), has_example=False)
    sample, octets = found
    cursor = Cursor(octets)
    pieces = [*head_pieces(encoding, cursor), *_data(examples.encodings, encoding, sample, cursor)]
    return OctetRun(name, title, pieces)


def _data(encodings: Encodings, encoding: Encoding, sample: Value, cursor: Cursor) -> Iterator[OctetPiece]:
    if encoding.category == "fixed" and encoding.width == 0:
        yield OctetPiece("value", "no data", b"", 0, value_text(sample), joined=True)
    elif isinstance(sample, Scalar):
        kind = "data" if encoding.category == "fixed" else "data, size octets"
        width = encoding.width if encoding.category == "fixed" else None
        yield OctetPiece("value", kind, cursor.rest(), width, value_text(sample), joined=True)
    elif isinstance(sample, Array):
        yield from _elements(encodings, sample, cursor)
    elif isinstance(sample, (List, Map)):
        names = ("key", "value") if isinstance(sample, Map) else ("item",)
        for number, item in enumerate(items_of(sample)):
            name = f"{names[number % len(names)]} {number // len(names) + 1}"
            kind = encoding_name(next_encoding(encodings, cursor))
            yield item_piece(encodings, name, kind, value_text(item), cursor)


def _elements(encodings: Encodings, sample: Array, cursor: Cursor) -> Iterator[OctetPiece]:
    """One constructor, then the data of each element without one (1.2.4)."""
    encoding = next_encoding(encodings, cursor)
    name = encoding_name(encoding)
    yield OctetPiece("constructor", f"{name}, for all elements", cursor.take(1), 1, "", Role.FRAME)
    for number, item in enumerate(sample.items, 1):
        width = encoding.width
        if encoding.category != "fixed":
            width += cursor.peek(width)
        fixed = width if encoding.category == "fixed" else None
        yield OctetPiece(f"element {number}", name, cursor.take(width), fixed, value_text(item))


def _without_example(encoding: Encoding) -> Iterator[OctetPiece]:
    """Yield the same pieces without octets, for a type without a known value."""
    yield OctetPiece(
        "format code", encoding.name or encoding.type, b"", 1, f"0x{encoding.code:02x}", Role.FRAME
    )
    if encoding.category == "fixed":
        yield OctetPiece("value", "data", b"", encoding.width, joined=True)
        return
    yield OctetPiece("size", "", b"", encoding.width, "", Role.FRAME, joined=True)
    if encoding.category != "variable":
        yield OctetPiece("count", "", b"", encoding.width, "", Role.FRAME, joined=True)
    yield OctetPiece("value", "data", b"", None, joined=True)


def composite_layout(spec: Spec, composite: Composite) -> str:
    """Draw a composite, with all of its fields; without an example if there is none."""
    return run_svg(composite_run(Examples(spec), composite))


def described_layout(spec: Spec, restricted: Restricted) -> str:
    """Draw a restricted type that has a descriptor; without an example if there is none."""
    return run_svg(described_run(Examples(spec), restricted))


def composite_run(examples: Examples, composite: Composite) -> OctetRun:
    """Return the pieces of the picture of a composite: descriptor, constructor of the list, and fields."""
    name, title = picture_id("type", composite.name), f"Octets of {composite.name}"
    found = examples.of_composite(composite)
    if found is None:
        items = [OctetPiece(field.name, field_kind(field), b"", None) for field in composite.fields]
        head = [
            *_bare_descriptor(composite.descriptor),
            OctetPiece("list", "format code, size, count", b"", None),
        ]
        return OctetRun(name, title, [*head, *items], has_example=False)
    sample, octets = found
    cursor = Cursor(octets)
    pieces = list(descriptor_pieces(examples.encodings, composite.descriptor, cursor))
    pieces += head_pieces(next_encoding(examples.encodings, cursor), cursor)
    values = examples.encoder.field_values(sample)
    for field, value in zip(composite.fields, values, strict=False):  # nulls at the end are not sent
        text = _text(examples, field, value)
        pieces.append(item_piece(examples.encodings, field.name, field_kind(field), text, cursor))
    return OctetRun(name, title, pieces)


def described_run(examples: Examples, restricted: Restricted) -> OctetRun:
    """Return the pieces of the picture of a restricted type: descriptor and value."""
    assert restricted.descriptor is not None, restricted.name
    name, title = picture_id("type", restricted.name), f"Octets of {restricted.name}"
    source = restricted.source.name if restricted.source.name != "*" else "any type"
    found = examples.of_restricted(restricted)
    if found is None:
        pieces = [*_bare_descriptor(restricted.descriptor), OctetPiece("value", source, b"", None)]
        return OctetRun(name, title, pieces, has_example=False)
    sample, octets = found
    cursor = Cursor(octets)
    head = list(descriptor_pieces(examples.encodings, restricted.descriptor, cursor))
    kind = encoding_name(next_encoding(examples.encodings, cursor))
    said = f"{source} ({kind})" if source != kind else kind
    value = item_piece(examples.encodings, "value", said, value_text(sample.value), cursor)
    return OctetRun(name, title, [*head, value])


def field_kind(field: Field) -> str:
    """Describe the type of a field: ``milliseconds (uint)``, ``provides outcome``, ``one or more symbol``."""
    name = field.type.name
    if name == "*":
        name = f"provides {', '.join(field.requires)}" if field.requires else "any type"
    carried = field.type.primitive
    if carried and carried != name and not field.type.described:
        name = f"{name} ({carried})"
    return f"one or more {name}" if field.multiple else name


def _text(examples: Examples, field: Field, value: Value) -> str:
    if value == NULL and field.default is not None:
        return f"null, which is {field.default.text}"
    name = examples.choice_name(field.type, value)
    text = value_text(value)
    return text if name in ("", text) else f"{text} ({name})"


def _bare_descriptor(descriptor: Descriptor) -> Iterator[OctetPiece]:
    """Yield the same pieces as in an example, without octets."""
    yield OctetPiece("described", "constructor", b"", 1, "0x00", Role.FRAME)
    yield OctetPiece("descriptor", "", b"", None, descriptor_text(descriptor), Role.FRAME, joined=True)
