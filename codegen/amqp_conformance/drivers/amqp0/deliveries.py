"""What the drivers of the class basic have in common: publish, consume, and see what has come."""

from __future__ import annotations

from typing import Any

from ...amqp0.connection import LiveChannel
from ...amqp0.frames import Message, describe
from ...engine.run_result import Violation


def publish_numbers(channel: LiveChannel, queue: str, count: int) -> None:
    """Publishes messages to a queue whose bodies are 1, 2, ..."""
    for number in range(1, count + 1):
        channel.publish(queue, str(number).encode())


def consume(channel: LiveChannel, queue: str, **options: Any) -> str:
    """Starts a consumer that acknowledges explicitly, unless told otherwise; returns its tag."""
    return str(channel.call(channel.amqp.methods.BasicConsume(queue=queue, **options)).consumer_tag)


def delivered(channel: LiveChannel, count: int) -> list[Message]:
    """The next messages that are delivered, as many as are asked for.

    Raises:
        Violation: Something else comes, or fewer.
    """
    return [channel.expect(channel.amqp.methods.BasicDeliver) for _ in range(count)]


def bodies(messages: list[Message]) -> str:
    """The bodies in their order, to compare and to show."""
    return " ".join(message.body.decode(errors="replace") for message in messages)


def delivered_to_one_of(*channels: LiveChannel) -> tuple[LiveChannel, Message]:
    """The next message that is delivered on one of several channels of a connection, and on which.

    Raises:
        Violation: Something else comes, or nothing.
    """
    connection = channels[0].connection
    with connection.expecting("basic.deliver"):
        number, item = connection.take_any(*(channel.number for channel in channels))
    if not isinstance(getattr(item, "method", item), connection.amqp.methods.BasicDeliver):
        raise Violation(f"expected basic.deliver, got {describe(item)}")
    return next(channel for channel in channels if channel.number == number), item


def delivered_meanwhile(channel: LiveChannel, method: Any) -> list[Message]:
    """Calls the queue by a method; returns what has been delivered on this channel by the time it answers.

    After the queue the channel is asked, for a message may be on its way from the one to the other.

    Raises:
        Violation: Something else comes.
    """
    channel.send(method)
    messages: list[Message] = []
    while isinstance(item := channel.expect(channel.amqp.methods.BasicDeliver, *method.RESPONSES), Message):
        messages.append(item)
    for item in channel.synchronize():
        if not isinstance(item, Message):
            raise Violation(f"expected nothing but messages, got {describe(item)}")
        messages.append(item)
    return messages
