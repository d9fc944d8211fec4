"""Decoding and encoding 1.0 transfers and messages with the peers, each the way its own client does it.

python-qpid-proton has no frames in Python: its transport, written in C, reads and writes them. Transfers go
through ``proton.Data``, messages through ``proton.Message``. The objects are kept from message to message, which
is the fastest way to use them.

azure's codec, in pure Python, is part of its clients; that of azure-eventhub is the faster one of them. It
leaves strings as bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any

import proton
from azure.eventhub._pyamqp import message as azure
from azure.eventhub._pyamqp._decode import _DECODE_BY_CONSTRUCTOR, decode_frame, decode_payload
from azure.eventhub._pyamqp._encode import encode_frame, encode_payload, encode_value
from azure.eventhub._pyamqp.performatives import TransferFrame
from azure.eventhub._pyamqp.types import AMQPTypes

from . import messages1 as data

_FRAME_HEAD = Struct(">IBBH")
_CHANNEL = Struct(">H").pack

# --- proton -----------------------------------------------------------------------------------------

_data = proton.Data()
_message = proton.Message()

# What proton calls the fields that the message has.
_PROTON_FIELDS = {"message_id": "id", "to": "address"}
_PROTON_MESSAGE: dict[str, Any] = {
    **data.HEADER,
    **{_PROTON_FIELDS.get(key, key): value for key, value in data.PROPERTIES.items()},
    # Times are in seconds, both.
    "ttl": data.HEADER["ttl"] / 1000,
    "creation_time": data.PROPERTIES["creation_time"] / 1000,
    "properties": data.APPLICATION_PROPERTIES,
}
_PROTON_TYPES: dict[str, Callable[[Any], Any]] = {
    "symbol": proton.symbol,
    "uint": proton.uint,
    "ulong": proton.ulong,
    "int": proton.int32,
    "ubyte": proton.ubyte,
    "ushort": proton.ushort,
    "timestamp": proton.timestamp,
}


def build_proton() -> tuple[Any, Any]:
    """Transfer and message."""
    message = proton.Message(data.BODY, inferred=True, **_PROTON_MESSAGE)
    return [
        proton.uint(data.TRANSFER["handle"]),
        proton.uint(data.TRANSFER["delivery_id"]),
        data.TRANSFER["delivery_tag"],
        proton.uint(data.TRANSFER["message_format"]),
        data.TRANSFER["settled"],
    ], message


def encode_proton(fields: Any, message: Any) -> bytes:
    """A frame with the transfer and the message."""
    payload = message.encode()
    body = encode_proton_value(proton.Described(proton.ulong(0x14), fields))
    return _FRAME_HEAD.pack(8 + len(body) + len(payload), 2, 0, 0) + body + payload


def decode_proton(stream: bytes) -> list[Any]:
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
        found.append((_data.get_object(), decode_proton_message(body[used:])))
        position += size
    return found


def decode_proton_message(payload: bytes) -> tuple[Any, ...]:
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


def proton_items() -> list[Any]:
    """The mixed values as proton takes and gives them."""
    return [_PROTON_TYPES[kind](value) if kind in _PROTON_TYPES else value for kind, value in data.MIXED]


def encode_proton_value(value: Any) -> bytes:
    """Any value."""
    _data.clear()
    _data.put_object(value)
    return bytes(_data.encode())


def decode_proton_value(octets: bytes) -> Any:
    """Any value."""
    _data.clear()
    _data.decode(octets)
    _data.rewind()
    _data.next()
    return _data.get_object()


# --- azure ------------------------------------------------------------------------------------------


def build_azure() -> tuple[Any, Any]:
    """Transfer, still without payload, and message."""
    return TransferFrame(**data.TRANSFER), azure.Message(
        header=azure.Header(**data.HEADER),
        properties=azure.Properties(**data.PROPERTIES),
        application_properties=data.APPLICATION_PROPERTIES,
        data=[data.BODY],
    )


def encode_azure(transfer: Any, message: Any) -> bytes:
    """As azure's sender and transport do, but for a first round that only finds the size of the transfer."""
    payload = encode_azure_message(message)
    head, body = encode_frame(transfer._replace(payload=payload))
    assert body is not None
    return head + _CHANNEL(0) + body


def encode_azure_message(message: Any) -> bytearray:
    """As azure's sender does."""
    payload = bytearray()
    encode_payload(payload, message)
    return payload


def decode_azure(stream: bytes) -> list[Any]:
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


def decode_azure_message(payload: bytes) -> Any:
    """As azure's receiver does."""
    return decode_payload(memoryview(payload))


def azure_list() -> dict[str, Any]:
    """The list of mixed values as azure's codec takes it: with the names of types."""
    return {"TYPE": "LIST", "VALUE": _azure_items()}


def azure_map() -> dict[str, Any]:
    """The map, likewise."""
    keys = [{"TYPE": "STRING", "VALUE": key} for key in data.KEYS]
    return {"TYPE": "MAP", "VALUE": list(zip(keys, _azure_items(), strict=True))}


def _azure_items() -> list[dict[str, Any]]:
    return [{"TYPE": getattr(AMQPTypes, kind), "VALUE": value} for kind, value in data.MIXED]


def encode_azure_value(value: Any) -> bytearray:
    """Any value with the name of its type."""
    output = bytearray()
    encode_value(output, value)
    return output


def decode_azure_value(octets: bytes) -> Any:
    """Any value."""
    view = memoryview(octets)
    return _DECODE_BY_CONSTRUCTOR[view[0]](view[1:])[1]
