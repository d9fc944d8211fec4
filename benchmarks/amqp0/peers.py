"""Decoding and encoding 0-9-1 messages with each library, the way its own client does it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from struct import Struct
from typing import Any

import amqp.basic_message
import amqp.channel
import amqp.method_framing
import amqp.serialization
import amqp.spec
import pamqp.body
import pamqp.commands
import pamqp.decode
import pamqp.encode
import pamqp.frame
import pamqp.header
import pika.data
import pika.frame
import pika.spec

from . import messages as data

_WHEN = datetime.fromtimestamp(data.TIMESTAMP, UTC)
_FRAME_HEAD = Struct(">BHI").unpack_from
_MAX_FRAME_SIZE = 131_072


@dataclass(frozen=True, slots=True)
class Library:
    """What a library does, so that it hardly counts how it is called.

    Attributes:
        prepare: The arguments for the classes of one message; never timed.
        build: The objects of many messages, from their arguments.
        encode: Encodes basic.publish, header and body of many messages, from their objects; returns the octets of the last.
        decode: The objects of a stream of basic.deliver, header and body.
        encode_table: The octets of a field table.
        decode_table: A field table, or a pair with it first.
    """

    prepare: Callable[[data.Content], Any]
    build: Callable[[list[Any]], list[Any]]
    encode: Callable[[list[Any]], bytes]
    decode: Callable[[bytes], list[Any]]
    encode_table: Callable[[dict[str, Any]], bytes]
    decode_table: Callable[[bytes], Any]


# --- The generated packages -------------------------------------------------------------------------


def own_library(package: Any) -> Library:
    """A generated package."""
    encode_message, decode_frames = package.encode_message, package.decode_frames

    def encode(messages: list[Any]) -> bytes:
        octets = b""
        for method, properties in messages:
            octets = encode_message(1, method, properties, data.BODY, max_frame_size=_MAX_FRAME_SIZE)
        return octets

    return Library(
        prepare=_prepare,
        build=partial(_build, package.methods.BasicPublish, package.BasicProperties),
        encode=encode,
        decode=lambda stream: decode_frames(stream)[0],
        encode_table=package.encode_table,
        decode_table=package.decode_table,
    )


def _prepare(content: data.Content) -> Any:
    return content.publish, {**content.properties, "timestamp": data.TIMESTAMP}


def _build(method: Any, content: Any, arguments: list[Any]) -> list[Any]:
    return [(method(**publish), content(**properties)) for publish, properties in arguments]


def decode_in_turn(decode: Callable[[bytes], Any], stream: bytes) -> list[Any]:
    """pika and pamqp decode the frame at the front of a buffer, and say first how much of it that was, the frame last."""
    frames = []
    position = 0
    while position < len(stream):
        size = 8 + int.from_bytes(stream[position + 3 : position + 7], "big")
        found = decode(stream[position : position + size])
        frames.append(found[-1])
        position += found[0]
    return frames


# --- pika -------------------------------------------------------------------------------------------


def _encode_pika(messages: list[Any]) -> bytes:
    """As pika's channel does."""
    octets = b""
    for method, properties in messages:
        octets = (
            pika.frame.Method(1, method).marshal()
            + pika.frame.Header(1, len(data.BODY), properties).marshal()
            + pika.frame.Body(1, data.BODY).marshal()
        )
    return octets


def _encode_table_pika(table: dict[str, Any]) -> bytes:
    pieces: list[bytes] = []
    pika.data.encode_table(pieces, table)
    return b"".join(pieces)


PIKA = Library(
    prepare=_prepare,
    build=partial(_build, pika.spec.Basic.Publish, pika.spec.BasicProperties),
    encode=_encode_pika,
    decode=partial(decode_in_turn, pika.frame.decode_frame),
    encode_table=_encode_table_pika,
    decode_table=lambda octets: pika.data.decode_table(octets, 0),
)


# --- pamqp ------------------------------------------------------------------------------------------


def _prepare_pamqp(content: data.Content) -> Any:
    properties = {
        ("message_type" if key == "type" else key): value for key, value in content.properties.items()
    }
    return content.publish, {**properties, "timestamp": _WHEN}


def _encode_pamqp(messages: list[Any]) -> bytes:
    """As clients built on pamqp do."""
    octets = b""
    for method, properties in messages:
        octets = (
            pamqp.frame.marshal(method, 1)
            + pamqp.frame.marshal(pamqp.header.ContentHeader(0, len(data.BODY), properties), 1)
            + pamqp.frame.marshal(pamqp.body.ContentBody(data.BODY), 1)
        )
    return octets


PAMQP = Library(
    prepare=_prepare_pamqp,
    build=partial(_build, pamqp.commands.Basic.Publish, pamqp.commands.Basic.Properties),
    encode=_encode_pamqp,
    decode=partial(decode_in_turn, pamqp.frame.unmarshal),
    encode_table=pamqp.encode.field_table,
    decode_table=lambda octets: pamqp.decode.field_table(octets)[1],
)


# --- py-amqp ----------------------------------------------------------------------------------------


class _Connection:
    """What py-amqp's frame handler and frame writer want of a connection and its transport."""

    def __init__(self) -> None:
        self.frame_max = _MAX_FRAME_SIZE
        self.bytes_sent = self.bytes_recv = 0
        self.written: Any = b""

    def write(self, octets: Any) -> None:
        self.written = octets


def _decode_py_amqp(stream: bytes) -> list[Any]:
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


def _prepare_py_amqp(content: data.Content) -> Any:
    arguments = (0, content.publish["exchange"], content.publish["routing_key"], True, False)
    names = {"headers": "application_headers"}
    properties = {names.get(key, key): value for key, value in content.properties.items()}
    return arguments, {**properties, "timestamp": data.TIMESTAMP}


def _build_py_amqp(arguments: list[Any]) -> list[Any]:
    message = amqp.basic_message.Message
    return [(method, message(data.BODY, **properties)) for method, properties in arguments]


def _encode_py_amqp(messages: list[Any]) -> bytes:
    """As py-amqp's channel and frame writer do."""
    connection = _Connection()
    write_frames = amqp.method_framing.frame_writer(connection, connection)
    for values, message in messages:
        arguments = amqp.serialization.dumps("Bssbb", values)
        write_frames(1, 1, amqp.spec.Basic.Publish, arguments, message)
    return connection.written


PY_AMQP = Library(
    prepare=_prepare_py_amqp,
    build=_build_py_amqp,
    encode=_encode_py_amqp,
    decode=_decode_py_amqp,
    encode_table=lambda table: amqp.serialization.dumps("F", (table,)),
    decode_table=lambda octets: amqp.serialization.loads("F", octets, 0)[0],
)

PEERS = {"pika": PIKA, "py-amqp": PY_AMQP, "pamqp": PAMQP}
