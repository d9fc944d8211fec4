"""Decoding and encoding 1.0 transfers, messages and values with each library, the way its own client does it.

python-qpid-proton has no frames in Python: its transport, written in C, reads and writes them. Transfers go
through ``proton.Data``, messages through ``proton.Message``. The objects are kept from message to message, which
is the fastest way to use them.

azure's codec, in pure Python, is part of its clients; that of azure-eventhub is the faster one of them. It
leaves strings as bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from struct import Struct
from typing import Any

import proton
from azure.eventhub._pyamqp import message as azure
from azure.eventhub._pyamqp._decode import _DECODE_BY_CONSTRUCTOR, decode_frame, decode_payload
from azure.eventhub._pyamqp._encode import encode_frame, encode_payload, encode_value
from azure.eventhub._pyamqp.performatives import TransferFrame
from azure.eventhub._pyamqp.types import AMQPTypes

from . import messages as data

_FRAME_HEAD = Struct(">IBBH")
_CHANNEL = Struct(">H").pack
# The class of values that are not of a type of Python, by their type.
Classes = Mapping[str, Callable[[Any], Any]]


@dataclass(frozen=True, slots=True)
class Library:
    """What a library does, so that it hardly counts how it is called.

    Attributes:
        prepare: The arguments for the classes of one message; never timed.
        build: The objects of many messages, from their arguments: the transfer, and the message.
        encode: Encodes a frame with the transfer and the message, for many of them; returns the last frame.
        decode: The transfer and the message of each frame of a stream.
        encode_message: The octets of a message alone.
        decode_message: A message alone.
        as_list: 50 values as the library takes a list of them.
        as_map: 50 values as the library takes a map of them.
        encode_value: The octets of a list or a map.
        decode_value: A list or a map, or a pair with it first.
    """

    prepare: Callable[[data.Content], Any]
    build: Callable[[list[Any]], list[tuple[Any, Any]]]
    encode: Callable[[list[tuple[Any, Any]]], bytes]
    decode: Callable[[bytes], list[Any]]
    encode_message: Callable[[Any], bytes]
    decode_message: Callable[[bytes], Any]
    as_list: Callable[[data.Values], Any]
    as_map: Callable[[data.Values], Any]
    encode_value: Callable[[Any], bytes]
    decode_value: Callable[[bytes], Any]


# --- The generated package --------------------------------------------------------------------------


def own_library(package: Any) -> Library:
    """A generated package."""
    performatives, messaging, types = package.performatives, package.messaging, package.types
    encode_frame, decode_frames = package.encode_frame, package.decode_frames
    decode_message = package.decode_message
    classes: Classes = {
        "symbol": types.Symbol,
        "uint": types.UInt,
        "ulong": types.ULong,
        "int": types.Int,
        "ubyte": types.UByte,
        "ushort": types.UShort,
        "timestamp": types.Timestamp,
    }

    def build(contents: list[data.Content]) -> list[tuple[Any, Any]]:
        return [
            (
                performatives.Transfer(**content.transfer),
                package.Message(
                    header=messaging.Header(**content.header),
                    properties=messaging.Properties(**content.properties),
                    application_properties=content.application_properties,
                    body=messaging.Data(data.BODY),
                ),
            )
            for content in contents
        ]

    def encode(parts: list[tuple[Any, Any]]) -> bytes:
        octets = b""
        for transfer, message in parts:
            octets = encode_frame(0, transfer, message.encode())
        return octets

    return Library(
        prepare=lambda content: content,
        build=build,
        encode=encode,
        decode=lambda stream: [
            (transfer, decode_message(payload)) for _, transfer, payload in decode_frames(stream)[0]
        ],
        encode_message=package.Message.encode,
        decode_message=decode_message,
        as_list=partial(_typed_list, classes),
        as_map=partial(_typed_map, classes),
        encode_value=package.encode,
        decode_value=package.decode,
    )


def _typed_list(classes: Classes, values: data.Values) -> list[Any]:
    return [classes[kind](value) if kind in classes else value for kind, value in values.items]


def _typed_map(classes: Classes, values: data.Values) -> dict[str, Any]:
    return dict(zip(values.keys, _typed_list(classes, values), strict=True))


# --- proton -----------------------------------------------------------------------------------------

_data = proton.Data()
_message = proton.Message()

# What proton calls the fields that the message has.
_PROTON_FIELDS = {"message_id": "id", "to": "address"}
_PROTON_TYPES: Classes = {
    "symbol": proton.symbol,
    "uint": proton.uint,
    "ulong": proton.ulong,
    "int": proton.int32,
    "ubyte": proton.ubyte,
    "ushort": proton.ushort,
    "timestamp": proton.timestamp,
}


def _prepare_proton(content: data.Content) -> Any:
    names = {_PROTON_FIELDS.get(key, key): value for key, value in content.properties.items()}
    # Times are in seconds, both.
    times = {"ttl": content.header["ttl"] / 1000, "creation_time": content.properties["creation_time"] / 1000}
    return content.transfer, {
        **content.header,
        **names,
        **times,
        "properties": content.application_properties,
    }


def _build_proton(arguments: list[Any]) -> list[tuple[Any, Any]]:
    return [
        (
            [
                proton.uint(transfer["handle"]),
                proton.uint(transfer["delivery_id"]),
                transfer["delivery_tag"],
                proton.uint(transfer["message_format"]),
                transfer["settled"],
            ],
            proton.Message(data.BODY, inferred=True, **message),
        )
        for transfer, message in arguments
    ]


def _encode_proton(parts: list[tuple[Any, Any]]) -> bytes:
    frame = b""
    for fields, message in parts:
        payload = message.encode()
        body = _encode_proton_value(proton.Described(proton.ulong(0x14), fields))
        frame = _FRAME_HEAD.pack(8 + len(body) + len(payload), 2, 0, 0) + body + payload
    return frame


def _decode_proton(stream: bytes) -> list[Any]:
    """The fields of each transfer and each message that have been set."""
    found = []
    position = 0
    while position < len(stream):
        size, words, _, _ = _FRAME_HEAD.unpack_from(stream, position)
        body = stream[position + 4 * words : position + size]
        _data.clear()
        used = _data.decode(body)
        _data.rewind()
        _data.next()
        found.append((_data.get_object(), _decode_proton_message(body[used:])))
        position += size
    return found


def _decode_proton_message(payload: bytes) -> tuple[Any, ...]:
    """The fields of a message that have been set."""
    message = _message
    message.decode(payload)
    return (
        message.durable,
        message.priority,
        message.ttl,
        message.delivery_count,
        message.id,
        message.user_id,
        message.address,
        message.subject,
        message.reply_to,
        message.correlation_id,
        message.content_type,
        message.creation_time,
        message.group_id,
        message.group_sequence,
        message.properties,
        message.body,
    )


def decode_proton_unread(payload: bytes) -> None:
    """A message whose fields stay in C, but for body and application properties."""
    _message.decode(payload)


def _encode_proton_value(value: Any) -> bytes:
    _data.clear()
    _data.put_object(value)
    return bytes(_data.encode())


def _decode_proton_value(octets: bytes) -> Any:
    _data.clear()
    _data.decode(octets)
    _data.rewind()
    _data.next()
    return _data.get_object()


PROTON = Library(
    prepare=_prepare_proton,
    build=_build_proton,
    encode=_encode_proton,
    decode=_decode_proton,
    encode_message=proton.Message.encode,
    decode_message=_decode_proton_message,
    as_list=partial(_typed_list, _PROTON_TYPES),
    as_map=partial(_typed_map, _PROTON_TYPES),
    encode_value=_encode_proton_value,
    decode_value=_decode_proton_value,
)


# --- azure ------------------------------------------------------------------------------------------


def _build_azure(contents: list[data.Content]) -> list[tuple[Any, Any]]:
    """Transfers, still without payload, and messages."""
    return [
        (
            TransferFrame(**content.transfer),
            azure.Message(
                header=azure.Header(**content.header),
                properties=azure.Properties(**content.properties),
                application_properties=content.application_properties,
                data=[data.BODY],
            ),
        )
        for content in contents
    ]


def _encode_azure(parts: list[tuple[Any, Any]]) -> bytes:
    """As azure's sender and transport do, but for a first round that only finds the size of the transfer."""
    frame = b""
    for transfer, message in parts:
        payload = _encode_azure_message(message)
        head, body = encode_frame(transfer._replace(payload=payload))
        assert body is not None
        frame = head + _CHANNEL(0) + body
    return frame


