"""aio-pika on RabbitMQ with our engine, through its public functions only."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import aio_pika
import aiormq
import amqp_0_9_1_rabbitmq
import pytest
from aio_pika.exceptions import ChannelNotFoundEntity, DeliveryError, PublishError

from tests.conftest import AMQP_URL
from tests.patience import PATIENCE

pytestmark = pytest.mark.broker

MOMENT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
HEADERS: dict[str, Any] = {
    "bool": True,
    "int": -5,
    "long": 2**40,
    "float": 0.5,
    "text": "grün",
    "octets": b"\0\xff",
    "price": Decimal("1.50"),
    "when": MOMENT,
    "nothing": None,
    "list": [1, "two", [3.0], MOMENT],
    "table": {"inner": {"deep": [True, {"when": MOMENT}]}},
}


def run(body: Callable[..., Awaitable[None]], **options: Any) -> None:
    """Run a test with a channel and an exclusive queue."""

    async def with_connection() -> None:
        async with await aio_pika.connect(AMQP_URL, timeout=PATIENCE) as connection:
            channel = await connection.channel(**options)
            queue = await channel.declare_queue("", exclusive=True)
            await asyncio.wait_for(body(channel, queue), PATIENCE)

    asyncio.run(with_connection())


def test_the_engine_is_used() -> None:
    async def body(channel: Any, queue: Any) -> None:
        connection = (await channel.get_underlay_channel()).connection
        assert isinstance(connection.engine, amqp_0_9_1_rabbitmq.Connection)
        assert connection.write_queue.empty() and not hasattr(connection, "_reader_task")

    run(body)


def test_all_properties_come_back() -> None:
    async def body(channel: Any, queue: Any) -> None:
        sent = aio_pika.Message(
            b"body",
            headers=HEADERS,
            content_type="text/plain",
            content_encoding="utf-8",
            delivery_mode=aio_pika.DeliveryMode.PERSISTENT,
            priority=3,
            correlation_id="c-1",
            reply_to="r",
            expiration=60,
            message_id="m-1",
            timestamp=MOMENT,
            type="t",
            user_id="guest",
            app_id="app",
        )
        await channel.default_exchange.publish(sent, queue.name)
        received = await queue.get(timeout=PATIENCE)
        await received.ack()
        assert received.body == b"body"
        assert received.headers == HEADERS
        for name in (
            *("content_type", "content_encoding", "delivery_mode", "priority", "correlation_id", "reply_to"),
            *("expiration", "message_id", "timestamp", "type", "user_id", "app_id"),
        ):
            assert getattr(received, name) == getattr(sent, name), name

    run(body)


@pytest.mark.parametrize("size", [0, 1, 4096, 131_064, 131_065, 500_000])
def test_bodies_of_any_size(size: int) -> None:
    async def body(channel: Any, queue: Any) -> None:
        octets = bytes(range(256)) * (size // 256) + bytes(size % 256)
        await channel.default_exchange.publish(aio_pika.Message(octets), queue.name)
        async with (await queue.get(timeout=PATIENCE)).process():
            pass
        await channel.default_exchange.publish(aio_pika.Message(octets), queue.name)
        message = await queue.get(timeout=PATIENCE, no_ack=True)
        assert message.body == octets

    run(body)


def test_consume_acknowledge_reject_and_requeue() -> None:
    async def body(channel: Any, queue: Any) -> None:
        await channel.set_qos(prefetch_count=10)
        for number in range(100):
            await channel.default_exchange.publish(aio_pika.Message(str(number).encode()), queue.name)
        found, refused = [], 0
        async with queue.iterator() as messages:
            async for message in messages:
                if not message.redelivered and int(message.body) % 10 == 0:
                    refused += 1
                    await (message.reject(requeue=True) if refused % 2 else message.nack(requeue=True))
                    continue
                found.append(int(message.body))
                await message.ack()
                if len(found) == 100:
                    break
        assert sorted(found) == list(range(100))
        assert refused == 10
        assert await queue.get(fail=False) is None

    run(body)


def test_a_message_that_reaches_no_queue_comes_back() -> None:
    async def body(channel: Any, queue: Any) -> None:
        with pytest.raises(PublishError) as caught:
            await channel.default_exchange.publish(
                aio_pika.Message(b"lost", headers={"n": 1}), "no such queue"
            )
        assert caught.value.message.body == b"lost"
        assert caught.value.message.header.properties.headers == {"n": 1}
        assert caught.value.frame.reply_code == 312

    run(body, publisher_confirms=True, on_return_raises=True)


def test_confirms_positive_and_negative() -> None:
    async def body(channel: Any, queue: Any) -> None:
        full = await channel.declare_queue(
            "", exclusive=True, arguments={"x-max-length": 1, "x-overflow": "reject-publish"}
        )
        publish = channel.default_exchange.publish
        confirmations = await asyncio.gather(
            *(publish(aio_pika.Message(b"x"), queue.name) for _ in range(200))
        )
        assert {type(confirmation) for confirmation in confirmations} == {aiormq.spec.Basic.Ack}
        await publish(aio_pika.Message(b"first"), full.name)
        with pytest.raises(DeliveryError):
            await publish(aio_pika.Message(b"second"), full.name)

    run(body, publisher_confirms=True)


def test_transactions() -> None:
    async def body(channel: Any, queue: Any) -> None:
        async with channel.transaction():
            await channel.default_exchange.publish(aio_pika.Message(b"kept"), queue.name)
            assert await queue.get(fail=False) is None
        assert (await queue.get(no_ack=True, timeout=PATIENCE)).body == b"kept"
        transaction = channel.transaction()
        await transaction.select()
        await channel.default_exchange.publish(aio_pika.Message(b"taken back"), queue.name)
        await transaction.rollback()
        assert await queue.get(fail=False) is None

    run(body, publisher_confirms=False)


def test_exchanges_bindings_and_purge() -> None:
    async def body(channel: Any, queue: Any) -> None:
        exchange = await channel.declare_exchange(
            "amqp-codegen.test", aio_pika.ExchangeType.HEADERS, auto_delete=True
        )
        await queue.bind(exchange, arguments={"x-match": "all", "kind": "a"})
        for kind in ("a", "b"):
            await exchange.publish(aio_pika.Message(b"", headers={"kind": kind}), "")
        assert (await queue.get(no_ack=True, timeout=PATIENCE)).headers == {"kind": "a"}
        await exchange.publish(aio_pika.Message(b"", headers={"kind": "a"}), "")
        assert (await queue.purge()).message_count == 1
        await queue.unbind(exchange, arguments={"x-match": "all", "kind": "a"})
        assert (await queue.delete(if_unused=False)).message_count == 0

    run(body)


def test_a_refused_declaration_closes_the_channel_and_no_more() -> None:
    async def body(channel: Any, queue: Any) -> None:
        with pytest.raises(ChannelNotFoundEntity):
            await channel.declare_queue("amqp-codegen.not-there", passive=True)
        await channel.reopen()
        assert await channel.declare_queue(queue.name, passive=True)

    run(body)
