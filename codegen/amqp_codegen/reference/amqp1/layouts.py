"""The octets of primitive and described values of AMQP 1.0, piece by piece (1.2, 1.4)."""

from __future__ import annotations

from collections.abc import Iterator

from ...decode.amqp1.values import ValueReader, encoding_name
from ...decode.annotation import Annotation
from ...model.amqp1.spec import Encoding, Field
from ...model.amqp1.types import Composite, Descriptor, Restricted
from ...vectors.amqp1.values import NULL, ArrayValue, ListValue, MapValue, Scalar, Value
from ..layouts.pieces import OctetPiece, OctetRun, PieceRole
from ..layouts.svg import picture_id
from .examples import Examples, value_text


def field_kind(field: Field) -> str:
    """Describe the type of a field: ``milliseconds (uint)``, ``provides outcome``, ``one or more symbol``."""
    name = field.type.name
    if name == "*":
        name = f"provides {', '.join(field.requires)}" if field.requires else "any type"
    carried = field.type.primitive
    if carried and carried != name and not field.type.described:
        name = f"{name} ({carried})"
    return f"one or more {name}" if field.multiple else name


def descriptor_pieces(octets: bytes, value: Annotation, descriptor: Descriptor) -> Iterator[OctetPiece]:
    """Yield the octet 0x00 and the descriptor, which precede a described value."""
    constructor, code = value.children[:2]
    yield OctetPiece("described", "constructor", _cut(octets, constructor), 1, "", PieceRole.FRAME)
    width = code.end - code.start if descriptor.code is not None else None
    text = descriptor_text(descriptor)
    yield OctetPiece("descriptor", code.type, _cut(octets, code), width, text, PieceRole.FRAME, joined=True)


def descriptor_text(descriptor: Descriptor) -> str:
    """Return the descriptor that is sent: the code if there is one, else the symbol."""
    return descriptor.symbol if descriptor.code is None else f"{descriptor.code:#x}"


def head_pieces(octets: bytes, value: Annotation) -> Iterator[OctetPiece]:
    """Yield the format code of a value, and size and count if the encoding has them."""
    for part in value.children:
        if part.name == "format code":
            encoding = part.element
            assert isinstance(encoding, Encoding), part
            kind = encoding.name or encoding.type
            yield OctetPiece(part.name, kind, _cut(octets, part), 1, "", PieceRole.FRAME)
        elif part.inline and part.name in ("size", "count"):
            width = part.end - part.start
            yield OctetPiece(
                part.name, "", _cut(octets, part), width, str(part.value), PieceRole.FRAME, joined=True
            )


def _cut(octets: bytes, part: Annotation) -> bytes:
    return octets[part.start : part.end]


def _read(examples: Examples, octets: bytes) -> Annotation:
    """Return an example as ``decode`` reads it."""
    return ValueReader(octets, examples.spec).value("", 0, len(octets))


def encoding_run(examples: Examples, encoding: Encoding) -> OctetRun:
    """Return the pieces of the picture: constructor, size, count and data, as the category of the encoding demands."""
    title = f"Octets of {encoding.type} in the encoding {encoding_name(encoding)}"
    name = picture_id("encoding", encoding.identifier)
    found = examples.of_encoding(encoding)
    if found is None:
        return OctetRun(name, title, list(_without_example(encoding)), has_example=False)
    sample, octets = found
    value = _read(examples, octets)
    pieces = [*head_pieces(octets, value), *_data(octets, encoding, sample, value)]
    return OctetRun(name, title, pieces)


