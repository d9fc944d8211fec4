"""The types of a resolved AMQP 1.0 specification, followed to their primitives, and its rules.

Types refer to each other by name, because a composite may contain itself. A ``TypeReference`` carries
what templates need most; ``Spec.type`` finds the type itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from ..problem import Position


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in words.

    Attributes:
        path: ``owner/name``, unique. The owner is a part (``transport``), a section (``performatives``),
            a type (``open``), a field of a type (``open.channel-max``) or a choice (``role.sender``).
        name: The last part of the path.
        label: A short name, or empty.
        section: The number of the section of the standard that states it, for example ``2.7.1``.
        text: What it demands.
        levels: The level words in order: MUST, MUST NOT, SHOULD, SHOULD NOT, MAY, MAY NOT.
        actor: Who must obey it: the first of sender, receiver, client, server, peer, partner, endpoint,
            container, coordinator, controller, resource, intermediary, broker, application and
            implementation that the text names, else ``other``.
        on_failure: The error condition that reports a violation, a symbol, or empty.
        scenario: How to test it, or None.
    """

    path: str
    name: str
    label: str
    section: str
    text: str
    levels: tuple[str, ...]
    actor: str
    on_failure: str
    scenario: str | None
    position: Position


# A choice or default in Python. Decimals and UUIDs are strings: ``1.5``, ``f81d4fae-7dec-...``.
Value: TypeAlias = bool | int | float | str


class Kind(Enum):
    """The kind of type that a reference names."""

    ANY = "any"
    PRIMITIVE = "primitive"
    RESTRICTED = "restricted"
    COMPOSITE = "composite"
    UNION = "union"


@dataclass(frozen=True, slots=True)
class Descriptor:
    """A descriptor, which precedes a value and names its type: a symbol, a number or both.

    Attributes:
        symbol: For example ``amqp:open:list``, or empty.
        code: ``domain << 32 | id``, or None. At least one of the two is given.
    """

    symbol: str
    code: int | None
    position: Position


@dataclass(frozen=True, slots=True)
class Encoding:
    """One way to write a primitive type.

    Attributes:
        name: For example ``smalluint``, or empty.
        identifier: Unique in the whole specification: ``UINT``, ``UINT_SMALLUINT``, ``FLOAT_IEEE_754``.
        type: The name of the primitive type.
        code: The format code.
        category: ``fixed``, ``variable``, ``compound`` or ``array``.
        width: Octets of the data (``fixed``: 0, 1, 2, 4, 8 or 16), or of its size, and of its count
            where it has one (``variable``, ``compound``, ``array``: 1 or 4).
        label: A short name for people.
        doc: What it is, or empty.
    """

    name: str
    identifier: str
    type: str
    code: int
    category: str
    width: int
    label: str
    doc: str
    position: Position


@dataclass(frozen=True, slots=True)
class TypeReference:
    """A type as a field or another type names it, with the facts that codecs need.

    Attributes:
        name: As in the specification: ``uint``, ``milliseconds``, ``error``; ``*`` for any type.
        kind: ``ANY`` for ``*``.
        class_name: The Python name of the type; empty for ``*``.
        primitive: The primitive that carries the value: ``uint`` for ``milliseconds``, ``list`` for a
            composite; empty for ``*``, for unions, and for restricted types whose source is ``*``.
        enumeration: The class name of the enum of its choices, its own or inherited; empty if there are
            none.
        open: True when values besides the choices may occur; False when there are no choices.
        described: True when a descriptor precedes the value.
        part: The name of the part that defines it; empty for ``*``.
    """

    name: str
    kind: Kind
    class_name: str
    primitive: str
    enumeration: str
    open: bool
    described: bool
    part: str


