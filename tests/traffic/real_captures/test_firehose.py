"""The firehose: every message that is published or delivered comes once more, as the body of another one."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pika
import pytest

from tests.patience import PATIENCE

from ..loopback_capture import capturing, catch_up, patiently
from .broker_control import firehose
from .lake_rows import Row, ingest, rows_of, value_of
from .pika_stories import HEADERS, PROPERTIES, connected

BODY = b"traced"


@pytest.fixture(scope="module")
def name() -> str:
    return f"amqp-codegen.{uuid.uuid4().hex}"


@pytest.fixture(scope="module")
def rows(name: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Row]]:
    """What the consumer of the firehose got, and what that tells of: a message that was published, and delivered."""
    folder = tmp_path_factory.mktemp("firehose")
    folder.chmod(0o777)
    file = folder / "firehose.pcapng"

    def capture() -> None:
        with capturing("dumpcap", file):
            _trace(name)
            catch_up([file])

    with firehose():
        patiently(capture)
    done = ingest([file], folder / "lake", "--bodies", "all")
    assert done.code == 0, done.err
    (number,) = (
        row["conn_id"] for row in rows_of(folder / "lake", "connections") if row["connection_name"] == name
    )
    yield [row for row in rows_of(folder / "lake", "messages") if row["conn_id"] == number]


def of(rows: list[Row], source: str) -> list[Row]:
    return sorted((row for row in rows if row["source"] == source), key=lambda row: row["stream_off"])


def _trace(name: str) -> None:
    with connected(name) as tracing, connected(f"{name}.client") as connection:
        tracer, channel = tracing.channel(), connection.channel()
        channel.exchange_declare(name, "fanout", auto_delete=True)
        queue = channel.queue_declare(name, exclusive=True).method.queue
        channel.queue_bind(queue, name)
        traced = tracer.queue_declare("", exclusive=True).method.queue
        for key in (f"publish.{name}", f"deliver.{name}"):
            tracer.queue_bind(traced, "amq.rabbitmq.trace", key)
        seen: list[Any] = []
        tracer.basic_consume(traced, lambda *it: seen.append(it), auto_ack=True)
        channel.basic_publish(name, "a.key", BODY, pika.BasicProperties(headers=HEADERS, **PROPERTIES))
        channel.basic_get(queue, auto_ack=True)
        deadline = time.monotonic() + PATIENCE
        while len(seen) < 2:
            assert time.monotonic() < deadline, "the firehose says nothing"
            tracing.process_data_events(time_limit=0.2)


def test_messages(rows: list[Row], name: str) -> None:
    rows = of(rows, "wire")
    assert [(row["kind"], row["exchange"], row["routing_key"]) for row in rows] == [
        ("deliver", "amq.rabbitmq.trace", f"publish.{name}"),
        ("deliver", "amq.rabbitmq.trace", f"deliver.{name}"),
    ]
    for row in rows:
        assert (row["body_size"], row["body_head"], row["body_sha256"]) == (
            len(BODY),
            BODY,
            sha256(BODY).digest(),
        )


def test_what_they_say_of_the_message(rows: list[Row], name: str) -> None:
    published, delivered = (value_of(row["headers"]) for row in of(rows, "wire"))
    for headers in (published, delivered):
        assert headers["exchange_name"] == name
        assert headers["routing_keys"] == ["a.key"]
        properties = headers["properties"]
        assert properties["headers"] == HEADERS
        assert properties["correlation_id"] == PROPERTIES["correlation_id"]
        assert properties["priority"] == PROPERTIES["priority"]
    assert published["routed_queues"] == [name]
    assert published["user"] == "guest"
    assert delivered["redelivered"] == 0


def test_the_message_itself(rows: list[Row], name: str) -> None:
    """Is in the table twice more, with its own properties, as the broker got it and gave it away."""
    published, delivered = of(rows, "firehose")
    for row in (published, delivered):
        assert (row["exchange"], row["routing_key"], row["vhost"]) == (name, "a.key", "/")
        assert value_of(row["headers"]) == HEADERS
        for known in ("correlation_id", "priority", "message_id", "content_type", "delivery_mode", "type"):
            assert row[known] == PROPERTIES[known]
        assert row["timestamp"].timestamp() == PROPERTIES["timestamp"]
        assert (row["body_size"], row["body_sha256"]) == (len(BODY), sha256(BODY).digest())
        assert row["complete"] and not row["lossy_types"]
        assert row["node"].startswith("rabbit@")
    assert (published["kind"], delivered["kind"]) == ("publish", "deliver")
    assert published["routed_queues"] == [name]
    assert published["traced_user"] == "guest"
    assert " -> " in published["traced_connection"]
    assert delivered["queue_inferred"] == name
    assert delivered["redelivered"] is False
