"""Cases of descriptors: numbers and symbols in every encoding, and descriptors that nobody knows."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.types1 import Composite, Restricted
from ..case import Case
from .maker import Maker, encoding_name
from .reference_encoder import DESCRIBED
from .value import Described, List, Scalar, Value, string, symbol, uint, ulong

CONTENT = List((Scalar("int", 1),))


def descriptor_cases(maker: Maker) -> Iterator[Case]:
    """Every described type with its descriptors in every form, and unknown descriptors."""
    for kind in maker.spec.described_types:
        yield from _known(maker, kind)
    for kind in maker.spec.composites:
        value = maker.encoder.array_of((maker.sampler.minimum(kind), maker.sampler.maximum(kind)))
        yield maker.both("array", f"of-{kind.name}", value, "one descriptor for all elements (1.2.4)")
    yield from _unknown(maker)


def _known(maker: Maker, kind: Composite | Restricted) -> Iterator[Case]:
    value = maker.sampler.minimum(kind) if isinstance(kind, Composite) else maker.sampler.restricted(kind)
    octets = maker.encoder.encode(value)
    content = octets[len(maker.encoder.descriptor(kind.descriptors[0])) :]
    for descriptor in kind.descriptors:
        forms: list[Value] = [symbol(descriptor.symbol)] if descriptor.symbol else []
        forms += [ulong(descriptor.code)] if descriptor.code is not None else []
        for form in forms:
            for encoding in maker.encoder.fitting(form):
                name = f"descriptor-{encoding_name(encoding)}"
                octets = DESCRIBED + maker.encoder.encode_as(form, encoding) + content
                yield maker.decode(kind.name, name, value, octets)


def _unknown(maker: Maker) -> Iterator[Case]:
    """Descriptors that stand for no type of the specification: any value may be one."""
    for name, descriptor in (
        ("number", ulong(0xFF)),
        ("number-of-another-domain", ulong(0x0000_4680_0000_0010)),
        ("symbol", symbol("com.example:open:list")),
        ("symbol-that-nearly-fits", symbol("amqp:open:map")),
    ):
        yield maker.both("described", f"by-{name}", Described(descriptor, CONTENT))
    for name, reserved in (
        ("string", string("amqp:open:list")),
        ("uint", uint(0x10)),
        ("list", List()),
        ("described", Described(symbol("com.example:inner"), symbol("com.example:outer"))),
    ):
        note = "descriptors of other types than symbol and ulong are reserved, but well formed (1.5)"
        yield maker.both("described", f"by-{name}", Described(reserved, CONTENT), note)