@dataclass(frozen=True, slots=True)
class Default:
    """The value of a field that is not sent.

    Attributes:
        text: As written: ``4294967295``, ``false``, ``mixed``.
        value: Parsed; for a choice, the value of the choice.
        enumeration: The class name of the enum it is a member of, or empty.
        member: The member of that enum, or empty.
        expression: Its Python source: ``4294967295``, ``False``, ``SenderSettleMode.MIXED``.
    """

    text: str
    value: Value
    enumeration: str
    member: str
    expression: str


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a composite type.

    Attributes:
        name: As in the specification.
        identifier: The attribute name in Python, unique within the type.
        local: A name for a local variable that does not clash with the codec's own.
        type: The declared type.
        mandatory: True when a value must be sent.
        multiple: True when several values may be sent: null, one value, or an array of them. With
            ``mandatory`` there must be at least one.
        default: Its value when nothing is sent, or None.
        requires: The archetypes of which its type must provide one; empty if there is no such demand. They
            occur with any ``type``: with ``symbol`` the providers are restricted symbols.
        providers: The types that provide one of ``requires``, in file order, each once.
        label: A short name for people.
    """

    name: str
    identifier: str
    local: str
    type: TypeReference
    mandatory: bool
    multiple: bool
    default: Default | None
    requires: tuple[str, ...]
    providers: tuple[TypeReference, ...]
    label: str
    doc: str
    rules: tuple[Rule, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Choice:
    """A named value of a restricted type.

    Attributes:
        name: As in the specification.
        identifier: The member name, ``SYS_PERM``; unique within the type.
        value: Parsed to the type's primitive.
        label: A short name for people.
    """

    name: str
    identifier: str
    value: Value
    label: str
    doc: str
    rules: tuple[Rule, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class NamedType:
    """The attributes of every type.

    Attributes:
        name: ``sender-settle-mode``; unique in the whole specification.
        identifier: ``sender_settle_mode``; keywords and builtins get a trailing underscore (``list_``).
        class_name: ``SenderSettleMode``; unique among types, archetypes and names of the package.
        provides: The archetypes it provides.
        part: The name of its part.
        section: The name of its section.
        label: A short name for people.
        rules: Its own rules (not those of its fields or choices).
    """

    name: str
    identifier: str
    class_name: str
    provides: tuple[str, ...]
    part: str
    section: str
    label: str
    doc: str
    rules: tuple[Rule, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Primitive(NamedType):
    """A primitive type: one of the 24 of the standard; its encodings in file order."""

    encodings: tuple[Encoding, ...]


@dataclass(frozen=True, slots=True)
class Restricted(NamedType):
    """A restricted type: some of the values of another one, with or without a descriptor.

    Attributes:
        source: The type it is derived from; ``*`` for a value of any type (``amqp-value``).
        chain: The names from ``source`` to the primitive: ``footer`` has ``annotations``, ``map``.
            Just ``*`` when the source is.
        primitive: The last of the chain; empty when that is ``*``.
        descriptors: Those to accept; empty for a type that looks like its source on the wire.
        choices: Its own choices; most types have none.
        enumeration: The class name of the enum that holds its choices or those it inherits, or empty.
        open: True when values besides the choices may occur: the type is a symbol and provides an
            archetype, which other types may provide as well. False when there are no choices.
        keys: The types of the keys of a map; empty for any.
        excluded: The types that the values of a map do not have; ``described`` stands for all with a descriptor.
    """

    source: TypeReference
    chain: tuple[str, ...]
    primitive: str
    descriptors: tuple[Descriptor, ...]
    choices: tuple[Choice, ...]
    enumeration: str
    open: bool
    keys: tuple[str, ...]
    excluded: tuple[str, ...]

    @property
    def descriptor(self) -> Descriptor | None:
        """The descriptor to send, or None."""
        return self.descriptors[0] if self.descriptors else None


@dataclass(frozen=True, slots=True)
class Composite(NamedType):
    """A composite type: a described list of fields.

    Attributes:
        descriptors: Those to accept, at least one; the first is the one to send.
        fields: In wire order.
    """

    descriptors: tuple[Descriptor, ...]
    fields: tuple[Field, ...]

    @property
    def descriptor(self) -> Descriptor:
        """The descriptor to send."""
        return self.descriptors[0]

    @property
    def is_performative(self) -> bool:
        """True for the body of an AMQP frame: it provides ``frame``."""
        return "frame" in self.provides

    @property
    def is_sasl_frame(self) -> bool:
        """True for the body of a SASL frame: it provides ``sasl-frame``."""
        return "sasl-frame" in self.provides


@dataclass(frozen=True, slots=True)
class Union(NamedType):
    """A type of the class ``union``, which the standard reserves but does not define.

    Attributes:
        members: The types that provide an archetype of its name, in file order. If there are none, the
            union stands for any type.
    """

    members: tuple[TypeReference, ...]


Type: TypeAlias = Primitive | Restricted | Composite | Union
