r"""The raw model of the files of an AMQP 1.0 specification: element by element, nothing resolved.

A specification consists of any number of files, called parts as in the standard. Names and values are
kept as written, sequences in file order. Every record has its ``position`` in a file. The ``origin`` of
what an overlay added or replaced is the overlay's reason and source, else it is empty.

The markup of texts (``doc``) is turned into plain paragraphs, separated by ``\n\n``, as
``reader/amqp1/markup.py`` describes.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..amqp0.raw import RawSource
from ..problem import Position


@dataclass(frozen=True, slots=True)
class RawRule:
    """A ``rule`` element, which we add to the schema of the standard: one demand of its text.

    Attributes:
        name: Unique within its parent.
        section: The number of the section of the standard that states it, for example ``2.7.1``.
        text: What it demands.
        on_failure: The error condition that reports a violation, or empty.
        scenario: How to test it, or None where the rule has no scenario.
    """

    name: str
    label: str
    section: str
    text: str
    on_failure: str
    scenario: str | None
    position: Position
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RawEncoding:
    """An ``encoding`` of a primitive type.

    Attributes:
        name: Empty for many types: their main encoding has none.
        code: The format code, one octet.
        category: ``fixed``, ``variable``, ``compound`` or ``array``.
        width: Octets of the data, or of each of its size and count; None if the file omits it.
    """

    name: str
    code: int
    category: str
    width: int | None
    label: str
    doc: str
    position: Position
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RawDescriptor:
    """A ``descriptor``: a symbol, a number (``domain << 32 | id``) or both; at least one is given."""

    name: str
    code: int | None
    doc: str
    position: Position
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RawField:
    """A ``field`` of a composite type.

    Attributes:
        type: The name of its type; ``*`` for any type, also if the file omits it.
        requires: The archetypes of which its type must provide one; empty if there is no such demand.
        default: The value if none is sent, as written, or None.
        mandatory: Whether a value must be sent.
        multiple: Whether several values may be sent.
    """

    name: str
    type: str
    requires: tuple[str, ...]
    default: str | None
    mandatory: bool
    multiple: bool
    label: str
    doc: str
    rules: tuple[RawRule, ...]
    position: Position
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RawChoice:
    """A ``choice`` of a restricted type: a name for one of its values, the value as written."""

    name: str
    value: str
    label: str
    doc: str
    rules: tuple[RawRule, ...]
    position: Position
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RawType:
    """A ``type``; its class decides which attributes are used.

    Attributes:
        type_class: ``primitive``, ``composite``, ``restricted`` or ``union``.
        source: The type it is made of: ``list`` for a composite type even if the file omits it, any type
            or ``*`` for a restricted type; empty for others.
        provides: The archetypes it provides.
        encodings: Of a primitive type.
        descriptors: Of a composite or restricted type; the first is the one to send.
        fields: Of a composite type.
        choices: Of a restricted type.
    """

    name: str
    type_class: str
    source: str
    provides: tuple[str, ...]
    label: str
    doc: str
    encodings: tuple[RawEncoding, ...]
    descriptors: tuple[RawDescriptor, ...]
    fields: tuple[RawField, ...]
    choices: tuple[RawChoice, ...]
    rules: tuple[RawRule, ...]
    position: Position
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RawDefinition:
    """A ``definition``: a named constant, its value as written."""

    name: str
    value: str
    label: str
    doc: str
    position: Position
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RawSection:
    """A ``section`` of a part."""

    name: str
    title: str
    label: str
    doc: str
    types: tuple[RawType, ...]
    definitions: tuple[RawDefinition, ...]
    rules: tuple[RawRule, ...]
    position: Position
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RawPart:
    """One file, named by its root element."""

    name: str
    label: str
    doc: str
    sections: tuple[RawSection, ...]
    rules: tuple[RawRule, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class RawSpec:
    """A whole 1.0 specification as written, overlays merged.

    Attributes:
        parts: One for each file, in reading order.
        sources: The files of the specification first, then its overlays, in order.
        version: Always ``1.0``: the files do not say it.
    """

    parts: tuple[RawPart, ...]
    sources: tuple[RawSource, ...]
    version: str = "1.0"

    @property
    def types(self) -> tuple[RawType, ...]:
        """Every type of every part, in order."""
        return tuple(type_ for part in self.parts for section in part.sections for type_ in section.types)
