"""What other publishers can put into a message and RabbitMQ passes on, although the spec has no place for it.

It would come again after each reconnect: no such message ends a connection, unless decoding is asked to be strict.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest

from tests.generated.amqp0.hostile import nested_tables
from tests.generated.amqp0.reference_codec import longstr

from .client import Connect

Leave = Callable[[bytes, bytes], str]
PLAIN_KEY, NO_UTF8 = b"key", b"\xff"
# The routing key, and what follows the body size in the content header.
FOREIGN = {
    "routing key": (NO_UTF8, bytes.fromhex("0000")),
    "property": (PLAIN_KEY, bytes.fromhex("0400") + b"\1" + NO_UTF8),
    "key of a header": (PLAIN_KEY, bytes.fromhex("2000 00000003 01") + NO_UTF8 + b"V"),
    "flag of no property": (PLAIN_KEY, bytes.fromhex("0002")),
}
# The properties of these cannot be read, or only beyond a limit.
TOO_MUCH = {
    "tables nested 70 deep": bytes.fromhex("2000") + nested_tables(70),
    "a header above frame-max": bytes.fromhex("2000") + longstr(b"\1kS" + longstr(b"x" * 9000)),
}
MESSAGES = pytest.mark.parametrize(("routing_key", "properties"), FOREIGN.values(), ids=FOREIGN)


def frame(kind: int, payload: bytes) -> bytes:
    return struct.pack(">BHI", kind, 1, len(payload)) + payload + b"\xce"


def header(properties: bytes) -> bytes:
    """A content header frame for an empty body."""
    return frame(2, struct.pack(">HHQ", 60, 0, 0) + properties)


@pytest.fixture
def leave(connect: Connect, fresh_name: Callable[[], str]) -> Leave:
    """Publishes one foreign message and a good one, and returns the queue that has them."""

    def leave(routing_key: bytes, properties: bytes) -> str:
        client, name = connect(), fresh_name()
        client.declare(name, exclusive=False)
        client.call(amqp.methods.ExchangeDeclare(name, "fanout"))
        client.call(amqp.methods.QueueBind(name, name))
        exchange = bytes([len(name)]) + name.encode()
        key = bytes([len(routing_key)]) + routing_key
        client.send_octets(frame(1, struct.pack(">HHH", 60, 40, 0) + exchange + key + b"\0"))
        client.send_octets(header(properties))
        client.publish("", b"good", exchange=name)
        client.expect_count(name, 2)
        return name

    return leave


def received(connect: Connect, queue: str, **options: Any) -> list[amqp.Frame]:
    """The frames of both messages, as a decoder with these options reads them."""
    client = connect(frame_max=4096)
    decoder = amqp.FrameDecoder(max_frame_size=client.frame_max, **options)
    client.send(amqp.methods.BasicGet(queue, no_ack=True), amqp.methods.BasicGet(queue, no_ack=True))
    frames: list[amqp.Frame] = []
    while len(frames) < 5:
        frames += [got for _, got in decoder.feed(client.receive_octets())]
    return frames


@MESSAGES
def test_plain_decoding_reads_them(
    connect: Connect, leave: Leave, routing_key: bytes, properties: bytes
) -> None:
    method, head, *good = received(connect, leave(routing_key, properties))
    assert isinstance(method, amqp.methods.BasicGetOk)
    assert method.routing_key.encode(errors="surrogateescape") == routing_key
    assert amqp.encode_frame(1, head) == header(properties)
    assert good[-1] == amqp.ContentBody(b"good")


@MESSAGES
def test_strict_decoding_refuses_them(
    connect: Connect, leave: Leave, routing_key: bytes, properties: bytes
) -> None:
    queue = leave(routing_key, properties)
    with pytest.raises(amqp.DecodeError, match=r"^basic\."):
        received(connect, queue, strict=True)


@pytest.mark.parametrize("properties", TOO_MUCH.values(), ids=TOO_MUCH)
@pytest.mark.parametrize("option", ["lossless", "lazy_properties"])
def test_what_is_too_much_keeps_the_stream_alive(
    connect: Connect, leave: Leave, properties: bytes, option: str
) -> None:
    _, head, *good = received(connect, leave(PLAIN_KEY, properties), **{option: True})
    assert isinstance(head, amqp.ContentHeader)
    if len(properties) < 4096:
        with pytest.raises(amqp.errors.LimitExceeded, match=r"^basic\.properties\.headers"):
            head.properties  # noqa: B018 (reading it is what decodes it)
    else:
        assert head.properties == amqp.BasicProperties(headers={"k": "x" * 9000})
    if option == "lossless":
        assert amqp.encode_frame(1, head) == header(properties)
    assert good[-1] == amqp.ContentBody(b"good")


@MESSAGES
def test_lossless_decoding_gives_the_same_octets(
    connect: Connect, leave: Leave, routing_key: bytes, properties: bytes
) -> None:
    queue = leave(routing_key, properties)
    client = connect(lossless=True)
    message = client.fetch(queue)
    assert message.method.routing_key.encode(errors="surrogateescape") == routing_key
    assert amqp.encode_frame(1, amqp.ContentHeader(message.properties, 0)) == header(properties)
    assert client.fetch(queue).body == b"good"
