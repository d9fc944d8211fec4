"""The annotated view as data: a tree of ranges of octets, each with its meaning.

Readers never raise: what is wrong is an ``error`` in the tree, at its place. The leaves cover every octet exactly once,
in order, and every range lies in that of its parent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeAlias

from ..model.amqp0 import spec as spec0
from ..model.amqp1 import spec as spec1
from ..support.wording import counted


class Absent(Enum):
    """The value of octets that have none of their own, such as a frame or a table."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT
Value: TypeAlias = "bool | int | float | str | bytes | None"
# What an annotation is an instance of; the reference guide has an anchor for each.
Element: TypeAlias = (
    "spec0.Class | spec0.Method | spec0.Field | spec0.Property | spec1.Type | spec1.Encoding | spec1.Field"
)


@dataclass(frozen=True, slots=True)
class BitValue:
    """One bit of an octet or a word.

    Attributes:
        name: The field; empty for a bit without meaning.
        place: 0 for the lowest bit.
        value: Whether it is set.
    """

    name: str
    place: int
    value: bool
    element: Element | None = None


@dataclass(frozen=True, slots=True)
class Annotation:
    """A range of octets and its meaning.

    Attributes:
        start: The offset of its first octet.
        end: The offset after its last octet.
        name: As in the specification: ``frame``, ``queue.declare``, ``size``.
        type: The elementary type, kind of value or encoding: ``shortstr``, ``int32``, ``smalluint``.
        value: The value; ``ABSENT`` for a structure.
        meaning: What a person wants to know besides: the name of a number, the count of entries.
        children: The parts, in order and without gaps; empty for a leaf.
        bits: The bits of a leaf that is made of bits.
        inline: Whether it is shown in the line of its parent, as the length of a string.
        error: What is wrong here; empty if nothing is.
        element: What it is an instance of.
    """

    start: int
    end: int
    name: str
    type: str = ""
    value: Value | Absent = ABSENT
    meaning: str = ""
    children: tuple[Annotation, ...] = ()
    bits: tuple[BitValue, ...] = ()
    inline: bool = False
    error: str = ""
    element: Element | None = None

    def __iter__(self) -> Iterator[Annotation]:
        """Yield it and all that is in it, parents before their parts."""
        yield self
        for child in self.children:
            yield from child

    @property
    def number(self) -> int:
        """The value of a part that is a whole number, such as a size."""
        assert isinstance(self.value, int), self
        return self.value

    @property
    def leaves(self) -> Iterator[Annotation]:
        """Yield the parts that have no parts."""
        return (part for part in self if not part.children)

    @property
    def is_wrong(self) -> bool:
        """Whether there is an error in it."""
        return any(part.error for part in self)


def ends_early(part: Annotation, end: int) -> bool:
    """Return whether nothing can follow a part before ``end``, because an error took the octets."""
    return part.end >= end and part.is_wrong


def cut_off(name: str, position: int, end: int, needed: int, kind: str = "") -> Annotation:
    """Return the rest of the octets, as a part that is not complete."""
    left = end - position
    wanted = counted(needed, "octet")
    error = f"{wanted} needed, {left} left" if left else f"missing: {wanted} needed, none left"
    return Annotation(position, end, name, kind, error=error)


def left_over(position: int, end: int, after: str) -> tuple[Annotation, ...]:
    """Return the octets after the last part as an error; nothing if there are none."""
    if position >= end:
        return ()
    error = f"{counted(end - position, 'octet')} left over after {after}"
    return (Annotation(position, end, "left over", error=error),)


def hide(part: Annotation, hidden: Sequence[Annotation]) -> Annotation:
    """Return a part in which those that must not be shown have lost octets, value and parts."""
    if any(part is other for other in hidden):
        said = f"{counted(part.end - part.start, 'octet')}, not shown"
        return Annotation(part.start, part.start, part.name, part.type, meaning=said, element=part.element)
    children = tuple(hide(child, hidden) for child in part.children)
    return replace(part, children=children) if children else part


def unread(position: int, end: int, name: str) -> tuple[Annotation, ...]:
    """Return octets whose layout is not known; nothing if there are none."""
    return (Annotation(position, end, name),) if position < end else ()


def number(
    octets: bytes,
    position: int,
    width: int,
    name: str,
    kind: str = "",
    meaning: str = "",
    error: str = "",
    signed: bool = False,
) -> Annotation:
    """Return a whole number that is shown in the line of its parent; the octets are there."""
    value = int.from_bytes(octets[position : position + width], "big", signed=signed)
    return Annotation(position, position + width, name, kind, value, meaning, inline=True, error=error)
