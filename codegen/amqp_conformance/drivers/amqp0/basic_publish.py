"""The class basic: publish, and what comes back by basic.return."""

from __future__ import annotations

from ...amqp0.broker import Broker
from ...amqp0.connection import LiveChannel
from ...engine.registry import rule
from ...engine.run_result import NotTestable, Violation


@rule({"0-9-1": "basic.publish.exchange/must-exist"})
def publish_to_a_missing_exchange(broker: Broker) -> None:
    """Publish to an exchange that was never declared: the channel is closed with 404 (not-found)."""
    channel = broker.open_channel()
    channel.publish("key", b"nowhere to go", exchange=broker.name("missing"))
    channel.send(broker.amqp.methods.ChannelFlow(active=True))
    channel.expect_close("not-found")


@rule({"0-9-1": "basic.publish.exchange/default-exchange", "0-8": "basic.publish.exchange/01"})
def publish_to_the_empty_name(broker: Broker) -> None:
    """Declare a queue and publish to the empty exchange name, with the queue's name: the message is in the queue.

    The queue is not bound by hand, for every queue has its binding to the default exchange.
    """
    channel = broker.open_channel()
    queue = channel.declare_queue(broker.name("queue"))
    channel.publish(queue, b"by default")
    message = channel.fetch(queue)
    came = (message.method.exchange, message.method.routing_key, message.body)
    if came != ("", queue, b"by default"):
        raise Violation(f"expected the message by the default exchange, got (exchange, key, body) {came}")


@rule({"0-9-1": "basic.publish.exchange/02", "0-8": "basic.publish.exchange/02"})
def publish_to_an_internal_exchange(broker: Broker) -> None:
    """Declare an internal exchange and publish to it: the channel is closed with 403 (access-refused)."""
    methods = broker.amqp.methods
    if "internal" not in (field.name for field in methods.ExchangeDeclare.FIELDS):
        raise NotTestable("in this version exchange.declare has no field that makes an exchange internal")
    channel = broker.open_channel()
    exchange = channel.declare_exchange(broker.name("internal"), internal=True)
    channel.publish("key", b"not for clients", exchange=exchange)
    channel.send(methods.ChannelFlow(active=True))
    channel.expect_close("access-refused")


@rule({"0-9-1": "basic.publish.mandatory/01", "0-8": "basic.publish.mandatory/01"})
def mandatory(broker: Broker) -> None:
    """Publish with mandatory set and a routing key that no binding has: the message comes back in basic.return."""
    channel = broker.open_channel()
    key = broker.name("nowhere")
    channel.publish(key, b"undeliverable", mandatory=True)
    _expect_return(channel, key, b"undeliverable")


@rule({"0-9-1": "basic.publish.immediate/01", "0-8": "basic.publish.immediate/01"})
def immediate(broker: Broker) -> None:
    """Publish with immediate set to a queue that has no consumer: the message comes back in basic.return."""
    channel = broker.open_channel()
    queue = channel.declare_queue(broker.name("queue"))
    channel.publish(queue, b"now or never", immediate=True)
    _expect_return(channel, queue, b"now or never")


def _expect_return(channel: LiveChannel, key: str, body: bytes) -> None:
    methods = channel.amqp.methods
    channel.send(methods.ChannelFlow(active=True))
    message = channel.expect(methods.BasicReturn)
    came = (message.method.exchange, message.method.routing_key, message.body)
    if came != ("", key, body):
        raise Violation(f"expected the message as it was published, got (exchange, key, body) {came}")
