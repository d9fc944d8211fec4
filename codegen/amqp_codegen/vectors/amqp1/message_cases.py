"""Cases of messages and their sections, and of deliveries in one or several transfers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from ...model.amqp1.types import Composite, Restricted
from ..case import Case, refused_octets
from .case_factory import CaseFactory
from .frame_cases import frame_octets
from .reference_encoder import DESCRIBED
from .values import (
    TRUE,
    CompositeValue,
    DescribedValue,
    ListValue,
    RestrictedValue,
    Scalar,
    Value,
    neutral,
    string,
    symbol,
    uint,
    ulong,
)

MESSAGE_KIND = "message"
# 3.2: the sections before the body, the three kinds of body, and the section after it.
BEFORE = ("header", "delivery-annotations", "message-annotations", "properties", "application-properties")
BODIES = ("data", "amqp-sequence", "amqp-value")
AFTER = ("footer",)
ORDER = "the sections stand in a fixed order, each of them once (3.2)"
ONE_BODY = "a body is data, sequences or one value (3.2)"


def message_cases(factory: CaseFactory) -> Iterator[Case]:
    """Yield the cases of messages; none if the specification lacks one of the sections."""
    if not all(
        isinstance(factory.spec.type(name), (Composite, Restricted)) for name in (*BEFORE, *BODIES, *AFTER)
    ):
        return
    sections = {name: _section(factory, name) for name in (*BEFORE, *BODIES, *AFTER)}
    yield from _in_order(factory, sections)
    yield from _several(factory)
    yield from _out_of_order(factory, sections)
    yield from _other_values(factory, sections["amqp-value"])
    yield from _by_symbol(factory, sections)


def _section(factory: CaseFactory, name: str) -> Value:
    kind = factory.spec.type(name)
    if isinstance(kind, Composite):
        return factory.sampler.maximum(kind)
    assert isinstance(kind, Restricted), name
    return factory.sampler.restricted(kind)


def _in_order(factory: CaseFactory, sections: dict[str, Value]) -> Iterator[Case]:
    """Yield each body alone, every other section with a body, and all sections together."""
    body = sections["amqp-value"]
    for name in BODIES:
        yield _message(factory, f"only-{name}", [sections[name]])
    for name in BEFORE:
        yield _message(factory, f"{name}-and-body", [sections[name], body])
    for name in AFTER:
        yield _message(factory, f"body-and-{name}", [body, sections[name]])
    for name in BODIES:
        names = (*BEFORE, name, *AFTER)
        yield _message(factory, f"all-around-{name}", [sections[name] for name in names])


def _several(factory: CaseFactory) -> Iterator[Case]:
    """Yield bodies of several sections, and bodies without content."""
    data = [RestrictedValue("data", Scalar("binary", octets)) for octets in (b"one", b"", b"three")]
    yield _message(factory, "several-data", data)
    lists = [
        RestrictedValue("amqp-sequence", ListValue(items))
        for items in ((Scalar("int", 1),), (string("two"), ListValue()))
    ]
    yield _message(factory, "several-sequences", lists)
    yield _message(factory, "long-data", [RestrictedValue("data", Scalar("binary", bytes(256)))])
    yield _message(factory, "null-value", [RestrictedValue("amqp-value", Scalar("null", None))])
    empty = CompositeValue("header"), CompositeValue("properties")
    yield _message(factory, "empty-sections", [*empty, RestrictedValue("data", Scalar("binary", b""))])


def _message(factory: CaseFactory, name: str, sections: Sequence[Value]) -> Case:
    form = {"sections": [neutral(factory.spec, section) for section in sections]}
    octets = b"".join(map(factory.encoder.encode, sections))
    return Case(f"{MESSAGE_KIND}/{name}", MESSAGE_KIND, MESSAGE_KIND, form, octets, free=True)


def _out_of_order(factory: CaseFactory, sections: dict[str, Value]) -> Iterator[Case]:
    """Yield two sections in the wrong order, a section twice, and two kinds of body."""
    names = (*BEFORE, "data", *AFTER)
    for first, second in pairwise(names):
        wrong = [sections[name] for name in names]
        place = names.index(first)
        wrong[place], wrong[place + 1] = wrong[place + 1], wrong[place]
        yield _wrong(factory, f"{second}-before-{first}", wrong, ORDER)
    for name in (*BEFORE, *AFTER):
        wrong = [sections[name] for name in names]
        wrong.insert(names.index(name), sections[name])
        yield _wrong(factory, f"{name}-twice", wrong, ORDER)
    value, sequence, data = (sections[name] for name in reversed(BODIES))
    yield _wrong(factory, "two-values", [value, value], ONE_BODY)
    yield _wrong(factory, "data-and-sequence", [data, sequence], ONE_BODY)
    yield _wrong(factory, "data-and-value", [data, value], ONE_BODY)
    yield _wrong(factory, "value-and-data", [value, data], ONE_BODY)
    yield _wrong(factory, "sequence-and-value", [sequence, value], ONE_BODY)


def _other_values(factory: CaseFactory, body: Value) -> Iterator[Case]:
    """Yield values that are not sections."""
    note = "a message is made of sections (3.2)"
    for kind in factory.spec.composites:
        if "section" not in kind.provides:
            yield _wrong(
                factory, f"{kind.name}-is-no-section", [factory.sampler.minimum(kind), body], note, "unknown"
            )
    unknown = DescribedValue(symbol("com.example:section:map"), ListValue())
    yield _wrong(factory, "unknown-section", [unknown, body], note, "unknown")
    yield _wrong(factory, "unknown-number", [DescribedValue(ulong(0x79), ListValue()), body], note, "unknown")
    yield _wrong(factory, "no-descriptor", [string("text")], note, "unknown")


def _by_symbol(factory: CaseFactory, sections: dict[str, Value]) -> Iterator[Case]:
    """Yield each section with the symbolic form of its descriptor."""
    body = sections["amqp-value"]
    for name, section in sections.items():
        kind = factory.spec.type(name)
        assert isinstance(kind, (Composite, Restricted)), name
        descriptor = kind.descriptors[0]
        content = factory.encoder.encode(section)[len(factory.encoder.descriptor(descriptor)) :]
        octets = DESCRIBED + factory.encoder.encode(symbol(descriptor.symbol)) + content
        message, whole = [section], octets
        if name in BEFORE:
            message, whole = [section, body], octets + factory.encoder.encode(body)
        elif name in AFTER:
            message, whole = [body, section], factory.encoder.encode(body) + octets
        form = {"sections": [neutral(factory.spec, section) for section in message]}
        yield Case(f"{MESSAGE_KIND}/{name}-by-symbol", MESSAGE_KIND, MESSAGE_KIND, form, whole, way="decode")


def _wrong(
    factory: CaseFactory, name: str, sections: Sequence[Value], note: str, error: str = "malformed"
) -> Case:
    octets = b"".join(map(factory.encoder.encode, sections))
    return refused_octets(MESSAGE_KIND, name, MESSAGE_KIND, octets, error, note)


DELIVERY_KIND = "delivery"
CHANNEL = 1
FIRST: Mapping[str, Value] = {
    "handle": uint(3),
    "delivery-id": uint(7),
    "delivery-tag": Scalar("binary", b"tag"),
    "message-format": uint(0),
}
NEXT: Mapping[str, Value] = {"handle": uint(3)}
MESSAGE = b"\0\x53\x75\xa0\x0c" + b"twelve-bytes"
MORE: Mapping[str, Value] = {"more": TRUE}
CONTRADICTION = "later transfers of a delivery do not contradict the first one (2.7.5)"


def delivery_cases(factory: CaseFactory, frame_type: int) -> Iterator[Case]:
    """Yield the cases of deliveries; none if the specification has no transfers."""
    transfer = factory.spec.type("transfer")
    if not isinstance(transfer, Composite) or not FIRST.keys() <= {field.name for field in transfer.fields}:
        return

    def stream(*pieces: tuple[Mapping[str, Value], bytes]) -> bytes:
        return b"".join(
            frame_octets(
                factory.encoder.encode(CompositeValue("transfer", fields)) + payload, frame_type, CHANNEL
            )
            for fields, payload in pieces
        )

    def accept(name: str, fields: Mapping[str, Value], octets: bytes, way: str, note: str = "") -> Case:
        form = {
            "channel": CHANNEL,
            "transfer": neutral(factory.spec, CompositeValue("transfer", fields)),
            "message": {"hex": MESSAGE.hex()},
        }
        return Case(
            f"{DELIVERY_KIND}/{name}",
            DELIVERY_KIND,
            DELIVERY_KIND,
            form,
            octets,
            way=way,
            note=note,
            free=True,
        )

    def reject(name: str, octets: bytes) -> Case:
        return refused_octets(DELIVERY_KIND, name, DELIVERY_KIND, octets, "malformed", CONTRADICTION)

    first, start, rest = {**FIRST, **MORE}, MESSAGE[:6], MESSAGE[6:]
    yield accept("one-transfer", FIRST, stream((FIRST, MESSAGE)), "both")
    yield accept("two-transfers", FIRST, stream((first, start), (NEXT, rest)), "decode")
    pieces = [({**NEXT, **MORE}, bytes((octet,))) for octet in MESSAGE[1:-1]]
    octets = stream((first, MESSAGE[:1]), *pieces, (NEXT, MESSAGE[-1:]))
    yield accept("an-octet-each", FIRST, octets, "decode")
    yield accept("empty-transfers", FIRST, stream((first, b""), (NEXT, MESSAGE)), "decode")
    yield accept(
        "identity-repeated", FIRST, stream((first, start), (FIRST, rest)), "decode", "it may be (2.7.5)"
    )
    settled = {**FIRST, "settled": TRUE}
    octets = stream((first, start), ({**NEXT, "settled": TRUE}, rest))
    yield accept("settled-by-the-last", settled, octets, "decode", "settled if any transfer says so (2.7.5)")
    for name, value in (
        ("delivery-id", uint(8)),
        ("delivery-tag", Scalar("binary", b"other")),
        ("message-format", uint(1)),
    ):
        yield reject(f"other-{name}", stream((first, start), ({**NEXT, name: value}, rest)))
