"""Cases of frames and protocol headers: performatives, empty frames, extended and inconsistent headers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...model.amqp1.spec import HeaderLayout, Wire
from ...model.amqp1.types import Composite
from ..case import Case, Neutral, refused_octets
from .case_factory import CaseFactory
from .reference_encoder import DESCRIBED
from .values import CompositeValue, DescribedValue, ListValue, neutral, symbol

FRAME_KIND = "frame"
HEADER_SIZE = 8
MIN_MAX_FRAME_SIZE = 512
OTHER_BODY = "the frame type tells which performatives there may be (2.3.2, 5.3.1)"


def frame_octets(body: bytes, kind: int, channel: int = 0, words: int = 2, extended: bytes = b"") -> bytes:
    """Return a frame (2.3.1): size, data offset, type, two octets that depend on the type, extended header, body."""
    rest = bytes((words, kind)) + channel.to_bytes(2, "big") + extended + body
    return (4 + len(rest)).to_bytes(4, "big") + rest


def frame_form(
    factory: CaseFactory, kind: str, channel: int, body: CompositeValue | None, payload: bytes = b""
) -> Neutral:
    """Return the neutral form of a frame."""
    performative = None if body is None else neutral(factory.spec, body)
    return {"type": kind, "channel": channel, "performative": performative, "payload": {"hex": payload.hex()}}


def frame_cases(factory: CaseFactory, wire: Wire) -> Iterator[Case]:
    """Yield the cases of frames; none if the specification has no performatives."""
    bodies = {
        "amqp": [composite for composite in factory.spec.composites if composite.is_performative],
        "sasl": [composite for composite in factory.spec.composites if composite.is_sasl_frame],
    }
    if not bodies["amqp"]:
        return
    yield from _performatives(factory, wire, bodies)
    yield from _amqp_frames(factory, wire.frames["amqp"], bodies["amqp"][0])
    yield from _headers(factory, wire.frames["amqp"], bodies["amqp"][0])
    yield from _wrong_bodies(factory, wire, bodies)
    yield from _sizes(factory, wire.frames["amqp"])


def _frame(
    factory: CaseFactory, name: str, form: Neutral, octets: bytes, way: str = "both", note: str = ""
) -> Case:
    free = form["performative"] is not None
    return Case(f"{FRAME_KIND}/{name}", FRAME_KIND, FRAME_KIND, form, octets, way=way, note=note, free=free)


def _wrong(name: str, octets: bytes, error: str, note: str) -> Case:
    return refused_octets(FRAME_KIND, name, FRAME_KIND, octets, error, note)


def _performatives(factory: CaseFactory, wire: Wire, bodies: dict[str, list[Composite]]) -> Iterator[Case]:
    """Yield every performative in its frame, by number and by symbol."""
    for layer, kinds in bodies.items():
        code = wire.frames[layer]
        for kind in kinds:
            body = factory.sampler.typical(kind)
            channel = 1 if layer == "amqp" else 0
            form = frame_form(factory, layer, channel, body)
            octets = factory.encoder.encode(body)
            yield _frame(factory, kind.name, form, frame_octets(octets, code, channel))
            content = octets[len(factory.encoder.descriptor(kind.descriptor)) :]
            octets = DESCRIBED + factory.encoder.encode(symbol(kind.descriptor.symbol)) + content
            if kind.descriptor.symbol:
                yield _frame(
                    factory, f"{kind.name}-by-symbol", form, frame_octets(octets, code, channel), "decode"
                )
            if layer == "sasl":
                octets = frame_octets(factory.encoder.encode(body), code, 0x0102)
                note = "octets 6 and 7 of a SASL frame are ignored (5.3.1)"
                yield _frame(factory, f"{kind.name}-octets-6-and-7", form, octets, "decode", note)


def _amqp_frames(factory: CaseFactory, code: int, kind: Composite) -> Iterator[Case]:
    """Yield frames with various channels and payloads, and without a body."""
    body = factory.sampler.minimum(kind)
    for channel in (0, 255, 256, 65535):
        octets = frame_octets(factory.encoder.encode(body), code, channel)
        yield _frame(factory, f"channel-{channel}", frame_form(factory, "amqp", channel, body), octets)
        empty = frame_octets(b"", code, channel)
        yield _frame(factory, f"empty-channel-{channel}", frame_form(factory, "amqp", channel, None), empty)
    transfer = factory.spec.type("transfer")
    if isinstance(transfer, Composite):
        body = factory.sampler.minimum(transfer)
        for payload in (b"p", bytes(range(256))):
            octets = frame_octets(factory.encoder.encode(body) + payload, code, 1)
            form = frame_form(factory, "amqp", 1, body, payload)
            yield _frame(factory, f"payload-of-{len(payload)}", form, octets)
    body = factory.sampler.minimum(kind)
    form = frame_form(factory, "amqp", 1, body)
    for words in (3, 4, 255):
        extended = bytes(4 * words - HEADER_SIZE)
        octets = frame_octets(factory.encoder.encode(body), code, 1, words, extended)
        note = "the extended header is ignored (2.3.1)"
        yield _frame(factory, f"extended-header-to-word-{words}", form, octets, "decode", note)
    empty = frame_octets(b"", code, 1, 3, b"\0\x53\x10\x45")
    form = frame_form(factory, "amqp", 1, None)
    yield _frame(factory, "empty-with-extended-header", form, empty, "decode")


def _headers(factory: CaseFactory, code: int, kind: Composite) -> Iterator[Case]:
    """Yield frame headers with impossible numbers."""
    body = factory.encoder.encode(factory.sampler.minimum(kind))
    octets = frame_octets(body, code)
    for size in range(HEADER_SIZE):
        note = "a frame has at least 8 octets (2.3.1)"
        yield _wrong(f"size-{size}", size.to_bytes(4, "big") + octets[4:], "malformed", note)
    for words in (0, 1):
        note = "the body starts after the header (2.3.1)"
        yield _wrong(f"data-offset-{words}", frame_octets(body, code, 0, words), "malformed", note)
        # Where size and offset agree, each seems to allow the other.
        for size in (4 * words, 4 * words + 1, HEADER_SIZE):
            header = size.to_bytes(4, "big") + bytes((words, code, 0, 0))
            yield _wrong(f"size-{size}-and-data-offset-{words}", header, "malformed", note)
    beyond = len(octets) // 4 + 1
    note = "the body starts within the frame (2.3.1)"
    yield _wrong("data-offset-beyond-the-end", frame_octets(body, code, 0, beyond), "malformed", note)
    yield _wrong("data-offset-of-an-empty-frame", frame_octets(b"", code, 0, 3), "malformed", note)
    for unknown in (2, 0x7F, 0xFF):
        yield _wrong(f"type-{unknown}", frame_octets(body, unknown), "unknown", "there are two frame types")


def _wrong_bodies(factory: CaseFactory, wire: Wire, bodies: dict[str, list[Composite]]) -> Iterator[Case]:
    """Yield bodies that are not performatives, belong to the other layer, or are incomplete."""
    amqp = bodies["amqp"][0]
    other = DescribedValue(symbol("com.example:performative:list"), ListValue())
    outside = [
        composite
        for composite in factory.spec.composites
        if not composite.is_performative and not composite.is_sasl_frame
    ]
    for layer, kinds in bodies.items():
        if not kinds:
            continue
        code = wire.frames[layer]
        for kind in (*(bodies["sasl"] if layer == "amqp" else bodies["amqp"]), *outside[:1]):
            octets = frame_octets(factory.encoder.encode(factory.sampler.minimum(kind)), code)
            yield _wrong(f"{kind.name}-in-{layer}-frame", octets, "unknown", OTHER_BODY)
        octets = frame_octets(factory.encoder.encode(other), code)
        yield _wrong(f"unknown-performative-in-{layer}-frame", octets, "unknown", OTHER_BODY)
        octets = frame_octets(factory.encoder.encode(ListValue()), code)
        yield _wrong(f"no-descriptor-in-{layer}-frame", octets, "malformed", "a performative is described")
        whole = factory.encoder.encode(factory.sampler.maximum(kinds[0]))
        octets = frame_octets(whole[:-1], code)
        note = "the frame ends before the performative"
        yield _wrong(f"performative-cut-off-in-{layer}-frame", octets + whole[-1:], "truncated", note)
    if bodies["sasl"]:
        code = wire.frames["sasl"]
        body = factory.sampler.typical(bodies["sasl"][0])
        octets = frame_octets(factory.encoder.encode(body), code, 0, 3, b"more")
        note = "the extended header is ignored (5.3.1)"
        form = frame_form(factory, "sasl", 0, body)
        yield _frame(factory, "sasl-extended-header", form, octets, "decode", note)
        yield _wrong("empty-sasl", frame_octets(b"", code), "malformed", "a SASL frame has a body (5.3.1)")
        whole = factory.encoder.encode(factory.sampler.minimum(bodies["sasl"][0]))
        note = "the body of a SASL frame is one performative (5.3.1)"
        yield _wrong("sasl-with-payload", frame_octets(whole + b"\0", code), "malformed", note)
    missing = factory.composite(amqp, ())
    if any(field.mandatory for field in amqp.fields):
        note = "a mandatory field is missing"
        yield _wrong("mandatory-field-missing", frame_octets(missing, wire.frames["amqp"]), "malformed", note)


def _sizes(factory: CaseFactory, code: int) -> Iterator[Case]:
    """Yield the largest frame that every peer takes, and one octet more than agreed (2.7.1)."""
    transfer = factory.spec.type("transfer")
    if not isinstance(transfer, Composite):
        return
    body = factory.sampler.minimum(transfer)
    octets = factory.encoder.encode(body)
    payload = bytes(MIN_MAX_FRAME_SIZE - HEADER_SIZE - len(octets))
    options = {"max-frame-size": MIN_MAX_FRAME_SIZE}
    form = frame_form(factory, "amqp", 1, body, payload)
    largest = frame_octets(octets + payload, code, 1)
    yield Case(
        f"{FRAME_KIND}/largest", "open.max-frame-size", FRAME_KIND, form, largest, options=options, free=True
    )
    too_large = frame_octets(octets + payload + b"\0", code, 1)
    announced = (MIN_MAX_FRAME_SIZE + 1).to_bytes(4, "big") + largest[4:HEADER_SIZE]
    for name, wrong, note in (
        ("too-large", too_large, "a larger frame than was agreed is a framing error (2.7.1)"),
        ("too-large-announced", announced, "it is refused when its header is there, before it is kept"),
    ):
        case = refused_octets("open.max-frame-size", name, FRAME_KIND, wrong, "limit", note, options)
        yield replace(case, id=f"{FRAME_KIND}/{name}")


PROTOCOL_HEADER_KIND = "protocol-header"


def protocol_header_cases(factory: CaseFactory, wire: Wire) -> Iterator[Case]:
    """Yield the header of each layer, and unknown headers."""
    headers = {name: header_octets(factory, layout) for name, layout in wire.headers.items()}
    known = {name: octets for name, octets in headers.items() if octets is not None}
    for name, octets in known.items():
        element = PROTOCOL_HEADER_KIND
        yield Case(f"{element}/{name}", element, PROTOCOL_HEADER_KIND, {"layer": name}, octets)
    if not known:
        return
    start = next(iter(known.values()))
    for name, octets in (
        ("id-1", start[:4] + b"\x01" + start[5:]),
        ("id-4", start[:4] + b"\x04" + start[5:]),
        ("next-major", start[:5] + bytes((start[5] + 1,)) + start[6:]),
        ("next-minor", start[:6] + bytes((start[6] + 1,)) + start[7:]),
        ("next-revision", start[:7] + bytes((start[7] + 1,))),
        ("version-0-9-1", b"AMQP\x00\x00\x09\x01"),
        ("other-letters", b"HTTP" + start[4:]),
        ("small-letters", b"amqp" + start[4:]),
    ):
        note = "the header of no layer of this version (2.2)"
        yield refused_octets(PROTOCOL_HEADER_KIND, name, PROTOCOL_HEADER_KIND, octets, "unknown", note)


def header_octets(factory: CaseFactory, layout: HeaderLayout) -> bytes | None:
    """Return ``AMQP``, the layer's id and the three numbers of its version; None if a number is not defined."""
    numbers = [layout.id]
    for name in layout.version:
        definition = factory.spec.definition(name)
        if definition is None or not isinstance(definition.value, int) or not 0 <= definition.value <= 255:
            return None
        numbers.append(definition.value)
    return b"AMQP" + bytes(numbers)
