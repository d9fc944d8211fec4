"""The fields of methods and content headers as pieces: how each elementary type lies in its octets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...model.amqp0.layout import Atom, Octets, TableStep
from ...model.amqp0.layout import Run as FixedRun
from ...model.amqp0.spec import Field, Spec, WireType
from ...resolve.amqp0.layout import method_layout as steps_of
from ...support.wording import counted
from ...vectors.amqp0.values import INTEGER_WIDTHS
from .piece import Bits, Cursor, OctetPiece, Role

_LENGTH_WIDTHS = {WireType.SHORTSTR: 1, WireType.LONGSTR: 4, WireType.CONTENT: 4}


def field_pieces(spec: Spec, fields: Iterable[Field], cursor: Cursor) -> Iterator[OctetPiece]:
    """The pieces of fields that lie one after the other; bits next to each other share octets."""
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
    """The piece of an integer; a length joins the kind of content before it."""
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
    """What follows the length that was taken last."""
    width = _LENGTH_WIDTHS[field.type]
    count = int.from_bytes(cursor.octets[cursor.position - width : cursor.position], "big")
    octets = cursor.take(count)
    value = repr_text(octets) if field.type is not WireType.CONTENT else ""
    return OctetPiece(
        field.name, f"{field.type.value}, length octets", octets, None, value, _role(field), joined=True
    )


def _table(spec: Spec, step: TableStep, cursor: Cursor) -> Iterator[OctetPiece]:
    """The length of a table in octets, and each of its entries: name, letter, value."""
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
    """The value of an entry; the samples have numbers and what says its own length."""
    if kind in INTEGER_WIDTHS:
        width, signed = INTEGER_WIDTHS[kind]
        return str(int.from_bytes(cursor.take(width), "big", signed=signed))
    octets = cursor.take(int.from_bytes(cursor.take(4), "big"))
    return repr_text(octets) if kind == "longstr" else counted(len(octets), "octet")


def repr_text(octets: bytes) -> str:
    """Octets that are UTF-8 as a text between quotation marks."""
    return f'"{octets.decode(errors="replace")}"'


def _role(field: Field) -> Role:
    return Role.RESERVED if field.reserved else Role.VALUE
