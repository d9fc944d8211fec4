r"""The raw model of a 0-8, 0-9 or 0-9-1 file: element by element, nothing resolved.

Names are kept as written (0-8 has blanks in them), sequences in file order. In texts, white space is
folded and ``\n\n`` separates paragraphs. Every record has its ``position`` in the file. The ``origin``
of what an overlay added or replaced is the overlay's reason and source, else it is empty.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..problem import Position
from .class_grammar import Production


@dataclass(frozen=True, slots=True)
class RawAssert:
    """An ``assert`` element: one check on the value of a field or domain.

    Attributes:
        check: ``notnull``, ``null``, ``length``, ``regexp``, ``enum``, ``ne``, ``le`` or ``syntax``.
        value: The ``value`` attribute: a number for ``length`` and ``ne``, a pattern for ``regexp``.
        method: For ``le``: the method whose field is the bound.
        field: For ``le``: the field that is the bound.
        rule: For ``syntax``: the name of the syntax.
        values: For ``enum``: the names of the ``value`` children.
        value_labels: For ``enum``: the meaning of each value, or empty strings.
    """

    check: str
    value: str
    method: str
    field: str
    rule: str
    values: tuple[str, ...]
    position: Position
    value_labels: tuple[str, ...] = ()
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RawRule:
    """A ``rule`` element, or 0-8's ``doc name="rule"``.

    Attributes:
        name: The ``name`` attribute; empty in 0-8, whose rules have none.
        label: The ``label`` attribute; empty where the file has none.
        text: What the rule demands.
        level: 0-8's ``implement`` attribute; empty elsewhere, where the level is in the text.
        on_failure: The constant that reports a violation, or empty.
        scenario: How to test it, or None where the rule has no scenario.
        test: 0-8's ``test`` attribute, or its children joined by blanks, or None.
    """

    name: str
    label: str
    text: str
    level: str
    on_failure: str
    scenario: str | None
    test: str | None
    position: Position
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RawChassis:
    """A ``chassis`` element: ``name`` (client or server) must, should or may accept the method."""

    name: str
    implement: str
    position: Position
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RawResponse:
    """A ``response`` element: the name of a method of the same class that may answer."""

    name: str
    position: Position
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RawField:
    """A ``field`` of a method, or a content property of a class.

    Exactly one of ``type`` and ``domain`` is written; the other is empty.

    Attributes:
        type: The elementary type, or empty.
        domain: The domain, or empty.
        reserved: True for ``reserved="1"``.
        required: The ``required`` attribute as written, or None.
        doc: The plain ``doc`` children joined.
        see: The ``name`` of each ``see`` child.
        test: 0-8's ``test`` children joined by blanks, or None.
    """

    name: str
    type: str
    domain: str
    reserved: bool
    required: bool | None
    label: str
    doc: str
    see: tuple[str, ...]
    asserts: tuple[RawAssert, ...]
    rules: tuple[RawRule, ...]
    position: Position
    test: str | None = None
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RawMethod:
    """A ``method`` of a class.

    ``test`` is the ``test`` attribute of its doc: 0-8's basic.cancel has one, no other method.
    """

    name: str
    index: int
    synchronous: bool
    content: bool
    deprecated: bool
    label: str
    doc: str
    chassis: tuple[RawChassis, ...]
    responses: tuple[RawResponse, ...]
    fields: tuple[RawField, ...]
    rules: tuple[RawRule, ...]
    position: Position
    test: str | None = None
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RawClass:
    """A ``class``; its ``fields`` are the content properties.

    ``grammars`` keep their line breaks; ``productions`` are parsed from them, empty if one cannot be read.
    """

    name: str
    index: int
    handler: str
    label: str
    doc: str
    grammars: tuple[str, ...]
    chassis: tuple[RawChassis, ...]
    fields: tuple[RawField, ...]
    methods: tuple[RawMethod, ...]
    rules: tuple[RawRule, ...]
    position: Position
    origin: str = ""
    productions: tuple[Production, ...] = ()


@dataclass(frozen=True, slots=True)
class RawDomain:
    """A ``domain``: a named restriction of an elementary type."""

    name: str
    type: str
    label: str
    doc: str
    asserts: tuple[RawAssert, ...]
    rules: tuple[RawRule, ...]
    position: Position
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RawConstant:
    """A ``constant``; ``error_class`` is ``soft-error``, ``hard-error`` or empty (blanks become hyphens)."""

    name: str
    value: int
    error_class: str
    label: str
    doc: str
    position: Position
    origin: str = ""


@dataclass(frozen=True, slots=True)
class RawSource:
    """A file of a specification: its base name and the sha256 of its bytes."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class RawSpec:
    """A whole 0-x specification as written, overlays merged.

    Attributes:
        revision: Root attribute ``revision``; 0 where absent.
        port: Root attribute ``port``; 0 where absent.
        comment: Root attribute ``comment``; empty where absent.
        label: Root label; empty where absent.
        sources: The spec file first, then its overlays in order.
        version: The name of the version in the table of known versions, for example ``0-9-1``.
    """

    major: int
    minor: int
    revision: int
    port: int
    comment: str
    label: str
    sources: tuple[RawSource, ...]
    constants: tuple[RawConstant, ...]
    domains: tuple[RawDomain, ...]
    classes: tuple[RawClass, ...]
    position: Position
    version: str = ""
