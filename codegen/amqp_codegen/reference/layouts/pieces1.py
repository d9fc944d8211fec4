"""The encodings of AMQP 1.0 as pieces: format code, size, count and data (1.2)."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.spec1 import Encoding, Spec
from ...model.types1 import Descriptor
from ...vectors.amqp1.reference_encoder import ReferenceEncoder, descriptor_value
from .piece import Cursor, Piece, Role

DESCRIBED = 0x00


def encoding_of(spec: Spec, octets: bytes, position: int = 0) -> Encoding:
    """The encoding whose format code stands at a position."""
    return next(each for each in spec.encodings if each.code == octets[position])


def item_length(spec: Spec, octets: bytes, position: int) -> int:
    """How many octets a value takes, descriptor and format code included."""
    start = position
    while octets[position] == DESCRIBED:
        position += 1
        position += item_length(spec, octets, position)
    encoding = encoding_of(spec, octets, position)
    position += 1
    if encoding.category == "fixed":
        return position + encoding.width - start
    size = int.from_bytes(octets[position : position + encoding.width], "big")
    return position + encoding.width + size - start


def descriptor_pieces(spec: Spec, descriptor: Descriptor, cursor: Cursor) -> Iterator[Piece]:
    """What stands before a described value: an octet that says so, and the descriptor."""
    yield Piece("described", "constructor", cursor.take(1), 1, "", Role.FRAME)
    octets = ReferenceEncoder(spec).encode(descriptor_value(descriptor))
    value = descriptor.symbol if descriptor.code is None else f"{descriptor.code:#x}"
    width = len(octets) if descriptor.code is not None else None
    kind = encoding_of(spec, octets)
    yield Piece(
        "descriptor", encoding_name(kind), cursor.take(len(octets)), width, value, Role.FRAME, joined=True
    )


def encoding_name(encoding: Encoding) -> str:
    """``uint``, or ``smalluint`` where the encoding has a name of its own that says the type."""
    return encoding.name if encoding.type in encoding.name else f"{encoding.type} {encoding.name}".rstrip()


def head_pieces(encoding: Encoding, cursor: Cursor) -> Iterator[Piece]:
    """Format code, and size and count where the encoding has them."""
    yield Piece("format code", encoding.name or encoding.type, cursor.take(1), 1, "", Role.FRAME)
    if encoding.category == "fixed":
        return
    width = encoding.width
    yield Piece("size", "", cursor.take(width), width, _last(cursor, width), Role.FRAME, joined=True)
    if encoding.category in ("compound", "array"):
        yield Piece("count", "", cursor.take(width), width, _last(cursor, width), Role.FRAME, joined=True)


def _last(cursor: Cursor, width: int) -> str:
    return str(int.from_bytes(cursor.octets[cursor.position - width : cursor.position], "big"))


def item_piece(spec: Spec, name: str, kind: str, value: str, cursor: Cursor) -> Piece:
    """A whole value with its constructor: an item of a list, the value of a field."""
    octets = cursor.take(item_length(spec, cursor.octets, cursor.position))
    return Piece(name, kind, octets, None, value)
