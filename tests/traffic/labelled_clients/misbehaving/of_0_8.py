"""Clients of 0-8 that misbehave."""

from __future__ import annotations

from typing import Any

import amqp_0_8 as amqp

from ..actor import BODY, Actor, frame, method

methods = amqp.methods


def _sends(client: Actor, *frames: Any) -> None:
    """Send frames, then something harmless."""
    client.send(*frames)
    client.declare()


def ack_of_nothing_in_0_8(client: Actor) -> None:
    """basic.ack of a tag that no delivery had."""
    client.ready().send(methods.BasicAck(99))
    client.takes_close(channel=1)
    client.send(methods.ChannelCloseOk())


def channel_not_open_in_0_8(client: Actor) -> None:
    """A method on a channel that was never opened."""
    client.ready().send(methods.QueueDeclare(exclusive=True), channel=9)
    client.next(channel=9)


def channel_open_twice_in_0_8(client: Actor) -> None:
    """channel.open on a channel that is open."""
    client.ready().open_channel()


def method_of_the_server_in_0_8(client: Actor) -> None:
    """queue.declare-ok is the server's to send."""
    _sends(client.ready(), methods.QueueDeclareOk("q", 0, 0))


def body_without_a_method_in_0_8(client: Actor) -> None:
    """A content body out of nowhere."""
    client.ready().send_octets(frame(BODY, b"body"))
    client.takes_close(channel=0)
    client.send(methods.ConnectionCloseOk(), channel=0)
    client.socket.close()


def method_of_0_9_1_in_0_8(client: Actor) -> None:
    """queue.unbind, which 0-8 does not have."""
    queue = client.ready().declare()
    client.send_octets(
        method((50, 50), b"\0\0" + bytes([len(queue)]) + queue.encode() + b"\x00\x00" + bytes(4))
    )
    client.pump(0.3)


def arguments_cut_off_in_0_8(client: Actor) -> None:
    """basic.qos without the octet with its bit."""
    client.ready().send_octets(method((60, 10), bytes(6)))
    client.declare()


def commit_without_select_in_0_8(client: Actor) -> None:
    """tx.commit on a channel without transactions."""
    client.ready().send(methods.TxCommit())
    client.takes_close(channel=1)
    client.send(methods.ChannelCloseOk())


def asks_for_access_in_0_8(client: Actor) -> None:
    """access.request, then publishing and consuming with the ticket that was given."""
    client.ready()
    ticket = client.call(methods.AccessRequest(realm="/data", read=True, write=True, active=True)).ticket
    queue = client.call(methods.QueueDeclare(ticket=ticket, exclusive=True)).queue
    client.publish(queue, b"x")
    client.call(methods.BasicQos(prefetch_count=1))
    client.call(methods.BasicConsume(ticket=ticket, queue=queue, consumer_tag="tag"))
    client.send(methods.BasicAck(client.expect(methods.BasicDeliver).method.delivery_tag))
    client.call(methods.BasicCancel("tag"))
