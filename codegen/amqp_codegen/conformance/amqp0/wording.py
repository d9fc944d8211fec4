"""How frames are told to people: in evidence, and in what was expected and what came."""

from __future__ import annotations

from typing import Any

from .frame_reader import ProtocolHeader

_LONGEST_TEXT = 600
# Fields that hold secrets, by the name of the method.
_SECRETS = {
    "connection.start-ok": "response",
    "connection.secure-ok": "response",
    "connection.update-secret": "new_secret",
}


def frame_name(frame: Any) -> str:
    """``queue.declare``, ``content header``, ``heartbeat``, ..."""
    if isinstance(frame, ProtocolHeader):
        return "protocol header"
    plain = {"ContentHeader": "content header", "ContentBody": "content body", "Heartbeat": "heartbeat"}
    kind = type(frame).__name__
    return plain.get(kind) or str(getattr(frame, "NAME", kind))


def frame_text(frame: Any) -> str:
    """The frame with all its fields, shortened where it is very long."""
    if isinstance(frame, ProtocolHeader):
        return f"AMQP {frame.octets[4:].hex(' ')}"
    text = repr(frame)
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]} ... ({len(text)} characters)"


def without_secrets(frame: Any) -> Any:
    """The frame for the evidence: passwords are asterisks."""
    secret = _SECRETS.get(frame_name(frame))
    if secret is None:
        return frame
    values = {layout.name: getattr(frame, layout.name) for layout in type(frame).FIELDS}
    values[secret] = b"***"
    return type(frame)(**values)


def describe(item: Any) -> str:
    """What came, in a few words: a close with its code and text, else the name."""
    method = getattr(item, "method", item)
    name = frame_name(method)
    if name in ("channel.close", "connection.close"):
        return f"{name} {method.reply_code} ({method.reply_text})"
    return name
