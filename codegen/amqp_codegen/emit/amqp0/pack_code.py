"""The expressions of the ``pack`` methods; the templates put them into statements."""

from __future__ import annotations

from collections.abc import Iterable

from ...model.amqp0.layout import Atom, Constant, Octets, PackStep, Run
from ...model.amqp0.spec import Field, Method, WireType
from ...resolve.amqp0.layout import packing_steps
from ..python_text import literal


def packed_letters(method: Method) -> list[str]:
    """Return the runs for which packing a method needs a function."""
    return [
        step.letters for step in packing_steps(method) if isinstance(step, Run) and not _is_looked_up(step)
    ]


def uses_octets(method: Method) -> bool:
    """Return whether packing a method looks up single octets in a table."""
    return any(_is_looked_up(step) for step in packing_steps(method))


def _is_looked_up(step: PackStep) -> bool:
    """Return whether a step is a single octet that is always in range, so that a table has it."""
    return isinstance(step, Run) and step.letters == "B" and step.atoms[0].kind in ("bits", "length")


def pack_locals(steps: Iterable[PackStep]) -> list[tuple[str, str]]:
    """Return the local variables that ``pack`` computes first: encoded strings and combined bits, with expressions."""
    atoms = [atom for step in steps if isinstance(step, Run) for atom in step.atoms if not atom.is_reserved]
    return [
        (atom.local, _bits(atom)) if atom.kind == "bits" else (atom.fields[0].local, _octets(atom.fields[0]))
        for atom in atoms
        if atom.kind in ("bits", "length")
    ]


def _bits(atom: Atom) -> str:
    bits = [
        f"{1 << shift} if self.{each.identifier} else 0"
        for shift, each in enumerate(atom.fields)
        if not each.reserved
    ]
    return " | ".join(f"({bit})" for bit in bits) if len(bits) > 1 else bits[0]


def _octets(field: Field) -> str:
    value = f"self.{field.identifier}"
    if field.type is WireType.SHORTSTR:
        return f"{value}.encode()"
    return f"octets({value}.data)" if field.type is WireType.CONTENT else f"octets({value})"


def pack_expression(step: PackStep) -> str:
    """Return the expression for the octets of a step."""
    if isinstance(step, Constant):
        return literal(step.octets)
    if isinstance(step, Octets):
        return step.field.local
    if not isinstance(step, Run):
        return f"write_table(self.{step.field.identifier}, tables)"
    values = ", ".join(map(_value, step.atoms))
    return f"OCTETS[{values}]" if _is_looked_up(step) else f"pack_{step.letters}({values})"


def _value(atom: Atom) -> str:
    if atom.is_reserved:
        return "0"
    field = atom.fields[0]
    value = f"self.{field.identifier}"
    if atom.kind == "bits":
        return atom.local
    if atom.kind == "discriminator":
        return f"{value}.kind"
    if atom.kind == "length":
        return f"len({field.local})"
    return f"epoch_seconds({value})" if field.type is WireType.TIMESTAMP else value
