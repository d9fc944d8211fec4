"""Values of AMQP 1.0 for the examples: those of the test vectors, and how people read them."""

from __future__ import annotations

import struct
import uuid
from collections.abc import Mapping
from functools import cache

from ...model.spec1 import Encoding, Spec
from ...model.types1 import Composite, Restricted, TypeReference
from ...resources import wire_file
from ...spec.wire1 import read_wire1
from ...vectors.amqp1.reference_encoder import ReferenceEncoder
from ...vectors.amqp1.sampler import DEEPEST, Sampler
from ...vectors.amqp1.samples import primitive_samples
from ...vectors.amqp1.value import (
    Array,
    CompositeValue,
    Described,
    List,
    Map,
    RestrictedValue,
    Scalar,
    Value,
)
from ...vectors.amqp1.written import written_value

_FLOATS: Mapping[str, str] = {"float": ">f", "double": ">d"}


def encoding_sample(spec: Spec, encoding: Encoding) -> Value | None:
    """The first of the ordinary, the least and the largest value that an encoding can carry; None for types unknown to us."""
    samples = primitive_samples().get(encoding.type)
    if samples is None:
        return None
    encoder = ReferenceEncoder(spec)
    candidates = (samples.typical, samples.low, samples.high)
    return next((each for each in candidates if encoding in encoder.fitting(each)), None)


def composite_sample(spec: Spec, composite: Composite) -> CompositeValue:
    """A composite with all of its fields; composites in it have only those that are mandatory."""
    return _sampler(spec).maximum(composite, DEEPEST - 1)


def restricted_sample(spec: Spec, restricted: Restricted) -> RestrictedValue:
    """A value of a restricted type that has a descriptor."""
    if restricted.primitive:
        return _sampler(spec).restricted(restricted)
    return RestrictedValue(restricted.name, primitive_samples()["string"].typical)


def choice_name(spec: Spec, reference: TypeReference, value: Value) -> str:
    """The name of the choice that a value is, if its type has choices and it is one; else empty."""
    choices = _sampler(spec).choices(reference)
    names = [each.name for each in choices if written_value(reference.primitive, each.value) == value]
    return names[0] if names else ""


def value_text(value: Value) -> str:
    """A value for people: numbers and texts as they are, what holds others in brackets."""
    if isinstance(value, Scalar):
        return _scalar_text(value)
    if isinstance(value, List):
        return f"[{_joined(value.items)}]"
    if isinstance(value, Map):
        return f"{{{', '.join(f'{value_text(key)}: {value_text(each)}' for key, each in value.entries)}}}"
    if isinstance(value, Array):
        return f"array [{_joined(value.items)}]"
    if isinstance(value, Described):
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
    if value.type in _FLOATS:
        return str(struct.unpack(_FLOATS[value.type], content)[0])
    if value.type == "uuid":
        return str(uuid.UUID(bytes=content))
    if value.type.startswith("decimal"):
        return ""  # its octets are all there is to see
    return _octets_text(content)


def _octets_text(octets: bytes) -> str:
    """Octets that are printable ASCII; of others there is nothing more to see."""
    text = octets.decode("ascii", errors="replace")
    return f'"{text}"' if text.isprintable() and text.isascii() else ""


def _sampler(spec: Spec) -> Sampler:
    return Sampler(spec, _symbol_keys())


@cache
def _symbol_keys() -> tuple[str, ...]:
    return read_wire1(*wire_file()).symbol_keys
