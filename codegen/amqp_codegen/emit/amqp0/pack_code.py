"""The body of ``pack``: one join of constant octets, packed runs and strings."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...model.amqp0.layout import Atom, Octets, Run
from ...model.amqp0.spec import Method, WireType
from ...resolve.amqp0.layout import method_layout
from ..python_text import literal


@dataclass
class _Piece:
    """Part of the payload: octets known now, or an expression."""

    constant: bytes = b""
    expression: str = ""


@dataclass
class PackCode:
    """What ``pack`` is made of.

    Attributes:
        statements: Lines before the join.
        pieces: The parts of the join, in order.
        letters: The runs it needs a ``pack_`` function for.
    """

    statements: list[str] = field(default_factory=list)
    pieces: list[_Piece] = field(default_factory=list)
    letters: list[str] = field(default_factory=list)

    def constant(self, octets: bytes) -> None:
        """Adds octets that never change, joined to such octets before them."""
        if self.pieces and not self.pieces[-1].expression:
            self.pieces[-1].constant += octets
        else:
            self.pieces.append(_Piece(constant=octets))

    def expression(self, text: str) -> None:
        """Adds an expression."""
        self.pieces.append(_Piece(expression=text))


def packed_letters(method: Method) -> list[str]:
    """The runs that packing a method needs a function for."""
    return pack_code(method).letters


def uses_octets(method: Method) -> bool:
    """Whether packing a method looks single octets up in a table."""
    return any(piece.expression.startswith("OCTETS[") for piece in pack_code(method).pieces)


def pack_lines(method: Method) -> list[str]:
    """The statements of ``pack``."""
    code = pack_code(method)
    parts = [piece.expression or literal(piece.constant) for piece in code.pieces]
    if len(parts) == 1:
        return [*code.statements, f"return {parts[0]}"]
    return [*code.statements, f'return b"".join(({", ".join(parts)}))']


def pack_code(method: Method) -> PackCode:
    """The parts of ``pack`` for a method."""
    code = PackCode()
    code.constant(method.class_index.to_bytes(2, "big") + method.index.to_bytes(2, "big"))
    for step in method_layout(method.fields).steps:
        if isinstance(step, Run):
            _pack_run(code, step)
        elif isinstance(step, Octets):
            if not step.field.reserved:
                code.expression(step.field.local)
        elif step.field.reserved:
            code.constant(bytes(4))
        else:
            code.expression(f"write_table(self.{step.field.identifier}, tables)")
    return code


def _pack_run(code: PackCode, run: Run) -> None:
    """Constant octets at both ends of a run are joined to their neighbours; the rest is packed at once."""
    atoms = list(run.atoms)
    while atoms and _is_zero(atoms[0]):
        code.constant(bytes(atoms.pop(0).width))
    tail = 0
    while atoms and _is_zero(atoms[-1]):
        tail += atoms.pop().width
    values = [_value(code, atom) for atom in atoms]
    if len(atoms) == 1 and atoms[0].kind in ("bits", "length") and atoms[0].width == 1:
        code.expression(f"OCTETS[{values[0]}]")
    elif atoms:
        letters = "".join(atom.letter for atom in atoms)
        code.letters.append(letters)
        code.expression(f"pack_{letters}({', '.join(values)})")
    if tail:
        code.constant(bytes(tail))


def _is_zero(atom: Atom) -> bool:
    """Whether an atom is always zero: only reserved fields, or the length of a reserved string."""
    return all(each.reserved for each in atom.fields)


def _value(code: PackCode, atom: Atom) -> str:
    """The expression of an atom; strings are encoded and bits gathered in statements before the join."""
    if _is_zero(atom):
        return "0"
    if atom.kind == "bits":
        bits = [
            f"({1 << shift} if self.{each.identifier} else 0)"
            for shift, each in enumerate(atom.fields)
            if not each.reserved
        ]
        code.statements.append(f"{atom.local} = {' | '.join(bits) if len(bits) > 1 else bits[0][1:-1]}")
        return atom.local
    each = atom.fields[0]
    if atom.kind == "discriminator":
        return f"self.{each.identifier}.kind"
    if atom.kind == "length":
        if each.type is WireType.CONTENT:
            code.statements.append(f"{each.local} = octets(self.{each.identifier}.data)")
            return f"len({each.local})"
        value = f"self.{each.identifier}"
        octets = f"{value}.encode()" if each.type is WireType.SHORTSTR else f"octets({value})"
        code.statements.append(f"{each.local} = {octets}")
        return f"len({each.local})"
    if each.type is WireType.TIMESTAMP:
        return f"epoch_seconds(self.{each.identifier})"
    return f"self.{each.identifier}"


def properties_pack_lines(fields: list[tuple[str, str, WireType, int]], words: int) -> list[str]:
    """The statements of ``pack`` for a property set.

    Args:
        fields: Attribute, local name, type, and flag word << 16 | mask of each property.
        words: How many flag words the set may need.
    """
    if not fields:
        return [f"return {literal(bytes(2))}"]
    flags = ["flags"] + [f"flags_{number + 1}" for number in range(1, words)]
    lines = [f"{name} = 0" for name in flags]
    lines.append('parts = [b""]')
    for attribute, local, kind, place in fields:
        word, mask = flags[place >> 16], place & 0xFFFF
        if kind is WireType.BIT:
            lines += [f"if self.{attribute}:", f"    {word} |= {mask:#06x}"]
            continue
        lines += [f"{local} = self.{attribute}", f"if {local} is not None:", f"    {word} |= {mask:#06x}"]
        lines += [f"    {line}" for line in _append_lines(local, kind)]
    return [*lines, *_flag_lines(flags), 'return b"".join(parts)']


def _append_lines(local: str, kind: WireType) -> list[str]:
    if kind is WireType.SHORTSTR:
        return [f"data = {local}.encode()", "parts.append(OCTETS[len(data)])", "parts.append(data)"]
    if kind is WireType.LONGSTR:
        return [f"data = octets({local})", "parts.append(pack_I(len(data)))", "parts.append(data)"]
    if kind is WireType.TABLE:
        return [f"parts.append(write_table({local}, tables))"]
    if kind is WireType.TIMESTAMP:
        return [f"parts.append(pack_Q({local} if type({local}) is int else epoch_seconds({local})))"]
    letter = {WireType.OCTET: "B", WireType.SHORT: "H", WireType.LONG: "I", WireType.LONGLONG: "Q"}[kind]
    return [f"parts.append(pack_{letter}({local}))"]


def _flag_lines(flags: list[str]) -> list[str]:
    """Writes the words of flags: each but the last one needed says that another follows."""
    if len(flags) == 1:
        return ["parts[0] = pack_H(flags)"]
    last = flags[-1]
    lines = [f'words = pack_H({last}) if {last} else b""']
    for name in reversed(flags[:-1]):
        empty = f" or {name}" if name != flags[0] else ""
        if empty:
            lines.append(f'words = pack_H({name} | 1 if words else {name}) + words if words{empty} else b""')
        else:
            lines.append(f"words = pack_H({name} | 1 if words else {name}) + words")
    return [*lines, "parts[0] = words"]
