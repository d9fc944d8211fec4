"""Clients of 0-x that are odd, and within the rules: what the broker answers, and when, no script could make up."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
from amqp_0_9_1_rabbitmq.table import Timestamp

from .actor import BODY, HEADER, Actor, frame

methods = amqp.methods
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


# --- Connections and channels ---


def one_octet_at_a_time(client: Actor) -> None:
    """Each octet of the login and of a message is written on its own."""
    client.send_octets = _by_octets(client.send_octets)  # type: ignore[method-assign]
    client.ready().publish(client.declare(), b"slowly")


def _by_octets(send: Any) -> Any:
    def send_one_by_one(data: bytes) -> None:
        for octet in data:
            send(bytes([octet]))

    return send_one_by_one


def tunes_down(client: Actor) -> None:
    """Wants less than the server offers: small frames, few channels, slow heartbeats."""
    client.tuned(frame_max=4096, channel_max=2, heartbeat=30).opened()
    client.frame_max = 4096
    client.open_channel(1).open_channel(2)
    client.publish(client.declare(), bytes(10_000))


def closes_in_the_middle_of_confirms(client: Actor) -> None:
    """Closes the channel before the last confirms came, and opens it again."""
    client.ready().call(methods.ConfirmSelect())
    for _ in range(10):
        client.publish("nowhere", b"x")
    client.send(methods.ChannelClose(200, "enough"))
    while not isinstance(client.next(), methods.ChannelCloseOk):
        pass
    client.open_channel().declare()


def channel_opened_again(client: Actor) -> None:
    """One number is used for three channels, one after the other."""
    client.handshake()
    for _ in range(3):
        queue = client.open_channel().declare()
        client.publish(queue, b"x")
        assert client.get(queue, no_ack=False) is not None
        client.send(methods.BasicAck(1))
        client.call(methods.ChannelClose(200, "done"))


# --- Contents ---


def _publishes(client: Actor, body: bytes, *pieces: bytes, properties: Any = None) -> None:
    """Publish a body as these pieces, and get it."""
    queue = client.ready().declare()
    header = amqp.ContentHeader(properties or amqp.BasicProperties(), len(body))
    client.send(methods.BasicPublish(routing_key=queue), header)
    client.send_octets(b"".join(frame(BODY, piece) for piece in pieces))
    assert client.fetch(queue).body == body


def body_of_a_megabyte(client: Actor) -> None:
    """A large body."""
    queue = client.ready().declare()
    client.publish(queue, bytes(1 << 20))
    assert len(client.fetch(queue).body) == 1 << 20


def headers_of_every_type(client: Actor) -> None:
    """A table with every type of value that RabbitMQ knows."""
    _publishes(client, b"x", b"x", properties=amqp.BasicProperties(headers=EVERY_TYPE))


def headers_of_the_other_types(client: Actor) -> None:
    """Types of values that few clients write: unsigned and short numbers, floats of four octets."""
    values = b"\x01aB\xff\x01bs\xff\xfe\x01cu\xff\xfe\x01di\xff\xff\xff\xff\x01ef\x3f\x80\x00\x00"
    queue = client.ready().declare()
    client.send(methods.BasicPublish(routing_key=queue))
    payload = bytes.fromhex("003c 0000 0000000000000000 2000") + len(values).to_bytes(4, "big") + values
    client.send_octets(frame(HEADER, payload))
    assert client.fetch(queue).properties.headers is not None


def headers_in_headers(client: Actor) -> None:
    """Tables in tables, thirty deep."""
    headers: dict[str, Any] = {}
    for _ in range(30):
        headers = {"deeper": headers}
    _publishes(client, b"x", b"x", properties=amqp.BasicProperties(headers=headers))


# --- Queues, deliveries, confirms ---


def _consumes(client: Actor, messages: int) -> str:
    """Has so many deliveries of a queue of its own, not settled."""
    queue = client.ready().declare()
    for _ in range(messages):
        client.publish(queue, b"x")
    client.call(methods.BasicQos(prefetch_count=messages))
    client.call(methods.BasicConsume(queue, "tag"))
    for _ in range(messages):
        client.expect(methods.BasicDeliver)
    return queue


def names_by_the_server(client: Actor) -> None:
    """Queues without a name, which the server names; an empty name then means the last of them."""
    client.ready()
    assert client.declare() != client.declare()
    client.call(methods.QueueBind("", "amq.direct", "key"))
    client.call(methods.QueuePurge(""))
    assert client.get("") is None
    client.call(methods.QueueDelete(""))


def queue_deleted_while_consuming(client: Actor) -> None:
    """The server cancels a consumer whose queue is deleted."""
    queue = _consumes(client, 2)
    client.open_channel(2).call(methods.QueueDelete(queue), channel=2)
    client.expect(methods.BasicCancel)


def nacks_many_to_get_them_again(client: Actor) -> None:
    """basic.nack with multiple and requeue; they come again."""
    _consumes(client, 3)
    client.send(methods.BasicNack(3, multiple=True, requeue=True))
    for _ in range(3):
        assert client.expect(methods.BasicDeliver).method.redelivered
    client.send(methods.BasicAck(0, multiple=True))
    client.declare()


def recovers(client: Actor) -> None:
    """basic.recover with requeue; the deliveries come again."""
    _consumes(client, 3)
    client.send(methods.BasicRecover(requeue=True))
    kinds = [type(client.next()).__name__ for _ in range(4)]
    assert sorted(kinds) == ["BasicRecoverOk", "Message", "Message", "Message"]
    client.send(methods.BasicAck(0, multiple=True))
    client.declare()


def cancels_and_settles_later(client: Actor) -> None:
    """Settles deliveries of a consumer that is canceled."""
    _consumes(client, 3)
    client.call(methods.BasicCancel("tag"))
    client.send(methods.BasicAck(3, multiple=True))
    client.declare()


def redelivered_to_the_same_channel(client: Actor) -> None:
    """basic.reject with requeue, again and again."""
    _consumes(client, 1)
    for tag in range(1, 6):
        client.send(methods.BasicReject(tag, requeue=True))
        assert client.expect(methods.BasicDeliver).method.delivery_tag == tag + 1
    client.send(methods.BasicAck(6))
    client.declare()


def publishes_a_thousand(client: Actor) -> None:
    """Does not wait for confirms; the last come for many."""
    client.ready().call(methods.ConfirmSelect())
    queue = client.declare()
    for _ in range(1000):
        client.publish(queue, b"x")
    confirmed = 0
    while confirmed < 1000:
        ack = client.expect(methods.BasicAck)
        confirmed = ack.delivery_tag if ack.multiple else max(confirmed, ack.delivery_tag)
    client.call(methods.QueuePurge(queue))


# --- 0-8 ---


def publishes_and_consumes_in_0_8(client: Actor) -> None:
    """Without any ticket; the broker does not ask for one."""
    methods, queue = client.ready().amqp.methods, client.declare()
    client.publish(queue, b"x")
    client.call(methods.BasicQos(prefetch_count=1))
    client.call(methods.BasicConsume(queue=queue, consumer_tag="tag"))
    client.send(methods.BasicAck(client.expect(methods.BasicDeliver).method.delivery_tag))
    client.call(methods.BasicCancel("tag"))
