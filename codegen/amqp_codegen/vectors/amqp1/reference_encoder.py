"""A small, slow reference encoder, made from the model and the text of part 1 of the standard.

It is independent of templates and generated code, so that comparing the two shows their faults.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from ...model.amqp1.primitive_types import PRIMITIVE_TYPES
from ...model.amqp1.spec import Encoding, Field, Restricted, Spec, Type
from ...model.amqp1.types import Composite, Descriptor
from .values import (
    NULL,
    ArrayValue,
    CompositeValue,
    DescribedValue,
    ListValue,
    MapValue,
    RestrictedValue,
    Scalar,
    Value,
    declared_value,
)

DESCRIBED = b"\x00"  # 1.2: begins the constructor of a value with a descriptor


@dataclass(frozen=True, slots=True)
class Compound:
    """The content of a list, map or array: the number of its items, and their octets."""

    count: int
    octets: bytes


Content: TypeAlias = Scalar | Compound


class ReferenceEncoder:
    """An encoder of values of a specification's types."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self._encodings = {primitive.name: primitive.encodings for primitive in spec.primitives}
        self._types = {type_.name: type_ for type_ in spec.types}

    def encode(self, value: Value) -> bytes:
        """Return the shortest octets for a value.

        A field that holds its default is sent as null; nulls at the end of a composite are left out (1.4).
        """
        if isinstance(value, DescribedValue):
            return DESCRIBED + self.encode(value.descriptor) + self.encode(value.value)
        if isinstance(value, (CompositeValue, RestrictedValue)):
            return self.descriptor(self._descriptor_of(value.type)) + self.encode(self._bare(value))
        content = self._content(value)
        return min((with_code(encoding, content) for encoding in self._fitting(value, content)), key=len)

    def encode_as(self, value: Value, encoding: Encoding) -> bytes:
        """Return format code and data of a value in one of the encodings of its type."""
        return with_code(encoding, self._content(value))

    def fitting(self, value: Value) -> list[Encoding]:
        """Return the encodings that can carry a value, in file order."""
        return self._fitting(value, self._content(value))

    def is_free(self, value: Value) -> bool:
        """Return whether the specification lets an encoder write a value in other octets, too, usually longer ones."""
        if isinstance(value, DescribedValue):
            return self.is_free(value.descriptor) or self.is_free(value.value)
        if isinstance(value, (CompositeValue, RestrictedValue)):
            descriptor = descriptor_value(self._descriptor_of(value.type))
            return self.is_free(descriptor) or self.is_free(self._bare(value))
        if len(self.fitting(value)) > 1:
            return True
        items = value.items if isinstance(value, ArrayValue) else ()
        items = items_of(value) if isinstance(value, (ListValue, MapValue)) else items
        return any(map(self.is_free, items))

    def data(self, value: Value, encoding: Encoding) -> bytes:
        """Return the octets after the format code."""
        return data_of(self._content(value), encoding)

    def descriptor(self, descriptor: Descriptor) -> bytes:
        """Return the start of a described value, with the number of the descriptor or else the symbol."""
        return DESCRIBED + self.encode(descriptor_value(descriptor))

    def field_values(self, value: CompositeValue) -> tuple[Value, ...]:
        """Return the values of the fields of a composite in order, without nulls at the end."""
        kind = self.composite_type(value.type)
        values = [self.field_value(field, value.fields.get(field.name)) for field in kind.fields]
        while values and values[-1] == NULL:
            values.pop()
        return tuple(values)

    def field_value(self, field: Field, content: Value | tuple[Value, ...] | None) -> Value:
        """Return the value that is sent for a field; several values are sent as an array, but not a single one (1.4)."""
        if isinstance(content, tuple):
            if len(content) == 1:
                return content[0]
            return self.array_of(content) if content else NULL
        if content is None or holds_default(field, content):
            return NULL
        return content

    def array_of(self, items: tuple[Value, ...]) -> ArrayValue:
        """Return an array of values of one type."""
        first = items[0]
        if isinstance(first, (CompositeValue, RestrictedValue)):
            carrier = type_name(self._bare(first))
            return ArrayValue(carrier, items, (descriptor_value(self._descriptor_of(first.type)),))
        return ArrayValue(type_name(first), items)

    def composite_type(self, name: str) -> Composite:
        """Return the composite type of that name."""
        kind: Type = self._types[name]
        assert isinstance(kind, Composite), name
        return kind

    def _descriptor_of(self, name: str) -> Descriptor:
        kind = self._types[name]
        assert isinstance(kind, (Composite, Restricted)) and kind.descriptor is not None, name
        return kind.descriptor

    def _content(self, value: Value) -> Content:
        """Return the content that an encoding of the value has to carry."""
        if isinstance(value, Scalar):
            return value
        if isinstance(value, ArrayValue):
            return Compound(len(value.items), self._elements(value))
        items = [self.encode(item) for item in items_of(value)]
        return Compound(len(items), b"".join(items))

    def _fitting(self, value: Value, content: Content) -> list[Encoding]:
        return [encoding for encoding in self._encodings[type_name(value)] if fits(content, encoding)]

    def _elements(self, value: ArrayValue) -> bytes:
        """Return the constructor of all elements, and the data of each (1.2.4).

        The encoding is the narrowest that fits all elements. Encodings without data are used only if there is no
        other: they are legal, but some implementations refuse such arrays.
        """
        contents = [self._content(self._bare(item)) for item in value.items]
        encodings = self._encodings[value.type]
        wide = [encoding for encoding in encodings if encoding.width] or list(encodings)
        fitting = [encoding for encoding in wide if all(fits(content, encoding) for content in contents)]
        encoding = min(fitting, key=lambda encoding: encoding.width)
        descriptors = [self.encode(descriptor) for descriptor in value.descriptors]
        return array_elements(descriptors, encoding, [data_of(content, encoding) for content in contents])

    def _bare(self, value: Value) -> Value:
        """Return a value without its descriptor."""
        if isinstance(value, CompositeValue):
            return ListValue(self.field_values(value))
        return value.value if isinstance(value, RestrictedValue) else value


