"""Received frames, hand-made frames (unusual or wrong ones), and frames as a line of text."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from enum import Enum
from typing import Any

import amqp_1_0 as amqp
from amqp_1_0 import Described
from amqp_1_0.described import DescribedType
from amqp_1_0.messaging import Data
from amqp_1_0.performatives import Error, Transfer
from amqp_1_0.sasl import SaslInit, SaslResponse

from ..engine.run_result import Violation


def make_frame(body: bytes, channel: int = 0, kind: int = 0) -> bytes:
    """Return a frame with any octets as its body."""
    return (8 + len(body)).to_bytes(4, "big") + bytes([2, kind]) + channel.to_bytes(2, "big") + body


def make_list(descriptor: bytes, *fields: bytes) -> bytes:
    """Return a described list, as list32, of a descriptor and items given in octets."""
    items = b"".join(fields)
    size = (4 + len(items)).to_bytes(4, "big")
    return b"\x00" + descriptor + b"\xd0" + size + len(fields).to_bytes(4, "big") + items


def make_performative(code: int, *fields: bytes) -> bytes:
    """Return the same with a number as descriptor, as the performatives of AMQP have."""
    return make_list(bytes([0x53, code]), *fields)


def value(anything: amqp.Value) -> bytes:
    """Encode any value."""
    return amqp.encode(anything)


def with_extended_header(frame: bytes, octets: bytes) -> bytes:
    """Return the frame with more octets in its header, a multiple of four."""
    size = len(frame) + len(octets)
    return size.to_bytes(4, "big") + bytes([2 + len(octets) // 4]) + frame[5:8] + octets + frame[8:]


def with_size(frame: bytes, size: int) -> bytes:
    """Replace the SIZE of a frame."""
    return size.to_bytes(4, "big") + frame[4:]


# With these fields a reader of the transcript could log in.
_SECRETS = {SaslInit: "initial_response", SaslResponse: "response"}

_SHORT_REPR = reprlib.Repr()
_SHORT_REPR.maxstring = _SHORT_REPR.maxother = 300
_SHORT_REPR.maxlist = _SHORT_REPR.maxtuple = _SHORT_REPR.maxdict = 30


def name_of(performative: object) -> str:
    """Return ``attach``, ``sasl-init``; ``empty frame`` for none."""
    if performative is None:
        return "empty frame"
    if isinstance(performative, DescribedType):
        return performative.NAME
    return "unknown performative" if isinstance(performative, Described) else type(performative).__name__


def text_of(performative: object, payload: bytes = b"") -> str:
    """Return a performative with the fields that are set, as ``end(error=amqp:decode-error "no list")``."""
    text = _value(performative) if performative is not None else "empty frame"
    return f"{text} and {len(payload)} octets of payload" if payload else text


def secret_in(performative: object) -> bytes:
    """Return the octets of a performative that no transcript may show; empty if there are none."""
    attribute = _SECRETS.get(type(performative))
    return (getattr(performative, attribute) or b"") if attribute else b""


def error_text(error: Error | None) -> str:
    """Return ``amqp:not-found "no such queue"``; ``no error`` for None."""
    if error is None:
        return "no error"
    return (
        f"{_value(error.condition)} {error.description!r}" if error.description else _value(error.condition)
    )


def _value(value: Any) -> str:
    if isinstance(value, Error):
        return error_text(value)
    if isinstance(value, Enum):
        return str(value.value)
    if not isinstance(value, DescribedType):
        return _SHORT_REPR.repr(value)
    if value.SOURCE:
        return f"{value.NAME}({_value(getattr(value, 'value', None))})"
    secret = _SECRETS.get(type(value))
    fields = []
    for field in value.FIELDS:
        content = getattr(value, field.attribute)
        if content is None or content in (field.default, []):
            continue
        fields.append(f"{field.name}={'***' if field.attribute == secret else _value(content)}")
    return f"{value.NAME}({', '.join(fields)})"


@dataclass(frozen=True, slots=True)
class Frame:
    """A received frame.

    Attributes:
        channel: Its channel; 0 for SASL frames.
        performative: None in an empty frame.
        payload: The octets after the performative.
    """

    octets: bytes
    channel: int
    performative: Any
    payload: bytes

    @property
    def type(self) -> int:
        """The TYPE octet: 0 in AMQP frames, 1 in SASL frames."""
        return self.octets[5]

    def __str__(self) -> str:
        return text_of(self.performative, self.payload)


class ReceivedDelivery:
    """A received message.

    Attributes:
        transfer: The first of its transfers.
        payload: The octets of the message.
    """

    def __init__(self, frames: list[Frame]) -> None:
        self.frames = frames
        self.transfer: Transfer = frames[0].performative
        self.payload = b"".join(frame.payload for frame in frames)

    @property
    def settled(self) -> bool:
        """Whether one of its transfers says that it is settled."""
        return any(frame.performative.settled for frame in self.frames)

    @property
    def number(self) -> int:
        """Its delivery-id.

        Raises:
            Violation: It has none.
        """
        if self.transfer.delivery_id is None:
            raise Violation(f"expected a delivery-id in the first transfer, got {self.frames[0]}")
        return self.transfer.delivery_id

    def message(self) -> amqp.Message:
        """Decode the message.

        Raises:
            Violation: The octets are not a message.
        """
        try:
            return amqp.decode_message(self.payload)
        except amqp.DecodeError as error:
            raise Violation(f"expected a message, got octets that cannot be decoded: {error}") from None

    def data(self) -> bytes:
        """Return the octets of a body of one data section.

        Raises:
            Violation: The body is something else.
        """
        body = self.message().body
        if not isinstance(body, Data):
            raise Violation(f"expected a body of one data section, got {body!r}")
        return body.value
