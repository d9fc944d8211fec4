"""The class basic: qos, consume, cancel, get."""

from __future__ import annotations

from ...amqp0.broker import Broker
from ...amqp0.connection import LiveChannel
from ...engine.registry import rule
from ...engine.run_result import Violation
from .deliveries import (
    bodies,
    consume,
    delivered,
    delivered_meanwhile,
    delivered_to_one_of,
    publish_numbers,
)

_MANY_CONSUMERS = 16
_MESSAGE_COUNT = 6
_MESSAGE_SIZE = 600
_WINDOW = 2
# Less than two messages, more than one.
_WINDOW_SIZE = 1000


# --- qos ---


@rule({"0-9-1": "basic.qos.prefetch-size/01", "0-8": "basic.qos.prefetch-size/01"})
def message_above_the_prefetch_size(broker: Broker) -> None:
    """Set a prefetch size of one octet and consume: a larger message is delivered in full."""
    channel = broker.open_channel()
    channel.call(broker.amqp.methods.BasicQos(prefetch_size=1))
    queue = channel.declare_queue()
    consume(channel, queue)
    body = b"x" * _MESSAGE_SIZE
    channel.publish(queue, body)
    (message,) = delivered(channel, 1)
    if message.body != body:
        raise Violation(f"expected a message of {_MESSAGE_SIZE} octets, got {len(message.body)}")


@rule({"0-9-1": "basic.qos.prefetch-count/01", "0-8": "basic.qos.prefetch-count/01"})
def prefetch_limits(broker: Broker) -> None:
    """Consume six messages with a prefetch count of two: at most two are unacknowledged at any time.

    Do the same with a prefetch size that two messages exceed, if the broker takes one: at most one is unacknowledged.
    """
    qos = broker.amqp.methods.BasicQos
    channel = broker.open_channel()
    with broker.set_up():
        channel.call(qos(prefetch_count=_WINDOW))
    _expect_window(channel, _WINDOW)
    channel = broker.open_channel()
    if channel.grants(qos(prefetch_count=_WINDOW, prefetch_size=_WINDOW_SIZE)):
        _expect_window(channel, 1)


def _expect_window(channel: LiveChannel, window: int) -> None:
    """Consume; fail when more than ``window`` messages are unacknowledged."""
    methods = channel.amqp.methods
    queue = channel.declare_queue()
    for _ in range(_MESSAGE_COUNT):
        channel.publish(queue, b"x" * _MESSAGE_SIZE)
    consume(channel, queue)
    seen = 0
    while seen < _MESSAGE_COUNT:
        with channel.broker.set_up():  # less than the window is fine
            messages = delivered(channel, 1)
        messages += delivered_meanwhile(channel, queue)
        if len(messages) > window:
            raise Violation(f"expected {window} unacknowledged at most, got {len(messages)}")
        seen += len(messages)
        channel.send(methods.BasicAck(delivery_tag=messages[-1].method.delivery_tag, multiple=True))


# --- consume ---


@rule({"0-9-1": "basic.consume/01", "0-8": "basic.consume/01"})
def many_consumers(broker: Broker) -> None:
    """Start sixteen consumers on one queue, each on a channel of its own, and publish sixteen messages.

    Consume-Ok comes for each, and all messages are delivered.
    """
    connection = broker.connect()
    channels = [connection.open_channel(number) for number in range(1, _MANY_CONSUMERS + 1)]
    queue = channels[0].declare_queue()
    for channel in channels:
        channel.call(broker.amqp.methods.BasicConsume(queue=queue))
    publish_numbers(channels[0], queue, _MANY_CONSUMERS)
    for _ in range(_MANY_CONSUMERS):
        delivered_to_one_of(*channels)


@rule({"0-9-1": "basic.consume.consumer-tag/01", "0-8": "basic.consume.consumer-tag/01"})
def tag_in_use(broker: Broker) -> None:
    """Start two consumers with one tag on one channel: the connection is closed with 530 (not-allowed)."""
    channel = broker.open_channel()
    queue = channel.declare_queue()
    consume(channel, queue, consumer_tag="tag")
    again = broker.amqp.methods.BasicConsume(queue=queue, consumer_tag="tag")
    channel.expect_refusal(again, name="not-allowed")


@rule({"0-9-1": "basic.consume.consumer-tag/02"})
def tag_of_another_channel(broker: Broker) -> None:
    """Start a consumer on each of two channels, and cancel the first one's tag on the second channel.

    The connection is closed with 530 (not-allowed).
    """
    connection = broker.connect()
    first, second = connection.open_channel(1), connection.open_channel(2)
    queue = first.declare_queue()
    consume(first, queue, consumer_tag="first")
    consume(second, queue, consumer_tag="second")
    second.expect_refusal(broker.amqp.methods.BasicCancel(consumer_tag="first"), name="not-allowed")


