"""Decoding and encoding 0-9-1 messages with the peers, each the way its own client does it."""

from __future__ import annotations

from datetime import datetime, timezone
from struct import Struct
from typing import Any

import amqp.basic_message
import amqp.channel
import amqp.method_framing
import amqp.serialization
import amqp.spec
import pamqp.body
import pamqp.commands
import pamqp.frame
import pamqp.header
import pika.frame
import pika.spec

from . import messages0 as data

_WHEN = datetime.fromtimestamp(data.TIMESTAMP, timezone.utc)
_FRAME_HEAD = Struct(">BHI").unpack_from


def decode_pika(stream: bytes) -> list[Any]:
    """pika decodes the frame at the front of a buffer and says how much of it that was."""
    frames = []
    position = 0
    while position < len(stream):
        size = 8 + int.from_bytes(stream[position + 3 : position + 7], "big")
        used, frame = pika.frame.decode_frame(stream[position : position + size])
        frames.append(frame)
        position += used
    return frames


def decode_pamqp(stream: bytes) -> list[Any]:
    """pamqp likewise."""
    frames = []
    position = 0
    while position < len(stream):
        size = 8 + int.from_bytes(stream[position + 3 : position + 7], "big")
        used, _, frame = pamqp.frame.unmarshal(stream[position : position + size])
        frames.append(frame)
        position += used
    return frames


class _Connection:
    """What py-amqp's frame handler and frame writer want of a connection and its transport."""

    def __init__(self) -> None:
        self.frame_max = 131_072
        self.bytes_sent = self.bytes_recv = 0
        self.written: Any = b""

    def write(self, octets: Any) -> None:
        self.written = octets


def decode_py_amqp(stream: bytes) -> list[Any]:
    """py-amqp's frame handler, between what its transport does before and its channel after; all are deliveries."""
    messages: list[Any] = []

    def dispatch(channel: int, signature: tuple[int, int], payload: bytes, message: Any) -> None:
        method = amqp.channel.Channel._METHODS[signature]
        tag, number, redelivered, exchange, key = amqp.serialization.loads(method.args, payload, 4)[0]
        message.delivery_info = {
            "consumer_tag": tag,
            "delivery_tag": number,
            "redelivered": redelivered,
            "exchange": exchange,
            "routing_key": key,
        }
        messages.append(message)

    on_frame = amqp.method_framing.frame_handler(_Connection(), dispatch)
    position = 0
    while position < len(stream):
        kind, channel, size = _FRAME_HEAD(stream, position)
        end = position + 7 + size
        assert stream[end] == 0xCE
        on_frame((kind, channel, stream[position + 7 : end]))
        position = end + 1
    return messages


def build_pika() -> tuple[Any, Any]:
    """Method and properties."""
    method = pika.spec.Basic.Publish(**data.PUBLISH)
    return method, pika.spec.BasicProperties(**data.PROPERTIES, timestamp=data.TIMESTAMP)


def encode_pika(method: Any, properties: Any) -> bytes:
    """As pika's channel does."""
    return (
        pika.frame.Method(1, method).marshal()
        + pika.frame.Header(1, len(data.BODY), properties).marshal()
        + pika.frame.Body(1, data.BODY).marshal()
    )


_PAMQP_PROPERTIES = {
    ("message_type" if key == "type" else key): value for key, value in data.PROPERTIES.items()
}


def build_pamqp() -> tuple[Any, Any]:
    """Method and properties."""
    method = pamqp.commands.Basic.Publish(**data.PUBLISH)
    return method, pamqp.commands.Basic.Properties(**_PAMQP_PROPERTIES, timestamp=_WHEN)


def encode_pamqp(method: Any, properties: Any) -> bytes:
    """As clients built on pamqp do."""
    return (
        pamqp.frame.marshal(method, 1)
        + pamqp.frame.marshal(pamqp.header.ContentHeader(0, len(data.BODY), properties), 1)
        + pamqp.frame.marshal(pamqp.body.ContentBody(data.BODY), 1)
    )


_PY_AMQP_PROPERTIES = {
    ("application_headers" if key == "headers" else key): value for key, value in data.PROPERTIES.items()
}


def build_py_amqp() -> tuple[Any, Any]:
    """Arguments and message."""
    arguments = (0, data.PUBLISH["exchange"], data.PUBLISH["routing_key"], True, False)
    return arguments, amqp.basic_message.Message(data.BODY, **_PY_AMQP_PROPERTIES, timestamp=data.TIMESTAMP)


_connection = _Connection()
_write_frames = amqp.method_framing.frame_writer(_connection, _connection)


def encode_py_amqp(values: Any, message: Any) -> bytes:
    """As py-amqp's channel and frame writer do."""
    arguments = amqp.serialization.dumps("Bssbb", values)
    _write_frames(1, 1, amqp.spec.Basic.Publish, arguments, message)
    return _connection.written
