"""The resolved model of 0-8, 0-9 and 0-9-1: safe names, elementary types, known directions.

Templates are rendered from it. Sequences keep the order of the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..problem import Position
from .class_grammar import EMPTY, Automaton, Production
from .field_types import WireType
from .raw import RawSource
from .wire import Conduct, Dialect, Profile, WireVersion


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant.

    Attributes:
        name: As in the specification, hyphens for blanks.
        identifier: ``FRAME_METHOD``.
        class_name: ``FrameMethod``.
        value: The number.
        error: ``soft`` (closes a channel), ``hard`` (closes a connection) or empty.
        is_reply_code: True for values of reply-code fields.
        label: A short name for people.
    """

    name: str
    identifier: str
    class_name: str
    value: int
    error: str
    is_reply_code: bool
    label: str
    doc: str
    position: Position


@dataclass(frozen=True, slots=True)
class Assert:
    """A check on a value.

    Attributes:
        check: ``notnull``, ``null``, ``length``, ``regexp``, ``enum``, ``ne``, ``le`` or ``syntax``.
        number: The bound of ``length`` and ``ne``, else 0.
        text: The pattern of ``regexp`` or the name of a ``syntax``.
        values: The names of an ``enum``, in order.
        method: For ``le``: the class name of the method that holds the bound.
        field: For ``le``: the identifier of the field that is the bound.
        origin: ``domain NAME`` or ``field``.
    """

    check: str
    number: int
    text: str
    values: tuple[str, ...]
    method: str
    field: str
    origin: str
    position: Position


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in words.

    Attributes:
        path: ``class.method.field/rule``, ``class/rule`` or ``domain/rule``; unique.
        name: The last part of the path; a number where the file names no rules.
        label: A short name, or empty.
        text: What it demands.
        levels: The level words in order: MUST, MUST NOT, SHOULD, SHOULD NOT, MAY, MAY NOT.
        actor: Who must obey it: ``server``, ``client``, ``peer`` or ``other``.
        on_failure: The name of the constant that reports a violation, or empty.
        scenario: How to test it, or None.
        test: The name or text of 0-8's test, or None.
    """

    path: str
    name: str
    label: str
    text: str
    levels: tuple[str, ...]
    actor: str
    on_failure: str
    scenario: str | None
    test: str | None
    position: Position


@dataclass(frozen=True, slots=True)
class Domain:
    """A named type. ``declared`` is False for elementary types that the file uses without declaring."""

    name: str
    identifier: str
    class_name: str
    type: WireType
    declared: bool
    label: str
    doc: str
    asserts: tuple[Assert, ...]
    rules: tuple[Rule, ...]
    position: Position


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a method, or a content property.

    Attributes:
        name: As in the specification, hyphens for blanks.
        identifier: The attribute name in Python.
        local: A name for a local variable that does not clash with the decoder's own.
        aliases: Other attribute names for it.
        domain: The domain it is declared with, or empty when it has a type.
        type: The elementary type after resolution.
        reserved: True when peers must send its zero value.
        default: The default of the constructor where it is not the zero value of the type, else None.
        required: True when a constructor has no default for it.
        label: A short name for people.
        asserts: The checks of its domain, then its own.
        rules: Its own rules (not those of the domain).
        is_text: True of a long string that is text, or that other libraries give as ``str``.
    """

    name: str
    identifier: str
    local: str
    aliases: tuple[str, ...]
    domain: str
    type: WireType
    reserved: bool
    label: str
    doc: str
    asserts: tuple[Assert, ...]
    rules: tuple[Rule, ...]
    position: Position
    default: bool | int | str | None = None
    required: bool = False
    is_text: bool = False


@dataclass(frozen=True, slots=True)
class Property:
    """A content property: a field, and the flag that tells whether it is present.

    Attributes:
        word: Which flag word holds its flag, from 0.
        mask: The bit in that word, 0x8000 for the first property down to 0x0002 for the fifteenth.
    """

    field: Field
    word: int
    mask: int


@dataclass(frozen=True, slots=True)
class Chassis:
    """A requirement: ``actor`` (client or server) MUST, SHOULD or MAY accept the method or class."""

    actor: str
    level: str


