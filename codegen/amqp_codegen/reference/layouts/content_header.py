"""How the payload of a content header frame lies in its octets (0-9-1 section 4.2.6.1)."""

from __future__ import annotations

from ...model.amqp0.spec import Class, Spec, WireType
from ...vectors.amqp0.reference_encoder import encode, header_input
from ...vectors.case import Neutral
from .boxes import run_svg
from .fields0 import field_pieces
from .piece import Bits, Cursor, OctetPiece, OctetRun, Role
from .samples0 import sample_values
from .svg import picture_id

# Of the body that the example announces.
BODY_SIZE = 11
_CONTINUATION = "continuation"


def properties_layout(spec: Spec, class_: Class) -> str:
    """The picture of the content header of a class that carries content; in the example every property is present."""
    return run_svg(properties_run(spec, class_))


def header_sample(spec: Spec, class_: Class) -> Neutral:
    """The content header of the example, in the form of the test vectors."""
    fields = [entry.field for entry in class_.properties]
    flags = {field.name: True for field in fields if field.type is WireType.BIT}
    return header_input(class_, {**sample_values(spec, fields), **flags}, BODY_SIZE)


def properties_run(spec: Spec, class_: Class) -> OctetRun:
    """What the picture shows: class id, weight, body size, property flags and properties."""
    fields = [entry.field for entry in class_.properties]
    cursor = Cursor(encode(spec, "header", header_sample(spec, class_), spec.dialect))
    pieces = [
        OctetPiece("class id", "short", cursor.take(2), 2, str(class_.index), Role.FRAME),
        OctetPiece("weight", "short", cursor.take(2), 2, "0", Role.RESERVED),
        OctetPiece("body size", "longlong", cursor.take(8), 8, str(BODY_SIZE), Role.FRAME),
        *(_flags(class_, word, cursor.take(2)) for word in range(class_.flag_words)),
        # A bit has no octets: its flag is its value.
        *field_pieces(spec, (field for field in fields if field.type is not WireType.BIT), cursor),
    ]
    return OctetRun(
        picture_id("header", class_.name), f"Octets of a content header of class {class_.name}", pieces
    )


def _flags(class_: Class, word: int, octets: bytes) -> OctetPiece:
    names = [""] * 16
    names[0] = _CONTINUATION
    for entry in class_.properties:
        if entry.word == word:
            names[entry.mask.bit_length() - 1] = entry.field.name
    title = "property flags" if class_.flag_words == 1 else f"property flags {word + 1}"
    return OctetPiece(title, "short", octets, 2, "", Role.FRAME, Bits(tuple(names), from_highest=True))
