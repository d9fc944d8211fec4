"""What pika does: one connection for each story, with the name of the story as its ``connection_name``."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pika
from pika.adapters.blocking_connection import BlockingChannel
from pika.exceptions import AMQPConnectionError, ChannelClosedByBroker, NackError, UnroutableError

from ..loopback_capture import URL

LARGE = bytes(range(256)) * 12_000  # 3 MB, in 24 frames
HEADERS: dict[str, Any] = {
    "text": "ü 日本語",
    "empty": "",
    "small": -1,
    "large": 1 << 40,
    "yes": True,
    "no": False,
    "bytes": b"\0\xff",
    "decimal": Decimal("12.5"),
    "moment": datetime(2024, 2, 29, 12, 30, tzinfo=UTC),
    "list": [1, "two", [], {"three": [3]}],
    "table": {"a": {"b": {}}},
    "nothing": None,
}
PROPERTIES: dict[str, Any] = {
    "content_type": "text/plain",
    "content_encoding": "utf-8",
    "delivery_mode": 2,
    "priority": 3,
    "correlation_id": "c-ü",
    "reply_to": "r",
    "expiration": "60000",
    "message_id": "m",
    "timestamp": 1_709_209_800,
    "type": "t",
    "user_id": "guest",
    "app_id": "a",
    "cluster_id": "c",
}


def parameters(name: str, **options: Any) -> pika.URLParameters:
    """Those of a connection of that name."""
    found = pika.URLParameters(URL if URL.rpartition("/")[2] else f"{URL}%2F")
    found.client_properties = {"connection_name": name}
    for option, value in options.items():
        setattr(found, option, value)
    return found


@contextlib.contextmanager
def connected(name: str, **options: Any) -> Iterator[pika.BlockingConnection]:
    """A connection of that name."""
    with pika.BlockingConnection(parameters(name, **options)) as connection:
        yield connection


@contextlib.contextmanager
def channel_and_queue(name: str, **options: Any) -> Iterator[tuple[BlockingChannel, str]]:
    """A channel, and a queue of its own."""
    with connected(name, **options) as connection:
        channel = connection.channel()
        yield channel, str(channel.queue_declare("", exclusive=True).method.queue)


def consume(channel: BlockingChannel, queue: str, count: int, **options: Any) -> tuple[str, list[int]]:
    """The tag of a consumer, and of so many messages that it gets."""
    tags: list[int] = []

    def take(_: object, method: Any, *rest: object) -> None:
        tags.append(method.delivery_tag)

    consumer = channel.basic_consume(queue, take, **options)
    while len(tags) < count:
        channel.connection.process_data_events(time_limit=1)
    return str(consumer), tags


# --- Stories ---


def confirms(name: str) -> None:
    """Four messages, one without a way, and one that is too much for the queue; all are confirmed, one with nack."""
    with connected(name) as connection:
        channel = connection.channel()
        limits = {"x-max-length": 3, "x-overflow": "reject-publish"}
        queue = channel.queue_declare("", exclusive=True, arguments=limits).method.queue
        channel.confirm_delivery()
        for _ in range(3):
            channel.basic_publish("", queue, b"confirmed", mandatory=True)
        for failure in (UnroutableError, NackError):
            with contextlib.suppress(failure):
                to = queue if failure is NackError else uuid.uuid4().hex
                channel.basic_publish("", to, b"not taken", mandatory=True)


def consuming(name: str) -> None:
    """Ten deliveries: one ack, one of three, one nack, one of two, one reject, and two are left alone."""
    with channel_and_queue(name) as (channel, queue):
        channel.basic_qos(prefetch_count=10)
        for number in range(10):
            channel.basic_publish("", queue, b"%d" % number)
        consumer, tags = consume(channel, queue, 10)
        channel.basic_ack(tags[0])
        channel.basic_ack(tags[3], multiple=True)
        channel.basic_nack(tags[4], requeue=False)
        channel.basic_reject(tags[7], requeue=False)
        channel.basic_nack(tags[6], multiple=True, requeue=False)
        channel.basic_cancel(consumer)


def all_at_once(name: str) -> None:
    """Two consumers of a channel; tag 0 acknowledges all five messages; a third one needs no acknowledgement."""
    with channel_and_queue(name) as (channel, queue):
        for _ in range(5):
            channel.basic_publish("", queue, b"x")
        consume(channel, queue, 5, consumer_tag="first")
        channel.basic_ack(0, multiple=True)
        other = channel.queue_declare("", exclusive=True).method.queue
        channel.basic_publish("", other, b"y")
        consume(channel, other, 1, consumer_tag="no-ack", auto_ack=True)


def getting(name: str) -> None:
    """Three messages: acknowledged, to be taken as such, left alone; then nothing."""
    with channel_and_queue(name) as (channel, queue):
        for _ in range(3):
            channel.basic_publish("", queue, b"x")
        method, _, _ = channel.basic_get(queue)
        assert method is not None
        channel.basic_ack(method.delivery_tag)
        channel.basic_get(queue, auto_ack=True)
        channel.basic_get(queue)
        assert channel.basic_get(queue)[0] is None


def transactions(name: str) -> None:
    """Commit, and roll back."""
    with channel_and_queue(name) as (channel, queue):
        channel.tx_select()
        channel.basic_publish("", queue, b"committed")
        channel.tx_commit()
        channel.basic_publish("", queue, b"rolled back")
        channel.tx_rollback()
        method, _, _ = channel.basic_get(queue)
        assert method is not None
        channel.basic_ack(method.delivery_tag)
        channel.tx_commit()


def entities(name: str) -> None:
    """Exchanges, queues and bindings come and go."""
    with channel_and_queue(name) as (channel, queue):
        one, other = f"{name}.one", f"{name}.other"
        for exchange, kind in ((one, "topic"), (other, "headers")):
            channel.exchange_declare(exchange, kind)
        channel.exchange_declare(one, passive=True)
        channel.exchange_bind(one, other, "a.#")
        channel.exchange_unbind(one, other, "a.#")
        channel.queue_bind(queue, one, "b.*")
        channel.queue_bind(queue, other, arguments={"x-match": "all", "n": 1})
        channel.basic_publish(one, "b.c", b"purged")
        channel.queue_purge(queue)
        channel.basic_recover(requeue=True)
        channel.flow(True)
        channel.queue_unbind(queue, one, "b.*")
        channel.queue_delete(queue)
        for exchange in (one, other):
            channel.exchange_delete(exchange)


def channel_errors(name: str) -> None:
    """There is no such queue (404); there is, but it is another one (406)."""
    with channel_and_queue(name) as (channel, queue):
        with contextlib.suppress(ChannelClosedByBroker):
            channel.queue_declare(uuid.uuid4().hex, passive=True)
        channel = channel.connection.channel()
        with contextlib.suppress(ChannelClosedByBroker):
            channel.queue_declare(queue, exclusive=True, auto_delete=True)


def large(name: str) -> None:
    """A large body there and back, then an empty one."""
    with channel_and_queue(name) as (channel, queue):
        channel.confirm_delivery()
        for body in (LARGE, b""):
            channel.basic_publish("", queue, body)
            assert channel.basic_get(queue, auto_ack=True)[2] == body


def every_header(name: str) -> None:
    """Headers of every type, and all properties."""
    with channel_and_queue(name) as (channel, queue):
        channel.basic_publish("", queue, b"body", pika.BasicProperties(headers=HEADERS, **PROPERTIES))
        channel.basic_get(queue, auto_ack=True)


def heartbeats(name: str) -> None:
    """Nothing is said for a while but heartbeats."""
    with connected(name, heartbeat=1) as connection:
        connection.process_data_events(time_limit=2.5)


def refused(name: str) -> None:
    """The password is wrong (403)."""
    with (
        contextlib.suppress(AMQPConnectionError),
        connected(name, credentials=pika.PlainCredentials("guest", "wrong")),
    ):
        raise AssertionError("the broker took a wrong password")


def no_such_host(name: str) -> None:
    """There is no such virtual host (530)."""
    with contextlib.suppress(AMQPConnectionError), connected(name, virtual_host=uuid.uuid4().hex):
        raise AssertionError("the broker has that virtual host")


STORIES = (
    confirms,
    consuming,
    all_at_once,
    getting,
    transactions,
    entities,
    channel_errors,
    large,
    every_header,
    heartbeats,
    refused,
    no_such_host,
)
