"""The layout of a method: its fields grouped into runs that are read and written at once."""

from __future__ import annotations

from functools import lru_cache

from ...model.amqp0.field_types import WireType
from ...model.amqp0.layout import Atom, Constant, Layout, Octets, PackStep, Run, Step, TableStep
from ...model.amqp0.spec import Field, Method
from ..names import unique_local
from .reserved_names import LOCALS

BITS_PER_OCTET = 8


@lru_cache(maxsize=512)  # a specification has up to 70 methods, and each layout is requested many times
def method_layout(fields: tuple[Field, ...]) -> Layout:
    """Return the steps that read ``fields`` in order.

    Consecutive bits share octets, eight in each, lowest bit first (0-9-1 section 4.2.5.2); any other
    field ends the octet. The length of a string is part of the run before it, so that one read gets both.
    """
    taken = {field.local for field in fields} | LOCALS
    steps: list[Step] = []
    atoms: list[Atom] = []
    bits: list[Field] = []

    def end_bits() -> None:
        for start in range(0, len(bits), BITS_PER_OCTET):
            group = tuple(bits[start : start + BITS_PER_OCTET])
            atoms.append(Atom("bits", 1, group, unique_local("bits", taken)))
        bits.clear()

    def end_run() -> None:
        end_bits()
        if atoms:
            steps.append(Run(tuple(atoms)))
            atoms.clear()

    for field in fields:
        if field.type is WireType.BIT:
            bits.append(field)
            continue
        end_bits()
        if field.type.width is not None:
            atoms.append(Atom("value", field.type.width, (field,), field.local))
        elif field.type is WireType.TABLE:
            end_run()
            steps.append(TableStep(field))
        else:
            kind = ""
            if field.type is WireType.CONTENT:
                kind = unique_local(f"{field.local}_kind", taken)
                atoms.append(Atom("discriminator", 1, (field,), kind))
            length = unique_local(f"{field.local}_length", taken)
            atoms.append(Atom("length", field.type.facts.length, (field,), length))
            end_run()
            before = steps[-1]
            in_place = isinstance(before, Run) and before.is_length_octet
            steps.append(Octets(field, length, kind, in_place))
    end_run()
    return Layout(tuple(steps))


def packing_steps(method: Method) -> tuple[PackStep, ...]:
    """Return the steps that write a method, its indices first.

    Adjacent octets that never change are one constant: reserved fields at either end of a run are moved from the
    run to the constants around it.
    """
    steps: list[PackStep] = []

    def constant(octets: bytes) -> None:
        before = steps[-1] if steps else None
        if isinstance(before, Constant):
            steps[-1] = Constant(before.octets + octets)
        elif octets:
            steps.append(Constant(octets))

    constant(method.class_index.to_bytes(2, "big") + method.index.to_bytes(2, "big"))
    for step in method_layout(method.fields).steps:
        if isinstance(step, Run):
            used = [number for number, atom in enumerate(step.atoms) if not atom.is_reserved]
            first, last = (used[0], used[-1] + 1) if used else (len(step.atoms), len(step.atoms))
            constant(bytes(sum(atom.width for atom in step.atoms[:first])))
            if used:
                steps.append(Run(step.atoms[first:last]))
            constant(bytes(sum(atom.width for atom in step.atoms[last:])))
        elif not step.field.reserved:
            steps.append(step)
        elif isinstance(step, TableStep):
            constant(bytes(4))
    return tuple(steps)
