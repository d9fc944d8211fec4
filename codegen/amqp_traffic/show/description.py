"""What a frame is, in a few words."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from amqp_codegen.support.packages import load_package

from ..frames.amqp1.frame_format import PACKAGE as PACKAGE1
from ..frames.formats import PROTOCOL_HEADER, FrameSpan
from ..frames.method_keys import CONNECTION_CLASS
from .lines import short_value

_METHOD, _HEADER, _BODY, _HEARTBEAT = 1, 2, 3, 8
_SASL = 1
# How performatives begin that have no secrets: begin, attach, flow, transfer, disposition, detach, end, close.
_NO_SECRETS = frozenset(b"\x00\x53" + bytes([code]) for code in range(0x11, 0x19))
_BODY_SHOWN = 60


@dataclass(slots=True)
class Description:
    """What a frame is.

    Attributes:
        name: Of the method, the performative, or the kind of frame.
        arguments: Names and values of what it says; a value may be empty.
        sizes: What there is to say about sizes.
        problem: Why it cannot be decoded, if so.
    """

    name: str
    arguments: list[tuple[str, str]] = field(default_factory=list)
    sizes: str = ""
    problem: str = ""


def describe_frame(frame: FrameSpan, package: str, dialect: str, bodies: bool) -> Description:
    """Describe a frame.

    Args:
        frame: The frame; secrets were taken out.
        package: The generated package that decodes it.
        dialect: The dialect of field tables; nothing for that of the package.
        bodies: Whether bodies may be shown.
    """
    if frame.type == PROTOCOL_HEADER:
        *_, major, minor, revision = frame.payload
        return Description("protocol-header", [("", f"AMQP {frame.payload[4]} {major} {minor} {revision}")])
    if not package:
        return Description(f"frame-type-{frame.type}", [], f"{len(frame.payload)} octets")
    amqp = load_package(package)
    try:
        if package == PACKAGE1:
            return _describe1(amqp, frame, bodies)
        return _describe0(amqp, frame, dialect, bodies)
    except amqp.errors.CodecError as error:
        # What is wrong may be told with octets of it, which may be a secret.
        problem = "" if is_about_connection(frame, package) else f": {error}"
        return Description(
            event_kind(frame.type, package), [], f"{len(frame.payload)} octets", f"cannot be decoded{problem}"
        )


def is_about_connection(frame: FrameSpan, package: str) -> bool:
    """Whether secrets may be in a frame that cannot be decoded, be it that a bit of it has changed."""
    if package == PACKAGE1:
        return frame.type == _SASL or frame.payload[:3] not in _NO_SECRETS
    return frame.channel == 0 or frame.payload.startswith(CONNECTION_CLASS)


def event_kind(frame_type: int, package: str) -> str:
    """What a frame is that cannot be decoded."""
    if package == PACKAGE1:
        return "sasl" if frame_type == _SASL else "performative"
    return {_METHOD: "method", _HEADER: "content-header"}.get(frame_type, f"frame-type-{frame_type}")


def _describe0(amqp: Any, frame: FrameSpan, dialect: str, bodies: bool) -> Description:
    payload = frame.payload
    options = {"dialect": dialect} if dialect else {}
    if frame.type == _METHOD:
        method = amqp.decode_method(payload, lenient=True, **options)
        found = [(each.name, getattr(method, each.name)) for each in method.FIELDS if not each.reserved]
        return Description(method.NAME, _said(found))
    if frame.type == _HEADER:
        frames, _ = amqp.decode_frames(_whole(frame), lenient=True, **options)
        header = frames[0][1]
        properties = header.properties
        values = ((each.name, getattr(properties, each.name)) for each in properties.FIELDS)
        said = [(name, short_value(value)) for name, value in values if value is not None]
        return Description("content-header", said, f"body {header.body_size} octets")
    if frame.type == _BODY:
        said = [("", short_value(payload[:_BODY_SHOWN]))] if bodies and frame.channel else []
        return Description("content-body", said, f"{len(payload)} octets")
    if frame.type == _HEARTBEAT:
        return Description("heartbeat")
    return Description(f"frame-type-{frame.type}", [], f"{len(payload)} octets")


def _whole(frame: FrameSpan) -> bytes:
    """The octets of a frame of 0-x; for decoders that want no less."""
    head = (
        frame.type.to_bytes(1, "big")
        + frame.channel.to_bytes(2, "big")
        + len(frame.payload).to_bytes(4, "big")
    )
    return head + frame.payload + b"\xce"


def _describe1(amqp: Any, frame: FrameSpan, bodies: bool) -> Description:
    payload = frame.payload
    if not payload and not frame.type:
        return Description("empty")
    performative, end = amqp.decode(payload)
    name = getattr(performative, "NAME", "")
    if not name or not hasattr(performative, "FIELDS"):
        raise amqp.errors.Unknown("no performative", 0)
    found = [(each.name, getattr(performative, each.attribute), each.default) for each in performative.FIELDS]
    said = [
        (label, "" if value is True else _shown1(value))
        for label, value, default in found
        if value is not None and value not in (default, [])
    ]
    rest = len(payload) - end
    if rest and bodies:
        said.append(("payload", short_value(payload[end : end + _BODY_SHOWN])))
    return Description(name, said, f"payload {rest} octets" if rest else "")


def _shown1(value: Any) -> str:
    """A value of a field of AMQP 1.0; of a composite its name and what is in it."""
    if isinstance(value, Enum):
        return short_value(value.value) if isinstance(value, str) else value.name.lower()
    if not hasattr(value, "FIELDS"):
        return short_value(value)
    fields = ((each.name, getattr(value, each.attribute), each.default) for each in value.FIELDS)
    inside = [
        f"{name}={_shown1(item)}"
        for name, item, default in fields
        if item is not None and item not in (default, [])
    ]
    return f"{value.NAME}({', '.join(inside)})" if inside else str(value.NAME)


def _said(values: list[tuple[str, Any]]) -> list[tuple[str, str]]:
    """Texts in any case, a bit that is set by its name, the rest if it is not empty."""
    return [
        (name, "" if value is True else short_value(value))
        for name, value in values
        if isinstance(value, str) or value
    ]
