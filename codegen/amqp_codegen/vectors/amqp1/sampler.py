"""Sample values of types, fields and composites: minimum, typical and maximum."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from ...model.amqp1.primitive_types import INTEGERS
from ...model.amqp1.spec import Field, Kind, Spec, TypeReference
from ...model.amqp1.types import Composite, Restricted, Union
from .reference_encoder import holds_default
from .values import (
    FLOATS,
    NULL,
    TRUE,
    ArrayValue,
    CompositeValue,
    DescribedValue,
    ListValue,
    MapValue,
    RestrictedValue,
    Scalar,
    Value,
    declared_value,
    string,
    symbol,
    uint,
    ulong,
)


@dataclass(frozen=True, slots=True)
class Samples:
    """Sample values of a type.

    Attributes:
        low: The lower end of its range: the smallest number, the empty text.
        high: The upper end: the largest number, a text too long for a size of one octet.
    """

    low: Value
    high: Value
    typical: Value


def primitive_samples() -> dict[str, Samples]:
    """Return samples of the primitive types, by name."""
    one = Scalar("int", 1)
    entries = tuple((string(f"key-{number:02}"), uint(number)) for number in range(30))
    return {
        **{name: Samples(*(Scalar(name, content) for content in row)) for name, row in _SCALARS.items()},
        "list": Samples(ListValue(), ListValue((one,) * 128), ListValue((one, string("two"), NULL))),
        "map": Samples(
            MapValue(), MapValue(entries), MapValue(((string("key"), one), (string("other"), TRUE)))
        ),
        "array": Samples(
            ArrayValue("int"),
            ArrayValue("int", (Scalar("int", 1 << 20),) * 64),
            ArrayValue("symbol", (symbol("a"), symbol("b"))),
        ),
    }


def _floats(primitive: str, *numbers: float) -> tuple[bytes, ...]:
    return tuple(struct.pack(FLOATS[primitive], number) for number in numbers)


def _octets(*digits: str) -> tuple[bytes, ...]:
    return tuple(map(bytes.fromhex, digits))


# The lowest, the highest and a typical value of each type that is not a compound.
_SCALARS: Mapping[str, tuple[bool | int | str | bytes | None, ...]] = {
    **{name: (facts.low, facts.high, 100) for name, facts in INTEGERS.items()},
    "null": (None, None, None),
    "boolean": (False, True, True),
    "char": (0, 0x10FFFF, ord("\N{SNOWMAN}")),
    "float": _floats("float", float("-inf"), 3.4028234663852886e38, 1.5),
    "double": _floats("double", float("-inf"), 1.7976931348623157e308, 0.1),
    # IEEE 754-2008, 3.5.2, binary encoding: the lowest number -(10^p - 1) * 10^emax, the highest, and 1.5.
    "decimal32": _octets("f7f8967f", "77f8967f", "3200000f"),
    "decimal64": _octets("f7fb86f26fc0ffff", "77fb86f26fc0ffff", "31a000000000000f"),
    "decimal128": _octets(
        "dfffed09bead87c0378d8e63ffffffff",
        "5fffed09bead87c0378d8e63ffffffff",
        "303e000000000000000000000000000f",
    ),
    "uuid": _octets("00" * 16, "ff" * 16, "f81d4fae7dec11d0a76500a0c91e6bf6"),
    "binary": (b"", bytes(range(256)), b"\x00octets\xff"),
    "string": ("", "s" * 256, "text \N{SNOWMAN}"),
    "symbol": ("", "s" * 256, "x-symbol"),
}


# Composites may hold composites, even of their own type: below this depth, they have only mandatory fields.
MAX_OPTIONAL_DEPTH = 3
# A composite with a mandatory field of its own type has no finite value: below this depth, null stands for it.
_MAX_DEPTH = 10


class Sampler:
    """A source of sample values for the types of a specification."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.primitives = primitive_samples()

    def minimum(self, kind: Composite, depth: int = 0) -> CompositeValue:
        """Return a composite with only its mandatory fields."""
        return self._composite(kind, [field for field in kind.fields if field.mandatory], depth)

    def typical(self, kind: Composite) -> CompositeValue:
        """Return a composite with its mandatory fields and every second optional one, so that there are gaps."""
        optional = [field for field in kind.fields if not field.mandatory]
        return self._composite(
            kind, [field for field in kind.fields if field.mandatory or field in optional[1::2]]
        )

    def maximum(self, kind: Composite, depth: int = 0) -> CompositeValue:
        """Return a composite with all of its fields, none with its default."""
        if depth >= MAX_OPTIONAL_DEPTH:
            return self.minimum(kind, depth)
        return self._composite(kind, kind.fields, depth)

    def with_field(self, kind: Composite, field: Field, *values: Value) -> CompositeValue:
        """Return the minimum with a field set or replaced; with all ``values`` if the field takes several."""
        content = values if field.multiple else values[0]
        return CompositeValue(kind.name, {**self.minimum(kind).fields, field.name: content})

    def ends(self, field: Field) -> tuple[Value, Value]:
        """Return the lowest and the highest value of a field; if it has choices, the first and the last."""
        choices = self.choices(field.type)
        if choices:
            return choices[0], choices[-1]
        samples = self._samples(field.type)
        if samples is None:
            value = self.value(field)
            return value, value
        if field.type.primitive == "map":
            return samples.low, self.value(field)
        return samples.low, samples.high

    def value(self, field: Field, depth: int = 0) -> Value:
        """Return a value for a field that differs from those of other fields, if the type has enough values."""
        if field.name == "unsettled":  # 2.7.3: delivery tags and states of deliveries
            return self._unsettled()
        if field.default is not None:
            return self._not_default(field)
        return self.of_type(_wanted(field), field.name, depth)

    def several(self, field: Field, depth: int = 0) -> tuple[Value, Value]:
        """Return two values for a field that may have several; different ones if the type has them."""
        reference = _wanted(field)
        choices = self.choices(reference)
        if choices:
            return choices[0], choices[-1]
        return self.of_type(reference, field.name, depth), self.of_type(reference, f"{field.name}-2", depth)

    def of_type(self, reference: TypeReference, label: str, depth: int = 0) -> Value:
        """Return a value of a type; it contains the label if possible, so that values of different labels differ."""
        kind = self.spec.type(reference.name)
        choices = self.choices(reference)
        if isinstance(kind, Composite):
            return self.maximum(kind, depth + 1) if depth < _MAX_DEPTH else NULL
        if isinstance(kind, Union):
            members = [member for member in kind.members if member.kind is not Kind.UNION]
            return self.of_type(members[0], label, depth) if members else string(label)
        if isinstance(kind, Restricted) and kind.descriptors:
            return self.restricted(kind)
        if choices:
            return choices[0]
        if isinstance(kind, Restricted) and kind.primitive == "map":
            return self._map(kind)
        return self._plain(reference.primitive, label)

    def restricted(self, kind: Restricted) -> RestrictedValue:
        """Return a value of a restricted type that has a descriptor."""
        if kind.choices:
            return RestrictedValue(kind.name, declared_value(kind.primitive, kind.choices[0].value))
        content = self._map(kind) if kind.primitive == "map" else self._plain(kind.primitive, kind.name)
        return RestrictedValue(kind.name, content)

    def choices(self, reference: TypeReference) -> tuple[Scalar, ...]:
        """Return the choices of a type as values, its own or inherited ones."""
        choices = self.spec.choices(reference.name)
        return tuple(declared_value(reference.primitive, choice.value) for choice in choices)

    def _composite(
        self, kind: Composite, fields: list[Field] | tuple[Field, ...], depth: int = 0
    ) -> CompositeValue:
        return CompositeValue(kind.name, {field.name: self._content(field, depth) for field in fields})

    def _content(self, field: Field, depth: int) -> Value | tuple[Value, ...]:
        return self.several(field, depth) if field.multiple else self.value(field, depth)

    def _samples(self, reference: TypeReference) -> Samples | None:
        """Return the samples of the primitive type of a field; None if its values have a descriptor."""
        return None if reference.described else self.primitives.get(reference.primitive)

    def _not_default(self, field: Field) -> Value:
        """Return a value that is not the default of a field, if there is one."""
        samples = self.primitives[field.type.primitive]
        candidates: list[Value] = [*self.choices(field.type)] or [samples.typical, samples.high]
        return next(
            (candidate for candidate in candidates if not holds_default(field, candidate)), candidates[0]
        )

    def _unsettled(self) -> MapValue:
        state = self.spec.type("accepted")
        content = CompositeValue(state.name) if isinstance(state, Composite) else NULL
        return MapValue(((Scalar("binary", b"tag-1"), content), (Scalar("binary", b"tag-2"), NULL)))

    def _plain(self, primitive: str, label: str) -> Value:
        """Return a value of a primitive type; a string if no type is given."""
        if primitive in INTEGERS:
            return Scalar(
                primitive, sum(place * octet for place, octet in enumerate(label.encode(), 1)) % 128
            )
        if primitive in ("", "string"):
            return string(label)
        if primitive == "symbol":
            return symbol(label)
        if primitive == "binary":
            return Scalar("binary", label.encode())
        return self.primitives[primitive].typical

    def _map(self, kind: Restricted) -> MapValue:
        """Return a map of a restricted type; its keys follow the prose of the specification."""
        if kind.name == "filter-set":  # 3.5.8: every value is described
            filtering = DescribedValue(symbol("com.example:filter:string"), string("a > 1"))
            return MapValue(((symbol("com.example:filter"), filtering),))
        if "symbol" not in kind.keys:
            return MapValue(((string("key"), string("text")), (string("other"), ulong(1))))
        return MapValue(((symbol("x-opt-key"), string("text")), (symbol("x-opt-other"), ulong(1))))


def _wanted(field: Field) -> TypeReference:
    """Return the type for values of a field; if any type may occur, the first that provides what it requires."""
    return field.providers[0] if field.providers and field.type.kind is Kind.ANY else field.type
