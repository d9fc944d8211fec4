"""The class queue: declare, purge, delete."""

from __future__ import annotations

import time
from typing import Any

from ...amqp0.broker import Broker
from ...amqp0.connection import LiveChannel
from ...amqp0.frames import describe
from ...engine.registry import rule
from ...engine.run_result import Violation
from .deliveries import bodies, consume, delivered, publish_numbers

_MANY_QUEUES = 256
# "A short and non-zero time" between creating a queue and consuming from it.
_MOMENT_SECONDS = 0.2


def exists(broker: Broker, queue: str) -> bool:
    """Return whether a queue exists, asked on a connection of its own; a locked one exists."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    channel.send(methods.QueueDeclare(queue=queue, passive=True))
    with broker.set_up():
        reply = channel.expect(methods.QueueDeclareOk, methods.ChannelClose)
    return isinstance(reply, methods.QueueDeclareOk) or reply.reply_code == 405


def expect_channel_close(channel: LiveChannel, method: Any) -> None:
    """Send a method that the broker must refuse with a channel exception, whatever its code."""
    channel.send(method)
    with channel.connection.expecting("channel.close"):
        reply = channel.reaction()
    if not isinstance(reply, channel.amqp.methods.ChannelClose):
        raise Violation(f"expected channel.close, got {describe(reply)}")


# --- declare ---


@rule({"0-9-1": "queue.declare/default-binding", "0-8": "queue.declare/01"})
def default_binding(broker: Broker) -> None:
    """Declare a queue without binding it. A message published to the empty exchange name with its name reaches it."""
    channel = broker.open_channel()
    queue = channel.declare_queue(broker.name("queue"))
    channel.publish(queue, b"by default")
    channel.fetch(queue)


@rule({"0-9-1": "queue.declare/minimum-queues", "0-8": "queue.declare/02"}, slow=True)
def many_queues(broker: Broker) -> None:
    """Declare 256 queues: Declare-Ok for each."""
    channel = broker.open_channel()
    with broker.trial():
        for number in range(_MANY_QUEUES):
            channel.declare_queue(broker.name(f"queue-{number}"))


@rule({"0-9-1": "queue.declare.queue/default-name", "0-8": "queue.declare.queue/01"})
def names_by_the_server(broker: Broker) -> None:
    """Declare ten queues without a name: each Declare-Ok has another name, and none is empty."""
    channel = broker.open_channel()
    with broker.trial():
        names = [channel.declare_queue("") for _ in range(10)]
    if "" in names or len(set(names)) < len(names):
        raise Violation(f"expected ten different names, got {', '.join(map(repr, names))}")


@rule({"0-9-1": "queue.declare.queue/reserved"})
def reserved_name(broker: Broker) -> None:
    """Declare an unknown queue whose name begins with "amq.": 403 (access-refused)."""
    declare = broker.amqp.methods.QueueDeclare(queue=f"amq.{broker.name('queue')}", exclusive=True)
    broker.open_channel().expect_refusal(declare, name="access-refused")


@rule({"0-8": "queue.declare.queue/02"})
def reserved_name_by_0_8(broker: Broker) -> None:
    """Declare an unknown queue whose name begins with "amq.": the connection is closed with 403 (access refused)."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    channel.send(methods.QueueDeclare(queue=f"amq.{broker.name('queue')}", exclusive=True))
    channel.expect_close("access-refused", methods.ConnectionClose)


@rule({"0-9-1": "queue.declare.queue/syntax"})
def name_with_a_blank(broker: Broker) -> None:
    """Declare a queue whose name has a blank in it: 406 (precondition-failed)."""
    declare = broker.amqp.methods.QueueDeclare(queue=broker.name("two words"), exclusive=True)
    broker.open_channel().expect_refusal(declare, name="precondition-failed")


