"""The class basic: delivery tags, ack, reject, nack, recover, and the redelivered flag."""

from __future__ import annotations

from typing import Any

from ...amqp0.broker import Broker
from ...amqp0.connection import LiveChannel
from ...amqp0.frames import ReceivedMessage
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
from .queue import expect_channel_close

_NEVER_DELIVERED = 4711
_MESSAGE_COUNT = 3
_CONSUMER_TAG = "consumer"


# --- delivery tags ---


@rule({"0-9-1": "delivery-tag/channel-local", "0-8": "delivery-tag/01"})
def tag_of_another_channel(broker: Broker) -> None:
    """Fetch a message on one channel and acknowledge its tag on another: that one is closed, whatever the code.

    The message is not acknowledged: it is delivered again when its own channel is closed.
    """
    connection = broker.connect()
    first, second = connection.open_channel(1), connection.open_channel(2)
    queue = first.declare_queue()
    publish_numbers(first, queue, 1)
    with broker.set_up():
        tag = first.fetch(queue, no_ack=False).method.delivery_tag
    expect_channel_close(second, broker.amqp.methods.BasicAck(delivery_tag=tag))
    first.close()
    third = connection.open_channel(3)
    consume(third, queue)
    delivered(third, 1)


@rule({"0-9-1": "delivery-tag/non-zero", "0-8": "delivery-tag/02"})
def no_tag_is_zero(broker: Broker) -> None:
    """Fetch and consume messages, with and without acknowledgement: no delivery tag is zero."""
    for no_ack in (True, False):
        channel = broker.open_channel()
        queue = channel.declare_queue()
        publish_numbers(channel, queue, 4)
        with broker.set_up():
            messages = [channel.fetch(queue, no_ack=no_ack) for _ in range(2)]
            consume(channel, queue, no_ack=no_ack)
            messages += delivered(channel, 2)
        tags = [message.method.delivery_tag for message in messages]
        if 0 in tags:
            raise Violation(f"expected no delivery tag of zero, got {tags}")


@rule({"0-9-1": "basic.ack.multiple/exists"})
def ack_of_no_delivery(broker: Broker) -> None:
    """Acknowledge a tag that was never delivered, then a message twice: 406 (precondition-failed) both times.

    The same holds for a wrong tag on a channel with transactions, at once and not with tx.commit; if the broker has them.
    """
    methods = broker.amqp.methods
    connection = broker.connect()
    _expect_refused_tags(connection.open_channel(1), connection.open_channel(2), methods.BasicAck)
    transacted = connection.open_channel(3)
    if transacted.grants(methods.TxSelect()):
        transacted.expect_refusal(methods.BasicAck(delivery_tag=_NEVER_DELIVERED), name="precondition-failed")


@rule({"0-8": "basic.ack.multiple/01"})
def ack_of_no_delivery_by_0_8(broker: Broker) -> None:
    """Acknowledge a tag that was never delivered: the channel is closed, whatever the code."""
    ack = broker.amqp.methods.BasicAck(delivery_tag=_NEVER_DELIVERED)
    expect_channel_close(broker.open_channel(), ack)


@rule({"0-9-1-rabbitmq": "basic.nack.multiple/exists"})
def nack_of_no_delivery(broker: Broker) -> None:
    """Refuse a tag that was never delivered, then a message twice: 406 (precondition-failed) both times."""
    connection = broker.connect()
    _expect_refused_tags(
        connection.open_channel(1), connection.open_channel(2), broker.amqp.methods.BasicNack
    )


def _expect_refused_tags(first: LiveChannel, second: LiveChannel, kind: Any) -> None:
    """Send basic.ack or basic.nack for no delivery on one channel, and twice for the same delivery on another."""
    first.expect_refusal(kind(delivery_tag=_NEVER_DELIVERED), name="precondition-failed")
    queue = second.declare_queue()
    publish_numbers(second, queue, 1)
    with second.broker.set_up():
        tag = second.fetch(queue, no_ack=False).method.delivery_tag
    second.send(kind(delivery_tag=tag))
    second.expect_refusal(kind(delivery_tag=tag), name="precondition-failed")


# --- reject and nack ---


def _consumed_twice(broker: Broker) -> tuple[str, LiveChannel, LiveChannel]:
    """Return a queue with one message in it, and two channels that consume from the queue."""
    connection = broker.connect()
    first, second = connection.open_channel(1), connection.open_channel(2)
    queue = first.declare_queue()
    for channel in (first, second):
        consume(channel, queue, consumer_tag=_CONSUMER_TAG)
    publish_numbers(first, queue, 1)
    return queue, first, second


def _expect_other_channel(broker: Broker, kind: Any) -> None:
    """Refuse a message with requeue set wherever it is delivered: no channel must get it twice."""
    queue, *channels = _consumed_twice(broker)
    refused_on: list[LiveChannel] = []
    for _ in channels:
        channel, message = delivered_to_one_of(*channels)
        if channel in refused_on:
            raise Violation(f"expected the message on the other channel, got it again on {channel.number}")
        channel.send(kind(delivery_tag=message.method.delivery_tag, requeue=True))
        refused_on.append(channel)
    # When the queue answers, it has processed the last refusal.
    came = delivered_meanwhile(refused_on[-1], queue)
    came += [item for item in refused_on[0].synchronize() if isinstance(item, ReceivedMessage)]
    if came:
        raise Violation("expected no channel to get a message that it refused, got basic.deliver")