def descriptor_value(descriptor: Descriptor) -> Scalar:
    """Return a descriptor as a value: its number if it has one, else its symbol."""
    if descriptor.code is None:
        return Scalar("symbol", descriptor.symbol)
    return Scalar("ulong", descriptor.code)


def array_elements(descriptors: Iterable[bytes], encoding: Encoding, data: Iterable[bytes]) -> bytes:
    """Return what follows the count of an array: one constructor, and the data of each element (1.2.4)."""
    prefix = b"".join(DESCRIBED + descriptor for descriptor in descriptors)
    return prefix + bytes((encoding.code,)) + b"".join(data)


def sized(width: int, count: int, octets: bytes) -> bytes:
    """Return size, count and octets; the size spans the count (1.4)."""
    return (width + len(octets)).to_bytes(width, "big") + count.to_bytes(width, "big") + octets


def items_of(
    value: ListValue | MapValue | DescribedValue | CompositeValue | RestrictedValue | ArrayValue,
) -> tuple[Value, ...]:
    """Return the items of a list, or of a map: each key before its value (1.6.23)."""
    if isinstance(value, MapValue):
        return tuple(item for entry in value.entries for item in entry)
    assert isinstance(value, ListValue), value
    return value.items


_COMPOUNDS = {ListValue: "list", MapValue: "map", ArrayValue: "array"}


def type_name(value: Value) -> str:
    """Return the primitive type of a value that has no descriptor."""
    if isinstance(value, Scalar):
        return value.type
    return _COMPOUNDS[type(value)]


def holds_default(field: Field, value: Value) -> bool:
    """Return whether a value is the default of a field."""
    return field.default is not None and value == declared_value(field.type.primitive, field.default.value)


def with_code(encoding: Encoding, content: Content) -> bytes:
    """Return format code and data."""
    return bytes((encoding.code,)) + data_of(content, encoding)


def fits(content: Content, encoding: Encoding) -> bool:
    """Return whether an encoding can carry a content, by width and name of the encoding."""
    if isinstance(content, Scalar):
        return scalar_fits(content, encoding)
    if encoding.category == "fixed":  # list0
        return content.count == 0
    largest = (1 << 8 * encoding.width) - 1
    return content.count <= largest and encoding.width + len(content.octets) <= largest


def data_of(content: Content, encoding: Encoding) -> bytes:
    """Return the octets after the format code."""
    if isinstance(content, Scalar):
        return scalar_data(content, encoding)
    if encoding.category == "fixed":
        return b""
    return sized(encoding.width, content.count, content.octets)


def scalar_fits(value: Scalar, encoding: Encoding) -> bool:
    """Return whether an encoding can carry a scalar, by width and name of the encoding."""
    content, width = value.content, encoding.width
    if content is None:
        return True
    if isinstance(content, bool):
        return width == 1 or encoding.name == str(content).lower()
    if isinstance(content, int):
        if width == 0:
            return content == 0
        bits = 8 * width
        if PRIMITIVE_TYPES[value.type].is_signed:
            return -(1 << bits - 1) <= content < 1 << bits - 1
        return 0 <= content < 1 << bits
    octets = text_octets(content)
    return len(octets) < 1 << 8 * width if encoding.category == "variable" else len(octets) == width


def scalar_data(value: Scalar, encoding: Encoding) -> bytes:
    """Return the data of a scalar: numbers in network byte order (1.2), text and octets after their size."""
    content, width = value.content, encoding.width
    if content is None or width == 0:
        return b""
    if isinstance(content, int):  # a boolean is one octet, 0 or 1 (1.6.2)
        return int(content).to_bytes(width, "big", signed=PRIMITIVE_TYPES[value.type].is_signed)
    octets = text_octets(content)
    return len(octets).to_bytes(width, "big") + octets if encoding.category == "variable" else octets


def text_octets(content: str | bytes) -> bytes:
    """Return text as UTF-8 (1.6.20), which for symbols is ASCII (1.6.21)."""
    return content.encode() if isinstance(content, str) else content
