"""The octets of method and content header frames, piece by piece, with examples (0-9-1 section 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...decode.amqp0.payloads import PayloadReader
from ...decode.annotation import Annotation
from ...model.amqp0.field_types import WireType
from ...model.amqp0.spec import Class, Field, Method, Spec
from ...support.wording import counted
from ...vectors.amqp0.reference_encoder import Values, encode, header_input, method_input
from ...vectors.amqp0.values import text, typical, typical_table
from ...vectors.case import Neutral
from ..layouts.pieces import Bits, OctetPiece, OctetRun, PieceRole
from ..layouts.svg import picture_id

_TABLE_ENTRIES_SHOWN = 2


def sample_values(spec: Spec, fields: Iterable[Field]) -> Values:
    """Return a value for each field that is not reserved; different ones, so that a reader sees which is which."""
    return {
        field.name: _sample(spec, field, place) for place, field in enumerate(fields) if not field.reserved
    }


def _sample(spec: Spec, field: Field, place: int) -> Neutral:
    if field.type.facts.python in ("str", "bytes"):
        return text(field.type, _short(field.name))
    if field.type is WireType.TABLE:
        return list(typical_table(spec.dialect, "key"))[:_TABLE_ENTRIES_SHOWN]
    return typical(field, place, spec.dialect)


def _short(name: str) -> str:
    """Return a text made of a name, short enough for a short string (255 octets)."""
    return name.encode()[:64].decode(errors="ignore")


def field_pieces(octets: bytes, parts: Iterable[Annotation]) -> Iterator[OctetPiece]:
    """Yield the pieces of fields, as ``decode`` has read them; bits next to each other share octets."""
    for part in parts:
        if part.bits:
            yield _bits(octets, part)
        elif part.type == WireType.TABLE.value:
            yield from _table(octets, part)
        elif part.children:
            yield from _string(octets, part)
        else:
            yield _number(octets, part, part.name, part.type, _role(part.element))


def _number(
    octets: bytes,
    part: Annotation,
    name: str,
    kind: str,
    role: PieceRole = PieceRole.FRAME,
    joined: bool = False,
) -> OctetPiece:
    width = part.end - part.start
    return OctetPiece(name, kind, octets[part.start : part.end], width, str(part.value), role, joined=joined)


def _bits(octets: bytes, part: Annotation) -> OctetPiece:
    names = tuple(bit.name for bit in part.bits)
    kind = "lowest bit first" if len(names) > 1 else "bit"
    role = _role(part.bits[0].element)
    return OctetPiece(part.name, kind, octets[part.start : part.end], 1, role=role, bits=Bits(names))


def _string(octets: bytes, part: Annotation) -> Iterator[OctetPiece]:
    """Yield the length and the octets of a string; content has its kind before that."""
    *numbers, content = part.children
    for number in numbers[:-1]:
        yield _number(octets, number, part.name, number.name)
    yield _number(octets, numbers[-1], "length", "", joined=len(numbers) > 1)
    data = octets[content.start : content.end]
    value = repr_text(data) if part.type != WireType.CONTENT.value else ""
    kind = f"{part.type}, length octets"
    yield OctetPiece(part.name, kind, data, None, value, _role(part.element), joined=True)


def _table(octets: bytes, part: Annotation) -> Iterator[OctetPiece]:
    """Yield the length of a table in octets, and each of its entries: name, letter, value."""
    size, *entries = part.children
    role = _role(part.element)
    yield _number(octets, size, part.name, "length of its table")
    for number, entry in enumerate(entries, 1):
        key, letter = entry.children[:2]
        kind = f"name, letter {octets[letter.start : letter.end].decode()}, {entry.type}"
        cut = octets[entry.start : entry.end]
        value = _entry_value(entry, len(cut) - (letter.end - key.start))
        text = f"{repr_text(octets[key.start + 1 : key.end])}: {value}"
        yield OctetPiece(f"{part.name}, entry {number}", kind, cut, None, text, role)
    if not entries:
        yield OctetPiece(part.name, "table of names, letters and values", b"", None, "no entries", role)


def _entry_value(entry: Annotation, size: int) -> str:
    if isinstance(entry.value, str):
        return f'"{entry.value}"'
    return str(entry.value) if isinstance(entry.value, int) else counted(size, "octet")


def repr_text(octets: bytes) -> str:
    """Return octets in UTF-8 as a text between quotation marks."""
    return f'"{octets.decode(errors="replace")}"'


def _role(element: object) -> PieceRole:
    return PieceRole.RESERVED if isinstance(element, Field) and element.reserved else PieceRole.VALUE


def method_sample(spec: Spec, method: Method) -> Neutral:
    """Return the method of the example, in the form of the test vectors."""
    return method_input(method, sample_values(spec, method.fields))


def method_run(spec: Spec, method: Method) -> OctetRun:
    """Return the pieces of a method, with an example in the default dialect of its tables: class id, method id, fields."""
    octets = encode(spec, "method", method_sample(spec, method), spec.dialect)
    parts = PayloadReader(octets, spec).fields(method.fields, method.fields, 4, len(octets))
    pieces = [
        OctetPiece("class id", "short", octets[:2], 2, str(method.class_index), PieceRole.FRAME),
        OctetPiece("method id", "short", octets[2:4], 2, str(method.index), PieceRole.FRAME),
        *field_pieces(octets, parts),
    ]
    return OctetRun(picture_id("method", method.full_name), f"Octets of {method.full_name}", pieces)


# The size of the body that the example announces.
BODY_SIZE = 11
_CONTINUATION = "continuation"


def header_sample(spec: Spec, class_: Class) -> Neutral:
    """Return the content header of the example, in the form of the test vectors."""
    fields = [entry.field for entry in class_.properties]
    flags = {field.name: True for field in fields if field.type is WireType.BIT}
    return header_input(class_, {**sample_values(spec, fields), **flags}, BODY_SIZE)


def properties_run(spec: Spec, class_: Class) -> OctetRun:
    """Return the pieces of a content header in which every property is present: class id, weight, body size, flags, values."""
    # A bit has no octets: its flag is its value.
    fields = tuple(entry.field for entry in class_.properties if entry.field.type is not WireType.BIT)
    octets = encode(spec, "header", header_sample(spec, class_), spec.dialect)
    words = range(12, 12 + 2 * class_.flag_words, 2)
    parts = PayloadReader(octets, spec).fields(fields, fields, words.stop, len(octets))
    pieces = [
        OctetPiece("class id", "short", octets[:2], 2, str(class_.index), PieceRole.FRAME),
        OctetPiece("weight", "short", octets[2:4], 2, "0", PieceRole.RESERVED),
        OctetPiece("body size", "longlong", octets[4:12], 8, str(BODY_SIZE), PieceRole.FRAME),
        *(_flags(class_, word, octets[at : at + 2]) for word, at in enumerate(words)),
        *field_pieces(octets, parts),
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
    return OctetPiece(title, "short", octets, 2, "", PieceRole.FRAME, Bits(tuple(names), from_highest=True))
