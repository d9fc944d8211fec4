"""Cases of types with a descriptor: minimum to maximum, in each form of their lists and descriptors."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.amqp1.types import Composite, Restricted
from ..case import Case
from .case_factory import CaseFactory, encoding_name
from .reference_encoder import DESCRIBED, sized
from .values import (
    NULL,
    DescribedValue,
    ListValue,
    MapValue,
    RestrictedValue,
    Scalar,
    Value,
    string,
    symbol,
    uint,
    ulong,
)

NO_MORE_FIELDS = "an item beyond the last field has no meaning (1.4)"


def composite_cases(factory: CaseFactory) -> Iterator[Case]:
    """Yield the cases of composites, and of restricted types with a descriptor."""
    for kind in factory.spec.composites:
        yield from _contents(factory, kind)
        yield from _forms(factory, kind)
    for type_ in factory.spec.restricted_types:
        if type_.descriptors:
            yield from _restricted(factory, type_)


def _contents(factory: CaseFactory, kind: Composite) -> Iterator[Case]:
    minimum, typical, maximum = (
        factory.sampler.minimum(kind),
        factory.sampler.typical(kind),
        factory.sampler.maximum(kind),
    )
    yield factory.accepted(kind.name, "minimum", minimum)
    if typical not in (minimum, maximum):
        yield factory.accepted(kind.name, "typical", typical)
    if maximum != minimum:
        yield factory.accepted(kind.name, "maximum", maximum)


def _forms(factory: CaseFactory, kind: Composite) -> Iterator[Case]:
    """Yield the list of a composite in other lengths and other encodings."""
    minimum = factory.sampler.minimum(kind)
    items = factory.items(minimum)
    descriptor = factory.encoder.descriptor(kind.descriptor)
    needed = factory.encoder.field_values(minimum)
    if len(items) > len(needed):
        octets = factory.composite(kind, items)
        yield factory.decode(kind.name, "nulls-at-the-end", minimum, octets, "they may be left out (1.4)")
    short = ListValue(needed)
    for encoding in factory.encoder.fitting(short):
        octets = descriptor + factory.encoder.encode_as(short, encoding)
        yield factory.decode(kind.name, f"in-{encoding.name}", minimum, octets)
    too_long = factory.composite(kind, (*items, NULL))
    yield factory.rejected_octets(kind.name, "one-item-too-many", too_long, "malformed", NO_MORE_FIELDS)
    too_long = factory.composite(kind, (*items, string("more")))
    yield factory.rejected_octets(kind.name, "one-value-too-many", too_long, "malformed", NO_MORE_FIELDS)
    octets = descriptor + factory.encoder.encode(MapValue())
    yield factory.rejected_octets(
        kind.name, "map-for-list", octets, "malformed", "a composite is a list (1.4)"
    )
    yield from _wrong_counts(factory, kind, needed)


def _wrong_counts(factory: CaseFactory, kind: Composite, items: tuple[Value, ...]) -> Iterator[Case]:
    """Yield lists whose count is one more or one less than the number of items (1.2.3)."""
    error = "truncated" if len(items) < len(kind.fields) else "malformed"
    octets = _counted(factory, kind, items, len(items) + 1)
    yield factory.rejected_octets(
        kind.name, "count-too-large", octets, error, "fewer items than the count tells"
    )
    if items:
        octets = _counted(factory, kind, items, len(items) - 1)
        yield factory.rejected_octets(
            kind.name, "count-too-small", octets, "malformed", "more items than the count tells"
        )
    if len(items) < len(kind.fields):
        every = factory.items(factory.sampler.maximum(kind))
        octets = _counted(factory, kind, every, len(every) + 1)
        yield factory.rejected_octets(
            kind.name, "count-beyond-the-fields", octets, "malformed", NO_MORE_FIELDS
        )


def _counted(factory: CaseFactory, kind: Composite, items: tuple[Value, ...], count: int) -> bytes:
    """Return the octets of a composite with these items in its list, and any count."""
    body = b"".join(factory.encoder.encode(item) for item in items)
    return factory.encoder.descriptor(kind.descriptor) + b"\xd0" + sized(4, count, body)


def _restricted(factory: CaseFactory, kind: Restricted) -> Iterator[Case]:
    """Yield values of the source of a restricted type with a descriptor, and one of another type."""
    if not kind.primitive:
        for name, samples in factory.sampler.primitives.items():
            yield factory.accepted(kind.name, name, RestrictedValue(kind.name, samples.typical))
        return
    samples = factory.sampler.primitives[kind.primitive]
    typical = factory.sampler.restricted(kind)
    if not kind.choices:
        yield factory.accepted(kind.name, "low", RestrictedValue(kind.name, samples.low))
    if not kind.choices and kind.primitive != "map":  # the keys that a map may have depend on its type
        yield factory.accepted(kind.name, "high", RestrictedValue(kind.name, samples.high))
    yield factory.accepted(kind.name, "typical", typical)
    other = Scalar("ubyte", 1)
    octets = factory.encoder.descriptor(kind.descriptors[0]) + factory.encoder.encode(other)
    yield factory.rejected_octets(
        kind.name, "of-another-type", octets, "malformed", f"it is a {kind.primitive}"
    )


CONTENT = ListValue((Scalar("int", 1),))


def descriptor_cases(factory: CaseFactory) -> Iterator[Case]:
    """Yield every described type with its descriptors in every form, and unknown descriptors."""
    for kind in factory.spec.described_types:
        yield from _known(factory, kind)
    for kind in factory.spec.composites:
        value = factory.encoder.array_of((factory.sampler.minimum(kind), factory.sampler.maximum(kind)))
        yield factory.accepted("array", f"of-{kind.name}", value, "one descriptor for all elements (1.2.4)")
    yield from _unknown(factory)


def _known(factory: CaseFactory, kind: Composite | Restricted) -> Iterator[Case]:
    value = factory.sampler.minimum(kind) if isinstance(kind, Composite) else factory.sampler.restricted(kind)
    octets = factory.encoder.encode(value)
    content = octets[len(factory.encoder.descriptor(kind.descriptors[0])) :]
    for descriptor in kind.descriptors:
        forms: list[Value] = [symbol(descriptor.symbol)] if descriptor.symbol else []
        forms += [ulong(descriptor.code)] if descriptor.code is not None else []
        for form in forms:
            for encoding in factory.encoder.fitting(form):
                name = f"descriptor-{encoding_name(encoding)}"
                octets = DESCRIBED + factory.encoder.encode_as(form, encoding) + content
                yield factory.decode(kind.name, name, value, octets)


def _unknown(factory: CaseFactory) -> Iterator[Case]:
    """Yield descriptors that stand for no type of the specification: any value may be one."""
    for name, descriptor in (
        ("number", ulong(0xFF)),
        ("number-of-another-domain", ulong(0x0000_4680_0000_0010)),
        ("symbol", symbol("com.example:open:list")),
        ("symbol-that-nearly-fits", symbol("amqp:open:map")),
    ):
        yield factory.accepted("described", f"by-{name}", DescribedValue(descriptor, CONTENT))
    for name, reserved in (
        ("string", string("amqp:open:list")),
        ("uint", uint(0x10)),
        ("list", ListValue()),
        ("described", DescribedValue(symbol("com.example:inner"), symbol("com.example:outer"))),
    ):
        note = "descriptors of other types than symbol and ulong are reserved, but well formed (1.5)"
        yield factory.accepted("described", f"by-{name}", DescribedValue(reserved, CONTENT), note)
