"""Values of AMQP 1.0 as JSON: every value is an object that names its type."""

from __future__ import annotations

from ...model.spec1 import Spec
from ...model.types1 import Composite, Field
from ..case import Neutral
from .value import Array, CompositeValue, Described, List, Map, RestrictedValue, Scalar, Value
from .written import written_value

# JSON numbers are exact up to 2^53 in all languages; these types go beyond.
WIDE = frozenset(("ulong", "long", "timestamp"))


def neutral(spec: Spec, value: Value) -> Neutral:
    """The neutral form of a value.

    The fields of a composite are those that hold something, be it sent or by default.
    """
    if isinstance(value, Scalar):
        return _scalar(value)
    if isinstance(value, List):
        return {"type": "list", "items": _all(spec, value.items)}
    if isinstance(value, Map):
        return {"type": "map", "entries": [_all(spec, entry) for entry in value.entries]}
    if isinstance(value, Array):
        described = {"descriptors": _all(spec, value.descriptors)} if value.descriptors else {}
        return {"type": "array", "of": value.of, **described, "items": _all(spec, value.items)}
    if isinstance(value, Described):
        descriptor = neutral(spec, value.descriptor)
        return {"type": "described", "descriptor": descriptor, "value": neutral(spec, value.value)}
    if isinstance(value, RestrictedValue):
        return {"type": value.type, "value": neutral(spec, value.value)}
    return {"type": value.type, "fields": _fields(spec, value)}


def _all(spec: Spec, values: tuple[Value, ...]) -> list[Neutral]:
    return [neutral(spec, each) for each in values]


def _scalar(value: Scalar) -> Neutral:
    content = value.content
    if isinstance(content, bytes):
        return {"type": value.type, "value": {"hex": content.hex()}}
    if value.type in WIDE:
        return {"type": value.type, "value": str(content)}
    return {"type": value.type, "value": content}


def _fields(spec: Spec, value: CompositeValue) -> Neutral:
    kind = spec.type(value.type)
    assert isinstance(kind, Composite), value.type
    found = {}
    for field in kind.fields:
        content = value.fields.get(field.name)
        if content is None:
            content = default_value(field)
        if isinstance(content, tuple):
            found[field.name] = _all(spec, content)
        elif content is not None:
            found[field.name] = neutral(spec, content)
    return found


def default_value(field: Field) -> Scalar | None:
    """What a field holds when nothing is sent."""
    if field.default is None:
        return None
    return written_value(field.type.primitive, field.default.value)
