"""How described values lie in their octets: a composite is a described list of its fields (1.4)."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.spec1 import Field, Spec
from ...model.types1 import Composite, Restricted
from ...vectors.amqp1.reference_encoder import ReferenceEncoder
from ...vectors.amqp1.value import NULL, Value
from .boxes import run_svg
from .piece import Cursor, Piece, Run
from .pieces1 import descriptor_pieces, encoding_name, encoding_of, head_pieces, item_piece
from .svg import picture_id
from .values1 import choice_name, composite_sample, restricted_sample, value_text


def composite_layout(spec: Spec, composite: Composite) -> str:
    """The picture of a composite, with all of its fields."""
    return run_svg(composite_run(spec, composite))


def described_layout(spec: Spec, restricted: Restricted) -> str:
    """The picture of a restricted type that has a descriptor."""
    return run_svg(described_run(spec, restricted))


def composite_run(spec: Spec, composite: Composite) -> Run:
    """What the picture of a composite shows: descriptor, head of the list and fields."""
    sample = composite_sample(spec, composite)
    encoder = ReferenceEncoder(spec)
    cursor = Cursor(encoder.encode(sample))
    pieces = list(descriptor_pieces(spec, composite.descriptor, cursor))
    pieces += head_pieces(encoding_of(spec, cursor.octets, cursor.position), cursor)
    values = encoder.field_values(sample)
    for field, value in zip(composite.fields, values, strict=False):  # nulls at the end are not sent
        pieces.append(item_piece(spec, field.name, field_kind(field), _text(spec, field, value), cursor))
    return Run(picture_id("type", composite.name), f"Octets of {composite.name}", pieces)


def described_run(spec: Spec, restricted: Restricted) -> Run:
    """What the picture of a restricted type shows: descriptor and value."""
    assert restricted.descriptor is not None, restricted.name
    sample = restricted_sample(spec, restricted)
    cursor = Cursor(ReferenceEncoder(spec).encode(sample))
    pieces = [
        *descriptor_pieces(spec, restricted.descriptor, cursor),
        *_value(spec, restricted, sample.value, cursor),
    ]
    return Run(picture_id("type", restricted.name), f"Octets of {restricted.name}", pieces)


def field_kind(field: Field) -> str:
    """The type of a field in a few words: ``milliseconds (uint)``, ``provides outcome``, ``one or more symbol``."""
    name = field.type.name
    if name == "*":
        name = f"provides {', '.join(field.requires)}" if field.requires else "any type"
    carried = field.type.primitive
    if carried and carried != name and not field.type.described:
        name = f"{name} ({carried})"
    return f"one or more {name}" if field.multiple else name


def _text(spec: Spec, field: Field, value: Value) -> str:
    if value == NULL and field.default is not None:
        return f"null, which is {field.default.text}"
    name = choice_name(spec, field.type, value)
    text = value_text(value)
    return text if name in ("", text) else f"{text} ({name})"


def _value(spec: Spec, restricted: Restricted, value: Value, cursor: Cursor) -> Iterator[Piece]:
    kind = encoding_name(encoding_of(spec, cursor.octets, cursor.position))
    name = restricted.source.name if restricted.source.name != "*" else "any type"
    yield item_piece(spec, "value", f"{name} ({kind})" if name != kind else kind, value_text(value), cursor)