def _data(octets: bytes, encoding: Encoding, sample: Value, value: Annotation) -> Iterator[OctetPiece]:
    if encoding.category == "fixed" and encoding.width == 0:
        yield OctetPiece("value", "no data", b"", 0, value_text(sample), joined=True)
    elif isinstance(sample, Scalar):
        kind = "data" if encoding.category == "fixed" else "data, size octets"
        width = encoding.width if encoding.category == "fixed" else None
        data = _cut(octets, value.children[-1])
        yield OctetPiece("value", kind, data, width, value_text(sample), joined=True)
    elif isinstance(sample, ArrayValue):
        yield from _elements(octets, encoding, sample, value)
    elif isinstance(sample, MapValue):
        for number, ((key, content), entry) in enumerate(zip(sample.entries, _items(value), strict=True), 1):
            name = entry.children[0]
            yield OctetPiece(f"key {number}", name.type, _cut(octets, name), None, value_text(key))
            data = octets[name.end : entry.end]
            yield OctetPiece(f"value {number}", entry.type, data, None, value_text(content))
    elif isinstance(sample, ListValue):
        for number, (content, item) in enumerate(zip(sample.items, _items(value), strict=True), 1):
            yield OctetPiece(f"item {number}", item.type, _cut(octets, item), None, value_text(content))


def _items(value: Annotation) -> list[Annotation]:
    return [part for part in value.children if not part.inline]


def _elements(
    octets: bytes, encoding: Encoding, sample: ArrayValue, value: Annotation
) -> Iterator[OctetPiece]:
    """One constructor, then the data of each element without one (1.2.4)."""
    constructor, *elements = _items(value)
    encoding_of_elements = constructor.element
    assert isinstance(encoding_of_elements, Encoding), constructor
    name = encoding_name(encoding_of_elements)
    code = _cut(octets, constructor)
    yield OctetPiece("constructor", f"{name}, for all elements", code, 1, "", PieceRole.FRAME)
    for number, (item, element) in enumerate(zip(sample.items, elements, strict=True), 1):
        data = _cut(octets, element)
        width = len(data) if encoding_of_elements.category == "fixed" else None
        yield OctetPiece(f"element {number}", name, data, width, value_text(item))


def _without_example(encoding: Encoding) -> Iterator[OctetPiece]:
    """Yield the same pieces without octets, for a type without a known value."""
    yield OctetPiece(
        "format code", encoding.name or encoding.type, b"", 1, f"0x{encoding.code:02x}", PieceRole.FRAME
    )
    if encoding.category == "fixed":
        yield OctetPiece("value", "data", b"", encoding.width, joined=True)
        return
    yield OctetPiece("size", "", b"", encoding.width, "", PieceRole.FRAME, joined=True)
    if encoding.category != "variable":
        yield OctetPiece("count", "", b"", encoding.width, "", PieceRole.FRAME, joined=True)
    yield OctetPiece("value", "data", b"", None, joined=True)


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
    whole = _read(examples, octets)
    pieces = [*descriptor_pieces(octets, whole, composite.descriptor), *head_pieces(octets, whole)]
    values = examples.encoder.field_values(sample)
    for field, value, item in zip(
        composite.fields, values, _items(whole), strict=False
    ):  # no nulls at the end
        text = _text(examples, field, value)
        pieces.append(OctetPiece(field.name, field_kind(field), _cut(octets, item), None, text))
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
    whole = _read(examples, octets)
    code = whole.children[2].element
    assert isinstance(code, Encoding), restricted.name
    kind = encoding_name(code)
    said = f"{source} ({kind})" if source != kind else kind
    data = octets[whole.children[1].end :]
    value = OctetPiece("value", said, data, None, value_text(sample.value))
    return OctetRun(name, title, [*descriptor_pieces(octets, whole, restricted.descriptor), value])


def _text(examples: Examples, field: Field, value: Value) -> str:
    if value == NULL and field.default is not None:
        return f"null, which is {field.default.text}"
    name = examples.choice_name(field.type, value)
    text = value_text(value)
    return text if name in ("", text) else f"{text} ({name})"


def _bare_descriptor(descriptor: Descriptor) -> Iterator[OctetPiece]:
    """Yield the same pieces as in an example, without octets."""
    yield OctetPiece("described", "constructor", b"", 1, "0x00", PieceRole.FRAME)
    yield OctetPiece("descriptor", "", b"", None, descriptor_text(descriptor), PieceRole.FRAME, joined=True)
