"""Encodes values by the model and the text of part 1 of the standard; small, slow and plain.

It knows nothing of templates and generated code, so that a fault of theirs shows when both are compared.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from ...model.amqp1.spec import Encoding, Field, Restricted, Spec, Type
from ...model.amqp1.types import Composite, Descriptor
from .values import (
    NULL,
    Array,
    CompositeValue,
    Described,
    List,
    Map,
    RestrictedValue,
    Scalar,
    Value,
    declared_value,
)

DESCRIBED = b"\x00"  # 1.2: opens the constructor of a value with a descriptor
SIGNED = frozenset(("byte", "short", "int", "long", "timestamp"))


@dataclass(frozen=True, slots=True)
class Compound:
    """The content of a list, map or array: how many items there are, and their octets."""

    count: int
    octets: bytes


Content: TypeAlias = Scalar | Compound


class ReferenceEncoder:
    """Encodes values of the types of a specification.

    Attributes:
        spec: The specification.
    """

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self._encodings = {each.name: each.encodings for each in spec.primitives}
        self._types = {each.name: each for each in spec.types}

    def encode(self, value: Value) -> bytes:
        """The shortest octets that stand for a value.

        A field that holds its default is null, and nulls at the end of a composite are left out (1.4).
        """
        if isinstance(value, Described):
            return DESCRIBED + self.encode(value.descriptor) + self.encode(value.value)
        if isinstance(value, (CompositeValue, RestrictedValue)):
            return self.descriptor(self._descriptor_of(value.type)) + self.encode(self._bare(value))
        content = self._content(value)
        return min((with_code(each, content) for each in self._fitting(value, content)), key=len)

    def encode_as(self, value: Value, encoding: Encoding) -> bytes:
        """The octets of a value in one of the encodings of its type: format code and data."""
        return with_code(encoding, self._content(value))

    def fitting(self, value: Value) -> list[Encoding]:
        """The encodings that can carry a value, in file order."""
        return self._fitting(value, self._content(value))

    def data(self, value: Value, encoding: Encoding) -> bytes:
        """What follows the format code."""
        return data_of(self._content(value), encoding)

    def descriptor(self, descriptor: Descriptor) -> bytes:
        """The start of a described value: the number if there is one, else the symbol."""
        return DESCRIBED + self.encode(descriptor_value(descriptor))

    def field_values(self, value: CompositeValue) -> tuple[Value, ...]:
        """The values of the fields of a composite in order, without nulls at the end."""
        kind = self.composite_type(value.type)
        values = [self.field_value(each, value.fields.get(each.name)) for each in kind.fields]
        while values and values[-1] == NULL:
            values.pop()
        return tuple(values)

    def field_value(self, field: Field, content: Value | tuple[Value, ...] | None) -> Value:
        """What a field is sent as: one of several values by itself, more of them in an array (1.4)."""
        if isinstance(content, tuple):
            if len(content) == 1:
                return content[0]
            return self.array_of(content) if content else NULL
        if content is None or holds_default(field, content):
            return NULL
        return content

    def array_of(self, items: tuple[Value, ...]) -> Array:
        """An array of values of one type."""
        first = items[0]
        if isinstance(first, (CompositeValue, RestrictedValue)):
            of = type_name(self._bare(first))
            return Array(of, items, (descriptor_value(self._descriptor_of(first.type)),))
        return Array(type_name(first), items)

    def composite_type(self, name: str) -> Composite:
        """The composite type of that name."""
        kind: Type = self._types[name]
        assert isinstance(kind, Composite), name
        return kind

    def _descriptor_of(self, name: str) -> Descriptor:
        kind = self._types[name]
        assert isinstance(kind, (Composite, Restricted)) and kind.descriptor is not None, name
        return kind.descriptor

    def _content(self, value: Value) -> Content:
        """What an encoding of the value's type has to carry."""
        if isinstance(value, Scalar):
            return value
        if isinstance(value, Array):
            return Compound(len(value.items), self._elements(value))
        items = [self.encode(each) for each in items_of(value)]
        return Compound(len(items), b"".join(items))

    def _fitting(self, value: Value, content: Content) -> list[Encoding]:
        return [each for each in self._encodings[type_name(value)] if fits(content, each)]

    def _elements(self, value: Array) -> bytes:
        """The constructor of all elements, and the data of each (1.2.4).

        The encoding is the narrowest that all elements fit. Not one without data, unless there is no other: they
        are legal, but some implementations refuse such arrays.
        """
        contents = [self._content(self._bare(item)) for item in value.items]
        encodings = self._encodings[value.of]
        wide = [each for each in encodings if each.width] or list(encodings)
        fitting = [each for each in wide if all(fits(content, each) for content in contents)]
        encoding = min(fitting, key=lambda each: each.width)
        descriptors = [self.encode(each) for each in value.descriptors]
        return array_elements(descriptors, encoding, [data_of(each, encoding) for each in contents])

    def _bare(self, value: Value) -> Value:
        """An element without its descriptor."""
        if isinstance(value, CompositeValue):
            return List(self.field_values(value))
        return value.value if isinstance(value, RestrictedValue) else value


