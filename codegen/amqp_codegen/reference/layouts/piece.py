"""What lies one after the other in a run of octets, before anything is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from ...support.wording import counted


class Role(Enum):
    """What a piece is there for; the pictures tell them apart."""

    FRAME = "frame"  # ids, format codes, sizes and counts: what is not a value of the user
    VALUE = "value"
    RESERVED = "reserved"


@dataclass(frozen=True, slots=True)
class Bits:
    """What the bits of a piece are called.

    Attributes:
        names: From the lowest bit up; empty for a bit without meaning.
        from_highest: Whether the first name that matters is that of the highest bit, as with property flags.
    """

    names: tuple[str, ...]
    from_highest: bool = False


@dataclass(frozen=True, slots=True)
class OctetPiece:
    """Octets that belong together.

    Attributes:
        name: What the specification calls it: ``class id``, ``queue``.
        kind: What it is: ``short``, ``smallulong``; empty if the name says enough.
        octets: Those of the example.
        width: How many octets it always has; None if that depends on the value.
        value: What the octets of the example mean, for people; may be empty.
        role: What it is there for.
        bits: The names of its bits, if it is made of bits.
        joined: Whether it belongs to the piece before, as a string to its length.
    """

    name: str
    kind: str
    octets: bytes
    width: int | None
    value: str = ""
    role: Role = Role.VALUE
    bits: Bits | None = None
    joined: bool = False

    @property
    def facts(self) -> str:
        """Kind and width: ``short, 2 octets``; the width of what has no fixed one stands in its length."""
        width = counted(self.width, "octet") if self.width else ""
        return ", ".join(each for each in (self.kind, width) if each)


@dataclass(frozen=True, slots=True)
class OctetRun:
    """Pieces one after the other.

    Attributes:
        id: As that of a picture.
        title: What they are.
        pieces: In wire order, without gaps.
        has_example: False if nobody knows a value: then no piece has octets.
    """

    id: str
    title: str
    pieces: Sequence[OctetPiece]
    has_example: bool = True

    @property
    def octets(self) -> bytes:
        """The whole example."""
        return b"".join(piece.octets for piece in self.pieces)

    @property
    def offsets(self) -> list[int]:
        """Where each piece starts in the example, and last the length of the example."""
        offsets = [0]
        for piece in self.pieces:
            offsets.append(offsets[-1] + len(piece.octets))
        return offsets


class Cursor:
    """Cuts the octets of an example into pieces, from the front to the end."""

    def __init__(self, octets: bytes) -> None:
        self.octets = octets
        self.position = 0

    def take(self, count: int) -> bytes:
        """The next octets."""
        octets = self.octets[self.position : self.position + count]
        assert len(octets) == count, "the example is shorter than its layout"
        self.position += count
        return octets

    def peek(self, count: int) -> int:
        """The number that the next octets are."""
        return int.from_bytes(self.octets[self.position : self.position + count], "big")

    def rest(self) -> bytes:
        """All that is left."""
        return self.take(len(self.octets) - self.position)
