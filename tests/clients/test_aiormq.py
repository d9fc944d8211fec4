"""What aio-pika does not use of aiormq, on RabbitMQ with our engine."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
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


def test_channels_by_number() -> None:
    async def body(connection: Any, channel: Any) -> None:
        other = await connection.channel(7)
        assert (channel.number, other.number) == (1, 7)
        for number in (7, 0, 70_000):
            with pytest.raises(ValueError):
                await connection.channel(number)
        await other.close()
        assert other.is_closed and connection.channels == {1: channel}
        assert (await connection.channel(7)).number == 7

    run(body)


def test_a_closed_channel_tells_why() -> None:
    """All that waits on it ends with the error, its consumers' tasks too; what is asked later is refused."""

    async def body(connection: Any, channel: Any) -> None:
        queue = (await channel.queue_declare("", exclusive=True)).queue
        told: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        async def consume(message: Any) -> None:
            try:
                await channel.basic_publish(b"x", exchange="no such exchange")
            except Exception as error:
                told.set_result((error, channel.is_closed))

        await channel.basic_consume(queue, consume)
        await channel.basic_publish(b"first", routing_key=queue)
        error, is_closed = await told
        assert isinstance(error, aiormq.ChannelNotFoundEntity) and is_closed
        for call in (channel.basic_get(queue), channel.basic_ack(1), channel.basic_publish(b"x")):
            with pytest.raises(aiormq.ChannelInvalidStateError):
                await call
        assert connection.is_opened

    run(body)


def test_a_consumer_whose_queue_is_deleted() -> None:
    async def body(connection: Any, channel: Any) -> None:
        queue = (await channel.queue_declare("", auto_delete=True)).queue
        cancelled: asyncio.Queue[Any] = asyncio.Queue()
        channel.on_consumer_cancel_callbacks.add(cancelled.put)
        tag = (await channel.basic_consume(queue, cancelled.put)).consumer_tag
        await channel.queue_delete(queue)
        assert (await cancelled.get()).consumer_tag == tag
        assert tag not in channel.consumers

    run(body)


@pytest.mark.parametrize(
    "change", [lambda connection: connection.transport.abort(), lambda connection: connection.close()]
)
def test_a_connection_that_ends(change: Callable[[Any], Any]) -> None:
    async def body(connection: Any, channel: Any) -> None:
        waiting = asyncio.ensure_future(channel.basic_get("", timeout=PATIENCE))
        ending = change(connection)
        with pytest.raises(aiormq.AMQPError):
            await waiting
        if ending is not None:
            await ending
        await asyncio.wait([connection.closing, channel.closing])
        assert connection.is_closed and channel.is_closed and not connection.is_opened
        with pytest.raises(RuntimeError):
            await connection.channel()

    run(body)


@pytest.mark.parametrize(
    ("installed", "fits"), [("7.2.0", True), ("7.30", True), ("7.1.6", False), ("8.0.0", False)]
)
def test_versions_of_aiormq(monkeypatch: pytest.MonkeyPatch, installed: str, fits: bool) -> None:
    import aiormq_adapter

    monkeypatch.setattr(aiormq_adapter, "version", lambda name: installed)
    if fits:
        aiormq_adapter.install()
        return
    with pytest.raises(RuntimeError) as caught:
        aiormq_adapter.install()
    assert str(caught.value) == (
        f"aiormq {installed} is installed; this adapter fits aiormq>=7.2,<8: pip install 'aiormq>=7.2,<8'"
    )


def test_a_moment_without_a_time_zone() -> None:
    """It is one in UTC, as for pamqp."""

    async def body(connection: Any, channel: Any) -> None:
        queue = (await channel.queue_declare("", exclusive=True)).queue
        properties = aiormq.spec.Basic.Properties(timestamp=datetime(2024, 5, 6))
        await channel.basic_publish(b"x", routing_key=queue, properties=properties)
        message = await channel.basic_get(queue, no_ack=True)
        assert message.header.properties.timestamp == datetime(2024, 5, 6, tzinfo=UTC)
        assert (message.header.body_size, message.message_count, message.body) == (1, 0, b"x")

    run(body)
