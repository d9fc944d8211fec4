"""The expressions of generated functions that pack and read methods, and the runs of ``_values.py``."""

from __future__ import annotations

from collections.abc import Iterable

from ...model.amqp0.field_types import WireType
from ...model.amqp0.layout import Atom, Constant, Layout, Octets, PackStep, Run
from ...model.amqp0.spec import Class, Field, Method, Spec
from ...resolve.amqp0.layout import method_layout, packing_steps
from ..python_text import literal


def packed_letters(method: Method) -> list[str]:
    """Return the runs for which packing a method needs a function."""
    return [
        step.letters for step in packing_steps(method) if isinstance(step, Run) and not _is_looked_up(step)
    ]


def packed_number(field: Field, value: str) -> str:
    """Return the expression that packs a content property that is a number."""
    if field.type.facts.per_second:
        number = f"{value} if type({value}) is int else epoch_seconds({value})"
    else:
        number = whole_number(value)
    return f"pack_{field.type.facts.letter}({number})"


def whole_number(value: str) -> str:
    """Return the expression for an integer; of another type only what stands for a whole number is taken."""
    return f"{value} if type({value}) is int else whole_number({value})"


def _is_looked_up(step: PackStep) -> bool:
    """Return whether a step is a single octet that is always in range, so that a table has it."""
    return isinstance(step, Run) and step.letters == "B" and step.atoms[0].kind in ("bits", "length")


def pack_locals(steps: Iterable[PackStep]) -> list[tuple[str, str]]:
    """Return the local variables that ``pack`` computes first: strings, numbers and combined bits, with expressions."""
    atoms = [atom for step in steps if isinstance(step, Run) for atom in step.atoms if not atom.is_reserved]
    found = []
    for atom in atoms:
        field = atom.fields[0]
        if atom.kind == "bits":
            found.append((atom.local, _bits(atom)))
        elif atom.kind == "length":
            found.append((field.local, _octets(field)))
        elif atom.kind == "value" and not field.type.facts.per_second:
            found.append((field.local, whole_number(f"self.{field.identifier}")))
    return found


def _bits(atom: Atom) -> str:
    # NOT_A_BIT is too large for an octet, so that anything but True and False is a fault.
    bits = [
        f"0 if self.{bit.identifier} is False else {1 << shift} if self.{bit.identifier} is True else NOT_A_BIT"
        for shift, bit in enumerate(atom.fields)
        if not bit.reserved
    ]
    return " | ".join(f"({bit})" for bit in bits) if len(bits) > 1 else bits[0]


def _octets(field: Field) -> str:
    value = f"self.{field.identifier}"
    if field.type.facts.python == "str":
        return f"str.encode({value})"
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
        return f"whole_number({value}.kind)"
    if atom.kind == "length":
        return f"len({field.local})"
    if field.type.facts.per_second:
        return f"epoch_seconds({value})"
    return field.local


def run_locals(run: Run, with_reserved: bool) -> list[str]:
    """Return the variables that the integers of a run are read into; ``_`` for unused reserved ones."""
    return [atom.local if _is_used(atom, with_reserved) else "_" for atom in run.atoms]


def _is_used(atom: Atom, with_reserved: bool) -> bool:
    return atom.kind == "length" or with_reserved or not atom.is_reserved


def flag_names(entry: Class) -> list[str]:
    """Return the local variables that hold the words of a class's property flags."""
    return ["flags", *(f"flags_{number}" for number in range(1, entry.flag_words))]


def spare_flags(entry: Class) -> list[tuple[str, int]]:
    """Return the words with flags that belong to no property, and these flags."""
    words = []
    for number, name in enumerate(flag_names(entry)):
        spare = 0xFFFF & ~sum(property_.mask for property_ in entry.properties if property_.word == number)
        if number < entry.flag_words - 1:
            spare &= ~1
        if spare:
            words.append((name, spare))
    return words


# Runs that the fixed modules of a package use, whatever its methods are.
_ALWAYS_UNPACKED = ("H", "I", "Q", "b", "h", "i", "q", "BHI", "HHQ")
_TABLE_VALUES = ("BB", "BH", "BI", "BQ", "Bb", "Bh", "Bi", "Bq")
_ALWAYS_PACKED = ("B", "H", "I", "Q", "HH", "HHQ", "BHI", "BBHI", *_TABLE_VALUES)


def unpack_runs(spec: Spec) -> list[str]:
    """Return the letters of every run that is read, sorted by length."""
    layouts = [method_layout(method.fields) for method in spec.methods]
    return _sorted({*_ALWAYS_UNPACKED, *_letters(layouts), *_property_letters(spec)} - {"B"})


def _letters(layouts: Iterable[Layout]) -> set[str]:
    # A single octet is read by indexing the buffer.
    return {run.letters for layout in layouts for run in layout.runs if run.letters != "B"}


def pack_runs(spec: Spec) -> list[str]:
    """Return the letters of every run that is written, sorted by length."""
    used = {letters for method in spec.methods for letters in packed_letters(method)}
    return _sorted({*_ALWAYS_PACKED, *used, *_property_letters(spec)})


def _property_letters(spec: Spec) -> set[str]:
    properties = [property_.field.type for entry in spec.classes for property_ in entry.properties]
    return {kind.facts.letter for kind in properties if kind.facts.letter}


def _sorted(runs: Iterable[str]) -> list[str]:
    return sorted(runs, key=lambda run: (len(run), run))
