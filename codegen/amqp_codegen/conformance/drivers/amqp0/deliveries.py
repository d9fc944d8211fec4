"""What the drivers of the class basic have in common: publish, consume, and see what has come."""

from __future__ import annotations

from typing import Any

from ...amqp0.channel import Channel
from ...amqp0.contents import Message
from ...amqp0.wording import describe
from ...outcome import Violation


def publish_numbers(channel: Channel, queue: str, count: int) -> None:
    """Publishes messages to a queue whose bodies are 1, 2, ..."""
    for number in range(1, count + 1):
        channel.publish(queue, str(number).encode())


def consume(channel: Channel, queue: str, **options: Any) -> str:
    """Starts a consumer that acknowledges explicitly, unless told otherwise; returns its tag."""
    return str(channel.call(channel.amqp.methods.BasicConsume(queue=queue, **options)).consumer_tag)


def delivered(channel: Channel, count: int) -> list[Message]:
    """The next messages that are delivered, as many as are asked for.

    Raises:
        Violation: Something else comes, or fewer.
    """
    return [channel.expect(channel.amqp.methods.BasicDeliver) for _ in range(count)]


def bodies(messages: list[Message]) -> str:
    """The bodies in their order, to compare and to show."""
    return " ".join(message.body.decode(errors="replace") for message in messages)


def settled(channel: Channel, queue: str) -> list[Message]:
    """Waits until the queue has done what it was asked before; returns what it has delivered on this channel.

    The queue is asked first, then the channel: a message may be on its way from the one to the other.

    Raises:
        Violation: Something else comes.
    """
    methods = channel.amqp.methods
    channel.send(methods.QueueDeclare(queue=queue, passive=True))
    messages: list[Message] = []
    while isinstance(item := channel.expect(methods.QueueDeclareOk, methods.BasicDeliver), Message):
        messages.append(item)
    for item in channel.synchronize():
        if not isinstance(item, Message):
            raise Violation(f"expected nothing but messages, got {describe(item)}")
        messages.append(item)
    return messages


def expect_nothing_more(channel: Channel, queue: str) -> None:
    """Nothing must have come on the channel that was not taken.

    Raises:
        Violation: Something has.
    """
    for message in settled(channel, queue):
        raise Violation(f"expected no further message, got {describe(message)} with {message.body[:32]!r}")
