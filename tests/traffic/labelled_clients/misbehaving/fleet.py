"""Clients that do nothing forbidden, and are a nuisance; or that disagree with others."""

from __future__ import annotations

import amqp_0_9_1_rabbitmq as amqp

from ..actor import Actor

methods = amqp.methods
MANY = 25
TOO_MANY = 110


def reconnect_storm(client: Actor) -> None:
    """Connects again and again, and goes without a word as soon as it is connected."""
    client.handshake().socket.close()
    for _ in range(MANY - 1):
        client.another().handshake().socket.close()


def connection_for_each_message(client: Actor) -> None:
    """A new connection for each message, properly closed."""
    client.handshake().open_channel().publish("nowhere", b"one")
    client.close()
    for _ in range(64):
        other = client.another().handshake().open_channel()
        other.publish("nowhere", b"one")
        other.close()


def channel_for_each_message(client: Actor) -> None:
    """A new channel for each message."""
    client.handshake()
    for _ in range(TOO_MANY):
        client.open_channel().publish("nowhere", b"one")
        client.call(methods.ChannelClose(200, "done"))


def polls(client: Actor) -> None:
    """Asks for messages with basic.get, though there are none."""
    queue = client.ready().declare()
    for _ in range(TOO_MANY):
        assert client.get(queue) is None


def no_limit_of_prefetch(client: Actor) -> None:
    """Consumes with acknowledgements, without any basic.qos."""
    _consumes(client.ready())


def prefetch_0(client: Actor) -> None:
    """Consumes with acknowledgements, after a basic.qos with prefetch-count 0."""
    client.ready().call(methods.BasicQos(prefetch_count=0))
    _consumes(client)


def _consumes(client: Actor) -> None:
    queue = client.declare()
    for _ in range(MANY):
        client.publish(queue, b"one of many")
    client.call(methods.BasicConsume(queue))
    for _ in range(MANY):
        client.expect(methods.BasicDeliver)
    client.send(methods.BasicAck(0, multiple=True))


def publishes_to_nowhere(client: Actor) -> None:
    """Messages that no queue gets, and that are returned."""
    client.ready()
    for _ in range(3):
        client.publish(client.name(), b"lost", mandatory=True)
        client.expect(methods.BasicReturn)


def publishes_to_no_exchange(client: Actor) -> None:
    """A message to an exchange that is not there."""
    client.ready().publish("key", b"lost", exchange=client.name())
    client.next()


def publishes_without_confirms(client: Actor) -> None:
    """Persistent messages to a durable queue, and nobody asks whether they came."""
    queue = client.ready().name()
    client.call(methods.QueueDeclare(queue, durable=True))
    for _ in range(MANY):
        client.publish(queue, b"precious", amqp.BasicProperties(delivery_mode=2))
    client.call(methods.QueueDelete(queue))


def gets_from_no_queue(client: Actor) -> None:
    """basic.get from a queue that is not there."""
    client.ready().get(client.name())


def queue_declared_differently(client: Actor) -> None:
    """Two connections declare one queue: auto-delete and not."""
    name = client.ready().name()
    client.call(methods.QueueDeclare(name, durable=True, auto_delete=True))
    other = client.another().ready()
    with other.noting():
        other.call(methods.QueueDeclare(name, durable=True))
    client.call(methods.QueueDelete(name))


def exchange_declared_differently(client: Actor) -> None:
    """Two connections declare one exchange, of different types."""
    name = client.ready().name()
    client.call(methods.ExchangeDeclare(name, "direct", durable=True))
    other = client.another().ready()
    with other.noting():
        other.call(methods.ExchangeDeclare(name, "fanout", durable=True))
    client.call(methods.ExchangeDelete(name))


def uses_the_queue_of_another(client: Actor) -> None:
    """A queue is exclusive, and another connection consumes from it."""
    queue = client.ready().declare()
    other = client.another().ready()
    with other.noting():
        other.call(methods.BasicConsume(queue))


def refused_confirms(client: Actor) -> None:
    """A queue that is full refuses messages, with basic.nack."""
    client.ready().call(methods.ConfirmSelect())
    queue = client.declare(arguments={"x-max-length": 1, "x-overflow": "reject-publish"})
    for expected in (methods.BasicAck, methods.BasicNack, methods.BasicNack):
        client.publish(queue, b"x")
        client.expect(expected)


def no_heartbeats_wanted(client: Actor) -> None:
    """connection.tune-ok switches heartbeats off."""
    client.ready(heartbeat=0).declare()
