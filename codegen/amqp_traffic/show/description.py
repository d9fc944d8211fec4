"""The description of a frame in a few words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from struct import Struct
from typing import Any

from amqp_codegen.support.resources import load_package

from ..frames.amqp0.frame_format import CONNECTION_CLASS, whole_frame
from ..frames.formats import PROTOCOL_HEADER, FrameSpan
from ..schemas import PACKAGE1, PACKAGES1, RABBITMQ1
from ..secret_names import may_have_secret
from .lines import short_value

_METHOD, _HEADER, _BODY, _HEARTBEAT = 1, 2, 3, 8
_METHOD_IDS = Struct(">HH")
_HEADER_HEAD = Struct(">HHQ")  # class, weight and size of the body
_SASL = 1
# The first octets of performatives without secrets: begin, attach, flow, transfer, disposition, detach, end, close.
_PREFIXES_WITHOUT_SECRETS = frozenset(b"\x00\x53" + bytes([code]) for code in range(0x11, 0x19))
_MOST_BODY_OCTETS = 60


@dataclass(slots=True)
class Description:
    """The description of a frame.

    Attributes:
        name: The method, the performative, or the type of the frame.
        arguments: Names and values of fields; a value may be empty.
        sizes: Sizes in words.
        problem: Why it cannot be decoded; empty if it can.
    """

    name: str
    arguments: list[tuple[str, str]] = field(default_factory=list)
    sizes: str = ""
    problem: str = ""


def describe_frame(frame: FrameSpan, package: str, dialect: str, bodies: bool) -> Description:
    """Describe a frame.

    Args:
        frame: The frame, without secrets.
        package: The generated package that decodes it; empty if none does.
        dialect: The dialect of field tables; empty for the package's own.
        bodies: Whether bodies may be shown.
    """
    if frame.type == PROTOCOL_HEADER:
        *_, major, minor, revision = frame.payload
        return Description("protocol-header", [("", f"AMQP {frame.payload[4]} {major} {minor} {revision}")])
    if not package:
        return Description(f"frame-type-{frame.type}", [], f"{len(frame.payload)} octets")
    amqp = load_package(package)
    try:
        if package in PACKAGES1:
            return _describe_performative_frame(amqp, frame, bodies)
        return _describe_method_frame(amqp, frame, dialect, bodies)
    except amqp.errors.CodecError as error:
        if (
            package == RABBITMQ1
        ):  # a filter with a value of another type is any described value to the standard
            return describe_frame(frame, PACKAGE1, dialect, bodies)
        # The text of the error may quote octets of the frame, which may be a secret.
        problem = "" if may_be_secret(frame, package) else f": {error}"
        return _undecodable(amqp, frame, package, f"cannot be decoded{problem}")


def _undecodable(amqp: Any, frame: FrameSpan, package: str, problem: str) -> Description:
    """Describe a frame that cannot be decoded, by what stands before the fault: a method, the size of a body."""
    payload = frame.payload
    name, sizes = event_kind(frame.type, package), f"{len(payload)} octets"
    known: list[tuple[str, str]] = []
    if package in PACKAGES1:
        return Description(name, known, sizes, problem)
    if frame.type == _METHOD and len(payload) >= _METHOD_IDS.size:
        class_id, method_id = _METHOD_IDS.unpack_from(payload)
        method = amqp.METHODS.get(class_id << 16 | method_id)
        if method is None:
            known = [("class", str(class_id)), ("method", str(method_id))]
        else:
            name, known = method.NAME, [("method", "")]
    elif frame.type == _HEADER and len(payload) >= _HEADER_HEAD.size:
        _, _, body_size = _HEADER_HEAD.unpack_from(payload)
        sizes = f"body {body_size} octets"
    return Description(name, known, sizes, problem)


def is_about_connection(frame: FrameSpan, package: str) -> bool:
    """Return whether a frame that cannot be decoded may hold secrets, even if one of its bits was altered."""
    if package in PACKAGES1:
        return frame.type == _SASL or frame.payload[:3] not in _PREFIXES_WITHOUT_SECRETS
    return frame.channel == 0 or frame.payload.startswith(CONNECTION_CLASS)


def may_be_secret(frame: FrameSpan, package: str) -> bool:
    """Return whether a frame that cannot be decoded may hold any secret, in its fields or in the message that it carries."""
    return is_about_connection(frame, package) or may_have_secret(frame.payload)


def event_kind(frame_type: int, package: str) -> str:
    """Return the name of a frame that cannot be decoded."""
    if package in PACKAGES1:
        return "sasl" if frame_type == _SASL else "performative"
    return {_METHOD: "method", _HEADER: "content-header"}.get(frame_type, f"frame-type-{frame_type}")


def _describe_method_frame(amqp: Any, frame: FrameSpan, dialect: str, bodies: bool) -> Description:
    payload = frame.payload
    options = {"dialect": dialect} if dialect else {}
    if frame.type == _METHOD:
        method = amqp.decode_method(payload, lenient=True, **options)
        values = [(field.name, getattr(method, field.name)) for field in method.FIELDS if not field.reserved]
        return Description(method.NAME, named_arguments(values))
    if frame.type == _HEADER:
        frames, _ = amqp.decode_frames(whole_frame(frame), lenient=True, **options)
        header = frames[0][1]
        properties = header.properties
        named = ((field.name, getattr(properties, field.name)) for field in properties.FIELDS)
        present = [(name, short_value(value)) for name, value in named if value is not None]
        return Description("content-header", present, f"body {header.body_size} octets")
    if frame.type == _BODY:
        start = [("", short_value(payload[:_MOST_BODY_OCTETS]))] if bodies and frame.channel else []
        return Description("content-body", start, f"{len(payload)} octets")
    if frame.type == _HEARTBEAT:
        return Description("heartbeat")
    return Description(f"frame-type-{frame.type}", [], f"{len(payload)} octets")


def _describe_performative_frame(amqp: Any, frame: FrameSpan, bodies: bool) -> Description:
    payload = frame.payload
    if not payload and not frame.type:
        return Description("empty")
    performative, end = amqp.decode(payload)
    name = getattr(performative, "NAME", "")
    if not name or not hasattr(performative, "FIELDS"):
        raise amqp.errors.Unknown("no performative", 0)
    fields = [
        (field.name, getattr(performative, field.attribute), field.default) for field in performative.FIELDS
    ]
    said = [
        (label, "" if value is True else _shown_value(value))
        for label, value, default in fields
        if value is not None and value not in (default, [])
    ]
    rest = len(payload) - end
    if rest and bodies:
        said.append(("payload", short_value(payload[end : end + _MOST_BODY_OCTETS])))
    return Description(name, said, f"payload {rest} octets" if rest else "")


def _shown_value(value: Any) -> str:
    """Return a value of an AMQP 1.0 field as text; of a composite its name and its fields."""
    if isinstance(value, Enum):
        return short_value(value.value) if isinstance(value, str) else value.name.lower()
    if not hasattr(value, "FIELDS"):
        return short_value(value)
    fields = ((field.name, getattr(value, field.attribute), field.default) for field in value.FIELDS)
    inside = [
        f"{name}={_shown_value(item)}"
        for name, item, default in fields
        if item is not None and item not in (default, [])
    ]
    return f"{value.NAME}({', '.join(inside)})" if inside else str(value.NAME)


def named_arguments(values: Iterable[tuple[str, Any]]) -> list[tuple[str, str]]:
    """Return the arguments: texts always, bits that are set by their name, other values unless they are empty or 0."""
    return [
        (name, "" if value is True else short_value(value))
        for name, value in values
        if isinstance(value, str) or value
    ]
