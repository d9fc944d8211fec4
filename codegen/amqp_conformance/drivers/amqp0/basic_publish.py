"""The class basic: publish, what comes back by basic.return, priorities, and the order of messages."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from ...amqp0.broker import Broker
from ...amqp0.connection import LiveChannel
from ...amqp0.frames import describe
from ...engine.registry import rule
from ...engine.run_result import NotTestable, Violation


@rule({"0-9-1": "basic.publish.exchange/must-exist"})
def publish_to_a_missing_exchange(broker: Broker) -> None:
    """Publish to an exchange that was never declared: the channel is closed with 404 (not-found)."""
    channel = broker.open_channel()
    channel.publish("key", b"nowhere to go", exchange=broker.name("missing"))
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
    with channel.connection.expecting("basic.return"):
        message = channel.reaction()
    if not isinstance(getattr(message, "method", message), channel.amqp.methods.BasicReturn):
        raise Violation(f"expected basic.return, got {describe(message)}")
    came = (message.method.exchange, message.method.routing_key, message.body)
    if came != ("", key, body):
        raise Violation(f"expected the message as it was published, got (exchange, key, body) {came}")


_LEVEL_COUNT = 10
_MESSAGE_COUNT = 40
_TRANSIENT, _PERSISTENT = 1, 2


def _order_of_priorities(broker: Broker, priorities: Iterable[int]) -> list[int]:
    """Publish messages of these priorities to a queue, then fetch them; return the priorities as they come."""
    channel = broker.open_channel()
    queue = channel.declare_queue()
    count = 0
    for priority in priorities:
        channel.publish(queue, b"by priority", broker.amqp.BasicProperties(priority=priority))
        count += 1
    with broker.set_up():
        return [channel.fetch(queue).properties.priority or 0 for _ in range(count)]


@rule({"0-9-1": "basic/06", "0-8": "basic/04"})
def two_levels(broker: Broker) -> None:
    """Publish five messages with priority 0 and then one with priority 9: the last one comes first."""
    order = _order_of_priorities(broker, (0, 0, 0, 0, 0, 9))
    if order[0] != 9:
        raise Violation(f"expected the message with priority 9 first, got the order {order}")


@rule({"0-9-1": "basic/07"})
def ten_levels(broker: Broker) -> None:
    """Publish ten messages, with priority 0 up to 9: there are ten levels if they come in reverse order."""
    order = _order_of_priorities(broker, range(_LEVEL_COUNT))
    levels = 1 + sum(before > after for before, after in pairwise(order))
    if levels != _LEVEL_COUNT:
        raise Violation(f"expected {_LEVEL_COUNT} levels of priority, got {levels}: the order {order}")


@rule({"0-9-1": "basic/08", "0-8": "basic/05"})
def order_is_kept(broker: Broker) -> None:
    """Publish forty messages of one priority to a durable queue, every other one persistent: their order is kept."""
    channel = broker.open_channel()
    queue = channel.declare_queue(broker.name("durable"), durable=True, exclusive=False)
    for number in range(_MESSAGE_COUNT):
        mode = _PERSISTENT if number % 2 else _TRANSIENT
        properties = broker.amqp.BasicProperties(priority=0, delivery_mode=mode)
        channel.publish(queue, str(number).encode(), properties)
    order = [int(channel.fetch(queue).body) for _ in range(_MESSAGE_COUNT)]
    if order != list(range(_MESSAGE_COUNT)):
        raise Violation(f"expected the messages as they were published, got the order {order}")
