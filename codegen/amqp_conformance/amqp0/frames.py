"""Octets to frames, frames to messages, and both as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..engine.run_result import Violation

_HEAD, _OVERHEAD = 7, 8
_HEADER_SIZE = 8


@dataclass(frozen=True, slots=True)
class HeaderAnswer:
    """The server's answer, instead of a frame, to a protocol version that it does not support."""

    octets: bytes


@dataclass(frozen=True, slots=True)
class ReceivedFrame:
    """A received frame or protocol header."""

    channel: int
    frame: Any
    octets: bytes


class SocketFrames:
    """Takes octets in chunks of any size and returns whole frames.

    Attributes:
        fault: Why the octets after the last frame are not a frame; None while all is well.
        rest: The octets of an incomplete frame, or those that are not a frame.
    """

    def __init__(self, amqp: Any) -> None:
        self._amqp = amqp
        # Brokers use their own letters in the field tables of every version, hence lenient.
        self._decoder = amqp.FrameDecoder(
            max_frame_size=amqp.constants.FRAME_MIN_SIZE, lenient=True, strict=True
        )
        self.fault: Exception | None = None
        self.rest = b""

    def limit(self, frame_max: int) -> None:
        """Accept frames up to this size from now on; 0 for any size."""
        self._decoder.max_frame_size = frame_max

    def feed(self, octets: bytes) -> list[ReceivedFrame]:
        """Return the frames that are complete now; set ``fault`` if something is not a frame."""
        self.rest += octets
        if self.rest.startswith(b"AMQP"):
            return self._header()
        try:
            frames = self._decoder.feed(octets)
        except self._amqp.DecodeError as error:
            self.fault = error
            frames = error.frames
        return [ReceivedFrame(channel, frame, self._cut()) for channel, frame in frames]

    def _header(self) -> list[ReceivedFrame]:
        """Return a protocol header; no frame can follow it."""
        if len(self.rest) < _HEADER_SIZE:
            return []
        header, self.rest = self.rest[:_HEADER_SIZE], self.rest[_HEADER_SIZE:]
        return [ReceivedFrame(0, HeaderAnswer(header), header)]

    def _cut(self) -> bytes:
        """Remove the first frame from the rest; return its octets."""
        end = int.from_bytes(self.rest[3:_HEAD], "big") + _OVERHEAD
        octets, self.rest = self.rest[:end], self.rest[end:]
        return octets


_LONGEST_TEXT = 600
# Fields that hold secrets, by the name of the method.
_SECRETS = {
    "connection.start-ok": "response",
    "connection.secure-ok": "response",
    "connection.update-secret": "new_secret",
}


def frame_name(frame: Any) -> str:
    """Return ``queue.declare``, ``content header``, ``heartbeat``, ..."""
    if isinstance(frame, HeaderAnswer):
        return "protocol header"
    plain = {"ContentHeader": "content header", "ContentBody": "content body", "Heartbeat": "heartbeat"}
    kind = type(frame).__name__
    return plain.get(kind) or str(getattr(frame, "NAME", kind))


def frame_text(frame: Any) -> str:
    """Return the frame with all its fields, shortened if it is very long."""
    if isinstance(frame, HeaderAnswer):
        return f"AMQP {frame.octets[4:].hex(' ')}"
    text = repr(frame)
    return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]} ... ({len(text)} characters)"


def without_secrets(frame: Any) -> Any:
    """Return the frame for the transcript, with asterisks instead of passwords."""
    secret = _SECRETS.get(frame_name(frame))
    if secret is None:
        return frame
    values = {layout.name: getattr(frame, layout.name) for layout in type(frame).FIELDS}
    values[secret] = b"***"
    return type(frame)(**values)


def describe(item: Any) -> str:
    """Describe what was received in a few words: a close with its code and text, else the name."""
    method = getattr(item, "method", item)
    name = frame_name(method)
    if name in ("channel.close", "connection.close"):
        return f"{name} {method.reply_code} ({method.reply_text})"
    return name


@dataclass(frozen=True, slots=True)
class ReceivedMessage:
    """A method with its content: ``basic.deliver``, ``basic.get-ok`` or ``basic.return``."""

    method: Any
    properties: Any
    body: bytes


class LiveContents:
    """The contents that arrive, put together by the package and refused in the words of the runner; without a limit."""

    def __init__(self, amqp: Any) -> None:
        self._amqp = amqp
        self._assembler = amqp.ContentAssembler(max_body_size=0, max_channels=0)

    def is_arriving(self, channel: int) -> bool:
        """Return whether a message has begun on a channel and is not complete."""
        return self._assembler.unfinished(channel) is not None

    def add(self, channel: int, frame: Any) -> Any:
        """Add a frame; return a method, or a message that is complete now, or None if more frames follow.

        Raises:
            Violation: The frame does not fit what came before it.
        """
        begun = self._assembler.unfinished(channel)
        # The package takes a close for the end of the content. Here nothing at all may come in between (4.2.6).
        if begun is not None and hasattr(frame, "NAME"):
            raise Violation(f"expected the content of {begun.name}, got {frame_name(frame)}")
        try:
            item = self._assembler.add(channel, frame)
        except self._amqp.ProtocolError as error:
            raise Violation(self._refusal(begun, frame) or error.message) from None
        return (
            ReceivedMessage(item.method, item.properties, item.body)
            if isinstance(item, self._amqp.Message)
            else item
        )

    def _refusal(self, begun: Any, frame: Any) -> str:
        """Return what is wrong with a content header or body by what has come of the content; empty if the package says it."""
        is_header = isinstance(frame, self._amqp.ContentHeader)
        if begun is None or (begun.header is None and is_header):
            return ""
        if begun.header is None or is_header:
            return f"expected {'a method' if is_header else 'a content header'}, got a {frame_name(frame)}"
        size = begun.header.body_size
        return f"expected a body of {size} octets, got {size - begun.left + len(frame.payload)}"