def _expect_consumer_kept(broker: Broker, kind: Any) -> None:
    """Refuse a message with requeue set: it must be offered again, and the consumer must still get messages."""
    queue, *channels = _consumed_twice(broker)
    with broker.set_up():
        refuser, message = delivered_to_one_of(*channels)
    refuser.send(kind(delivery_tag=message.method.delivery_tag, requeue=True))
    _, again = delivered_to_one_of(*channels)
    if again.body != message.body:
        raise Violation(f"expected the message {bodies([message])} again, got {bodies([again])}")
    (other,) = (channel for channel in channels if channel is not refuser)
    with broker.set_up():
        other.call(broker.amqp.methods.BasicCancel(consumer_tag=_CONSUMER_TAG))
    other.publish(queue, b"next")
    came = bodies(delivered(refuser, 1))
    if came != "next":
        raise Violation(f"expected the next message for the consumer that refused one, got {came}")


@rule({"0-9-1": "basic.reject/02", "0-8": "basic.reject/02"})
def rejected_for_now(broker: Broker) -> None:
    """With two consumers on a queue, rejects a message with requeue set: it is offered again.

    The consumer that rejected it goes on: with the other one cancelled, it gets the next message.
    """
    _expect_consumer_kept(broker, broker.amqp.methods.BasicReject)


@rule({"0-9-1-rabbitmq": "basic.nack/02"})
def refused_for_now(broker: Broker) -> None:
    """With two consumers on a queue, refuses a message with requeue set: it is offered again.

    The consumer that refused it goes on: with the other one cancelled, it gets the next message.
    """
    _expect_consumer_kept(broker, broker.amqp.methods.BasicNack)


@rule({"0-9-1": "basic.reject.requeue/01", "0-8": "basic.reject.requeue/01"})
def rejected_message_goes_elsewhere(broker: Broker) -> None:
    """With two consumers on a queue, rejects a message with requeue set: it comes to the other one.

    That one rejects it, too: now it comes to neither of them.
    """
    _expect_other_channel(broker, broker.amqp.methods.BasicReject)


@rule({"0-9-1-rabbitmq": "basic.nack.requeue/01"})
def refused_message_goes_elsewhere(broker: Broker) -> None:
    """With two consumers on a queue, refuses a message with requeue set: it comes to the other one.

    That one refuses it, too: now it comes to neither of them.
    """
    _expect_other_channel(broker, broker.amqp.methods.BasicNack)


# --- redelivery ---


@rule({"0-9-1": "redelivered/implementation", "0-8": "redelivered/01"})
def redelivered_after_reconnecting(broker: Broker) -> None:
    """Consume a message without acknowledging it, reconnect and consume: it comes again, now with redelivered set."""
    channel = broker.open_channel()
    queue = channel.declare_queue(broker.name("shared"), exclusive=False)
    publish_numbers(channel, queue, 1)
    consume(channel, queue)
    with broker.set_up():
        (first,) = delivered(channel, 1)
    channel.connection.close()
    again = broker.open_channel()
    consume(again, queue)
    (second,) = delivered(again, 1)
    flags = (first.method.redelivered, second.method.redelivered)
    if flags != (False, True):
        raise Violation(f"expected redelivered to be off, then on, got {flags}")


@rule({"0-9-1": "basic.recover-async/01", "0-8-rabbitmq": "basic.recover-async/01"})
def recover_async(broker: Broker) -> None:
    """Consume three messages, acknowledge none and send basic.recover-async with requeue set.

    They come again, each with redelivered set.
    """
    _expect_recovery(broker, broker.amqp.methods.BasicRecoverAsync(requeue=True))


@rule({"0-9-1": "basic.recover/01", "0-8": "basic.recover/01"})
def recover(broker: Broker) -> None:
    """Consume three messages, acknowledge none and send basic.recover with requeue set.

    They come again, each with redelivered set. In versions that have recover-ok, it comes before or after them.
    """
    _expect_recovery(broker, broker.amqp.methods.BasicRecover(requeue=True))


def _expect_recovery(broker: Broker, method: Any) -> None:
    methods = broker.amqp.methods
    channel = broker.open_channel()
    queue = channel.declare_queue()
    publish_numbers(channel, queue, _MESSAGE_COUNT)
    consume(channel, queue)
    with broker.set_up():
        sent = delivered(channel, _MESSAGE_COUNT)
    channel.send(method)
    kinds = [getattr(methods, name) for name in ("BasicDeliver", "BasicRecoverOk") if hasattr(methods, name)]
    again: list[ReceivedMessage] = []
    while len(again) < _MESSAGE_COUNT:
        item = channel.expect(*kinds)
        if isinstance(item, ReceivedMessage):
            again.append(item)
    if {message.body for message in again} != {message.body for message in sent}:
        raise Violation(f"expected the messages {bodies(sent)} again, got {bodies(again)}")
    unmarked = [message for message in again if not message.method.redelivered]
    if unmarked:
        raise Violation(
            f"expected each message marked as redelivered, got {bodies(unmarked)} without the mark"
        )


@rule({"0-8": "basic.recover/02"})
def recover_within_transactions(broker: Broker) -> None:
    """Send basic.recover on a channel with transactions: the channel is closed, whatever the code."""
    _expect_no_recovery(broker, broker.amqp.methods.BasicRecover(requeue=True))


@rule({"0-8-rabbitmq": "basic.recover-async/02"})
def recover_async_within_transactions(broker: Broker) -> None:
    """Send basic.recover-async on a channel with transactions: the channel is closed, whatever the code."""
    _expect_no_recovery(broker, broker.amqp.methods.BasicRecoverAsync(requeue=True))


def _expect_no_recovery(broker: Broker, method: Any) -> None:
    channel = broker.open_channel()
    with broker.set_up():
        channel.call(broker.amqp.methods.TxSelect())
    expect_channel_close(channel, method)
