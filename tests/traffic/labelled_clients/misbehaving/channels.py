"""Clients that misbehave in the conversation: channels, replies, and the way they leave."""

from __future__ import annotations

import socket
import struct
import time

import amqp_0_9_1_rabbitmq as amqp

from tests.broker.client import Disconnected

from ..actor import HANGS_UP, Actor, method

methods = amqp.methods

# --- Channels ---


def channel_not_open(client: Actor) -> None:
    """A method on a channel that was never opened."""
    client.ready().send(methods.QueueDeclare(exclusive=True), channel=9)
    client.next(channel=9)


def channel_open_twice(client: Actor) -> None:
    """channel.open on a channel that is open."""
    client.ready().open_channel()


def channel_beyond_channel_max(client: Actor) -> None:
    """Channel 11, where 10 was agreed on."""
    client.tuned(channel_max=10).opened().open_channel(11)


def more_channels_than_agreed(client: Actor) -> None:
    """Two channels, where one was agreed on."""
    client.tuned(channel_max=1).opened().open_channel(1).open_channel(2)


def method_after_channel_close(client: Actor) -> None:
    """A method on a channel that the client has closed."""
    client.ready().call(methods.ChannelClose(200, "done"))
    client.send(methods.QueueDeclare(exclusive=True))
    client.next()


def publish_to_a_closed_channel(client: Actor) -> None:
    """The server has closed the channel (404), and goes on getting messages there."""
    client.ready()
    with client.noting():
        client.call(methods.QueueDeclare(client.name(), passive=True))
    client.reactions.clear()
    client.publish("nowhere", b"to a closed channel")
    client.next()


def method_between_close_and_close_ok(client: Actor) -> None:
    """A method follows the client's own channel.close, before its reply."""
    client.ready().send(methods.ChannelClose(200, "done"), methods.QueueDeclare(exclusive=True))
    client.expect(methods.ChannelCloseOk)


def channel_close_unanswered(client: Actor) -> None:
    """The server's channel.close (404) is not answered; the channel is opened again."""
    client.ready().send(methods.QueueDeclare(client.name(), passive=True))
    client.takes_close(channel=1)
    client.send(methods.ChannelOpen())
    client.next()


def channel_close_twice(client: Actor) -> None:
    """Two channel.close one after the other."""
    client.ready().send(methods.ChannelClose(200, "a"), methods.ChannelClose(200, "b"))
    client.expect(methods.ChannelCloseOk)
    client.pump(0.5)


# --- Replies ---


def channel_close_ok_without_close(client: Actor) -> None:
    """channel.close-ok, though the server has closed nothing."""
    client.ready().send(methods.ChannelCloseOk(), methods.QueueDeclare(exclusive=True))
    client.next()


def connection_close_ok_without_close(client: Actor) -> None:
    """connection.close-ok, though the server has closed nothing."""
    client.ready().send(methods.ConnectionCloseOk(), channel=0)
    client.declare()


def flow_ok_without_flow(client: Actor) -> None:
    """channel.flow-ok, though the server did not ask for anything."""
    client.ready().send(methods.ChannelFlowOk(active=True))
    client.declare()


def cancel_ok_without_cancel(client: Actor) -> None:
    """basic.cancel-ok, though the server has canceled nothing."""
    client.ready().send(methods.BasicCancelOk("nobody"))
    client.declare()


def two_requests_at_once(client: Actor) -> None:
    """A second queue.declare does not wait for the reply to the first one."""
    client.ready().send(methods.QueueDeclare(exclusive=True), methods.QueueDeclare(exclusive=True))
    for _ in range(2):
        client.expect(methods.QueueDeclareOk)


# --- Methods of the server ---


def sends_declare_ok(client: Actor) -> None:
    """queue.declare-ok is the server's to send."""
    client.ready().send(methods.QueueDeclareOk("q", 0, 0))
    client.declare()


def sends_deliver(client: Actor) -> None:
    """basic.deliver is the server's to send."""
    client.ready().send_octets(
        amqp.encode_message(
            1, methods.BasicDeliver("tag", 1, False, "", "key"), None, b"body", max_frame_size=4096
        )
    )
    client.declare()


def sends_connection_start(client: Actor) -> None:
    """connection.start is the server's to send."""
    client.ready().send(methods.ConnectionStart(0, 9, {}, b"PLAIN", b"en_US"), channel=0)
    client.next(channel=0)


def sends_connection_tune(client: Actor) -> None:
    """connection.tune is the server's to send."""
    client.ready().send(methods.ConnectionTune(1, 4096, 1), channel=0)
    client.next(channel=0)


def sends_get_empty(client: Actor) -> None:
    """basic.get-empty is the server's to send."""
    client.ready().send_octets(method((60, 72), b"\x00"))
    client.declare()


# --- How they leave ---


def leaves_without_close(client: Actor) -> None:
    """Closes the socket, without connection.close."""
    client.ready().declare()
    client.socket.shutdown(socket.SHUT_WR)
    _drop_the_rest(client)


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


def method_after_connection_close(client: Actor) -> None:
    """Goes on with a channel after its own connection.close."""
    octets = amqp.encode_frame(0, methods.ConnectionClose(200, "bye"))
    octets += amqp.encode_frame(1, methods.QueueDeclare(exclusive=True))
    client.ready().send_octets(octets)
    client.expect(methods.ConnectionCloseOk, channel=0)
    client.socket.close()


def method_after_the_servers_close(client: Actor) -> None:
    """The server has closed the connection (540); it gets more methods and no close-ok."""
    _is_closed(client)
    client.send(methods.QueueDeclare(exclusive=True))
    client.send(methods.QueueDeclare(exclusive=True))
    client.pump(0.2)
    client.socket.close()


def no_close_ok(client: Actor) -> None:
    """The server has closed the connection (540); the socket is closed without connection.close-ok."""
    _is_closed(client)
    client.socket.close()


def _is_closed(client: Actor) -> None:
    """The server closes the connection, for it does not do what immediate asks for."""
    client.ready().send(
        methods.BasicPublish(routing_key="nowhere", immediate=True),
        amqp.ContentHeader(amqp.BasicProperties()),
    )
    client.takes_close(channel=0)


def connection_close_twice(client: Actor) -> None:
    """Two connection.close one after the other."""
    client.ready().send(methods.ConnectionClose(200, "a"), methods.ConnectionClose(200, "b"), channel=0)
    client.expect(methods.ConnectionCloseOk, channel=0)
    client.socket.close()


def no_heartbeats(client: Actor) -> None:
    """A heartbeat of one second was agreed on; the client never says anything again."""
    client.ready(heartbeat=1)
    try:
        while client.receive_octets():
            pass
    except Disconnected:
        client.reactions.append(HANGS_UP)
    client.socket.close()


def heartbeats_too_late(client: Actor) -> None:
    """A heartbeat of two seconds was agreed on; the client is silent for more than four, then goes on.

    RabbitMQ looks every two seconds, and gives up after two looks without anything new; so it matters when we are silent.
    """
    client.ready(heartbeat=2)
    for seconds in (2.3, 4.4):
        time.sleep(seconds)
        client.send_octets(b"\x08\x00\x00\x00\x00\x00\x00\xce")


def _drop_the_rest(client: Actor) -> None:
    """Read what still comes, then close the socket; otherwise the kernel would reset it."""
    try:
        while client.receive_octets():
            pass
    except Disconnected:
        client.socket.close()
