"""The pieces of a run of octets, before anything is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from ...support.wording import counted


class PieceRole(Enum):
    """The purpose of a piece; the pictures distinguish them."""

    FRAME = "frame"  # ids, format codes, sizes and counts: what is not a value of the user
    VALUE = "value"
    RESERVED = "reserved"


@dataclass(frozen=True, slots=True)
class Bits:
    """The names of the bits of a piece.

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
        name: As in the specification: ``class id``, ``queue``.
        kind: Its type: ``short``, ``smallulong``; empty if the name says enough.
        width: The fixed number of octets; None if that depends on the value.
        value: The meaning of the example's octets, as text; may be empty.
        bits: The names of its bits, if it is made of bits.
        joined: Whether it belongs to the piece before, as a string to its length.
    """

    name: str
    kind: str
    octets: bytes
    width: int | None
    value: str = ""
    role: PieceRole = PieceRole.VALUE
    bits: Bits | None = None
    joined: bool = False

    @property
    def facts(self) -> str:
        """Return kind and width: ``short, 2 octets``; only the kind if the width is not fixed."""
        width = counted(self.width, "octet") if self.width else ""
        return ", ".join(word for word in (self.kind, width) if word)


@dataclass(frozen=True, slots=True)
class OctetRun:
    """Consecutive pieces.

    Attributes:
        pieces: In wire order, without gaps.
        has_example: False if no value is known: then no piece has octets.
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
        """Return where each piece starts in the example, and last the length of the example."""
        offsets = [0]
        for piece in self.pieces:
            offsets.append(offsets[-1] + len(piece.octets))
        return offsets
