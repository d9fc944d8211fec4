"""Cases of the types with a descriptor: as small and as large as they get, in each form of their lists."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.types1 import Composite, Restricted
from ..case import Case
from .maker import Maker
from .reference_encoder import sized
from .value import NULL, List, Map, RestrictedValue, Scalar, Value, string

NO_MORE_FIELDS = "an item beyond the last field has no meaning (1.4)"


def composite_cases(maker: Maker) -> Iterator[Case]:
    """Composites, and restricted types with a descriptor."""
    for kind in maker.spec.composites:
        yield from _contents(maker, kind)
        yield from _forms(maker, kind)
    for each in maker.spec.restricted_types:
        if each.descriptors:
            yield from _restricted(maker, each)


def _contents(maker: Maker, kind: Composite) -> Iterator[Case]:
    minimum, typical, maximum = (
        maker.sampler.minimum(kind),
        maker.sampler.typical(kind),
        maker.sampler.maximum(kind),
    )
    yield maker.both(kind.name, "minimum", minimum)
    if typical not in (minimum, maximum):
        yield maker.both(kind.name, "typical", typical)
    if maximum != minimum:
        yield maker.both(kind.name, "maximum", maximum)


def _forms(maker: Maker, kind: Composite) -> Iterator[Case]:
    """The list of a composite in other lengths and other encodings."""
    minimum = maker.sampler.minimum(kind)
    items = maker.items(minimum)
    descriptor = maker.encoder.descriptor(kind.descriptor)
    needed = maker.encoder.field_values(minimum)
    if len(items) > len(needed):
        octets = maker.composite(kind, items)
        yield maker.decode(kind.name, "nulls-at-the-end", minimum, octets, "they may be left out (1.4)")
    short = List(needed)
    for encoding in maker.encoder.fitting(short):
        octets = descriptor + maker.encoder.encode_as(short, encoding)
        yield maker.decode(kind.name, f"in-{encoding.name}", minimum, octets)
    too_long = maker.composite(kind, (*items, NULL))
    yield maker.reject(kind.name, "one-item-too-many", too_long, "malformed", NO_MORE_FIELDS)
    too_long = maker.composite(kind, (*items, string("more")))
    yield maker.reject(kind.name, "one-value-too-many", too_long, "malformed", NO_MORE_FIELDS)
    octets = descriptor + maker.encoder.encode(Map())
    yield maker.reject(kind.name, "map-for-list", octets, "malformed", "a composite is a list (1.4)")
    yield from _lying_counts(maker, kind, needed)


def _lying_counts(maker: Maker, kind: Composite, items: tuple[Value, ...]) -> Iterator[Case]:
    """A list whose count is one more or one less than there are items (1.2.3)."""
    error = "truncated" if len(items) < len(kind.fields) else "malformed"
    octets = _counted(maker, kind, items, len(items) + 1)
    yield maker.reject(kind.name, "count-too-large", octets, error, "fewer items than the count tells")
    if items:
        octets = _counted(maker, kind, items, len(items) - 1)
        yield maker.reject(
            kind.name, "count-too-small", octets, "malformed", "more items than the count tells"
        )
    if len(items) < len(kind.fields):
        every = maker.items(maker.sampler.maximum(kind))
        octets = _counted(maker, kind, every, len(every) + 1)
        yield maker.reject(kind.name, "count-beyond-the-fields", octets, "malformed", NO_MORE_FIELDS)


def _counted(maker: Maker, kind: Composite, items: tuple[Value, ...], count: int) -> bytes:
    """The octets of a composite with these items in its list, and any count."""
    body = b"".join(maker.encoder.encode(each) for each in items)
    return maker.encoder.descriptor(kind.descriptor) + b"\xd0" + sized(4, count, body)


def _restricted(maker: Maker, kind: Restricted) -> Iterator[Case]:
    """A restricted type with a descriptor: values of its source, and one that is of another type."""
    if not kind.primitive:
        for name, samples in maker.sampler.primitives.items():
            yield maker.both(kind.name, name, RestrictedValue(kind.name, samples.typical))
        return
    samples = maker.sampler.primitives[kind.primitive]
    typical = maker.sampler.restricted(kind)
    if not kind.choices:
        yield maker.both(kind.name, "low", RestrictedValue(kind.name, samples.low))
    if not kind.choices and kind.primitive != "map":  # which keys a map may have, depends
        yield maker.both(kind.name, "high", RestrictedValue(kind.name, samples.high))
    yield maker.both(kind.name, "typical", typical)
    other = Scalar("ubyte", 1)
    octets = maker.encoder.descriptor(kind.descriptors[0]) + maker.encoder.encode(other)
    yield maker.reject(kind.name, "of-another-type", octets, "malformed", f"it is a {kind.primitive}")
