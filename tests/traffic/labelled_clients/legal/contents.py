"""Clients that are odd, and within the rules: contents, and what is in them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
from amqp_0_9_1_rabbitmq.table import Timestamp

from ..actor import BODY, Actor, frame

methods = amqp.methods
LONGEST = 127  # of a name of a queue or an exchange
PROPERTIES: dict[str, Any] = {
    "content_type": "text/plain",
    "content_encoding": "x-none",
    "headers": {"k": "v"},
    "delivery_mode": 1,
    "priority": 9,
    "correlation_id": "ü 日本語",
    "reply_to": "somewhere",
    "expiration": "60000",
    "message_id": "x" * 255,
    "timestamp": 0,
    "type": "",
    "user_id": "guest",
    "app_id": "\N{SNOWMAN}",
}
EVERY_TYPE: dict[str, Any] = {
    "t": True,
    "b": -1,
    "I": -70_000,
    "l": 1 << 60,
    "d": 1.5,
    "D": Decimal("12.25"),
    "S": "text",
    "x": b"\x00\xff",
    "A": [1, "two", [], {}],
    "T": Timestamp(1_700_000_000),
    "F": {"a": {"b": {"c": {}}}},
    "V": None,
}


def _publishes(client: Actor, body: bytes, *pieces: bytes, properties: Any = None) -> None:
    """Publish a body as these pieces, and get it."""
    queue = client.ready().declare()
    header = amqp.ContentHeader(properties or amqp.BasicProperties(), len(body))
    client.send(methods.BasicPublish(routing_key=queue), header)
    client.send_octets(b"".join(frame(BODY, piece) for piece in pieces))
    assert client.fetch(queue).body == body


def body_that_is_empty(client: Actor) -> None:
    """A message without a body, and without body frames."""
    _publishes(client, b"")


def body_octet_by_octet(client: Actor) -> None:
    """A body frame for each octet."""
    body = bytes(range(100))
    _publishes(client, body, *(bytes([octet]) for octet in body))


def body_frames_without_octets(client: Actor) -> None:
    """Body frames with nothing in them, between others."""
    _publishes(client, b"ab", b"", b"a", b"", b"", b"b")


def body_frames_of_any_size(client: Actor) -> None:
    """Small and large body frames take turns."""
    pieces = [bytes(size) for size in (1, 60_000, 2, 131_064, 3)]
    _publishes(client, b"".join(pieces), *pieces)


def body_of_a_megabyte(client: Actor) -> None:
    """A large body."""
    queue = client.ready().declare()
    client.publish(queue, bytes(1 << 20))
    assert len(client.fetch(queue).body) == 1 << 20


def all_properties(client: Actor) -> None:
    """A message with each of the properties."""
    _publishes(client, b"x", b"x", properties=amqp.BasicProperties(**PROPERTIES))


def headers_of_every_type(client: Actor) -> None:
    """A table with every type of value that RabbitMQ knows."""
    _publishes(client, b"x", b"x", properties=amqp.BasicProperties(headers=EVERY_TYPE))


def headers_of_the_other_types(client: Actor) -> None:
    """Types of values that few clients write: unsigned and short numbers, floats of four octets."""
    values = b"\x01aB\xff\x01bs\xff\xfe\x01cu\xff\xfe\x01di\xff\xff\xff\xff\x01ef\x3f\x80\x00\x00"
    queue = client.ready().declare()
    client.send(methods.BasicPublish(routing_key=queue))
    payload = bytes.fromhex("003c 0000 0000000000000000 2000") + len(values).to_bytes(4, "big") + values
    client.send_octets(frame(2, payload))
    assert client.fetch(queue).properties.headers is not None


def headers_in_headers(client: Actor) -> None:
    """Tables in tables, thirty deep."""
    headers: dict[str, Any] = {}
    for _ in range(30):
        headers = {"deeper": headers}
    _publishes(client, b"x", b"x", properties=amqp.BasicProperties(headers=headers))


def longest_names(client: Actor) -> None:
    """Names, a routing key and a consumer tag that are as long as they may be."""
    queue, exchange = (client.name().ljust(LONGEST, letter) for letter in "qx")
    client.ready().declare(queue)
    client.call(methods.ExchangeDeclare(exchange, "direct"))
    client.call(methods.QueueBind(queue, exchange, "k" * 255))
    client.call(methods.BasicQos(prefetch_count=1))
    client.call(methods.BasicConsume(queue, "t" * 255))
    client.publish("k" * 255, b"x", exchange=exchange)
    client.send(methods.BasicAck(client.expect(methods.BasicDeliver).method.delivery_tag))
    client.call(methods.ExchangeDelete(exchange))


def routing_key_of_any_characters(client: Actor) -> None:
    """A routing key may be anything."""
    key = "# * <ü> 日本語 \x00\x7f"
    queue = client.ready().declare()
    client.call(methods.QueueBind(queue, "amq.topic", key))
    client.publish(key, b"x", exchange="amq.direct")
