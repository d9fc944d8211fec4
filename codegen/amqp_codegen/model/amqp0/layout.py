"""How the fields of a method lie in its payload, as steps of a straight-line decoder."""

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
        local: The name of a local variable for it, unique within the method.
    """

    kind: str
    width: int
    fields: tuple[Field, ...]
    local: str

    @property
    def letter(self) -> str:
        """The letter of this width in the format strings of the ``struct`` module."""
        return {1: "B", 2: "H", 4: "I", 8: "Q"}[self.width]


@dataclass(frozen=True, slots=True)
class Run:
    """Atoms that lie next to each other and can be read at once."""

    atoms: tuple[Atom, ...]

    @property
    def size(self) -> int:
        """Octets of the whole run."""
        return sum(atom.width for atom in self.atoms)

    @property
    def letters(self) -> str:
        """The format letters of the atoms, for example ``QBB``."""
        return "".join(atom.letter for atom in self.atoms)


@dataclass(frozen=True, slots=True)
class Octets:
    """The octets of a string or content field; the run before has read its length and kind of content."""

    field: Field
    length_local: str
    kind_local: str = ""


@dataclass(frozen=True, slots=True)
class TableStep:
    """A field table: four octets of length and entries."""

    field: Field


Step = Run | Octets | TableStep


@dataclass(frozen=True, slots=True)
class Layout:
    """The steps of one method, in wire order."""

    steps: tuple[Step, ...]

    @property
    def runs(self) -> tuple[Run, ...]:
        """Only the runs."""
        return tuple(step for step in self.steps if isinstance(step, Run))
