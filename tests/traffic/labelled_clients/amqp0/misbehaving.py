"""Clients of 0-x that misbehave, in what only a broker, a clock and a capture of packets show."""

from __future__ import annotations

import socket
import struct
from typing import Any

import amqp_0_8
import amqp_0_9_1_rabbitmq as amqp

from tests.broker.client import Disconnected

from .actor import HANGS_UP, METHOD, Actor, frame, method

methods = amqp.methods
MANY = 25
TOO_MANY = 110
TX_SELECT = b"\x00\x5a\x00\x0a"


# --- The beginning ---


def header_of_no_version(client: Actor) -> None:
    """The protocol header of a version that does not exist."""
    client.send_octets(b"AMQP\x00\x00\x09\x02")
    client.read_to_end()


def wrong_password(client: Actor) -> None:
    """Is refused."""
    client.address = client.address._replace(password="wrong")
    client.handshake()


# --- Frames ---


def _sends(client: Actor, octets: bytes) -> None:
    """Send octets on a connection that is ready, then something harmless."""
    client.ready().send_octets(octets)
    client.declare()


def frame_end_wrong(client: Actor) -> None:
    """The octet behind a payload is not 206."""
    _sends(client, frame(METHOD, TX_SELECT, end=b"\xcd"))


def frame_beyond_frame_max(client: Actor) -> None:
    """A body frame that is one octet too large."""
    client.ready(frame_max=4096)
    queue = client.declare()
    body = bytes(4096 - 8 + 1)
    octets = amqp.encode_message(
        1, methods.BasicPublish(routing_key=queue), None, body, max_frame_size=1 << 17
    )
    client.send_octets(octets)
    client.declare()


def class_unknown(client: Actor) -> None:
    """A method of class 200."""
    _sends(client, method((200, 10)))


# --- The end, and heartbeats ---


def resets(client: Actor) -> None:
    """Resets the socket, without connection.close."""
    client.ready().declare()
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.socket.close()


def does_not_wait_for_close_ok(client: Actor) -> None:
    """Closes the socket right after connection.close: both are in one packet, before which no answer can come."""
    client.ready().socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
    client.send(methods.ConnectionClose(200, "bye"), channel=0)
    client.socket.shutdown(socket.SHUT_WR)
    _drop_the_rest(client)


def method_after_the_servers_close(client: Actor) -> None:
    """The server has closed the connection (540); it gets more methods and no close-ok."""
    _is_closed(client)
    client.send(methods.QueueDeclare(exclusive=True))
    client.send(methods.QueueDeclare(exclusive=True))
    client.pump(0.2)
    client.socket.close()


def _is_closed(client: Actor) -> None:
    """The server closes the connection, for it does not do what immediate asks for."""
    client.ready().send(
        methods.BasicPublish(routing_key="nowhere", immediate=True),
        amqp.ContentHeader(amqp.BasicProperties()),
    )
    client.takes_close(channel=0)


def no_heartbeats(client: Actor) -> None:
    """A heartbeat of one second was agreed on; the client never says anything again."""
    client.ready(heartbeat=1)
    try:
        while client.receive_octets():
            pass
    except Disconnected:
        client.reactions.append(HANGS_UP)
    client.socket.close()


def _drop_the_rest(client: Actor) -> None:
    """Read what still comes, then close the socket; otherwise the kernel would reset it."""
    try:
        while client.receive_octets():
            pass
    except Disconnected:
        client.socket.close()


# --- Deliveries, and names ---


def ack_twice(client: Actor) -> None:
    """Two basic.ack of one delivery."""
    queue = client.ready().declare()
    client.publish(queue, b"body")
    assert client.get(queue, no_ack=False) is not None
    client.send(methods.BasicAck(1), methods.BasicAck(1))
    client.declare()


def queue_name_reserved(client: Actor) -> None:
    """Declares a queue whose name begins with amq."""
    client.ready().call(methods.QueueDeclare(f"amq.{client.name()}"))


# --- What brokers do not do, do no more, or will soon refuse ---


def _declares(client: Actor, **options: Any) -> None:
    """Declare a queue, and delete it."""
    name = client.ready().name()
    with client.noting():
        client.call(methods.QueueDeclare(name, **options))
        client.call(methods.QueueDelete(name))


def immediate(client: Actor) -> None:
    """basic.publish with immediate."""
    client.ready().send(
        methods.BasicPublish(routing_key="nowhere", immediate=True),
        amqp.ContentHeader(amqp.BasicProperties()),
    )
    client.next()


def channel_flow_off(client: Actor) -> None:
    """channel.flow with active off."""
    client.ready().call(methods.ChannelFlow(active=False))


def transient_queue_for_all(client: Actor) -> None:
    """A queue that is neither durable nor exclusive."""
    _declares(client)


def global_qos(client: Actor) -> None:
    """basic.qos with global."""
    client.ready().call(methods.BasicQos(prefetch_count=10, global_=True))


def lazy_queue(client: Actor) -> None:
    """A queue with x-queue-mode."""
    _declares(client, durable=True, arguments={"x-queue-mode": "lazy"})


def queue_version_1(client: Actor) -> None:
    """A queue with x-queue-version=1."""
    _declares(client, durable=True, arguments={"x-queue-version": 1})


def auto_delete_exchange(client: Actor) -> None:
    """An exchange with auto-delete."""
    name = client.ready().name()
    client.call(methods.ExchangeDeclare(name, "fanout", auto_delete=True))
    client.call(methods.ExchangeDelete(name))


def mirrored_queue(client: Actor) -> None:
    """A queue with x-ha-policy, which has had no meaning for years."""
    _declares(client, durable=True, arguments={"x-ha-policy": "all"})


# --- Nothing forbidden, but a nuisance; or it disagrees with others ---


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


def polls(client: Actor) -> None:
    """Asks for messages with basic.get, though there are none."""
    queue = client.ready().declare()
    for _ in range(TOO_MANY):
        assert client.get(queue) is None


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


def refused_confirms(client: Actor) -> None:
    """A queue that is full refuses messages, with basic.nack."""
    client.ready().call(methods.ConfirmSelect())
    queue = client.declare(arguments={"x-max-length": 1, "x-overflow": "reject-publish"})
    for expected in (methods.BasicAck, methods.BasicNack, methods.BasicNack):
        client.publish(queue, b"x")
        client.expect(expected)


# --- 0-8 ---


def ack_of_nothing_in_0_8(client: Actor) -> None:
    """basic.ack of a tag that no delivery had."""
    client.ready().send(amqp_0_8.methods.BasicAck(99))
    client.takes_close(channel=1)
    client.send(amqp_0_8.methods.ChannelCloseOk())
