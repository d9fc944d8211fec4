"""The receiver that reads in chunks gives what aiormq's own gives, and ends as it does."""

from __future__ import annotations

import asyncio
from typing import Any

import aiormq.connection
import amqp_0_9_1_rabbitmq as amqp
import pytest
from aiormq.exceptions import AMQPConnectionError, InvalidFrameError, ProtocolSyntaxError

from examples.aiormq_adapter import FrameReceiver

pytestmark = pytest.mark.broker  # with those of the client, which need one
RECEIVERS = [aiormq.connection.FrameReceiver, FrameReceiver]
DELIVER = amqp.methods.BasicDeliver(consumer_tag="c", delivery_tag=1, exchange="", routing_key="q")
FRAMES = amqp.encode_message(1, DELIVER, amqp.BasicProperties(headers={"a": [1, True]}), b"body")


def received(receiver: Any, octets: bytes, size: int) -> list[Any]:
    """Return the frames that a receiver gives of a stream that comes in pieces, and the class of the error at its end."""

    async def receive() -> list[Any]:
        reader = asyncio.StreamReader()
        made = receiver(reader)
        found: list[Any] = []

        async def send() -> None:
            for start in range(0, len(octets), size):
                reader.feed_data(octets[start : start + size])
                await asyncio.sleep(0)
            reader.feed_eof()

        sending = asyncio.create_task(send())
        try:
            async for _, channel, frame in made:
                found.append((channel, repr(frame)))
        except Exception as error:
            found.append(type(error))
        await sending
        return found

    return asyncio.run(receive())


@pytest.mark.parametrize("size", [1, 7, 50, 10_000])
def test_it_gives_the_same_frames(size: int) -> None:
    expected, found = (received(receiver, FRAMES * 3, size)[:9] for receiver in RECEIVERS)
    assert found == expected
    assert len(found) == 9


@pytest.mark.parametrize(
    ("octets", "error"),
    [
        (FRAMES + b"\x01\x00\x01\x00\x00\x00\x04junk\xce", InvalidFrameError),
        (FRAMES + FRAMES[:5], AMQPConnectionError),
        (b"AMQP\x00\x00\x09\x01", ProtocolSyntaxError),
    ],
)
def test_it_ends_in_the_same_way(octets: bytes, error: type[Exception]) -> None:
    for receiver in RECEIVERS:
        *frames, last = received(receiver, octets, 10_000)
        assert len(frames) == (3 if octets.startswith(FRAMES) else 0)
        assert last is error
