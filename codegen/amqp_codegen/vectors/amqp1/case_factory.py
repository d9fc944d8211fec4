"""The case factory that all case modules share."""

from __future__ import annotations

from ...model.amqp1.spec import Encoding, Spec
from ...model.amqp1.types import Composite, Descriptor, Field
from ..case import Case, refused_octets
from .reference_encoder import ReferenceEncoder
from .sampler import Sampler
from .values import NULL, ArrayValue, CompositeValue, ListValue, RestrictedValue, Value, neutral


class CaseFactory:
    """A factory of cases for values of a specification."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.encoder = ReferenceEncoder(spec)
        self.sampler = Sampler(spec)

    def accepted(self, element: str, name: str, value: Value, note: str = "") -> Case:
        """Return the case of a value and its shortest octets."""
        return self._case(element, name, value, self.encoder.encode(value), note=note)

    def decode(self, element: str, name: str, value: Value, octets: bytes, note: str = "") -> Case:
        """Return the case of octets that decode to a value; they encode it, too, if they are the shortest."""
        way = "both" if octets == self.encoder.encode(value) else "decode"
        return self._case(element, name, value, octets, way, note)

    def rejected_octets(
        self, element: str, name: str, octets: bytes, error: str, note: str, kind: str = ""
    ) -> Case:
        """Return the case of octets that must be refused."""
        return refused_octets(element, name, kind or self._kind_of(element), octets, error, note)

    def rejected_value(self, element: str, name: str, value: Value, note: str) -> Case:
        """Return the case of a value that must not be encoded."""
        form = neutral(self.spec, value)
        kind = self._kind_of(element)
        return Case(f"{element}/{name}", element, kind, form, None, "reject", "range", "encode", note=note)

    def composite(
        self, kind: Composite, values: tuple[Value, ...], descriptor: Descriptor | None = None
    ) -> bytes:
        """Return the octets of a composite whose list has these items, including nulls at the end."""
        return self.encoder.descriptor(descriptor or kind.descriptor) + self.encoder.encode(ListValue(values))

    def items(
        self, value: CompositeValue, change: Field | None = None, content: Value = NULL
    ) -> tuple[Value, ...]:
        """Return the items of the list of a composite, one for each field; ``content`` replaces the item of ``change``."""
        kind = self.encoder.composite_type(value.type)
        items = [self.encoder.field_value(field, value.fields.get(field.name)) for field in kind.fields]
        if change is not None:
            items[kind.fields.index(change)] = content
        return tuple(items)

    def with_item(self, kind: Composite, field: Field, content: Value) -> bytes:
        """Return the octets of a minimal composite with one item changed, without nulls after it."""
        items = list(self.items(self.sampler.minimum(kind), field, content))
        while items and items[-1] == NULL and len(items) > kind.fields.index(field) + 1:
            items.pop()
        return self.composite(kind, tuple(items))

    def _case(
        self, element: str, name: str, value: Value, octets: bytes, way: str = "both", note: str = ""
    ) -> Case:
        kind = "composite" if is_composite(value) else "value"
        form, free = neutral(self.spec, value), self.encoder.is_free(value)
        return Case(f"{element}/{name}", element, kind, form, octets, way=way, note=note, free=free)

    def _kind_of(self, element: str) -> str:
        """Return the kind of a case without a value: that of the type at the start of its element."""
        described = {type_.name for type_ in self.spec.described_types}
        return "composite" if element.split(".", maxsplit=1)[0] in described else "value"


def is_composite(value: Value) -> bool:
    """Return whether a value, or an element of an array, is of a type that the specification gives a descriptor."""
    if isinstance(value, ArrayValue):
        return any(map(is_composite, value.items))
    return isinstance(value, (CompositeValue, RestrictedValue))


def encoding_name(encoding: Encoding) -> str:
    """Return the name of an encoding in ids: ``uint``, ``uint-smalluint``."""
    return encoding.identifier.lower().replace("_", "-")