@rule({"0-9-1": "queue.declare.passive/passive"})
def passive_declare(broker: Broker) -> None:
    """Declare an existing queue passively: Declare-Ok. Then a name that was never used: 404 (not-found)."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    queue = channel.declare_queue(broker.name("queue"))
    channel.call(methods.QueueDeclare(queue=queue, passive=True))
    channel.expect_refusal(methods.QueueDeclare(queue=broker.name("missing"), passive=True), name="not-found")


@rule({"0-8": "queue.declare.passive/01"})
def passive_declare_of_a_missing_one(broker: Broker) -> None:
    """Declare a name that was never used, with passive set: the channel is closed with 404 (not found)."""
    declare = broker.amqp.methods.QueueDeclare(queue=broker.name("missing"), passive=True)
    broker.open_channel().expect_refusal(declare, name="not-found")


@rule({"0-9-1": "queue.declare.passive/equivalent"})
def equivalent_declare(broker: Broker) -> None:
    """Declare a queue twice alike: Declare-Ok both times. Then with durable reversed: the channel is closed."""
    channel = broker.open_channel()
    declare = broker.amqp.methods.QueueDeclare(queue=broker.name("queue"), durable=False)
    channel.call(declare)
    channel.call(declare)
    declare.durable = True
    expect_channel_close(channel, declare)


def _declare_both(broker: Broker, bit: str) -> None:
    channel = broker.open_channel()
    for value in (True, False):
        channel.call(broker.amqp.methods.QueueDeclare(queue=broker.name("queue"), **{bit: value}))


@rule({"0-9-1": "queue.declare.durable/types", "0-8": "queue.declare.durable/02"})
def durable_and_transient(broker: Broker) -> None:
    """Declare a queue that is durable and one that is not: Declare-Ok for both."""
    _declare_both(broker, "durable")


@rule({"0-9-1": "queue.declare.exclusive/types", "0-8": "queue.declare.exclusive/01"})
def exclusive_and_shared(broker: Broker) -> None:
    """Declare a queue that is exclusive and one that is not: Declare-Ok for both."""
    _declare_both(broker, "exclusive")


@rule({"0-9-1": "queue.declare.exclusive/exclusive"})
def exclusive_queue_of_another_connection(broker: Broker) -> None:
    """Declare, bind, consume from, purge and delete an exclusive queue of another connection.

    Each is tried on a channel of its own, and closes it with 405 (resource-locked).
    """
    methods = broker.amqp.methods
    queue = broker.open_channel().declare_queue(broker.name("exclusive"))
    connection = broker.connect()
    attempts = (
        methods.QueueDeclare(queue=queue),
        methods.QueueBind(queue=queue, exchange="amq.direct", routing_key="key"),
        methods.BasicConsume(queue=queue),
        methods.QueuePurge(queue=queue),
        methods.QueueDelete(queue=queue),
    )
    for number, attempt in enumerate(attempts, 1):
        connection.open_channel(number).expect_refusal(attempt, name="resource-locked")


@rule({"0-8": "queue.declare.exclusive/02"})
def exclusive_declare_of_anothers_queue(broker: Broker) -> None:
    """Declare, as exclusive, an exclusive queue of another connection: the channel is closed."""
    queue = broker.open_channel().declare_queue(broker.name("exclusive"))
    expect_channel_close(broker.open_channel(), broker.amqp.methods.QueueDeclare(queue=queue, exclusive=True))


@rule({"0-8": "queue.declare.durable/03"})
def durable_of_an_existing_one(broker: Broker) -> None:
    """Declare a transient queue again with durable set, which must be disregarded: Declare-Ok."""
    channel = broker.open_channel()
    declare = broker.amqp.methods.QueueDeclare(queue=broker.name("queue"), durable=False)
    channel.call(declare)
    declare.durable = True
    channel.call(declare)


@rule({"0-9-1": "queue.declare.auto-delete/pre-existence", "0-8": "queue.declare.auto-delete/02"})
def auto_delete_of_an_existing_one(broker: Broker) -> None:
    """Declare one queue with auto-delete and one without, and both again with the bit reversed: Declare-Ok.

    Consume from each and cancel: only the first is gone.
    """
    methods = broker.amqp.methods
    channel = broker.open_channel()
    queues = {broker.name(label): label == "temporary" for label in ("temporary", "lasting")}
    for reverse in (False, True):
        for queue, auto_delete in queues.items():
            channel.call(methods.QueueDeclare(queue=queue, auto_delete=auto_delete is not reverse))
    for queue, auto_delete in queues.items():
        tag = consume(channel, queue)
        with broker.set_up():
            channel.call(methods.BasicCancel(consumer_tag=tag))
        if exists(broker, queue) is auto_delete:
            raise Violation(
                f"expected that only the queue first declared with auto-delete is gone, got it wrong for {queue}"
            )


@rule({"0-8": "queue.declare.auto-delete/01"})
def auto_delete_waits(broker: Broker) -> None:
    """Declare an auto-delete queue and consume from it a moment later: it is still there."""
    channel = broker.open_channel()
    queue = channel.declare_queue(broker.name("queue"), auto_delete=True)
    time.sleep(_MOMENT_SECONDS)
    channel.call(broker.amqp.methods.BasicConsume(queue=queue))


# --- purge ---


@rule({"0-8": "queue.purge/01"})
def purge_empties(broker: Broker) -> None:
    """Publish five messages and purge the queue: it is empty."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    queue = channel.declare_queue()
    for _ in range(5):
        channel.publish(queue, b"to be purged")
    channel.call(methods.QueuePurge(queue=queue))
    if channel.get(queue) is not None:
        raise Violation("expected an empty queue after the purge, got a message")


