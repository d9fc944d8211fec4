"""Secrets in the frames of a connection that are shown: those that ``frames.redaction`` leaves, which reads connection-level frames.

Theory of operation. A frame without any secret stays as it is, octet for octet. Of another one, the fields with secrets are
replaced, and the frame is encoded again. The body of a message of 1.0 is secret by its link, or by what stands before the body.
Where a delivery has several transfers, this is known from the first one on; if the sections before the body do not end in it,
the rest of the delivery is not shown.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias

from amqp_codegen.support.resources import load_package

from ..frames.amqp0.frame_format import whole_frame
from ..frames.formats import OVERHEAD0, PROTOCOL_HEADER, FrameSpan
from ..frames.redaction import without_secrets
from ..schemas import PACKAGE1, PACKAGES1
from ..secret_names import MARKER, is_secret_body, is_secret_node, is_secret_request, may_have_secret

_METHOD, _HEADER = 1, 2
# Octets of 0-x that tell class and method, or class and size of a body.
_IDENTITY = {_METHOD: 4, _HEADER: 12}
_DESCRIPTOR = 3  # octets of a short descriptor of 1.0
_RABBITMQ = "rabbitmq"  # this dialect has all types of values
# How the sections of a body begin: part 3, sections 3.2.6 to 3.2.8.
_BODY_DESCRIPTORS = (b"\x00\x53\x75", b"\x00\x53\x76", b"\x00\x53\x77")
_MOST_SECTIONS = 256  # of a message, that are read
_BODIES = ("data", "amqp-sequence", "amqp-value")

# A handle at one end of a session: direction, channel, handle.
Handle: TypeAlias = "tuple[int, int, int]"


class FrameSecrets:
    """What is known of the links of a connection, to leave out the secrets in its frames."""

    def __init__(self) -> None:
        self._handles: dict[Handle, bool] = {}  # attached: whether its messages are secret
        self._names: set[str] = set()  # of links whose messages are secret
        self._under_way: dict[Handle, bool] = {}  # deliveries: whether the rest is secret

    def redacted(self, direction: int, frame: FrameSpan, package: str, dialect: str) -> FrameSpan:
        """Return the next frame of a connection without secrets.

        ``package`` is the generated package that decodes it, empty if none does; ``dialect`` that of field tables,
        empty for the package's own.
        """
        if not package or frame.type == PROTOCOL_HEADER or not frame.payload:
            return frame
        payload = frame.payload
        if package in PACKAGES1:
            payload = self._redacted_performative(int(direction), frame) if frame.type == 0 else payload
        elif frame.type in (_METHOD, _HEADER) and may_have_secret(payload):
            payload = _redacted_method(frame, package, dialect)
        return frame if payload is frame.payload else frame._replace(payload=payload)

    # --- 1.0 ---

    def _redacted_performative(self, direction: int, frame: FrameSpan) -> bytes:
        amqp, payload = load_package(PACKAGE1), frame.payload
        try:
            performative, end = amqp.decode(payload)
        except amqp.errors.CodecError:
            is_secret = self._names or may_have_secret(payload)
            return payload[:_DESCRIPTOR] if is_secret else payload
        name, rest = getattr(performative, "NAME", ""), payload[end:]
        shown = rest
        if name == "transfer":
            shown = self._message(direction, frame.channel, performative, rest)
        elif may_have_secret(rest):  # no other performative has anything behind it
            shown = b""
        if name == "attach":
            self._attach(direction, frame.channel, performative)
        elif name in ("begin", "end"):
            self._forget(direction, frame.channel)
        elif name == "detach":
            self._handles.pop((direction, frame.channel, performative.handle), None)
        redacted = without_secrets(performative)
        if redacted is performative:
            return payload if shown is rest else payload[:end] + shown
        try:
            octets: bytes = redacted.encode() + shown
        except amqp.errors.CodecError:  # there is no text where the secret is
            octets = payload[:_DESCRIPTOR]
        return octets

    def _attach(self, direction: int, channel: int, attach: Any) -> None:
        addresses = [getattr(terminus, "address", None) for terminus in (attach.source, attach.target)]
        if any(map(is_secret_node, addresses)):
            self._names.add(attach.name)
        key = direction, channel, attach.handle
        self._handles[key] = attach.name in self._names
        self._under_way.pop(key, None)

    def _forget(self, direction: int, channel: int) -> None:
        for known in (self._handles, self._under_way):
            for key in [key for key in known if key[:2] == (direction, channel)]:
                del known[key]

    def _message(self, direction: int, channel: int, transfer: Any, octets: bytes) -> bytes:
        """Return the octets of a message in a transfer without secrets; the same object if it has none."""
        key = direction, channel, transfer.handle
        is_first = key not in self._under_way
        # A link whose attach was not captured may be one of those.
        is_secret = self._under_way.get(key) or self._handles.get(key, bool(self._names))
        shown = octets
        if is_first:
            shown, is_secret = _redacted_message(octets, is_secret, bool(transfer.more))
        elif octets and (is_secret or may_have_secret(octets)):
            shown = _marker()
        if transfer.more and not transfer.aborted:
            self._under_way[key] = is_secret
        else:
            self._under_way.pop(key, None)
        return shown


def _redacted_message(octets: bytes, is_secret: bool, more: bool) -> tuple[bytes, bool]:
    """Return the first octets of a message without secrets, the same object if it has none, and whether its body is secret."""
    sections, end, is_cut = _sections(octets)
    body = next((at for at, (_, section) in enumerate(sections) if section.NAME in _BODIES), len(sections))
    start = sections[body - 1][0] if body else 0  # of the body
    if is_cut and body == len(sections):  # of a section before the body, or of the body
        is_secret = is_secret or (_is_before_body(octets[end:]) and (more or may_have_secret(octets)))
    elif is_cut:  # of the rest of the body, or of the footer
        is_secret = is_secret or may_have_secret(octets[end:])
    is_secret = is_secret or _says_secret([section for _, section in sections[:body]])
    is_secret = is_secret or is_secret_body(octets[start:])
    parts = [octets[0:0]]
    place = 0
    for stop, section in sections[:body] if is_secret else sections:
        parts.append(_redacted_section(section, octets[place:stop]))
        place = stop
    if place < len(octets):
        parts.append(_marker() if is_secret else octets[place:])
    shown = b"".join(parts)
    return (octets if shown == octets else shown), is_secret


def _redacted_section(section: Any, octets: bytes) -> bytes:
    """Return the octets of a section without secrets; none if it cannot be encoded without them."""
    redacted = section if section.NAME in _BODIES else without_secrets(section)
    if redacted is section:
        return octets
    try:
        encoded: bytes = redacted.encode()
    except load_package(PACKAGE1).errors.CodecError:
        return b""
    return encoded


def _is_before_body(octets: bytes) -> bool:
    """Return whether what cannot be read may be a section before the body."""
    return not octets.startswith(_BODY_DESCRIPTORS)


def _sections(octets: bytes) -> tuple[list[tuple[int, Any]], int, bool]:
    """Return sections with their ends, where what cannot be read begins, and whether there is such."""
    amqp = load_package(PACKAGE1)
    found: list[tuple[int, Any]] = []
    position = 0
    while position < len(octets) and len(found) < _MOST_SECTIONS:
        try:
            section, stop = amqp.decode(octets, position)
        except amqp.errors.CodecError:
            return found, position, True
        if not hasattr(section, "NAME"):
            return found, position, True
        position = stop
        found.append((position, section))
    return found, position, position < len(octets)


def _says_secret(sections: list[Any]) -> bool:
    """Return whether the sections before a body say that it is secret."""
    named = {section.NAME: section for section in sections}
    properties, application = named.get("properties"), named.get("application-properties")
    said = application.value if application is not None else {}
    operation, kind = said.get("operation"), said.get("type")
    return is_secret_request(
        getattr(properties, "to", None), getattr(properties, "subject", None), operation, kind
    )


def _marker() -> bytes:
    """Return a body that says that it is not shown."""
    octets: bytes = load_package(PACKAGE1).messaging.AmqpValue(MARKER).encode()
    return octets


# --- 0-x ---


def _redacted_method(frame: FrameSpan, package: str, dialect: str) -> bytes:
    """Return a method or content header without secrets."""
    amqp, payload = load_package(package), frame.payload
    options = {"dialect": dialect} if dialect else {}
    try:
        (_, before), *_ = amqp.decode_frames(whole_frame(frame), lenient=True, **options)[0]
        if isinstance(before, amqp.UnreadableMethod):
            raise before.error
        redacted = without_secrets(before)
        if frame.type == _HEADER:
            properties = without_secrets(before.properties)
            redacted = before if properties is before.properties else replace(before, properties=properties)
        if redacted is before:
            return payload
        octets: bytes = amqp.encode_frame(frame.channel, redacted, dialect=_RABBITMQ)
    except amqp.errors.CodecError:
        return payload[: _IDENTITY[frame.type]]
    return octets[OVERHEAD0 - 1 : -1]
