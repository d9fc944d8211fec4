"""How a primitive value lies in its octets, in each of the encodings of its type (1.2)."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.spec1 import Encoding, Spec
from ...vectors.amqp1.reference_encoder import ReferenceEncoder, items_of
from ...vectors.amqp1.value import Array, List, Map, Scalar, Value
from .boxes import run_svg
from .piece import Cursor, Piece, Role, Run
from .pieces1 import encoding_name, encoding_of, head_pieces, item_piece
from .svg import picture_id
from .values1 import encoding_sample, value_text


def encoding_layout(spec: Spec, encoding: Encoding) -> str:
    """The picture of an encoding; without an example if it is that of a type the standard does not have."""
    return run_svg(encoding_run(spec, encoding))


def encoding_run(spec: Spec, encoding: Encoding) -> Run:
    """What the picture shows: constructor, size, count and data, as the category of the encoding demands."""
    sample = encoding_sample(spec, encoding)
    title = f"Octets of {encoding.type} in the encoding {encoding_name(encoding)}"
    name = picture_id("encoding", encoding.identifier)
    if sample is None:
        return Run(name, title, list(_without_example(encoding)))
    cursor = Cursor(ReferenceEncoder(spec).encode_as(sample, encoding))
    return Run(name, title, [*head_pieces(encoding, cursor), *_data(spec, encoding, sample, cursor)])


def _data(spec: Spec, encoding: Encoding, sample: Value, cursor: Cursor) -> Iterator[Piece]:
    if encoding.category == "fixed" and encoding.width == 0:
        yield Piece("value", "no data", b"", 0, value_text(sample), joined=True)
    elif isinstance(sample, Scalar):
        kind = "data" if encoding.category == "fixed" else "data, size octets"
        width = encoding.width if encoding.category == "fixed" else None
        yield Piece("value", kind, cursor.rest(), width, value_text(sample), joined=True)
    elif isinstance(sample, Array):
        yield from _elements(spec, sample, cursor)
    elif isinstance(sample, (List, Map)):
        names = ("key", "value") if isinstance(sample, Map) else ("item",)
        for number, item in enumerate(items_of(sample)):
            name = f"{names[number % len(names)]} {number // len(names) + 1}"
            kind = encoding_name(encoding_of(spec, cursor.octets, cursor.position))
            yield item_piece(spec, name, kind, value_text(item), cursor)


def _elements(spec: Spec, sample: Array, cursor: Cursor) -> Iterator[Piece]:
    """One constructor, then the data of each element without one (1.2.4)."""
    encoding = encoding_of(spec, cursor.octets, cursor.position)
    name = encoding_name(encoding)
    yield Piece("constructor", f"{name}, for all elements", cursor.take(1), 1, "", Role.FRAME)
    for number, item in enumerate(sample.items, 1):
        width = encoding.width
        if encoding.category != "fixed":
            width += cursor.peek(width)
        fixed = width if encoding.category == "fixed" else None
        yield Piece(f"element {number}", name, cursor.take(width), fixed, value_text(item))


def _without_example(encoding: Encoding) -> Iterator[Piece]:
    """The same without octets: nobody knows a value of the type."""
    yield Piece("format code", encoding.name or encoding.type, bytes((encoding.code,)), 1, "", Role.FRAME)
    if encoding.category == "fixed":
        yield Piece("value", "data", b"", encoding.width, joined=True)
        return
    yield Piece("size", "", b"", encoding.width, "", Role.FRAME, joined=True)
    if encoding.category != "variable":
        yield Piece("count", "", b"", encoding.width, "", Role.FRAME, joined=True)
    yield Piece("value", "data", b"", None, joined=True)