@rule({"0-9-1": "queue.purge/02"})
def purge_spares_what_was_delivered(broker: Broker) -> None:
    """Fetch one of two messages without acknowledging it and purge the queue: one message is gone.

    The one fetched comes again when its channel is closed.
    """
    purged = _purge_beside_a_delivery(broker)
    if purged != 1:
        raise Violation(f"expected purge-ok with one message, got {purged}")


@rule({"0-8": "queue.purge/02"})
def purge_spares_what_was_delivered_by_0_8(broker: Broker) -> None:
    """Purge the same on a channel with transactions.

    The message delivered and not acknowledged comes again, the rest is gone.
    """
    _purge_beside_a_delivery(broker, broker.amqp.methods.TxSelect())


def _purge_beside_a_delivery(broker: Broker, *calls: Any) -> int:
    """Purge a queue of two messages, one of them delivered and not acknowledged: that one must come again.

    ``calls`` are called on the channel before the message is fetched there.

    Returns:
        How many messages the broker says it has purged.
    """
    connection = broker.connect()
    reader, other = connection.open_channel(1), connection.open_channel(2)
    queue = reader.declare_queue()
    publish_numbers(reader, queue, 2)
    with broker.set_up():
        for call in calls:
            reader.call(call)
    with broker.set_up():
        reader.fetch(queue, no_ack=False)
    purged = int(other.call(broker.amqp.methods.QueuePurge(queue=queue)).message_count)
    reader.close()
    consume(other, queue, no_ack=True)
    came = bodies(delivered(other, 1))
    if came != "1":
        raise Violation(f"expected the message 1, which had been delivered, got {came}")
    return purged


@rule({"0-9-1": "queue.purge.queue/queue-known"})
def purge_without_a_name(broker: Broker) -> None:
    """Purge, with an empty name, on a channel where no queue was declared: 404 (not-found)."""
    broker.open_channel().expect_refusal(broker.amqp.methods.QueuePurge(), name="not-found")


@rule({"0-9-1": "queue.purge.queue/must-exist"})
def purge_a_missing_one(broker: Broker) -> None:
    """Purge a queue that was never declared: the channel is closed with 404 (not-found)."""
    broker.open_channel().expect_refusal(
        broker.amqp.methods.QueuePurge(queue=broker.name("missing")), name="not-found"
    )


