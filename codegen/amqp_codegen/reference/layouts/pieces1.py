"""The encodings of AMQP 1.0 as pieces: format code, size, count and data (1.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from ...model.amqp1.spec import Encoding
from ...model.amqp1.types import Descriptor
from .piece import Cursor, OctetPiece, Role

# Format code to encoding.
Encodings: TypeAlias = Mapping[int, Encoding]

_DESCRIBED = 0x00


def item_length(encodings: Encodings, octets: bytes, position: int) -> int:
    """How many octets a value takes, descriptor and format code included."""
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
    """The encoding whose format code comes next."""
    return encodings[cursor.peek(1)]


def encoding_name(encoding: Encoding) -> str:
    """``smalluint``, where the encoding has a name of its own that says the type; else ``float ieee-754``, ``uint``."""
    return encoding.name if encoding.type in encoding.name else f"{encoding.type} {encoding.name}".rstrip()


def descriptor_pieces(encodings: Encodings, descriptor: Descriptor, cursor: Cursor) -> Iterator[OctetPiece]:
    """What stands before a described value: an octet that says so, and the descriptor."""
    yield OctetPiece("described", "constructor", cursor.take(1), 1, "", Role.FRAME)
    kind = encoding_name(next_encoding(encodings, cursor))
    octets = cursor.take(item_length(encodings, cursor.octets, cursor.position))
    width = len(octets) if descriptor.code is not None else None
    yield OctetPiece("descriptor", kind, octets, width, descriptor_text(descriptor), Role.FRAME, joined=True)


def descriptor_text(descriptor: Descriptor) -> str:
    """The descriptor that is sent: the number if there is one, else the symbol."""
    return descriptor.symbol if descriptor.code is None else f"{descriptor.code:#x}"


def head_pieces(encoding: Encoding, cursor: Cursor) -> Iterator[OctetPiece]:
    """Format code, and size and count where the encoding has them."""
    yield OctetPiece("format code", encoding.name or encoding.type, cursor.take(1), 1, "", Role.FRAME)
    if encoding.category == "fixed":
        return
    yield _number("size", encoding.width, cursor)
    if encoding.category in ("compound", "array"):
        yield _number("count", encoding.width, cursor)


def item_piece(encodings: Encodings, name: str, kind: str, value: str, cursor: Cursor) -> OctetPiece:
    """A whole value with its constructor: an item of a list, the value of a field."""
    octets = cursor.take(item_length(encodings, cursor.octets, cursor.position))
    return OctetPiece(name, kind, octets, None, value)


def _number(name: str, width: int, cursor: Cursor) -> OctetPiece:
    value = str(cursor.peek(width))
    return OctetPiece(name, "", cursor.take(width), width, value, Role.FRAME, joined=True)
