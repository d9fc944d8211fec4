"""Values of AMQP 1.0 as the vectors state them: each says of which type it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value of a primitive type that holds no others.

    Attributes:
        type: ``uint``, ``symbol`` ...
        content: None for null; a bool; an int for the integers, timestamps and characters; a str for strings
            and symbols; bytes for binaries, and for UUIDs, floating point numbers and decimals the octets of
            their standard.
    """

    type: str
    content: bool | int | str | bytes | None


@dataclass(frozen=True, slots=True)
class List:
    """A list."""

    items: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Map:
    """A map: keys and values, in order."""

    entries: tuple[tuple[Value, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class Array:
    """An array.

    Attributes:
        of: The name of the primitive type of its elements, without their descriptors: ``list`` for composites.
        items: Its elements, without their descriptors; those of composites are ``CompositeValue`` all the same.
        descriptors: What they are described with, the outermost first; mostly nothing.
    """

    of: str
    items: tuple[Value, ...] = ()
    descriptors: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Described:
    """A value with a descriptor that the specification gives to none of its types."""

    descriptor: Value
    value: Value


@dataclass(frozen=True, slots=True)
class CompositeValue:
    """A value of a composite type.

    Attributes:
        type: The name of the type: ``open``.
        fields: By name, those that hold a value; several values in a tuple.
    """

    type: str
    fields: Mapping[str, Value | tuple[Value, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RestrictedValue:
    """A value of a restricted type that has a descriptor: ``data``, ``footer`` ..."""

    type: str
    value: Value


Value: TypeAlias = "Scalar | List | Map | Array | Described | CompositeValue | RestrictedValue"

NULL = Scalar("null", None)
TRUE = Scalar("boolean", True)
FALSE = Scalar("boolean", False)


def string(text: str) -> Scalar:
    """A string."""
    return Scalar("string", text)


def symbol(text: str) -> Scalar:
    """A symbol."""
    return Scalar("symbol", text)


def uint(number: int) -> Scalar:
    """A uint."""
    return Scalar("uint", number)


def ulong(number: int) -> Scalar:
    """A ulong."""
    return Scalar("ulong", number)
