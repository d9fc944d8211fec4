"""The layout of fields, and the archetypes that the types of their values must provide."""

from typing import Any, NamedTuple

from ._containers import TYPE_NAMES
from ._scalar_writer import write_ulong
from ._value_writer import SCALARS, ScalarWriter
from .constants import ENCODINGS


class Archetype:
    """An archetype, or several of which one is enough.

    Classes of types with a descriptor list what they provide; the other types are listed here.

    Attributes:
        names: The names of the archetypes.
        types: The names of the primitive types that carry a provider without a descriptor.
        codes: The format codes of these types.
        writers: Python type to the function that writes its values as one of these types.
        members: Symbol to member of an enum, for the enums that provide it.
    """

    __slots__ = ("codes", "members", "names", "types", "writers")

    def __init__(self, names: tuple[str, ...], types: tuple[str, ...] = ()) -> None:
        self.names = frozenset(names)
        self.types = types
        self.codes = frozenset(code for code, encoding in ENCODINGS.items() if encoding.type in types)
        self.writers: dict[type[Any], ScalarWriter] = {
            kind: write for kind, write in SCALARS.items() if write is not None and TYPE_NAMES[kind] in types
        }
        if "ulong" in types and "long" not in types:
            self.writers[int] = write_ulong
        self.members: dict[str, str] = {}

    def __str__(self) -> str:
        return " or ".join(sorted(self.names))


class FieldLayout(NamedTuple):
    """One field of a composite type.

    Attributes:
        name: As in the specification: ``max-frame-size``.
        attribute: The attribute of the Python class.
        type: The name of its type: ``milliseconds``, ``error``, ``*``.
        primitive: The name of the primitive type that carries it: ``uint``; empty when there may be several,
            or when a descriptor stands before it.
        mandatory: True when there must be a value.
        multiple: True when there may be several values.
        archetype: What the type of its value must provide, if anything.
        values: The values it can have, if they are enumerated.
        default: The value when nothing is sent, if there is one.
    """

    name: str
    attribute: str
    type: str
    primitive: str
    mandatory: bool = False
    multiple: bool = False
    archetype: Archetype | None = None
    values: frozenset[Any] | None = None
    default: Any = None

    def choices(self) -> str:
        """Return the values it can have, for messages."""
        return ", ".join(str(each.value) for each in sorted(self.values or ()))
