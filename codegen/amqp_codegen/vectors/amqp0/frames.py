"""Frames of each type, at the limits of channel and size, and frames that are wrong."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.spec0 import Spec
from ..case import Case, Neutral, refused_octets
from .methods import typical_values
from .neutral import frame_input, header_input, hexadecimal, method_input
from .reference_encoder import encode, frame_octets
from .values import minimum

_SMALL_LIMIT = 32
_DECODED = ("method", "header", "heartbeat")


def frame_cases(spec: Spec) -> Iterator[Case]:
    """The cases of every type of frame."""
    frames = spec.wire.frames
    method = next(spec.methods)
    payload = method_input(method, typical_values(spec, method))
    for what, channel in (("channel-0", 0), ("channel-1", 1), ("channel-65535", 65535)):
        yield _frame_case(spec, "frame-method", what, frame_input("method", channel, payload))
    for entry in spec.content_classes:
        value = frame_input("header", 258, header_input(entry, {}, 1))
        yield _frame_case(spec, "frame-header", entry.name, value)
    for meaning in frames:
        if meaning not in _DECODED:
            for what, octets in (
                ("empty", b""),
                ("an-octet", b"\xce"),
                ("many-octets", bytes(range(256)) * 2),
            ):
                value = frame_input(meaning, 1, hexadecimal(octets))
                yield _frame_case(spec, f"frame-{meaning}", what, value)
    heartbeat = frame_input("heartbeat", 0, hexadecimal(b""))
    yield _frame_case(spec, "frame-heartbeat", "empty", heartbeat)
    yield from _cut_cases(spec)
    yield from _limit_cases(spec)
    yield from _wrong_frames(spec)


def _frame_case(spec: Spec, element: str, what: str, value: Neutral) -> Case:
    return Case(f"{element}/{what}", element, "frame", value, encode(spec, "frame", value, spec.dialect))


def _cut_cases(spec: Spec) -> Iterator[Case]:
    """Payloads that lack an octet, where another one follows: the end of the frame, which must not be taken for it."""
    types = spec.wire.frames
    for method in spec.methods:
        value = method_input(method, typical_values(spec, method))
        payload = encode(spec, "method", value, spec.dialect)[:-1]
        octets = frame_octets(spec, types["method"], 1, payload)
        yield refused_octets(method.full_name, "an-octet-too-few-in-a-frame", "frame", octets, "truncated")
    for entry in spec.content_classes:
        values = {each.field.name: minimum(each.field.type) for each in entry.properties}
        payload = encode(spec, "header", header_input(entry, values), spec.dialect)[:-1]
        octets = frame_octets(spec, types["header"], 1, payload)
        yield refused_octets(
            f"{entry.name}.properties", "an-octet-too-few-in-a-frame", "frame", octets, "truncated"
        )


def _limit_cases(spec: Spec) -> Iterator[Case]:
    """4.2.3: a peer does not send frames larger than agreed; the first seven octets tell the size."""
    room = _SMALL_LIMIT - spec.wire.overhead
    value = frame_input("body", 1, hexadecimal(bytes(room)))
    options = {"max-frame-size": _SMALL_LIMIT}
    octets = encode(spec, "frame", value, spec.dialect)
    yield Case("frame-body/as-large-as-agreed", "frame-body", "frame", value, octets, options=options)
    larger = frame_octets(spec, spec.wire.frames["body"], 1, bytes(room + 1))
    for what, part in (("larger-than-agreed", larger), ("size-larger-than-agreed", larger[:7])):
        yield refused_octets("frame-body", what, "frame", part, "limit", options=options)


def _wrong_frames(spec: Spec) -> Iterator[Case]:
    frames = spec.wire.frames
    method = next(spec.methods)
    value = frame_input("method", 0, method_input(method, {}))
    whole = encode(spec, "frame", value, spec.dialect)
    for end in (0, spec.wire.frame_end ^ 1, 0xFF):
        yield refused_octets("frame-end", f"{end:02x}", "frame", whole[:-1] + bytes((end,)), "malformed")
    for number in sorted({0, 4, 9, 255} - set(frames.values())):
        yield refused_octets(
            "frame-type", str(number), "frame", frame_octets(spec, number, 0, b"payload"), "unknown"
        )
    beating = frame_octets(spec, frames["heartbeat"], 0, b"\0")
    yield refused_octets(
        "frame-heartbeat", "an-octet", "frame", beating, "malformed", "4.2.7: a heartbeat has no payload"
    )
    headless = frame_octets(spec, frames["method"], 0, whole[7:10])
    yield refused_octets("frame-method", "three-octets", "frame", headless, "truncated")
