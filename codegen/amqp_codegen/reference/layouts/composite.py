"""How described values lie in their octets: a composite is a described list of its fields (1.4)."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.amqp1.spec import Field, Spec
from ...model.amqp1.types import Composite, Descriptor, Restricted
from ...vectors.amqp1.values import NULL, Value
from .boxes import run_svg
from .examples1 import Examples
from .piece import Cursor, OctetPiece, OctetRun, Role
from .pieces1 import (
    descriptor_pieces,
    descriptor_text,
    encoding_name,
    head_pieces,
    item_piece,
    next_encoding,
)
from .svg import picture_id
from .values1 import value_text


def composite_layout(spec: Spec, composite: Composite) -> str:
    """The picture of a composite, with all of its fields; without an example if there is none."""
    return run_svg(composite_run(Examples(spec), composite))


def described_layout(spec: Spec, restricted: Restricted) -> str:
    """The picture of a restricted type that has a descriptor; without an example if there is none."""
    return run_svg(described_run(Examples(spec), restricted))


def composite_run(examples: Examples, composite: Composite) -> OctetRun:
    """What the picture of a composite shows: descriptor, head of the list and fields."""
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
    """What the picture of a restricted type shows: descriptor and value."""
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
    """The type of a field in a few words: ``milliseconds (uint)``, ``provides outcome``, ``one or more symbol``."""
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
    """The same as in an example, without octets."""
    yield OctetPiece("described", "constructor", b"", 1, "0x00", Role.FRAME)
    yield OctetPiece("descriptor", "", b"", None, descriptor_text(descriptor), Role.FRAME, joined=True)
