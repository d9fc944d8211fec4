r"""What the files of an AMQP 1.0 specification say, element by element, nothing resolved.

One specification is made of any number of files, here called parts as in the standard. Names and
values are kept as written. Every record knows where it stands; what an overlay added or replaced
also knows why: its ``origin`` is the overlay's reason and source, else empty.

Texts (``doc``) have their markup turned into plain words: paragraphs, with white space folded, are
parted by ``\n\n``; an item of a list is a paragraph that begins with ``- `` or ``1. ``, two blanks
deeper for each list it is nested in; an entry of a definition list reads ``term: description``. Only
pictures keep their line breaks, and every line of one is indented by four blanks.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..amqp0.raw import RawSource
from ..problem import Position


@dataclass(frozen=True, slots=True)
class RawRule:
    """A ``rule`` element, our addition to the grammar of the standard: one demand of its text.

    Attributes:
        name: Unique within its parent.
        label: A short name for people.
        section: The number of the section of the standard that states it, for example ``2.7.1``.
        text: What it demands.
        on_failure: The error condition that reports a violation, or empty.
        scenario: How to test it, or None where the rule has no scenario.
        position: Where it stands.
        origin: Why an overlay put it there, or empty.
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
        name: As written, or empty: the main encoding of a type often has none.
        code: The format code, one octet.
        category: ``fixed``, ``variable``, ``compound`` or ``array``.
        width: Octets of the data, or of each of its size and count; None where the file leaves it out.
        label: A short name for people.
        doc: What it is.
        position: Where it stands.
        origin: Why an overlay put it there, or empty.
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
    """A ``descriptor``: a symbol, a number (``domain << 32 | id``) or both; at least one is there."""

    name: str
    code: int | None
    doc: str
    position: Position
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RawField:
    """A ``field`` of a composite type.

    Attributes:
        name: As written.
        type: The name of its type; ``*``, also where the file leaves it out, for a value of any type.
        requires: The archetypes of which its type must provide one, in order; empty for no such demand.
        default: The value it has when none is sent, as written, or None.
        mandatory: Whether a value must be sent.
        multiple: Whether several values may be sent.
        label: A short name for people.
        doc: What it means.
        rules: In file order.
        position: Where it stands.
        origin: Why an overlay put it there, or empty.
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
    """A ``type``; which of its parts are there depends on its class.

    Attributes:
        name: As written.
        type_class: ``primitive``, ``composite``, ``restricted`` or ``union``.
        source: The type it is made of: ``list`` for a composite type even where the file leaves it out,
            any type or ``*`` for a restricted type; empty for others.
        provides: The archetypes it provides, in order.
        label: A short name for people.
        doc: What it means.
        encodings: Of a primitive type, in file order.
        descriptors: Of a composite or restricted type, in file order; the first is the one to send.
        fields: Of a composite type, in file order.
        choices: Of a restricted type, in file order.
        rules: In file order.
        position: Where it stands.
        origin: Why an overlay put it there, or empty.
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
    """A ``section`` of a part; types, definitions and rules in file order."""

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
    """One file: the name of its root, and its sections and rules in file order."""

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
        parts: One for each file, in the order the files were given.
        sources: The files of the specification first, then its overlays, in order.
        version: Always ``1.0``: the files do not say it.
    """

    parts: tuple[RawPart, ...]
    sources: tuple[RawSource, ...]
    version: str = "1.0"

    @property
    def types(self) -> tuple[RawType, ...]:
        """Every type of every part, in order."""
        return tuple(each for part in self.parts for section in part.sections for each in section.types)