@rule({"0-8": "queue.purge.queue/01"})
def purge_without_a_name_by_0_8(broker: Broker) -> None:
    """Purge, with an empty name, on a channel where no queue was declared: 530 (not allowed)."""
    broker.open_channel().expect_refusal(broker.amqp.methods.QueuePurge(), name="not-allowed")


@rule({"0-8": "queue.purge.queue/02"})
def purge_a_missing_one_by_0_8(broker: Broker) -> None:
    """Purge a queue that was never declared: the channel is closed, whatever the code."""
    expect_channel_close(broker.open_channel(), broker.amqp.methods.QueuePurge(queue=broker.name("missing")))


# --- delete ---


@rule({"0-9-1": "queue.delete.queue/queue-known"})
def delete_without_a_name(broker: Broker) -> None:
    """Delete, with an empty name, on a channel where no queue was declared: 404 (not-found)."""
    broker.open_channel().expect_refusal(broker.amqp.methods.QueueDelete(), name="not-found")


@rule({"0-9-1": "queue.delete.queue/must-exist"})
def delete_a_missing_one(broker: Broker) -> None:
    """Delete a queue that was never declared: the channel is closed with 404 (not-found)."""
    broker.open_channel().expect_refusal(
        broker.amqp.methods.QueueDelete(queue=broker.name("missing")), name="not-found"
    )


@rule({"0-8": "queue.delete.queue/01"})
def delete_without_a_name_by_0_8(broker: Broker) -> None:
    """Delete, with an empty name, on a channel where no queue was declared: 530 (not allowed)."""
    broker.open_channel().expect_refusal(broker.amqp.methods.QueueDelete(), name="not-allowed")


@rule({"0-8": "queue.delete.queue/02"})
def delete_a_missing_one_by_0_8(broker: Broker) -> None:
    """Delete a queue that was never declared: the channel is closed, whatever the code."""
    expect_channel_close(broker.open_channel(), broker.amqp.methods.QueueDelete(queue=broker.name("missing")))


@rule({"0-9-1": "queue.delete.if-unused/in-use"})
def delete_a_used_one(broker: Broker) -> None:
    """Delete a queue with a consumer, if-unused set: 406 (precondition-failed), and the queue is still there."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    queue = channel.declare_queue(broker.name("queue"))
    other = channel.connection.open_channel(2)
    consume(channel, queue)
    other.expect_refusal(methods.QueueDelete(queue=queue, if_unused=True), name="precondition-failed")
    channel.call(methods.QueueDeclare(queue=queue, passive=True))


@rule({"0-9-1": "queue.delete.if-empty/not-empty"})
def delete_a_full_one(broker: Broker) -> None:
    """Delete a queue with messages, if-empty set: 406 (precondition-failed), and the queue is still there."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    queue = channel.declare_queue(broker.name("queue"))
    channel.publish(queue, b"in the way")
    channel.expect_refusal(methods.QueueDelete(queue=queue, if_empty=True), name="precondition-failed")
    channel.connection.open_channel(2).call(methods.QueueDeclare(queue=queue, passive=True))


@rule({"0-8": "queue.delete.if-unused/01"})
def delete_only_if_unused(broker: Broker) -> None:
    """Delete, if-unused set, a queue with a consumer: it stays. Then one without: it is gone."""
    methods = broker.amqp.methods
    channel = broker.open_channel()
    used, unused = (
        channel.declare_queue(broker.name(label), exclusive=False) for label in ("used", "unused")
    )
    consume(channel, used)
    other = channel.connection.open_channel(2)
    other.call(methods.QueueDelete(queue=unused, if_unused=True))
    other.send(methods.QueueDelete(queue=used, if_unused=True))
    other.next()  # refused in some way: only its effect is checked here
    if exists(broker, unused) or not exists(broker, used):
        raise Violation("expected that only the queue without a consumer is gone, got something else")
