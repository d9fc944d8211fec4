"""The class connection: connection.tune-ok and the limits that it agrees on."""

from __future__ import annotations

from ...amqp0.broker import Broker
from ...amqp0.connection import LiveConnection
from ...amqp0.frames import describe
from ...engine.registry import rule
from ...engine.run_result import NotTestable, Violation


@rule({"0-9-1": "connection.tune-ok.channel-max/upper-limit"}, slow=True)
def channel_max_above_the_offer(broker: Broker) -> None:
    """Answer connection.tune with a channel-max one above the proposed one. The server drops the connection."""
    _ask_for_more(broker, "channel_max", 0xFFFF)


@rule({"0-9-1": "connection.tune-ok.frame-max/upper-limit"}, slow=True)
def frame_max_above_the_offer(broker: Broker) -> None:
    """Answer connection.tune with a frame-max one above the proposed one. The server drops the connection."""
    _ask_for_more(broker, "frame_max", 0xFFFFFFFF)


@rule({"0-9-1": "connection.tune-ok.frame-max/minimum", "0-8": "connection.tune-ok.frame-max/01"}, slow=True)
def smallest_frame_max(broker: Broker) -> None:
    """Agree on a frame-max of 4096 and send a message in frames of just that size; it comes back in such frames.

    Ask for 4095 on another connection: the server does not agree to it.
    """
    size = broker.amqp.constants.FRAME_MIN_SIZE
    channel = broker.connect(frame_max=size).open_channel()
    queue = channel.declare_queue()
    body = b"x" * (2 * size)
    channel.publish(queue, body)
    if channel.fetch(queue).body != body:
        raise Violation("expected the message as it was sent, got another body")
    _expect_drop(broker, _up_to_tune(broker), frame_max=size - 1)


def _ask_for_more(broker: Broker, limit: str, largest: int) -> None:
    """Answer connection.tune with a limit one above the proposed one; ``largest`` is what the field can hold."""
    connection = _up_to_tune(broker)
    offer = getattr(connection.tune, limit)
    if offer in (0, largest):  # 0 means no limit
        raise NotTestable(f"the broker proposes a {limit} of {offer}, and no limit is above that")
    _expect_drop(broker, connection, **{limit: offer + 1})


def _up_to_tune(broker: Broker) -> LiveConnection:
    """Return a connection on which connection.tune-ok is due."""
    connection = broker.dial()
    connection.begin()
    connection.log_in()
    return connection


def _expect_drop(broker: Broker, connection: LiveConnection, **tuning: int) -> None:
    """Tune and go on as if that had succeeded; expect the end of the socket, perhaps after a close."""
    methods = broker.amqp.methods
    connection.tune_ok(**tuning)
    connection.control.send(methods.ConnectionOpen(virtual_host=broker.target.virtual_host))
    for item in connection.expect_end():
        if not isinstance(item, methods.ConnectionClose):
            raise Violation(f"expected the end of the connection, got {describe(item)}")
