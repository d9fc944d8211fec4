"""The resolved model of AMQP 1.0: safe names, types followed to their primitives, parsed values.

Templates are rendered from it. Sequences keep the order of the files. Types and rules are defined in
``types`` and exported here too. ``Wire`` holds what the files do not state: the ``amqp-1-0`` table of
``specs/wire.toml``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ..amqp0.raw import RawSource
from ..problem import Position
from .types import (
    Choice,
    Composite,
    Default,
    Descriptor,
    Encoding,
    Field,
    Kind,
    NamedType,
    Primitive,
    Restricted,
    Rule,
    Type,
    TypeReference,
    Union,
    Value,
)


@dataclass(frozen=True, slots=True)
class HeaderLayout:
    """A protocol header.

    Attributes:
        id: The octet after ``AMQP``.
        version: The names of the three constants whose values follow.
    """

    id: int
    version: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WireMapRule:
    """A rule about the entries of a map type, or of a field that is a map, in a form that a program can check.

    Attributes:
        path: The path of the rule: ``annotations/key-types``, which the types derived from that type obey, too; or
            ``attach.unsettled/no-null-keys``.
        keys: The types of keys; empty for any.
        excluded_keys: The types that keys do not have.
        prefix: How keys begin that are not reserved; empty if none are.
        excluded: The types that values do not have; ``described`` stands for all with a descriptor.
        types: The types of which a value has one; empty for any.
        provides: The archetype that a value provides, unless it is null; empty for any value.
        type: The type with a descriptor that a value has, unless it is null; empty for any.
        entry: The only key that the rule is about; empty for all of them.
    """

    path: str
    keys: tuple[str, ...] = ()
    excluded_keys: tuple[str, ...] = ()
    prefix: str = ""
    excluded: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    provides: str = ""
    type: str = ""
    entry: str = ""


@dataclass(frozen=True, slots=True)
class WireFieldRule:
    """A rule about a field, in a form that a program can check on the composite alone.

    Attributes:
        path: The path of the rule, ``open.max-frame-size/accept-minimum``; or ``delivery-tag/at-most-32-octets``, which
            all fields of that type obey.
        least: The least value: a number, or the name of a definition that is one; None for any.
        most_octets: The most octets of a value; 0 for any number.
        excluded: Values that are not allowed.
        needs: The field that must be set where this one is; empty for none.
        required_by: The field that requires this one if it has ``value``; empty for none.
        value: What the other field must be; None if any value will do.
        body: The section that the body of the message consists of if this field is set; empty for any.
    """

    path: str
    least: int | str | None = None
    most_octets: int = 0
    excluded: tuple[str, ...] = ()
    needs: str = ""
    required_by: str = ""
    value: int | bool | str | None = None
    body: str = ""


@dataclass(frozen=True, slots=True)
class WireNames:
    """The names of a specification that extends the standard's.

    Attributes:
        version: ``1.0-rabbitmq``.
        title: The name for people.
        package: The default name of the generated package.
    """

    version: str
    title: str
    package: str


@dataclass(frozen=True, slots=True)
class Wire:
    """The wire facts of AMQP 1.0.

    Attributes:
        headers: Layer (``amqp``, ``tls``, ``sasl``) to its protocol header.
        frames: What a frame carries (``amqp``, ``sasl``) to its type code.
        map_rules: What rules state about the entries of maps.
        field_rules: What rules state about fields.
        names: The names of a specification that has a part, by that part.
    """

    headers: Mapping[str, HeaderLayout]
    frames: Mapping[str, int]
    map_rules: tuple[WireMapRule, ...]
    field_rules: tuple[WireFieldRule, ...]
    names: Mapping[str, WireNames]


__all__ = [
    "Archetype",
    "Choice",
    "Composite",
    "Default",
    "Definition",
    "Descriptor",
    "Encoding",
    "Field",
    "Kind",
    "NamedType",
    "Part",
    "Primitive",
    "Restricted",
    "Rule",
    "Section",
    "Spec",
    "Type",
    "TypeReference",
    "Union",
    "Value",
    "WireFieldRule",
    "WireMapRule",
    "WireNames",
]


@dataclass(frozen=True, slots=True)
class Archetype:
    """A role that types provide and fields require.

    Attributes:
        name: ``delivery-state``.
        class_name: ``DeliveryState``, the name of the union of its providers. ``Any`` is put before a name
            that a type or every package has already: ``AnySource``, ``AnyTarget``, ``AnyTxnCapability``,
            ``AnyFrame``.
        providers: The types that provide it, in file order; empty for ``global-tx-id``.
        required_by: The fields that require it, as ``type.field``; empty for ``frame``, ``section`` ...
    """

    name: str
    class_name: str
    providers: tuple[TypeReference, ...]
    required_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Definition:
    """A constant.

    Attributes:
        name: ``SECURE-PORT``; unique in its section only.
        identifier: ``SECURE_PORT``; unique in the specification: the later of two with the same name gets
            the name of its section as a prefix.
        value: A number, or the text if it is not a number.
        part: The name of its part.
        section: The name of its section.
        label: A short name for people.
    """

    name: str
    identifier: str
    value: int | str
    part: str
    section: str
    label: str
    doc: str
    position: Position


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a part.

    Attributes:
        name: ``message-format``.
        title: A longer name for people, or empty.
        label: A short name for people.
        doc: What it is about.
        part: The name of its part.
        types: Its types in file order.
        definitions: Its constants in file order.
        rules: Its own rules (not those of its types).
    """

    name: str
    title: str
    label: str
    doc: str
    part: str
    types: tuple[Type, ...]
    definitions: tuple[Definition, ...]
    rules: tuple[Rule, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Part:
    """One file of the specification.

    Attributes:
        name: ``transport``.
        module: The name of the Python module for its types: ``types`` for ``types``, ``performatives``
            for ``transport``, ``messaging``, ``transactions``, ``sasl`` for ``security``; for any other
            part its own name, made safe. It is unique, and never a module that every package has.
        label: A short name for people.
        doc: What it is about.
        sections: In file order.
        rules: Its own rules (not those of its sections).
    """

    name: str
    module: str
    label: str
    doc: str
    sections: tuple[Section, ...]
    rules: tuple[Rule, ...]
    position: Position

    @property
    def types(self) -> tuple[Type, ...]:
        """Every type of the part, in file order."""
        return tuple(type_ for section in self.sections for type_ in section.types)

    @property
    def definitions(self) -> tuple[Definition, ...]:
        """Every constant of the part, in file order."""
        return tuple(definition for section in self.sections for definition in section.definitions)


@dataclass(frozen=True)
class Spec:
    """A resolved 1.0 specification.

    Attributes:
        version: ``1.0``.
        title: The name for people.
        package: The default name of the generated package.
        sources: The files it was read from.
        parts: One for each file, in order.
        archetypes: All that are provided or required, in the order of their first mention.
    """

    version: str
    title: str
    package: str
    sources: tuple[RawSource, ...]
    parts: tuple[Part, ...]
    archetypes: tuple[Archetype, ...]

    @property
    def types(self) -> tuple[Type, ...]:
        """Every type, in order; the properties below select one class of types."""
        return tuple(type_ for part in self.parts for type_ in part.types)

    @property
    def primitives(self) -> tuple[Primitive, ...]:
        """Every primitive type."""
        return tuple(type_ for type_ in self.types if isinstance(type_, Primitive))

    @property
    def restricted_types(self) -> tuple[Restricted, ...]:
        """Every restricted type."""
        return tuple(type_ for type_ in self.types if isinstance(type_, Restricted))

    @property
    def enumerations(self) -> tuple[Restricted, ...]:
        """Every restricted type with its own choices."""
        return tuple(type_ for type_ in self.restricted_types if type_.choices)

    @property
    def composites(self) -> tuple[Composite, ...]:
        """Every composite type."""
        return tuple(type_ for type_ in self.types if isinstance(type_, Composite))

    @property
    def unions(self) -> tuple[Union, ...]:
        """Every type of the class ``union``."""
        return tuple(type_ for type_ in self.types if isinstance(type_, Union))

    @property
    def described_types(self) -> tuple[Composite | Restricted, ...]:
        """Every type that has a descriptor."""
        return tuple(
            type_ for type_ in self.types if isinstance(type_, (Composite, Restricted)) and type_.descriptors
        )

    @property
    def encodings(self) -> tuple[Encoding, ...]:
        """Every encoding of every primitive type."""
        return tuple(encoding for primitive in self.primitives for encoding in primitive.encodings)

    @property
    def definitions(self) -> tuple[Definition, ...]:
        """Every constant."""
        return tuple(definition for part in self.parts for definition in part.definitions)

    @property
    def rules(self) -> Iterator[Rule]:
        """Every rule: of parts, sections, types, fields and choices, in order."""
        for part in self.parts:
            yield from part.rules
            for section in part.sections:
                yield from section.rules
                for type_ in section.types:
                    yield from type_.rules
                    inner: tuple[Field | Choice, ...] = ()
                    if isinstance(type_, Composite):
                        inner = type_.fields
                    elif isinstance(type_, Restricted):
                        inner = type_.choices
                    for entry in inner:
                        yield from entry.rules

    def part(self, name: str) -> Part | None:
        """Return the part of that name, or None."""
        return next((part for part in self.parts if part.name == name), None)

    def type(self, name: str) -> Type | None:
        """Return the type of that name, or None."""
        return self._types_by_name.get(name)

    def choices(self, name: str) -> tuple[Choice, ...]:
        """Return the choices of a type, its own or those of the type that it restricts."""
        kind = self.type(name)
        return kind.choices or self.choices(kind.source.name) if isinstance(kind, Restricted) else ()

    @cached_property
    def _types_by_name(self) -> Mapping[str, Type]:
        return {type_.name: type_ for type_ in reversed(self.types)}  # the first of a name stays

    @cached_property
    def recursive_types(self) -> frozenset[str]:
        """The names of the types whose values hold values of the same type, directly or within others."""
        held = {type_.name: self._held_types(type_) for type_ in self.types}
        return frozenset(name for name in held if name in _reached(name, held))

    def _held_types(self, type_: Type) -> frozenset[str]:
        """Return the names of the types of which a value may hold values itself."""
        references: tuple[TypeReference, ...] = ()
        if isinstance(type_, Composite):
            references = tuple(own for field in type_.fields for own in (field.type, *field.providers))
        elif isinstance(type_, Restricted):
            references = (type_.source,)
        elif isinstance(type_, Union):
            references = type_.members
        return frozenset(reference.name for reference in references)

    def archetype(self, name: str) -> Archetype | None:
        """Return the archetype of that name, or None."""
        return next((archetype for archetype in self.archetypes if archetype.name == name), None)

    def definition(self, name: str) -> Definition | None:
        """Return the first constant of that name, or None."""
        return next((definition for definition in self.definitions if definition.name == name), None)


def _reached(name: str, held: Mapping[str, frozenset[str]]) -> set[str]:
    """Return the names that follow from one by any number of steps, but at least one."""
    found: set[str] = set()
    pending = [name]
    while pending:
        new = held.get(pending.pop(), frozenset()) - found
        found |= new
        pending.extend(new)
    return found
