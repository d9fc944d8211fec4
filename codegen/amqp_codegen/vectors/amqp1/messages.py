"""Cases of messages: sections alone and together, in their order and in any other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ...model.types1 import Composite, Restricted
from ..case import Case
from .maker import Maker
from .neutral import neutral
from .reference_encoder import DESCRIBED
from .value import CompositeValue, Described, List, RestrictedValue, Scalar, Value, string, symbol, ulong

KIND = "message"
# 3.2: what stands before the body, the three sorts of bodies, and what stands behind it.
BEFORE = ("header", "delivery-annotations", "message-annotations", "properties", "application-properties")
BODIES = ("data", "amqp-sequence", "amqp-value")
AFTER = ("footer",)
ORDER = "the sections stand in a fixed order, each of them once (3.2)"
ONE_BODY = "a body is data, sequences or one value (3.2)"


def message_cases(maker: Maker) -> Iterator[Case]:
    """Messages; none if the specification lacks one of the sections."""
    if not all(
        isinstance(maker.spec.type(name), (Composite, Restricted)) for name in (*BEFORE, *BODIES, *AFTER)
    ):
        return
    sections = {name: _section(maker, name) for name in (*BEFORE, *BODIES, *AFTER)}
    yield from _in_order(maker, sections)
    yield from _several(maker)
    yield from _out_of_order(maker, sections)
    yield from _other_values(maker, sections["amqp-value"])
    yield from _by_symbol(maker, sections)


def _section(maker: Maker, name: str) -> Value:
    kind = maker.spec.type(name)
    if isinstance(kind, Composite):
        return maker.sampler.maximum(kind)
    assert isinstance(kind, Restricted), name
    return maker.sampler.restricted(kind)


def _in_order(maker: Maker, sections: dict[str, Value]) -> Iterator[Case]:
    """Each body alone, every other section with a body, and all of them together."""
    body = sections["amqp-value"]
    for name in BODIES:
        yield _message(maker, f"only-{name}", [sections[name]])
    for name in BEFORE:
        yield _message(maker, f"{name}-and-body", [sections[name], body])
    for name in AFTER:
        yield _message(maker, f"body-and-{name}", [body, sections[name]])
    for name in BODIES:
        names = (*BEFORE, name, *AFTER)
        yield _message(maker, f"all-around-{name}", [sections[each] for each in names])


def _several(maker: Maker) -> Iterator[Case]:
    """A body of several sections, and bodies without content."""
    data = [RestrictedValue("data", Scalar("binary", octets)) for octets in (b"one", b"", b"three")]
    yield _message(maker, "several-data", data)
    lists = [
        RestrictedValue("amqp-sequence", List(items))
        for items in ((Scalar("int", 1),), (string("two"), List()))
    ]
    yield _message(maker, "several-sequences", lists)
    yield _message(maker, "long-data", [RestrictedValue("data", Scalar("binary", bytes(256)))])
    yield _message(maker, "null-value", [RestrictedValue("amqp-value", Scalar("null", None))])
    empty = CompositeValue("header"), CompositeValue("properties")
    yield _message(maker, "empty-sections", [*empty, RestrictedValue("data", Scalar("binary", b""))])


def _message(maker: Maker, name: str, sections: Sequence[Value]) -> Case:
    form = {"sections": [neutral(maker.spec, section) for section in sections]}
    return Case(f"{KIND}/{name}", KIND, KIND, form, b"".join(map(maker.encoder.encode, sections)))


def _out_of_order(maker: Maker, sections: dict[str, Value]) -> Iterator[Case]:
    """Two sections the wrong way round, and one twice."""
    names = (*BEFORE, "data", *AFTER)
    for first, second in pairwise(names):
        wrong = [sections[each] for each in names]
        place = names.index(first)
        wrong[place], wrong[place + 1] = wrong[place + 1], wrong[place]
        yield _wrong(maker, f"{second}-before-{first}", wrong, ORDER)
    for name in (*BEFORE, *AFTER):
        wrong = [sections[each] for each in names]
        wrong.insert(names.index(name), sections[name])
        yield _wrong(maker, f"{name}-twice", wrong, ORDER)
    value, sequence, data = (sections[name] for name in reversed(BODIES))
    yield _wrong(maker, "two-values", [value, value], ONE_BODY)
    yield _wrong(maker, "data-and-sequence", [data, sequence], ONE_BODY)
    yield _wrong(maker, "data-and-value", [data, value], ONE_BODY)
    yield _wrong(maker, "value-and-data", [value, data], ONE_BODY)
    yield _wrong(maker, "sequence-and-value", [sequence, value], ONE_BODY)


def _other_values(maker: Maker, body: Value) -> Iterator[Case]:
    """What is no section."""
    note = "a message is made of sections (3.2)"
    for kind in maker.spec.composites:
        if "section" not in kind.provides:
            yield _wrong(
                maker, f"{kind.name}-is-no-section", [maker.sampler.minimum(kind), body], note, "unknown"
            )
    unknown = Described(symbol("com.example:section:map"), List())
    yield _wrong(maker, "unknown-section", [unknown, body], note, "unknown")
    yield _wrong(maker, "unknown-number", [Described(ulong(0x79), List()), body], note, "unknown")
    yield _wrong(maker, "no-descriptor", [string("text")], note, "unknown")


def _by_symbol(maker: Maker, sections: dict[str, Value]) -> Iterator[Case]:
    """Each section with the other form of its descriptor."""
    body = sections["amqp-value"]
    for name, section in sections.items():
        kind = maker.spec.type(name)
        assert isinstance(kind, (Composite, Restricted)), name
        descriptor = kind.descriptors[0]
        content = maker.encoder.encode(section)[len(maker.encoder.descriptor(descriptor)) :]
        octets = DESCRIBED + maker.encoder.encode(symbol(descriptor.symbol)) + content
        message, whole = [section], octets
        if name in BEFORE:
            message, whole = [section, body], octets + maker.encoder.encode(body)
        elif name in AFTER:
            message, whole = [body, section], maker.encoder.encode(body) + octets
        form = {"sections": [neutral(maker.spec, each) for each in message]}
        yield Case(f"{KIND}/{name}-by-symbol", KIND, KIND, form, whole, way="decode")


def _wrong(maker: Maker, name: str, sections: Sequence[Value], note: str, error: str = "malformed") -> Case:
    octets = b"".join(map(maker.encoder.encode, sections))
    return Case(f"{KIND}/{name}", KIND, KIND, None, octets, "reject", error, "decode", note=note)
