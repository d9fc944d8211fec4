"""The examples of a 1.0 specification: values of its types, their octets, and their text."""

from __future__ import annotations

import struct
import uuid

from ...model.amqp1.spec import Encoding, Spec
from ...model.amqp1.types import Composite, Restricted, TypeReference
from ...vectors.amqp1.reference_encoder import ReferenceEncoder
from ...vectors.amqp1.sampler import MAX_OPTIONAL_DEPTH, Sampler
from ...vectors.amqp1.values import (
    FLOATS,
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

# A user's specification may lack a type or an encoding that the values of the vectors need.
_MISSING_TYPE_ERRORS = (KeyError, ValueError)


class Examples:
    """Chooses values as the test vectors do, and encodes them by the model; None where that is impossible.

    Attributes:
        spec: The specification.
        encoder: The slow encoder of the vectors; a test compares it with the generated package.
    """

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.encoder = ReferenceEncoder(spec)
        self._sampler = Sampler(spec)

    def of_encoding(self, encoding: Encoding) -> tuple[Value, bytes] | None:
        """Return an ordinary value that an encoding can carry, else the least or the largest, and its octets."""
        samples = self._sampler.primitives.get(encoding.type)
        for sample in (samples.typical, samples.low, samples.high) if samples else ():
            try:
                if encoding in self.encoder.fitting(sample):
                    return sample, self.encoder.encode_as(sample, encoding)
            except _MISSING_TYPE_ERRORS:
                continue
        return None

    def of_composite(self, composite: Composite) -> tuple[CompositeValue, bytes] | None:
        """Return a composite with all of its fields, and its octets; nested composites have mandatory fields only."""
        try:
            value = self._sampler.maximum(composite, MAX_OPTIONAL_DEPTH - 1)
            return value, self.encoder.encode(value)
        except _MISSING_TYPE_ERRORS:
            return None

    def of_restricted(self, restricted: Restricted) -> tuple[RestrictedValue, bytes] | None:
        """Return a value of a restricted type that has a descriptor, and its octets."""
        try:
            value = RestrictedValue(restricted.name, self._sampler.primitives["string"].typical)
            if restricted.primitive:
                value = self._sampler.restricted(restricted)
            return value, self.encoder.encode(value)
        except _MISSING_TYPE_ERRORS:
            return None

    def of_choice(self, restricted: Restricted, number: int) -> bytes | None:
        """Return the octets of one of the choices of a type."""
        try:
            return self.encoder.encode(declared_value(restricted.primitive, restricted.choices[number].value))
        except _MISSING_TYPE_ERRORS:
            return None

    def choice_name(self, reference: TypeReference, value: Value) -> str:
        """Return the name of the choice that a value stands for; empty if there is none."""
        choices = zip(self.spec.choices(reference.name), self._sampler.choices(reference), strict=True)
        return next((choice.name for choice, meant in choices if meant == value), "")


def value_text(value: Value) -> str:
    """Return a value as text: numbers and texts as they are, compound values in brackets."""
    if isinstance(value, Scalar):
        return _scalar_text(value)
    if isinstance(value, ListValue):
        return f"[{_joined(value.items)}]"
    if isinstance(value, MapValue):
        return (
            f"{{{', '.join(f'{value_text(key)}: {value_text(content)}' for key, content in value.entries)}}}"
        )
    if isinstance(value, ArrayValue):
        return f"array [{_joined(value.items)}]"
    if isinstance(value, DescribedValue):
        return f"@{value_text(value.descriptor)} {value_text(value.value)}"
    if isinstance(value, RestrictedValue):
        return f"{value.type} {value_text(value.value)}"
    fields = [f"{name}: {_content_text(content)}" for name, content in value.fields.items()]
    return f"{value.type} {{{', '.join(fields)}}}" if fields else value.type


def _content_text(content: Value | tuple[Value, ...]) -> str:
    return f"[{_joined(content)}]" if isinstance(content, tuple) else value_text(content)


def _joined(values: tuple[Value, ...]) -> str:
    return ", ".join(map(value_text, values))


def _scalar_text(value: Scalar) -> str:
    content = value.content
    if content is None:
        return "null"
    if isinstance(content, bool):
        return str(content).lower()
    if value.type == "char" and isinstance(content, int):
        return f"U+{content:04X}"
    if isinstance(content, int):
        return str(content)
    if isinstance(content, str):
        return content if value.type == "symbol" else f'"{content}"'
    if value.type in FLOATS:
        return str(struct.unpack(FLOATS[value.type], content)[0])
    if value.type == "uuid":
        return str(uuid.UUID(bytes=content))
    if value.type.startswith("decimal"):
        return ""  # only its octets are shown
    return _octets_text(content)


def _octets_text(octets: bytes) -> str:
    """Return octets that are printable ASCII; empty for others."""
    text = octets.decode("ascii", errors="replace")
    return f'"{text}"' if text.isprintable() and text.isascii() else ""
