"""Messages: a method with content, its header and its body in as many frames as the limit asks for."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.spec0 import Class, Method, Spec
from ..case import Case
from .methods import typical_values
from .neutral import header_input, hexadecimal, method_input
from .reference_encoder import encode, frame_octets

_CHANNEL = 258


def message_cases(spec: Spec) -> Iterator[Case]:
    """For each method with content: no body, one that fills a frame, and one octet more than two frames hold."""
    for entry in spec.content_classes:
        for method in entry.methods:
            if method.has_content:
                limit = _limit(spec, entry, method)
                room = limit - spec.wire.overhead
                for what, size in (("empty", 0), ("a-frame", room), ("three-frames", 2 * room + 1)):
                    yield _message_case(spec, entry, method, what, size, limit)


def _limit(spec: Spec, entry: Class, method: Method) -> int:
    """The least frame size that has room for method and header."""
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
    )
