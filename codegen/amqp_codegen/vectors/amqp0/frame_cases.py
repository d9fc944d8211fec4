"""Cases of frames, of content headers, and of messages in several frames."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.amqp0.field_types import WireType
from ...model.amqp0.spec import Class, Method, Spec
from ..case import Case, Neutral, refused_octets
from .method_cases import typical_values
from .reference_encoder import (
    Values,
    encode,
    frame_input,
    frame_octets,
    header_input,
    hexadecimal,
    method_input,
)
from .values import lowest, maximum, minimum, typical

_SMALL_LIMIT = 32
_DECODED = ("method", "header", "heartbeat")


def frame_cases(spec: Spec) -> Iterator[Case]:
    """Yield the cases of every frame type."""
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
    """Yield payloads that lack an octet; the frame end that follows must not be read in its place."""
    types = spec.wire.frames
    for method in spec.methods:
        value = method_input(method, typical_values(spec, method))
        payload = encode(spec, "method", value, spec.dialect)[:-1]
        octets = frame_octets(spec, types["method"], 1, payload)
        yield refused_octets(method.full_name, "an-octet-too-few-in-a-frame", "frame", octets, "truncated")
    for entry in spec.content_classes:
        values = {flag.field.name: minimum(flag.field.type) for flag in entry.properties}
        payload = encode(spec, "header", header_input(entry, values), spec.dialect)[:-1]
        octets = frame_octets(spec, types["header"], 1, payload)
        yield refused_octets(
            f"{entry.name}.properties", "an-octet-too-few-in-a-frame", "frame", octets, "truncated"
        )


def _limit_cases(spec: Spec) -> Iterator[Case]:
    """Yield frames at the agreed size and above (4.2.3); the first seven octets state the size."""
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


# Offsets in the payload of a content header.
_WEIGHT_OFFSET = 2
_FLAGS_OFFSET = 12


def header_cases(spec: Spec) -> Iterator[Case]:
    """Yield the cases of every class with content."""
    for entry in spec.content_classes:
        element = f"{entry.name}.properties"
        everything = _typical_values(spec, entry)
        yield _header_case(spec, entry, element, "none", {})
        yield _header_case(spec, entry, element, "largest-body", {}, (1 << 64) - 1)
        if entry.properties:
            least = {flag.field.name: minimum(flag.field.type) for flag in entry.properties}
            most = {flag.field.name: maximum(flag.field.type, spec.dialect, "ü") for flag in entry.properties}
            yield _header_case(spec, entry, element, "all", everything, 258)
            yield _header_case(spec, entry, element, "all-lowest", least)
            yield _header_case(spec, entry, element, "all-highest", most)
        for flag in entry.properties:
            name, kind = flag.field.name, flag.field.type
            ends = {"lowest": lowest(kind), "highest": maximum(kind, spec.dialect)}
            if kind is WireType.BIT:
                yield _header_case(spec, entry, f"{element}.{name}", "alone", {name: True})
            else:
                for what, value in {"alone": everything[name], **ends}.items():
                    yield _header_case(spec, entry, f"{element}.{name}", what, {name: value})
        yield from _wrong_headers(spec, entry, element)


def _header_case(
    spec: Spec, entry: Class, element: str, what: str, values: Values, body_size: int = 0
) -> Case:
    value = header_input(entry, values, body_size)
    octets = encode(spec, "header", value, spec.dialect)
    return Case(f"{element}/{what}", element, "header", value, octets)


def _wrong_headers(spec: Spec, entry: Class, element: str) -> Iterator[Case]:
    plain = encode(spec, "header", header_input(entry, {}), spec.dialect)
    yield refused_octets(element, "an-octet-too-many", "header", plain + b"\0", "malformed")
    weighty = plain[:_WEIGHT_OFFSET] + b"\0\1" + plain[_WEIGHT_OFFSET + 2 :]
    yield refused_octets(
        element, "weight", "header", weighty, "malformed", "4.2.6.1: the weight is unused and must be zero"
    )
    spare = 0x8000 >> len(entry.properties) % 15
    if spare > 1 and len(entry.properties) < 15:
        flagged = plain[:_FLAGS_OFFSET] + spare.to_bytes(2, "big")
        yield refused_octets(element, "flag-of-no-property", "header", flagged, "unknown")
    if len(entry.properties) < 15:
        yield refused_octets(
            element, "second-word-of-flags", "header", plain[:_FLAGS_OFFSET] + b"\0\1\0\0", "unknown"
        )


def _typical_values(spec: Spec, entry: Class) -> Values:
    return {
        flag.field.name: typical(flag.field, place, spec.dialect)
        for place, flag in enumerate(entry.properties)
    }


_CHANNEL = 258


def message_cases(spec: Spec) -> Iterator[Case]:
    """Yield, for each method with content: no body, a body that fills one frame, one octet more than two frames."""
    for entry in spec.content_classes:
        for method in entry.methods:
            if method.has_content:
                limit = _limit(spec, entry, method)
                room = limit - spec.wire.overhead
                for what, size in (("empty", 0), ("a-frame", room), ("three-frames", 2 * room + 1)):
                    yield _message_case(spec, entry, method, what, size, limit)


def _limit(spec: Spec, entry: Class, method: Method) -> int:
    """Return the smallest frame size with room for method and header."""
    head = encode(spec, "method", method_input(method, typical_values(spec, method)), spec.dialect)
    header = encode(spec, "header", header_input(entry, {}), spec.dialect)
    return max(len(head), len(header)) + spec.wire.overhead


def _message_case(spec: Spec, entry: Class, method: Method, what: str, size: int, limit: int) -> Case:
    body = bytes(number % 251 for number in range(size))
    head, header = method_input(method, typical_values(spec, method)), header_input(entry, {}, size)
    frames = [("method", encode(spec, "method", head, spec.dialect))]
    frames.append(("header", encode(spec, "header", header, spec.dialect)))
    room = limit - spec.wire.overhead
    frames += [("body", body[start : start + room]) for start in range(0, size, room)]
    types = spec.wire.frames
    return Case(
        id=f"{method.full_name}/message-{what}",
        element=method.full_name,
        kind="message",
        input={"channel": _CHANNEL, "method": head, "header": header, "body": hexadecimal(body)},
        octets=b"".join(frame_octets(spec, types[meaning], _CHANNEL, part) for meaning, part in frames),
        options={"max-frame-size": limit},
        note="4.2.6: a body is split so that no frame is larger than agreed; an empty one has no frame",
        free=size > 1,
    )