def _encode_azure_message(message: Any) -> Any:
    """As azure's sender does."""
    payload = bytearray()
    encode_payload(payload, message)
    return payload


def _decode_azure(stream: bytes) -> list[Any]:
    """As azure's transport and receiver do; each frame is in a buffer of its own."""
    found = []
    position = 0
    while position < len(stream):
        size, words, _, _ = _FRAME_HEAD.unpack_from(stream, position)
        frame = memoryview(stream[position + 4 * words : position + size])
        _, fields = decode_frame(frame)
        found.append((fields, decode_payload(fields[-1])))
        position += size
    return found


def _azure_items(values: data.Values) -> list[dict[str, Any]]:
    """Values as azure's codec takes them: with the names of types."""
    return [{"TYPE": getattr(AMQPTypes, kind), "VALUE": value} for kind, value in values.items]


def _azure_map(values: data.Values) -> dict[str, Any]:
    keys = [{"TYPE": "STRING", "VALUE": key} for key in values.keys]
    return {"TYPE": "MAP", "VALUE": list(zip(keys, _azure_items(values), strict=True))}


def _encode_azure_value(value: Any) -> Any:
    output = bytearray()
    encode_value(output, value)
    return output


def _decode_azure_value(octets: bytes) -> Any:
    view = memoryview(octets)
    return _DECODE_BY_CONSTRUCTOR[view[0]](view[1:])[1]


AZURE = Library(
    prepare=lambda content: content,
    build=_build_azure,
    encode=_encode_azure,
    decode=_decode_azure,
    encode_message=_encode_azure_message,
    decode_message=lambda payload: decode_payload(memoryview(payload)),
    as_list=lambda values: {"TYPE": "LIST", "VALUE": _azure_items(values)},
    as_map=_azure_map,
    encode_value=_encode_azure_value,
    decode_value=_decode_azure_value,
)

PEERS = {"proton": PROTON, "azure": AZURE}
