"""The examples of a 1.0 specification: values of its types, and their octets."""

from __future__ import annotations

from functools import cache

from ...model.amqp1.spec import Encoding, Spec
from ...model.amqp1.types import Composite, Restricted, TypeReference
from ...resolve.amqp1.wire import read_wire1
from ...support.resources import wire_file
from ...vectors.amqp1.reference_encoder import ReferenceEncoder
from ...vectors.amqp1.sampler import DEEPEST, Sampler
from ...vectors.amqp1.values import CompositeValue, RestrictedValue, Value, declared_value

# A specification of one's own may be without a type or an encoding that the values of the vectors need.
_LACKING = (KeyError, ValueError)


class Examples:
    """Chooses values as the test vectors do, and encodes them by the model; None where that cannot be.

    Attributes:
        encoder: The slow encoder of the vectors; a test compares it with the generated package.
        encodings: Format code to encoding.
    """

    def __init__(self, spec: Spec) -> None:
        self.encoder = ReferenceEncoder(spec)
        self.encodings = {each.code: each for each in spec.encodings}
        self._sampler = Sampler(spec, _symbol_keys())

    def of_encoding(self, encoding: Encoding) -> tuple[Value, bytes] | None:
        """The first of an ordinary, the least and the largest value that an encoding can carry, and its octets."""
        samples = self._sampler.primitives.get(encoding.type)
        for each in (samples.typical, samples.low, samples.high) if samples else ():
            try:
                if encoding in self.encoder.fitting(each):
                    return each, self.encoder.encode_as(each, encoding)
            except _LACKING:
                continue
        return None

    def of_composite(self, composite: Composite) -> tuple[CompositeValue, bytes] | None:
        """A composite with all of its fields, and its octets; composites in it have only fields that are mandatory."""
        try:
            value = self._sampler.maximum(composite, DEEPEST - 1)
            return value, self.encoder.encode(value)
        except _LACKING:
            return None

    def of_restricted(self, restricted: Restricted) -> tuple[RestrictedValue, bytes] | None:
        """A value of a restricted type that has a descriptor, and its octets."""
        try:
            value = RestrictedValue(restricted.name, self._sampler.primitives["string"].typical)
            if restricted.primitive:
                value = self._sampler.restricted(restricted)
            return value, self.encoder.encode(value)
        except _LACKING:
            return None

    def of_choice(self, restricted: Restricted, number: int) -> bytes | None:
        """The octets of one of the choices of a type."""
        try:
            return self.encoder.encode(declared_value(restricted.primitive, restricted.choices[number].value))
        except _LACKING:
            return None

    def choice_name(self, reference: TypeReference, value: Value) -> str:
        """The name of the choice that a value is, if its type has choices and it is one; else empty."""
        choices = self._sampler.choices(reference)
        names = [each.name for each in choices if declared_value(reference.primitive, each.value) == value]
        return names[0] if names else ""


@cache
def _symbol_keys() -> tuple[str, ...]:
    return read_wire1(*wire_file()).symbol_keys
