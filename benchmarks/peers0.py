"""Decoding and encoding 0-9-1 messages with the peers, each the way its own client does it."""

from __future__ import annotations

from datetime import datetime, timezone
from struct import Struct
from typing import Any

import amqp.basic_message
import amqp.serialization
import pamqp.body
import pamqp.commands
import pamqp.frame
import pamqp.header
import pika.frame
import pika.spec

from . import messages0 as data

_WHEN = datetime.fromtimestamp(data.TIMESTAMP, timezone.utc)
_METHOD_HEAD = Struct(">BHIHH").pack
_HEADER_HEAD = Struct(">BHIHHQ").pack
_BODY_HEAD = Struct(">BHI").pack


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


def decode_py_amqp(stream: bytes) -> list[Any]:
    """py-amqp's transport, method and message decoding put together; every method is basic.deliver."""
    frames: list[Any] = []
    position = 0
    while position < len(stream):
        kind = stream[position]
        end = position + 7 + int.from_bytes(stream[position + 3 : position + 7], "big")
        payload = stream[position + 7 : end]
        if kind == 1:
            frames.append(amqp.serialization.loads("sLbss", payload, 4)[0])
        elif kind == 2:
            message = amqp.basic_message.Message()
            message.inbound_header(payload)
            frames.append(message)
        else:
            frames.append(payload)
        position = end + 1
    return frames


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


def encode_py_amqp(values: Any, message: Any) -> bytes:
    """As py-amqp's channel and frame writer do."""
    arguments = amqp.serialization.dumps("Bssbb", values)
    properties = message._serialize_properties()
    return b"".join(
        (
            _METHOD_HEAD(1, 1, len(arguments) + 4, 60, 40),
            arguments,
            b"\xce",
            _HEADER_HEAD(2, 1, len(properties) + 12, 60, 0, len(data.BODY)),
            properties,
            b"\xce",
            _BODY_HEAD(3, 1, len(data.BODY)),
            data.BODY,
            b"\xce",
        )
    )
