"""Cases of frames: every performative, empty frames, extended headers, and headers that lie."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.types1 import Composite
from ...model.wire1 import Wire1
from ..case import Case, Neutral
from .maker import Maker
from .neutral import neutral
from .reference_encoder import DESCRIBED
from .value import CompositeValue, Described, List, symbol

KIND = "frame"
HEADER_SIZE = 8
MIN_MAX_FRAME_SIZE = 512
OTHER_BODY = "the frame type tells which performatives there may be (2.3.2, 5.3.1)"


def frame_octets(body: bytes, kind: int, channel: int = 0, words: int = 2, extended: bytes = b"") -> bytes:
    """A frame (2.3.1): size, data offset, type, two octets that depend on the type, extended header, body."""
    rest = bytes((words, kind)) + channel.to_bytes(2, "big") + extended + body
    return (4 + len(rest)).to_bytes(4, "big") + rest


def frame_form(
    maker: Maker, kind: str, channel: int, body: CompositeValue | None, payload: bytes = b""
) -> Neutral:
    """The neutral form of a frame."""
    performative = None if body is None else neutral(maker.spec, body)
    return {"type": kind, "channel": channel, "performative": performative, "payload": {"hex": payload.hex()}}


def frame_cases(maker: Maker, wire: Wire1) -> Iterator[Case]:
    """Frames; none if the specification has no performatives."""
    bodies = {
        "amqp": [each for each in maker.spec.composites if each.is_performative],
        "sasl": [each for each in maker.spec.composites if each.is_sasl_frame],
    }
    if not bodies["amqp"]:
        return
    yield from _performatives(maker, wire, bodies)
    yield from _amqp_frames(maker, wire.frames["amqp"], bodies["amqp"][0])
    yield from _headers(maker, wire.frames["amqp"], bodies["amqp"][0])
    yield from _wrong_bodies(maker, wire, bodies)
    yield from _sizes(maker, wire.frames["amqp"])


def _frame(maker: Maker, name: str, form: Neutral, octets: bytes, way: str = "both", note: str = "") -> Case:
    return Case(f"{KIND}/{name}", KIND, KIND, form, octets, way=way, note=note)


def _wrong(name: str, octets: bytes, error: str, note: str) -> Case:
    return Case(f"{KIND}/{name}", KIND, KIND, None, octets, "reject", error, "decode", note=note)


def _performatives(maker: Maker, wire: Wire1, bodies: dict[str, list[Composite]]) -> Iterator[Case]:
    """Every performative in its frame, by number and by symbol."""
    for layer, kinds in bodies.items():
        code = wire.frames[layer]
        for kind in kinds:
            body = maker.sampler.typical(kind)
            channel = 1 if layer == "amqp" else 0
            form = frame_form(maker, layer, channel, body)
            octets = maker.encoder.encode(body)
            yield _frame(maker, kind.name, form, frame_octets(octets, code, channel))
            content = octets[len(maker.encoder.descriptor(kind.descriptor)) :]
            octets = DESCRIBED + maker.encoder.encode(symbol(kind.descriptor.symbol)) + content
            if kind.descriptor.symbol:
                yield _frame(
                    maker, f"{kind.name}-by-symbol", form, frame_octets(octets, code, channel), "decode"
                )
            if layer == "sasl":
                octets = frame_octets(maker.encoder.encode(body), code, 0x0102)
                note = "octets 6 and 7 of a SASL frame are ignored (5.3.1)"
                yield _frame(maker, f"{kind.name}-octets-6-and-7", form, octets, "decode", note)


def _amqp_frames(maker: Maker, code: int, kind: Composite) -> Iterator[Case]:
    """Channels, payloads, and frames without a body."""
    body = maker.sampler.minimum(kind)
    for channel in (0, 255, 256, 65535):
        octets = frame_octets(maker.encoder.encode(body), code, channel)
        yield _frame(maker, f"channel-{channel}", frame_form(maker, "amqp", channel, body), octets)
        empty = frame_octets(b"", code, channel)
        yield _frame(maker, f"empty-channel-{channel}", frame_form(maker, "amqp", channel, None), empty)
    transfer = maker.spec.type("transfer")
    if isinstance(transfer, Composite):
        body = maker.sampler.minimum(transfer)
        for payload in (b"p", bytes(range(256))):
            octets = frame_octets(maker.encoder.encode(body) + payload, code, 1)
            form = frame_form(maker, "amqp", 1, body, payload)
            yield _frame(maker, f"payload-of-{len(payload)}", form, octets)
    body = maker.sampler.minimum(kind)
    form = frame_form(maker, "amqp", 1, body)
    for words in (3, 4, 255):
        extended = bytes(4 * words - HEADER_SIZE)
        octets = frame_octets(maker.encoder.encode(body), code, 1, words, extended)
        note = "the extended header is ignored (2.3.1)"
        yield _frame(maker, f"extended-header-to-word-{words}", form, octets, "decode", note)
    empty = frame_octets(b"", code, 1, 3, b"\0\x53\x10\x45")
    form = frame_form(maker, "amqp", 1, None)
    yield _frame(maker, "empty-with-extended-header", form, empty, "decode")


def _headers(maker: Maker, code: int, kind: Composite) -> Iterator[Case]:
    """Frame headers with impossible numbers."""
    body = maker.encoder.encode(maker.sampler.minimum(kind))
    octets = frame_octets(body, code)
    for size in range(HEADER_SIZE):
        note = "a frame has at least 8 octets (2.3.1)"
        yield _wrong(f"size-{size}", size.to_bytes(4, "big") + octets[4:], "malformed", note)
    for words in (0, 1):
        note = "the body starts after the header (2.3.1)"
        yield _wrong(f"data-offset-{words}", frame_octets(body, code, 0, words), "malformed", note)
    beyond = len(octets) // 4 + 1
    note = "the body starts within the frame (2.3.1)"
    yield _wrong("data-offset-beyond-the-end", frame_octets(body, code, 0, beyond), "malformed", note)
    yield _wrong("data-offset-of-an-empty-frame", frame_octets(b"", code, 0, 3), "malformed", note)
    for unknown in (2, 0x7F, 0xFF):
        yield _wrong(f"type-{unknown}", frame_octets(body, unknown), "unknown", "there are two frame types")


def _wrong_bodies(maker: Maker, wire: Wire1, bodies: dict[str, list[Composite]]) -> Iterator[Case]:
    """Bodies that are no performatives, not those of the layer, or not whole."""
    amqp = bodies["amqp"][0]
    other = Described(symbol("com.example:performative:list"), List())
    outside = [each for each in maker.spec.composites if not each.is_performative and not each.is_sasl_frame]
    for layer, kinds in bodies.items():
        if not kinds:
            continue
        code = wire.frames[layer]
        for kind in (*(bodies["sasl"] if layer == "amqp" else bodies["amqp"]), *outside[:1]):
            octets = frame_octets(maker.encoder.encode(maker.sampler.minimum(kind)), code)
            yield _wrong(f"{kind.name}-in-{layer}-frame", octets, "unknown", OTHER_BODY)
        octets = frame_octets(maker.encoder.encode(other), code)
        yield _wrong(f"unknown-performative-in-{layer}-frame", octets, "unknown", OTHER_BODY)
        octets = frame_octets(maker.encoder.encode(List()), code)
        yield _wrong(f"no-descriptor-in-{layer}-frame", octets, "malformed", "a performative is described")
        whole = maker.encoder.encode(maker.sampler.maximum(kinds[0]))
        octets = frame_octets(whole[:-1], code)
        note = "the frame ends before the performative"
        yield _wrong(f"performative-cut-off-in-{layer}-frame", octets + whole[-1:], "truncated", note)
    if bodies["sasl"]:
        code = wire.frames["sasl"]
        body = maker.sampler.typical(bodies["sasl"][0])
        octets = frame_octets(maker.encoder.encode(body), code, 0, 3, b"more")
        note = "the extended header is ignored (5.3.1)"
        form = frame_form(maker, "sasl", 0, body)
        yield _frame(maker, "sasl-extended-header", form, octets, "decode", note)
        yield _wrong("empty-sasl", frame_octets(b"", code), "malformed", "a SASL frame has a body (5.3.1)")
        whole = maker.encoder.encode(maker.sampler.minimum(bodies["sasl"][0]))
        note = "the body of a SASL frame is one performative (5.3.1)"
        yield _wrong("sasl-with-payload", frame_octets(whole + b"\0", code), "malformed", note)
    missing = maker.composite(amqp, ())
    if any(field.mandatory for field in amqp.fields):
        note = "a mandatory field is missing"
        yield _wrong("mandatory-field-missing", frame_octets(missing, wire.frames["amqp"]), "malformed", note)


def _sizes(maker: Maker, code: int) -> Iterator[Case]:
    """The largest frame that every peer takes, and one octet more than was agreed (2.7.1)."""
    transfer = maker.spec.type("transfer")
    if not isinstance(transfer, Composite):
        return
    body = maker.sampler.minimum(transfer)
    octets = maker.encoder.encode(body)
    payload = bytes(MIN_MAX_FRAME_SIZE - HEADER_SIZE - len(octets))
    options = {"max-frame-size": MIN_MAX_FRAME_SIZE}
    form = frame_form(maker, "amqp", 1, body, payload)
    largest = frame_octets(octets + payload, code, 1)
    yield Case(f"{KIND}/largest", "open.max-frame-size", KIND, form, largest, options=options)
    note = "a larger frame than was agreed is a framing error (2.7.1)"
    too_large = frame_octets(octets + payload + b"\0", code, 1)
    yield Case(
        f"{KIND}/too-large",
        "open.max-frame-size",
        KIND,
        None,
        too_large,
        "reject",
        "limit",
        "decode",
        options,
        note,
    )
    announced = (MIN_MAX_FRAME_SIZE + 1).to_bytes(4, "big") + largest[4:HEADER_SIZE]
    note = "it is refused when its header is there, before it is kept"
    yield Case(
        f"{KIND}/too-large-announced",
        "open.max-frame-size",
        KIND,
        None,
        announced,
        "reject",
        "limit",
        "decode",
        options,
        note,
    )
