"""Values for fields and composites: of minimum, typical and maximum content."""

from __future__ import annotations

from ...model.spec1 import Field, Kind, Spec, TypeReference
from ...model.types1 import Choice, Composite, Restricted, Union
from .neutral import default_value
from .reference_encoder import holds_default
from .samples import INTEGER_BITS, Samples, primitive_samples
from .value import NULL, CompositeValue, Described, Map, RestrictedValue, Scalar, Value, string, symbol, ulong
from .written import written_value

# Composites may hold composites, even of their own type: from here on, only what is mandatory.
DEEPEST = 3
# What is mandatory in itself has no value at all.
NONSENSE = 10


class Sampler:
    """Chooses values for the types of a specification.

    Attributes:
        spec: The specification.
        primitives: Samples of the primitive types, by name.
        symbol_keys: The types over maps whose keys are symbols.
    """

    def __init__(self, spec: Spec, symbol_keys: tuple[str, ...]) -> None:
        self.spec = spec
        self.primitives = primitive_samples()
        self.symbol_keys = frozenset(symbol_keys)

    def minimum(self, kind: Composite, depth: int = 0) -> CompositeValue:
        """A composite with nothing but its mandatory fields."""
        return self._composite(kind, [each for each in kind.fields if each.mandatory], depth)

    def typical(self, kind: Composite) -> CompositeValue:
        """A composite with its mandatory fields and every other one of the rest, so that there are gaps."""
        optional = [each for each in kind.fields if not each.mandatory]
        return self._composite(
            kind, [each for each in kind.fields if each.mandatory or each in optional[1::2]]
        )

    def maximum(self, kind: Composite, depth: int = 0) -> CompositeValue:
        """A composite with all of its fields, none of which holds its default."""
        if depth >= DEEPEST:
            return self.minimum(kind, depth)
        return self._composite(kind, kind.fields, depth)

    def with_field(self, kind: Composite, field: Field, *values: Value) -> CompositeValue:
        """The minimum and one more field, or another value in one; several values if the field takes them."""
        content = values if field.multiple else values[0]
        return CompositeValue(kind.name, {**self.minimum(kind).fields, field.name: content})

    def ends(self, field: Field) -> tuple[Value, Value]:
        """The lowest and the highest value of a field: the first and the last choice if there are choices."""
        choices = self.choices(field.type)
        if choices:
            return self.choice(field.type.primitive, choices[0]), self.choice(
                field.type.primitive, choices[-1]
            )
        samples = self._samples(field.type)
        if samples is None:
            value = self.value(field)
            return value, value
        if field.type.primitive == "map":
            return samples.low, self.value(field)
        return samples.low, samples.high

    def value(self, field: Field, depth: int = 0) -> Value:
        """A value for a field that no other field of its type has, as far as there are enough of them."""
        if field.name == "unsettled":  # 2.7.3: delivery tags and the states of the deliveries
            return self._unsettled()
        if field.default is not None:
            return self._not_default(field)
        return self.of_type(_wanted(field), field.name, depth)

    def several(self, field: Field, depth: int = 0) -> tuple[Value, Value]:
        """Two values for a field that may have several, different ones if there are."""
        reference = _wanted(field)
        choices = self.choices(reference)
        if choices:
            first, last = (self.choice(reference.primitive, each) for each in (choices[0], choices[-1]))
            return first, last
        return self.of_type(reference, field.name, depth), self.of_type(reference, f"{field.name}-2", depth)

    def of_type(self, reference: TypeReference, label: str, depth: int = 0) -> Value:
        """A value of a type; the label goes into it where it can, so that values of different labels differ."""
        kind = self.spec.type(reference.name)
        choices = self.choices(reference)
        if isinstance(kind, Composite):
            return self.maximum(kind, depth + 1) if depth < NONSENSE else NULL
        if isinstance(kind, Union):
            members = [each for each in kind.members if each.kind is not Kind.UNION]
            return self.of_type(members[0], label, depth) if members else string(label)
        if isinstance(kind, Restricted) and kind.descriptors:
            return self.restricted(kind)
        if choices:
            return self.choice(reference.primitive, choices[0])
        if isinstance(kind, Restricted) and kind.primitive == "map":
            return self._map(kind)
        return self._plain(reference.primitive, label)

    def restricted(self, kind: Restricted) -> RestrictedValue:
        """A value of a restricted type that has a descriptor."""
        if kind.choices:
            return RestrictedValue(kind.name, self.choice(kind.primitive, kind.choices[0]))
        content = self._map(kind) if kind.primitive == "map" else self._plain(kind.primitive, kind.name)
        return RestrictedValue(kind.name, content)

    def default(self, field: Field) -> Scalar:
        """The default of a field as a value."""
        value = default_value(field)
        assert value is not None, field.name
        return value

    def choices(self, reference: TypeReference) -> tuple[Choice, ...]:
        """The choices of the type of a field, its own or inherited ones."""
        kind = self.spec.type(reference.name)
        while isinstance(kind, Restricted):
            if kind.choices:
                return kind.choices
            kind = self.spec.type(kind.source.name)
        return ()

    def choice(self, primitive: str, choice: Choice) -> Scalar:
        """A choice as a value."""
        return written_value(primitive, choice.value)

    def _composite(
        self, kind: Composite, fields: list[Field] | tuple[Field, ...], depth: int = 0
    ) -> CompositeValue:
        return CompositeValue(kind.name, {each.name: self._content(each, depth) for each in fields})

    def _content(self, field: Field, depth: int) -> Value | tuple[Value, ...]:
        return self.several(field, depth) if field.multiple else self.value(field, depth)

    def _samples(self, reference: TypeReference) -> Samples | None:
        """The samples of the primitive type that carries a field; None if a descriptor precedes it."""
        return None if reference.described else self.primitives.get(reference.primitive)

    def _not_default(self, field: Field) -> Value:
        """A value that is not the default of a field, if there is another."""
        samples = self.primitives[field.type.primitive]
        choices = [self.choice(field.type.primitive, each) for each in self.choices(field.type)]
        candidates: list[Value] = [*choices] or [samples.typical, samples.high]
        return next((each for each in candidates if not holds_default(field, each)), candidates[0])

    def _unsettled(self) -> Map:
        state = self.spec.type("accepted")
        content = CompositeValue(state.name) if isinstance(state, Composite) else NULL
        return Map(((Scalar("binary", b"tag-1"), content), (Scalar("binary", b"tag-2"), NULL)))

    def _plain(self, primitive: str, label: str) -> Value:
        """A value of a primitive type; any type will do if there is no name."""
        if primitive in INTEGER_BITS:
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

    def _map(self, kind: Restricted) -> Map:
        """A map of a restricted type, with keys as the prose demands."""
        if kind.name == "filter-set":  # 3.5.8: every value is described
            filtering = Described(symbol("com.example:filter:string"), string("a > 1"))
            return Map(((symbol("com.example:filter"), filtering),))
        if self.symbol_keys.isdisjoint((kind.name, *kind.chain)):
            return Map(((string("key"), string("text")), (string("other"), ulong(1))))
        return Map(((symbol("x-opt-key"), string("text")), (symbol("x-opt-other"), ulong(1))))


def _wanted(field: Field) -> TypeReference:
    """The type of the values of a field: for one of any type, the first that provides what it requires."""
    return field.providers[0] if field.providers and field.type.kind is Kind.ANY else field.type
