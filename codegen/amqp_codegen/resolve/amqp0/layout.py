"""Groups the fields of a method into runs that are read and written at once."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.amqp0.layout import Atom, Layout, Octets, Run, Step, TableStep
from ...model.amqp0.spec import Field, WireType
from ..names import unique_local
from .reserved_names import LOCALS

BITS_PER_OCTET = 8


def method_layout(fields: Sequence[Field]) -> Layout:
    """The steps that read ``fields`` in order.

    Consecutive bits share octets, eight to each, lowest bit first (0-9-1 section 4.2.5.2); any other
    field ends the octet. The length of a string joins the run before it, so that one read gets both.
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
            atoms.append(Atom("length", 1 if field.type is WireType.SHORTSTR else 4, (field,), length))
            end_run()
            steps.append(Octets(field, length, kind))
    end_run()
    return Layout(tuple(steps))