@rule({"0-8": "consumer-tag/01"})
def tag_of_another_channel_by_0_8(broker: Broker) -> None:
    """Start a consumer, and cancel its tag on another channel: it goes on, or the connection is closed for it.

    The specification does not say how such a cancel is answered.
    """
    methods = broker.amqp.methods
    connection = broker.connect()
    first, second = connection.open_channel(1), connection.open_channel(2)
    queue = first.declare_queue()
    tag = consume(first, queue)
    second.send(methods.BasicCancel(consumer_tag=tag))
    if isinstance(second.next(), methods.ConnectionClose):
        return
    first.publish(queue, b"still consumed")
    delivered(first, 1)


@rule({"0-9-1": "basic.consume.exclusive/01", "0-8": "basic.consume.exclusive/01"})
def exclusive_besides_others(broker: Broker) -> None:
    """Consume from a shared queue; on a second connection consume from it with exclusive set: 403 (access-refused)."""
    channel = broker.open_channel()
    queue = channel.declare_queue(broker.name("shared"), exclusive=False)
    consume(channel, queue)
    exclusive = broker.amqp.methods.BasicConsume(queue=queue, exclusive=True)
    broker.open_channel().expect_refusal(exclusive, name="access-refused")


@rule({"0-8": "basic.consume.queue/01"})
def consume_without_a_name(broker: Broker) -> None:
    """Consume, with an empty queue name, on a channel where no queue was declared: 530 (not allowed)."""
    broker.open_channel().expect_refusal(broker.amqp.methods.BasicConsume(), name="not-allowed")


@rule({"0-8": "basic.get.queue/01"})
def get_without_a_name(broker: Broker) -> None:
    """Fetch, with an empty queue name, on a channel where no queue was declared: 530 (not allowed)."""
    broker.open_channel().expect_refusal(broker.amqp.methods.BasicGet(), name="not-allowed")


@rule({"0-9-1": "basic/09"})
def without_acknowledgement(broker: Broker) -> None:
    """Consume three messages with no-ack set and reconnect: none is there any more."""
    _consume_without_acknowledgement(broker)


@rule({"0-9-1": "basic/10"})
def with_acknowledgement(broker: Broker) -> None:
    """Consume four messages, acknowledge two of them, reconnect and consume: the other two come again."""
    _consume_with_acknowledgement(broker)


@rule({"0-8": "basic/06"})
def with_and_without_acknowledgement(broker: Broker) -> None:
    """Consume with no-ack set: nothing comes again. Consume without: what was not acknowledged comes again."""
    _consume_without_acknowledgement(broker)
    _consume_with_acknowledgement(broker)


def _consume_without_acknowledgement(broker: Broker) -> None:
    channel = broker.open_channel()
    queue = channel.declare_queue(broker.name("shared"), exclusive=False)
    publish_numbers(channel, queue, 3)
    channel.call(broker.amqp.methods.BasicConsume(queue=queue, no_ack=True))
    came = bodies(delivered(channel, 3))
    if came != "1 2 3":
        raise Violation(f"expected the messages 1 2 3, got {came}")
    channel.connection.close()
    again = broker.open_channel().get(queue)
    if again is not None:
        raise Violation(f"expected that what was delivered is done with, got {bodies([again])} again")


def _consume_with_acknowledgement(broker: Broker) -> None:
    channel = broker.open_channel()
    queue = channel.declare_queue(broker.name("shared"), exclusive=False)
    publish_numbers(channel, queue, 4)
    channel.call(broker.amqp.methods.BasicConsume(queue=queue))
    for message in delivered(channel, 4):
        if message.body in (b"1", b"3"):
            channel.send(broker.amqp.methods.BasicAck(delivery_tag=message.method.delivery_tag))
    channel.connection.close()
    again = broker.open_channel()
    consume(again, queue)
    came = bodies(delivered(again, 2))
    if came != "2 4":
        raise Violation(f"expected the messages 2 4 again, got {came}")
    more = delivered_meanwhile(again, queue)
    if more:
        raise Violation(f"expected no message that was acknowledged, got {bodies(more)}")


# --- cancel ---


@rule({"0-9-1": "basic.cancel/01"})
def cancel_after_the_queue(broker: Broker) -> None:
    """Consume from a queue, delete the queue and cancel the consumer: the channel stays open."""
    _cancel_after_the_queue(broker.open_channel())


@rule({"0-8": "basic.cancel/01"})
def cancel_without_effect(broker: Broker) -> None:
    """Consume from a queue, delete the queue and cancel the consumer, then once more: the channel stays open."""
    channel = broker.open_channel()
    tag = _cancel_after_the_queue(channel)
    channel.call(broker.amqp.methods.BasicCancel(consumer_tag=tag))
    channel.synchronize()


def _cancel_after_the_queue(channel: LiveChannel) -> str:
    """Cancel a consumer whose queue is gone; return its tag.

    RabbitMQ may announce the end of the consumer by a basic.cancel of its own.
    """
    methods = channel.amqp.methods
    queue = channel.declare_queue()
    tag = consume(channel, queue)
    channel.send(methods.QueueDelete(queue=queue), methods.BasicCancel(consumer_tag=tag))
    awaited = [methods.QueueDeleteOk, methods.BasicCancelOk]
    while awaited:
        item = channel.expect(*awaited, methods.BasicCancel)
        awaited = [kind for kind in awaited if not isinstance(item, kind)]
    channel.synchronize()
    return tag