@dataclass(frozen=True, slots=True)
class Method:
    """A method.

    Attributes:
        name: ``declare``.
        full_name: ``queue.declare``.
        class_name: ``QueueDeclare``.
        function_name: ``queue_declare``.
        class_index: The index of its class.
        index: Its own index.
        synchronous: As marked in the file.
        has_content: True when a content header and body frames follow.
        deprecated: As marked in the file.
        chassis: Which peer must, should or may accept it.
        sent_by: ``client``, ``server`` or both: the opposite of the peers that accept it.
        responses: Class names of the methods that may reply.
        fields: All fields in wire order, reserved ones too.
        label: A short name for people.
        doc: What it does.
        rules: Its own rules (not those of its fields).
    """

    name: str
    full_name: str
    class_name: str
    function_name: str
    class_index: int
    index: int
    synchronous: bool
    has_content: bool
    deprecated: bool
    chassis: tuple[Chassis, ...]
    sent_by: tuple[str, ...]
    responses: tuple[str, ...]
    fields: tuple[Field, ...]
    label: str
    doc: str
    rules: tuple[Rule, ...]
    position: Position

    @property
    def arguments(self) -> tuple[Field, ...]:
        """The fields a user sets: all but the reserved ones."""
        return tuple(field for field in self.fields if not field.reserved)

    @property
    def key(self) -> int:
        """``class index << 16 | method index``: the first four octets of a method payload."""
        return self.class_index << 16 | self.index


@dataclass(frozen=True, slots=True)
class Class:
    """A class of methods.

    Attributes:
        name: ``basic``.
        identifier: ``basic``, the name of its module.
        class_name: ``Basic``.
        index: Its number.
        handler: The class that handles it (``connection`` or ``channel``).
        grammars: The productions as written.
        chassis: Which peer must, should or may support it.
        properties: Content properties; empty when no method carries content or it declares none.
        methods: In file order.
        label: A short name for people.
        doc: What it is for.
        productions: The parsed grammars; empty when it has none, or one that cannot be used.
        automaton: Which methods may come next: by its grammar, and by its methods where that is silent.
    """

    name: str
    identifier: str
    class_name: str
    index: int
    handler: str
    grammars: tuple[str, ...]
    chassis: tuple[Chassis, ...]
    properties: tuple[Property, ...]
    methods: tuple[Method, ...]
    label: str
    doc: str
    rules: tuple[Rule, ...]
    position: Position
    productions: tuple[Production, ...] = ()
    automaton: Automaton = EMPTY

    @property
    def has_content(self) -> bool:
        """True when a content header may name this class."""
        return bool(self.properties) or any(method.has_content for method in self.methods)

    @property
    def flag_words(self) -> int:
        """The number of 16-bit words of property flags that a content header of this class may need."""
        return max((entry.word for entry in self.properties), default=0) + 1


@dataclass(frozen=True, slots=True)
class Spec:
    """A resolved 0-x specification.

    Attributes:
        version: ``0-8``, ``0-8-rabbitmq``, ``0-9``, ``0-9-1``, ``0-9-1-rabbitmq``.
        title: The name for people.
        package: The default name of the generated package.
        major: The attribute of the root element.
        minor: The attribute of the root element.
        revision: The attribute of the root element; 0 where absent.
        port: The TCP port.
        sources: The files it was read from.
        wire: Headers and frame types of the version.
        dialect: The default field-table dialect.
        dialects: Every dialect, in file order.
        lenient: Letter to kind of value, for lenient readers whose dialect lacks the letter.
        profiles: Assert profiles of brokers.
        conduct: What methods do to connections and channels.
        constants: In file order.
        domains: Declared ones in file order, then undeclared elementary types in use.
        classes: In file order.
    """

    version: str
    title: str
    package: str
    major: int
    minor: int
    revision: int
    port: int
    sources: tuple[RawSource, ...]
    wire: WireVersion
    dialect: Dialect
    dialects: tuple[Dialect, ...]
    lenient: Mapping[str, str]
    profiles: tuple[Profile, ...]
    conduct: Conduct
    constants: tuple[Constant, ...]
    domains: tuple[Domain, ...]
    classes: tuple[Class, ...]

    @property
    def methods(self) -> Iterator[Method]:
        """Every method of every class, in file order."""
        return (method for entry in self.classes for method in entry.methods)

    @property
    def content_classes(self) -> tuple[Class, ...]:
        """The classes that a content header may name."""
        return tuple(entry for entry in self.classes if entry.has_content)

    @property
    def rules(self) -> Iterator[Rule]:
        """Every rule: of domains, classes, properties, methods and fields, in file order."""
        for domain in self.domains:
            yield from domain.rules
        for class_ in self.classes:
            yield from class_.rules
            for entry in class_.properties:
                yield from entry.field.rules
            for method in class_.methods:
                yield from method.rules
                for field in method.fields:
                    yield from field.rules

    def constant(self, name: str) -> Constant | None:
        """Return the constant of that name, or None."""
        return next((constant for constant in self.constants if constant.name == name), None)
