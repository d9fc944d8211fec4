"""Clients that are wrong about what is theirs to settle, and about transactions and confirms."""

from __future__ import annotations

from typing import Any

import amqp_0_9_1_rabbitmq as amqp

from ..actor import Actor

methods = amqp.methods


def _settles(client: Actor, *settling: Any) -> None:
    """Send methods, then something harmless."""
    client.send(*settling)
    client.declare()


def _got(client: Actor, messages: int = 1, *, no_ack: bool = False) -> Actor:
    """Has so many messages from a queue of its own, to be acknowledged."""
    queue = client.ready().declare()
    for _ in range(messages):
        client.publish(queue, b"body")
        assert client.get(queue, no_ack=no_ack) is not None
    return client


# --- Deliveries ---


def ack_of_nothing(client: Actor) -> None:
    """basic.ack of a tag that no delivery had."""
    _settles(client.ready(), methods.BasicAck(99))


def ack_twice(client: Actor) -> None:
    """Two basic.ack of one delivery."""
    _settles(_got(client), methods.BasicAck(1), methods.BasicAck(1))


def ack_of_tag_0(client: Actor) -> None:
    """Tag 0 stands for all deliveries, but only with multiple; this basic.ack has not set it."""
    _settles(_got(client), methods.BasicAck(0))


def ack_of_many_and_there_are_none(client: Actor) -> None:
    """basic.ack with multiple, up to a tag that no delivery had."""
    _settles(client.ready(), methods.BasicAck(5, multiple=True))


def ack_of_many_twice(client: Actor) -> None:
    """basic.ack with multiple, up to a tag that was acknowledged before."""
    _settles(_got(client, 2), methods.BasicAck(2, multiple=True), methods.BasicAck(2, multiple=True))


def ack_without_need(client: Actor) -> None:
    """basic.ack of a message that was fetched with no-ack."""
    _settles(_got(client, no_ack=True), methods.BasicAck(1))


def ack_on_another_channel(client: Actor) -> None:
    """basic.ack on another channel than that of the delivery."""
    _got(client).open_channel(2)
    client.send(methods.BasicAck(1), channel=2)
    client.next(channel=2)


def ack_after_reject(client: Actor) -> None:
    """basic.ack of what was rejected."""
    _settles(_got(client), methods.BasicReject(1, requeue=False), methods.BasicAck(1))


def ack_after_the_channel_was_opened_again(client: Actor) -> None:
    """basic.ack of a delivery of a channel of the same number, which is no more."""
    _got(client).call(methods.ChannelClose(200, "done"))
    client.open_channel()
    _settles(client, methods.BasicAck(1))


def reject_of_nothing(client: Actor) -> None:
    """basic.reject of a tag that no delivery had."""
    _settles(client.ready(), methods.BasicReject(99))


def nack_of_nothing(client: Actor) -> None:
    """basic.nack of a tag that no delivery had."""
    _settles(client.ready(), methods.BasicNack(99))


def nack_twice(client: Actor) -> None:
    """Two basic.nack of one delivery."""
    _settles(_got(client), methods.BasicNack(1, requeue=False), methods.BasicNack(1, requeue=False))


def consumer_tag_used_twice(client: Actor) -> None:
    """Two consumers of one channel with the same tag."""
    queue = client.ready().declare()
    for _ in range(2):
        client.call(methods.BasicConsume(queue, "tag"))


# --- Transactions and confirms ---


def commit_without_select(client: Actor) -> None:
    """tx.commit on a channel without transactions."""
    client.ready().call(methods.TxCommit())


def rollback_without_select(client: Actor) -> None:
    """tx.rollback on a channel without transactions."""
    client.ready().call(methods.TxRollback())


def confirm_after_tx(client: Actor) -> None:
    """confirm.select on a channel with transactions."""
    client.ready().call(methods.TxSelect())
    client.call(methods.ConfirmSelect())


def tx_after_confirm(client: Actor) -> None:
    """tx.select on a channel with confirms."""
    client.ready().call(methods.ConfirmSelect())
    client.call(methods.TxSelect())
