"""The octets of method and content header frames, piece by piece, with examples (0-9-1 section 4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...model.amqp0.layout import Atom, Octets, TableStep
from ...model.amqp0.layout import Run as FixedRun
from ...model.amqp0.spec import Class, Field, Method, Spec, WireType
from ...resolve.amqp0.layout import method_layout as steps_of
from ...support.wording import counted
from ...vectors.amqp0.reference_encoder import Values, encode, header_input, method_input
from ...vectors.amqp0.values import INTEGER_WIDTHS, text, typical, typical_table
from ...vectors.case import Neutral
from ..layouts.boxes import run_svg
from ..layouts.pieces import Bits, Cursor, OctetPiece, OctetRun, Role
from ..layouts.svg import picture_id

_TABLE_ENTRIES_SHOWN = 2


def sample_values(spec: Spec, fields: Iterable[Field]) -> Values:
    """Return a value for each field that is not reserved; different ones, so that a reader sees which is which."""
    return {
        field.name: _sample(spec, field, place) for place, field in enumerate(fields) if not field.reserved
    }


def _sample(spec: Spec, field: Field, place: int) -> Neutral:
    if field.type in (WireType.SHORTSTR, WireType.LONGSTR):
        return text(field.type, _short(field.name))
    if field.type is WireType.TABLE:
        return list(typical_table(spec.dialect, "key"))[:_TABLE_ENTRIES_SHOWN]
    return typical(field, place, spec.dialect)


def _short(name: str) -> str:
    """Return a text made of a name, short enough for a short string (255 octets)."""
    return name.encode()[:64].decode(errors="ignore")


_LENGTH_WIDTHS = {WireType.SHORTSTR: 1, WireType.LONGSTR: 4, WireType.CONTENT: 4}


def field_pieces(spec: Spec, fields: Iterable[Field], cursor: Cursor) -> Iterator[OctetPiece]:
    """Yield the pieces of consecutive fields; bits next to each other share octets."""
    for step in steps_of(tuple(fields)).steps:
        if isinstance(step, FixedRun):
            kinds = ("", *(atom.kind for atom in step.atoms))
            yield from (
                _atom(atom, cursor, before == "discriminator")
                for atom, before in zip(step.atoms, kinds, strict=False)
            )
        elif isinstance(step, Octets):
            yield _octets(step.field, cursor)
        else:
            yield from _table(spec, step, cursor)


def _atom(atom: Atom, cursor: Cursor, joined: bool) -> OctetPiece:
    """Return the piece of an integer; a length is joined with the content that it announces."""
    octets = cursor.take(atom.width)
    number = int.from_bytes(octets, "big")
    first = atom.fields[0]
    if atom.kind == "bits":
        names = tuple(field.name for field in atom.fields)
        title = first.name if len(names) == 1 else "bits"
        return OctetPiece(
            title,
            "lowest bit first" if len(names) > 1 else "bit",
            octets,
            1,
            role=_role(first),
            bits=Bits(names),
        )
    if atom.kind == "length":
        return OctetPiece("length", "", octets, atom.width, str(number), Role.FRAME, joined=joined)
    if atom.kind == "discriminator":
        return OctetPiece(first.name, "kind of content", octets, atom.width, str(number), Role.FRAME)
    return OctetPiece(first.name, first.type.value, octets, atom.width, str(number), _role(first))


def _octets(field: Field, cursor: Cursor) -> OctetPiece:
    """Return the content whose length was taken last."""
    width = _LENGTH_WIDTHS[field.type]
    count = int.from_bytes(cursor.octets[cursor.position - width : cursor.position], "big")
    octets = cursor.take(count)
    value = repr_text(octets) if field.type is not WireType.CONTENT else ""
    return OctetPiece(
        field.name, f"{field.type.value}, length octets", octets, None, value, _role(field), joined=True
    )


def _table(spec: Spec, step: TableStep, cursor: Cursor) -> Iterator[OctetPiece]:
    """Yield the length of a table in octets, and each of its entries: name, letter, value."""
    name, role = step.field.name, _role(step.field)
    length = cursor.take(4)
    count = int.from_bytes(length, "big")
    yield OctetPiece(name, "length of its table", length, 4, str(count), Role.FRAME)
    entries = Cursor(cursor.take(count))
    number = 0
    while entries.position < count:
        number += 1
        yield _entry(spec, f"{name}, entry {number}", entries, role)
    if not number:
        yield OctetPiece(name, "table of names, letters and values", b"", None, "no entries", role)


def _entry(spec: Spec, name: str, cursor: Cursor, role: Role) -> OctetPiece:
    start = cursor.position
    key = cursor.take(int.from_bytes(cursor.take(1), "big"))
    letter = cursor.take(1).decode()
    kind = spec.dialect.read[letter]
    value = _tagged(kind, cursor)
    text = f"{repr_text(key)}: {value}"
    return OctetPiece(
        name, f"name, letter {letter}, {kind}", cursor.octets[start : cursor.position], None, text, role
    )


def _tagged(kind: str, cursor: Cursor) -> str:
    """Take the value of an entry; the samples have numbers and values with a length."""
    if kind in INTEGER_WIDTHS:
        width, signed = INTEGER_WIDTHS[kind]
        return str(int.from_bytes(cursor.take(width), "big", signed=signed))
    octets = cursor.take(int.from_bytes(cursor.take(4), "big"))
    return repr_text(octets) if kind == "longstr" else counted(len(octets), "octet")


def repr_text(octets: bytes) -> str:
    """Return octets in UTF-8 as a text between quotation marks."""
    return f'"{octets.decode(errors="replace")}"'


def _role(field: Field) -> Role:
    return Role.RESERVED if field.reserved else Role.VALUE


def method_layout(spec: Spec, method: Method) -> str:
    """Draw a method of that specification, with an example in the default dialect of its tables."""
    return run_svg(method_run(spec, method))


def method_sample(spec: Spec, method: Method) -> Neutral:
    """Return the method of the example, in the form of the test vectors."""
    return method_input(method, sample_values(spec, method.fields))


def method_run(spec: Spec, method: Method) -> OctetRun:
    """Return the pieces of the picture: class id, method id and fields."""
    cursor = Cursor(encode(spec, "method", method_sample(spec, method), spec.dialect))
    pieces = [
        OctetPiece("class id", "short", cursor.take(2), 2, str(method.class_index), Role.FRAME),
        OctetPiece("method id", "short", cursor.take(2), 2, str(method.index), Role.FRAME),
        *field_pieces(spec, method.fields, cursor),
    ]
    return OctetRun(picture_id("method", method.full_name), f"Octets of {method.full_name}", pieces)


# The size of the body that the example announces.
BODY_SIZE = 11
_CONTINUATION = "continuation"


def properties_layout(spec: Spec, class_: Class) -> str:
    """Draw the content header of a class that carries content; in the example every property is present."""
    return run_svg(properties_run(spec, class_))


def header_sample(spec: Spec, class_: Class) -> Neutral:
    """Return the content header of the example, in the form of the test vectors."""
    fields = [entry.field for entry in class_.properties]
    flags = {field.name: True for field in fields if field.type is WireType.BIT}
    return header_input(class_, {**sample_values(spec, fields), **flags}, BODY_SIZE)


def properties_run(spec: Spec, class_: Class) -> OctetRun:
    """Return the pieces of the picture: class id, weight, body size, property flags and properties."""
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
