"""How a primitive value lies in its octets, in each of the encodings of its type (1.2)."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.amqp1.spec import Encoding, Spec
from ...vectors.amqp1.reference_encoder import items_of
from ...vectors.amqp1.values import Array, List, Map, Scalar, Value
from .boxes import run_svg
from .examples1 import Examples
from .piece import Cursor, OctetPiece, OctetRun, Role
from .pieces1 import Encodings, encoding_name, head_pieces, item_piece, next_encoding
from .svg import picture_id
from .values1 import value_text


def encoding_layout(spec: Spec, encoding: Encoding) -> str:
    """The picture of an encoding; without an example if there is none."""
    return run_svg(encoding_run(Examples(spec), encoding))


def encoding_run(examples: Examples, encoding: Encoding) -> OctetRun:
    """What the picture shows: constructor, size, count and data, as the category of the encoding demands."""
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
    """The same without octets: nobody knows a value of the type."""
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