def descriptor_value(descriptor: Descriptor) -> Scalar:
    """A descriptor as a value: its number if it has one."""
    if descriptor.code is None:
        return Scalar("symbol", descriptor.symbol)
    return Scalar("ulong", descriptor.code)


def array_elements(descriptors: Iterable[bytes], encoding: Encoding, data: Iterable[bytes]) -> bytes:
    """What follows the count of an array: one constructor for all elements, and the data of each (1.2.4)."""
    prefix = b"".join(DESCRIBED + each for each in descriptors)
    return prefix + bytes((encoding.code,)) + b"".join(data)


def sized(width: int, count: int, octets: bytes) -> bytes:
    """Size, count and octets; the size spans the count (1.4)."""
    return (width + len(octets)).to_bytes(width, "big") + count.to_bytes(width, "big") + octets


def items_of(value: List | Map | Described | CompositeValue | RestrictedValue | Array) -> tuple[Value, ...]:
    """The items of a list, or of a map: each key before its value (1.6.23)."""
    if isinstance(value, Map):
        return tuple(item for entry in value.entries for item in entry)
    assert isinstance(value, List), value
    return value.items


def type_name(value: Value) -> str:
    """The name of the primitive type of a value that has no descriptor."""
    if isinstance(value, Scalar):
        return value.type
    assert isinstance(value, (List, Map, Array)), value
    return type(value).__name__.lower()


def holds_default(field: Field, value: Value) -> bool:
    """Whether a value is the default of a field."""
    return field.default is not None and value == declared_value(field.type.primitive, field.default.value)


def with_code(encoding: Encoding, content: Content) -> bytes:
    """Format code and data."""
    return bytes((encoding.code,)) + data_of(content, encoding)


def fits(content: Content, encoding: Encoding) -> bool:
    """Whether an encoding can carry a content; the widths and names of encodings tell."""
    if isinstance(content, Scalar):
        return scalar_fits(content, encoding)
    if encoding.category == "fixed":  # list0
        return content.count == 0
    largest = (1 << 8 * encoding.width) - 1
    return content.count <= largest and encoding.width + len(content.octets) <= largest


def data_of(content: Content, encoding: Encoding) -> bytes:
    """What follows the format code."""
    if isinstance(content, Scalar):
        return scalar_data(content, encoding)
    if encoding.category == "fixed":
        return b""
    return sized(encoding.width, content.count, content.octets)


def scalar_fits(value: Scalar, encoding: Encoding) -> bool:
    """Whether an encoding can carry a scalar; the widths and names of encodings tell."""
    content, width = value.content, encoding.width
    if content is None:
        return True
    if isinstance(content, bool):
        return width == 1 or encoding.name == str(content).lower()
    if isinstance(content, int):
        if width == 0:
            return content == 0
        bits = 8 * width
        if value.type in SIGNED:
            return -(1 << bits - 1) <= content < 1 << bits - 1
        return 0 <= content < 1 << bits
    octets = text_octets(content)
    return len(octets) < 1 << 8 * width if encoding.category == "variable" else len(octets) == width


def scalar_data(value: Scalar, encoding: Encoding) -> bytes:
    """The data of a scalar: numbers with the highest octet first (1.2), a size before text and octets."""
    content, width = value.content, encoding.width
    if content is None or width == 0:
        return b""
    if isinstance(content, int):  # a boolean is one octet, 0 or 1 (1.6.2)
        return int(content).to_bytes(width, "big", signed=value.type in SIGNED)
    octets = text_octets(content)
    return len(octets).to_bytes(width, "big") + octets if encoding.category == "variable" else octets


def text_octets(content: str | bytes) -> bytes:
    """UTF-8 (1.6.20), which for symbols is ASCII (1.6.21)."""
    return content.encode() if isinstance(content, str) else content
