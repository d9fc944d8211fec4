"""What aio-pika does not use of aiormq, on RabbitMQ with our codec."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import aiormq
import amqp_0_9_1_rabbitmq as amqp
import pytest

from tests.conftest import AMQP_URL
from tests.patience import PATIENCE

pytestmark = pytest.mark.broker


def run(body: Callable[[Any, Any], Awaitable[None]], url: str = AMQP_URL) -> None:
    async def with_connection() -> None:
        connection = await aiormq.connect(url)
        try:
            await asyncio.wait_for(body(connection, await connection.channel()), PATIENCE)
        finally:
            await connection.close()

    asyncio.run(with_connection())


def test_recover_qos_cancel() -> None:
    async def body(connection: Any, channel: Any) -> None:
        queue = (await channel.queue_declare("", exclusive=True)).queue
        await channel.basic_qos(prefetch_size=0, prefetch_count=1, global_=True)
        confirmation = await channel.basic_publish(b"x", routing_key=queue)
        assert isinstance(confirmation, aiormq.spec.Basic.Ack)
        messages: asyncio.Queue[Any] = asyncio.Queue()
        consuming = await channel.basic_consume(queue, messages.put)
        first = await messages.get()
        assert not first.redelivered
        await channel.basic_recover(requeue=True)
        second = await messages.get()
        assert second.redelivered
        await channel.basic_ack(second.delivery_tag)
        cancelled = await channel.basic_cancel(consuming.consumer_tag)
        assert cancelled.consumer_tag == consuming.consumer_tag

    run(body)


def test_requests_without_an_answer() -> None:
    async def body(connection: Any, channel: Any) -> None:
        assert await channel.queue_declare("amqp-codegen.no-wait", auto_delete=True, nowait=True) is None
        assert (await channel.queue_purge("amqp-codegen.no-wait")).message_count == 0
        assert await channel.queue_delete("amqp-codegen.no-wait", nowait=True) is None

    run(body)


def test_server_properties_and_tune() -> None:
    async def body(connection: Any, channel: Any) -> None:
        assert connection.server_properties["product"] == "RabbitMQ"
        assert connection.server_properties["capabilities"]["publisher_confirms"] is True
        assert connection.connection_tune.frame_max >= 4096

    run(body)


def test_secrets_are_updated() -> None:
    async def body(connection: Any, channel: Any) -> None:
        answer = await connection.update_secret("guest", reason="test", timeout=PATIENCE)
        assert isinstance(answer, aiormq.spec.Connection.UpdateSecretOk)

    run(body)


def test_heartbeats_keep_the_connection() -> None:
    async def body(connection: Any, channel: Any) -> None:
        await asyncio.sleep(3.5)
        assert (await channel.queue_declare("", exclusive=True)).queue

    run(body, f"{AMQP_URL}?heartbeat=1")


def test_a_wrong_password_is_told() -> None:
    async def body(connection: Any, channel: Any) -> None:
        raise AssertionError("let in")

    with pytest.raises(aiormq.exceptions.AMQPConnectionError):
        run(body, AMQP_URL.replace("guest:guest", "guest:wrong"))


def test_timestamps_in_milliseconds() -> None:
    """One message with a timestamp in milliseconds, and one that no datetime holds, between two others."""
    headers = {"t": amqp.Timestamp(1_700_000_000_000)}
    moments = [1_700_000_000, 1_700_000_000_000, 2**64 - 1, 1_700_000_001]

    async def body(connection: Any, channel: Any) -> None:
        queue = (await channel.queue_declare("", exclusive=True)).queue
        for moment in moments:
            properties = aiormq.spec.Basic.Properties(timestamp=moment, headers=headers)
            await channel.basic_publish(b"x", routing_key=queue, properties=properties)
        messages: asyncio.Queue[Any] = asyncio.Queue()
        await channel.basic_consume(queue, messages.put, no_ack=True)
        found = [(await messages.get()).header.properties for _ in moments]
        seconds = [1_700_000_000, 1_700_000_000, 2**64 - 1, 1_700_000_001]
        assert [
            getattr(item.timestamp, "timestamp", lambda item=item: item.timestamp)() for item in found
        ] == seconds
        assert {item.headers["t"].timestamp() for item in found} == {1_700_000_000}

    run(body)
