"""The classes channel and tx: open, flow, close; commit and rollback on channels without transactions."""

from __future__ import annotations

from ...amqp0.broker import Broker
from ...amqp0.connection import LiveChannel
from ...amqp0.frames import ReceivedMessage, describe
from ...engine.registry import rule
from ...engine.run_result import Violation
from .deliveries import consume

_LARGE_BODY_SIZE = 16 << 20


@rule({"0-9-1": "channel.open/state", "0-8": "channel.open/01"})
def open_twice(broker: Broker) -> None:
    """Open channel 1 and open it once more. The connection is closed with 504 (channel-error)."""
    channel = broker.open_channel()
    channel.expect_refusal(broker.amqp.methods.ChannelOpen(), name="channel-error")


@rule({"0-9-1": "channel.flow/initial-state", "0-8": "channel.flow/01"})
def flow_at_first(broker: Broker) -> None:
    """Consume on a channel just opened: a message is delivered without any channel.flow.

    Pause another channel right after opening it and consume there: the message comes only when the channel is
    started again.
    """
    methods = broker.amqp.methods
    channel = broker.open_channel()
    queue = channel.declare_queue()
    channel.publish(queue, b"flow is on")
    consume(channel, queue, no_ack=True)
    channel.expect(methods.BasicDeliver)
    paused = channel.connection.open_channel(2)
    if paused.call(methods.ChannelFlow(active=False)).active:
        raise Violation("expected channel.flow-ok with active off, got it with active on")
    second = paused.declare_queue()
    consume(paused, second, no_ack=True)
    channel.publish(second, b"not yet")
    channel.synchronize()
    paused.send(methods.ChannelFlow(active=True))
    paused.expect(methods.ChannelFlowOk)
    paused.expect(methods.BasicDeliver)


@rule({"0-9-1": "channel.flow/bidirectional", "0-8": "channel.flow/02"}, slow=True)
def flow_amid_content(broker: Broker) -> None:
    """Send channel.flow while the server is sending a message of 16 MB. Flow-Ok and the complete message arrive.

    The message is too large for the buffers between the two, and is not read before channel.flow is sent.
    """
    methods = broker.amqp.methods
    channel = broker.open_channel()
    queue = channel.declare_queue()
    channel.publish(queue, b"x" * _LARGE_BODY_SIZE)
    consume(channel, queue, no_ack=True)
    channel.send(methods.ChannelFlow(active=True))
    items = [channel.next(), channel.next()]
    if not any(isinstance(item, methods.ChannelFlowOk) for item in items):
        raise Violation(f"expected channel.flow-ok, got {' and '.join(map(describe, items))}")
    sizes = [len(item.body) for item in items if isinstance(item, ReceivedMessage)]
    if sizes != [_LARGE_BODY_SIZE]:
        raise Violation(f"expected one message of {_LARGE_BODY_SIZE} octets, got {sizes}")


@rule({"0-9-1": "channel.close/stability"})
def close_after_close(broker: Broker) -> None:
    """Make the server close a channel, and answer with a queue.declare and a channel.close of its own.

    The channel is closed for declaring a missing queue passively. Queue.declare has no effect; the second
    channel.close is answered with Close-Ok.
    """
    methods = broker.amqp.methods
    channel, queue = _closed_by_the_server(broker), broker.name("queue")
    channel.send(methods.QueueDeclare(queue=queue), methods.ChannelClose(reply_code=200, reply_text="done"))
    channel.expect(methods.ChannelCloseOk)
    channel.send(methods.ChannelCloseOk())
    again = channel.connection.open_channel(2)
    again.expect_refusal(methods.QueueDeclare(queue=queue, passive=True), name="not-found")


@rule({"0-8": "channel.close/01"})
def methods_after_close(broker: Broker) -> None:
    """Make the server close a channel by declaring a missing queue passively, and send another queue.declare.

    It has no effect, though Close-Ok comes only after it.
    """
    methods = broker.amqp.methods
    channel, queue = _closed_by_the_server(broker), broker.name("queue")
    channel.send(methods.QueueDeclare(queue=queue), methods.ChannelCloseOk())
    again = channel.connection.open_channel(2)
    again.expect_refusal(methods.QueueDeclare(queue=queue, passive=True), name="not-found")


@rule({"0-9-1": "tx.commit/transacted"})
def commit_without_select(broker: Broker) -> None:
    """Send tx.commit on a channel just opened: the channel is closed with 406 (precondition-failed)."""
    broker.open_channel().expect_refusal(broker.amqp.methods.TxCommit(), name="precondition-failed")


@rule({"0-9-1": "tx.rollback/transacted"})
def rollback_without_select(broker: Broker) -> None:
    """Send tx.rollback on a channel just opened: the channel is closed with 406 (precondition-failed)."""
    broker.open_channel().expect_refusal(broker.amqp.methods.TxRollback(), name="precondition-failed")


def _closed_by_the_server(broker: Broker) -> LiveChannel:
    """Return a channel that the server has closed; close-ok is still to be sent."""
    channel = broker.open_channel()
    channel.connection.answers_closes = False
    missing = broker.amqp.methods.QueueDeclare(queue=broker.name("missing"), passive=True)
    with broker.set_up():
        channel.expect_refusal(missing, name="not-found")
    return channel
