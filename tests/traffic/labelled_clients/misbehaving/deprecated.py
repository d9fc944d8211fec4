"""Clients that use what brokers do not do, do no more, or will soon refuse."""

from __future__ import annotations

from typing import Any

import amqp_0_9_1_rabbitmq as amqp

from ..actor import Actor, method

methods = amqp.methods


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


def prefetch_size(client: Actor) -> None:
    """basic.qos with a limit of octets."""
    client.ready().call(methods.BasicQos(prefetch_size=1000))


def channel_flow_off(client: Actor) -> None:
    """channel.flow with active off."""
    client.ready().call(methods.ChannelFlow(active=False))


def recover_without_requeue(client: Actor) -> None:
    """basic.recover without requeue."""
    client.ready().call(methods.BasicRecover(requeue=False))


def recover_async(client: Actor) -> None:
    """basic.recover-async."""
    client.ready().send(methods.BasicRecoverAsync(requeue=True))
    client.declare()


def transient_queue_for_all(client: Actor) -> None:
    """A queue that is neither durable nor exclusive."""
    _declares(client)


def global_qos(client: Actor) -> None:
    """basic.qos with global."""
    client.ready().call(methods.BasicQos(prefetch_count=10, global_=True))


def lazy_queue(client: Actor) -> None:
    """A queue with x-queue-mode."""
    _declares(client, durable=True, arguments={"x-queue-mode": "lazy"})


def master_locator(client: Actor) -> None:
    """A queue with x-queue-master-locator."""
    _declares(client, durable=True, arguments={"x-queue-master-locator": "min-masters"})


def queue_version_1(client: Actor) -> None:
    """A queue with x-queue-version=1."""
    _declares(client, durable=True, arguments={"x-queue-version": 1})


def auto_delete_exchange(client: Actor) -> None:
    """An exchange with auto-delete."""
    name = client.ready().name()
    client.call(methods.ExchangeDeclare(name, "fanout", auto_delete=True))
    client.call(methods.ExchangeDelete(name))


def access_request(client: Actor) -> None:
    """access.request, a class that 0-9-1 has not."""
    client.ready().send_octets(method((30, 10), b"\x05/data\x1d"))
    client.receive_octets()  # access.request-ok, which the package does not know either
    client.declare()


def transaction(client: Actor) -> None:
    """A message in a transaction."""
    queue = client.ready().declare()
    client.call(methods.TxSelect())
    client.publish(queue, b"in a transaction")
    client.call(methods.TxCommit())


def mirrored_queue(client: Actor) -> None:
    """A queue with x-ha-policy, which has had no meaning for years."""
    _declares(client, durable=True, arguments={"x-ha-policy": "all"})
