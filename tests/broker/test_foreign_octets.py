"""What other publishers can put into a message and RabbitMQ passes on, although the spec has no place for it.

Plain decoding is strict and ends there; a client that must live with such messages decodes without loss, or
reads properties lazily.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

import amqp_0_9_1_rabbitmq as amqp
import pytest

from .client import Connect, Dial

Leave = Callable[[bytes, bytes], str]
PLAIN_KEY, NO_UTF8 = b"key", b"\xff"
# The routing key, and what follows the body size in the content header.
FOREIGN = {
    "routing key": (NO_UTF8, bytes.fromhex("0000")),
    "property": (PLAIN_KEY, bytes.fromhex("0400") + b"\1" + NO_UTF8),
    "key of a header": (PLAIN_KEY, bytes.fromhex("2000 00000003 01") + NO_UTF8 + b"V"),
    "flag of no property": (PLAIN_KEY, bytes.fromhex("0002")),
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


@MESSAGES
def test_plain_decoding_is_strict(dial: Dial, leave: Leave, routing_key: bytes, properties: bytes) -> None:
    queue = leave(routing_key, properties)
    with pytest.raises(amqp.DecodeError, match=r"^basic\."):
        dial().handshake().open_channel().get(queue)


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


@pytest.mark.parametrize("what", ["property", "key of a header", "flag of no property"])
def test_lazy_properties_keep_the_stream_alive(connect: Connect, leave: Leave, what: str) -> None:
    queue = leave(*FOREIGN[what])
    client = connect()
    decoder = amqp.FrameDecoder(max_frame_size=client.frame_max, lazy_properties=True)
    client.send(amqp.methods.BasicGet(queue, no_ack=True), amqp.methods.BasicGet(queue, no_ack=True))
    frames: list[amqp.Frame] = []
    while len(frames) < 5:
        frames += [got for _, got in decoder.feed(client.receive_octets())]
    foreign, good, body = frames[1], frames[3], frames[4]
    assert isinstance(foreign, amqp.ContentHeader)
    with pytest.raises(amqp.DecodeError, match=r"^basic\.properties"):
        foreign.properties  # noqa: B018 (reading it is what decodes it)
    assert isinstance(good, amqp.ContentHeader)
    assert good.properties == amqp.BasicProperties()
    assert body == amqp.ContentBody(b"good")
