"""The layout of a method's fields in its payload, as the steps of a straight-line decoder."""

from __future__ import annotations

from dataclasses import dataclass

from .spec import Field


@dataclass(frozen=True, slots=True)
class Atom:
    """One unsigned integer of fixed width inside a run.

    Attributes:
        kind: ``value`` (one field), ``bits`` (up to eight bit fields, lowest bit first), ``length``
            (the length of the string that follows the run) or ``discriminator`` (of a content field).
        width: Octets: 1, 2, 4 or 8.
        fields: The fields it holds; exactly one unless ``kind`` is ``bits``.
        local: The name of its local variable, unique within the method.
    """

    kind: str
    width: int
    fields: tuple[Field, ...]
    local: str

    @property
    def letter(self) -> str:
        """Its letter in the format strings of the ``struct`` module."""
        if self.kind == "value":
            return self.fields[0].type.facts.letter
        return {1: "B", 2: "H", 4: "I", 8: "Q"}[self.width]

    @property
    def is_reserved(self) -> bool:
        """True if all its fields are reserved, so that its value is zero."""
        return all(field.reserved for field in self.fields)


@dataclass(frozen=True, slots=True)
class Run:
    """Adjacent atoms, which are read at once."""

    atoms: tuple[Atom, ...]

    @property
    def size(self) -> int:
        """Octets of the whole run."""
        return sum(atom.width for atom in self.atoms)

    @property
    def letters(self) -> str:
        """The format letters of the atoms, for example ``QBB``."""
        return "".join(atom.letter for atom in self.atoms)

    @property
    def is_length_octet(self) -> bool:
        """True if it is nothing but the one-octet length of the string that follows."""
        return self.letters == "B" and self.atoms[0].kind == "length"


@dataclass(frozen=True, slots=True)
class Octets:
    """The octets of a string or content field; the run before it has read the length and the kind of content."""

    field: Field
    length_local: str
    kind_local: str = ""
    length_in_place: bool = False


@dataclass(frozen=True, slots=True)
class TableStep:
    """A field table: four octets of length and entries."""

    field: Field


Step = Run | Octets | TableStep


@dataclass(frozen=True, slots=True)
class Constant:
    """Constant octets of a payload: the indices, and adjacent reserved fields."""

    octets: bytes


PackStep = Constant | Run | Octets | TableStep


@dataclass(frozen=True, slots=True)
class Layout:
    """The steps of one method, in wire order."""

    steps: tuple[Step, ...]

    @property
    def runs(self) -> tuple[Run, ...]:
        """Only the runs."""
        return tuple(step for step in self.steps if isinstance(step, Run))
