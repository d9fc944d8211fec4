"""The class connection: connection.tune-ok and the limits that it agrees on."""

from __future__ import annotations

from ...amqp0.broker import Broker
from ...amqp0.connection import Connection
from ...amqp0.wording import describe
from ...outcome import NotTestable, Violation
from ...registry import rule


@rule({"0-9-1": "connection.tune-ok.channel-max/upper-limit"}, slow=True)
def channel_max_above_the_offer(broker: Broker) -> None:
    """Answers connection.tune with a channel-max one above the proposed one. The server drops the connection."""
    connection = _up_to_tune(broker)
    offer = connection.tune.channel_max
    if offer in (0, 0xFFFF):
        raise NotTestable(f"the broker proposes {offer}, so there is no channel-max above it")
    connection.tune_ok(channel_max=offer + 1)
    _expect_drop(broker, connection)


@rule({"0-9-1": "connection.tune-ok.frame-max/upper-limit"}, slow=True)
def frame_max_above_the_offer(broker: Broker) -> None:
    """Answers connection.tune with a frame-max one above the proposed one. The server drops the connection."""
    connection = _up_to_tune(broker)
    offer = connection.tune.frame_max
    if offer in (0, 0xFFFFFFFF):
        raise NotTestable(f"the broker proposes {offer}, so there is no frame-max above it")
    connection.tune_ok(frame_max=offer + 1)
    _expect_drop(broker, connection)


@rule({"0-9-1": "connection.tune-ok.frame-max/minimum", "0-8": "connection.tune-ok.frame-max/01"}, slow=True)
def smallest_frame_max(broker: Broker) -> None:
    """Agrees on a frame-max of 4096 and sends a message in frames of just that size, which comes back in such.

    Asks for 4095 on another connection: the server does not agree to it.
    """
    size = broker.amqp.constants.FRAME_MIN_SIZE
    channel = broker.connect(frame_max=size).open_channel()
    queue = channel.declare_queue()
    body = b"x" * (2 * size)
    channel.publish(queue, body)
    if channel.fetch(queue).body != body:
        raise Violation("expected the message as it was sent, got another body")
    connection = _up_to_tune(broker)
    connection.tune_ok(frame_max=size - 1)
    _expect_drop(broker, connection)


def _up_to_tune(broker: Broker) -> Connection:
    """A connection on which the server waits for connection.tune-ok."""
    connection = broker.dial()
    connection.begin()
    connection.log_in()
    return connection


def _expect_drop(broker: Broker, connection: Connection) -> None:
    """Goes on as if tuning had succeeded; the server must close the socket, and may say why before."""
    methods = broker.amqp.methods
    connection.control.send(methods.ConnectionOpen(virtual_host=broker.target.virtual_host))
    for item in connection.expect_end():
        if not isinstance(item, methods.ConnectionClose):
            raise Violation(f"expected the end of the connection, got {describe(item)}")
