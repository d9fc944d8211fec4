"""RabbitMQ's publisher confirms."""

from __future__ import annotations

from collections.abc import Iterator

from ...amqp0.broker import Broker
from ...amqp0.connection import LiveChannel
from ...amqp0.frames import describe
from ...engine.registry import rule
from ...engine.run_result import Violation

_MESSAGE_COUNT = 20


def _confirmed_channel(broker: Broker) -> LiveChannel:
    channel = broker.open_channel()
    with broker.set_up():
        channel.call(broker.amqp.methods.ConfirmSelect())
    return channel


def _confirmed(channel: LiveChannel, count: int) -> Iterator[int]:
    """Yield the numbers of ``count`` messages as they are acknowledged; one basic.ack may stand for several."""
    methods = channel.amqp.methods
    waiting = set(range(1, count + 1))
    while waiting:
        ack = channel.expect(methods.BasicAck)
        numbers = (
            {number for number in waiting if number <= ack.delivery_tag}
            if ack.multiple
            else {ack.delivery_tag}
        )
        if not numbers <= waiting:
            raise Violation(f"expected each message to be acknowledged once, got {describe(ack)}")
        waiting -= numbers
        yield from sorted(numbers)


@rule({"0-9-1-rabbitmq": "confirm/all-messages-acknowledged"})
def every_message(broker: Broker) -> None:
    """Publish twenty messages in confirm mode, every other one to no queue at all: each is acknowledged once."""
    channel = _confirmed_channel(broker)
    queue = channel.declare_queue()
    for number in range(_MESSAGE_COUNT):
        channel.publish(queue if number % 2 else broker.name("nowhere"), b"to be confirmed")
    list(_confirmed(channel, _MESSAGE_COUNT))


@rule({"0-9-1-rabbitmq": "confirm/all-queues"})
def after_all_queues(broker: Broker) -> None:
    """Publish a persistent message to three durable queues; once it is acknowledged, it is in every one of them."""
    channel = _confirmed_channel(broker)
    exchange = channel.declare_exchange(broker.name("fanout"), "fanout")
    queues = [channel.declare_queue(broker.name("queue"), exclusive=False, durable=True) for _ in range(3)]
    for queue in queues:
        channel.bind(queue, exchange)
    channel.publish("", b"for all", broker.amqp.BasicProperties(delivery_mode=2), exchange=exchange)
    list(_confirmed(channel, 1))
    reader = channel.connection.open_channel(2)
    for queue in queues:
        reader.fetch(queue)


@rule({"0-9-1-rabbitmq": "confirm/unroutable-messages"})
def returned_before_acknowledged(broker: Broker) -> None:
    """Publish mandatory messages that go nowhere: for each, basic.return comes before its basic.ack."""
    methods = broker.amqp.methods
    channel = _confirmed_channel(broker)
    for _ in range(_MESSAGE_COUNT):
        channel.publish(broker.name("nowhere"), b"undeliverable", mandatory=True)
    returned = acknowledged = 0
    while acknowledged < _MESSAGE_COUNT:
        item = channel.expect(methods.BasicReturn, methods.BasicAck)
        if isinstance(item, methods.BasicAck):
            acknowledged = item.delivery_tag
        else:
            returned += 1
        if acknowledged > returned:
            raise Violation(
                f"expected basic.return before the acknowledgement of message {acknowledged}, got basic.ack"
            )
