"""What the drivers of the class basic share: publish, consume, and check what was delivered.

To start a consumer is set-up; a driver about that sends basic.consume itself.
"""

from __future__ import annotations

from typing import Any

from ...amqp0.connection import LiveChannel
from ...amqp0.frames import ReceivedMessage, describe
from ...engine.run_result import Violation


def publish_numbers(channel: LiveChannel, queue: str, count: int) -> None:
    """Publish messages to a queue whose bodies are 1, 2, ..."""
    for number in range(1, count + 1):
        channel.publish(queue, str(number).encode())


def consume(channel: LiveChannel, queue: str, **options: Any) -> str:
    """Start a consumer, by default with explicit acknowledgement; return its tag."""
    with channel.broker.set_up():
        return str(channel.call(channel.amqp.methods.BasicConsume(queue=queue, **options)).consumer_tag)


def delivered(channel: LiveChannel, count: int) -> list[ReceivedMessage]:
    """Return the next messages delivered, as many as asked for.

    Raises:
        Violation: Something else comes, or fewer.
    """
    return [channel.expect(channel.amqp.methods.BasicDeliver) for _ in range(count)]


def bodies(messages: list[ReceivedMessage]) -> str:
    """Return the bodies in order, to compare and to show."""
    return " ".join(message.body.decode(errors="replace") for message in messages)


def delivered_to_one_of(*channels: LiveChannel) -> tuple[LiveChannel, ReceivedMessage]:
    """Return the next message delivered on one of several channels of a connection, and that channel.

    Raises:
        Violation: Something else comes, or nothing.
    """
    connection = channels[0].connection
    with connection.expecting("basic.deliver"):
        number, item = connection.take_any(*(channel.number for channel in channels))
    if not isinstance(getattr(item, "method", item), connection.amqp.methods.BasicDeliver):
        raise Violation(f"expected basic.deliver, got {describe(item)}")
    return next(channel for channel in channels if channel.number == number), item


def delivered_meanwhile(channel: LiveChannel, queue: str) -> list[ReceivedMessage]:
    """Ask the queue something; return what was delivered on this channel before the answer.

    The channel is called after the queue, for a message may be on its way from the queue to the channel.

    Raises:
        Violation: Something else comes.
    """
    methods = channel.amqp.methods
    channel.send(methods.QueueDeclare(queue=queue, passive=True))
    messages: list[ReceivedMessage] = []
    while isinstance(item := channel.expect(methods.BasicDeliver, methods.QueueDeclareOk), ReceivedMessage):
        messages.append(item)
    for item in channel.synchronize():
        if not isinstance(item, ReceivedMessage):
            raise Violation(f"expected nothing but messages, got {describe(item)}")
        messages.append(item)
    return messages
