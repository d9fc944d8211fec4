"""The firehose of RabbitMQ: what it tells of messages, in a stream that RabbitMQ 3.10.8 has sent."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from amqp_traffic.capture.quarantine import Quarantine
from amqp_traffic.decode.body_retention import BodyRetention
from amqp_traffic.decode.decoding import Decoding
from amqp_traffic.frames.frame_reader import FrameReader
from amqp_traffic.messages.amqp0.firehose import firehose_row
from amqp_traffic.messages.assemblies import Assemblies
from amqp_traffic.schemas import MESSAGES
from amqp_traffic.variant_values import variant_value

from ..messages.method_script import CONFIRM, content, events_of, publish

SAMPLES = Path(__file__).parents[1] / "samples" / "rabbitmq-3.10.8"
NAMES = [name for name, _ in MESSAGES]


def rows_of(events: Any) -> list[dict[str, Any]]:
    assemblies = Assemblies(bodies=BodyRetention(True, 100))
    assemblies.add(events)
    for connection in {event[0] for event in events}:
        assemblies.finish(connection)
    rows = [dict(zip(NAMES, row, strict=True)) for row in assemblies.take()[0]]
    return sorted(rows, key=lambda row: (row["frame_no"], row["source"] == "firehose"))


@pytest.fixture(scope="module")
def sample() -> list[dict[str, Any]]:
    """The messages of a consumer of the firehose."""
    quarantine = Quarantine()
    decoding = Decoding(quarantine, bodies=True)
    reader = FrameReader(decoding.on_frames, lambda *_: None, quarantine=quarantine)
    assert sum(reader.read_raw(SAMPLES.glob("firehose.*.raw"))) > 1000
    return rows_of(decoding.take().events)


def told(sample: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [row for row in sample if row["source"] == "firehose" and row["kind"] == kind]


def test_each_copy_tells_of_a_message(sample: list[dict[str, Any]]) -> None:
    copies = [row for row in sample if row["exchange"] == "amq.rabbitmq.trace"]
    assert len(copies) * 2 == len(sample)
    assert {row["source"] for row in copies} == {"wire"}
    assert len(told(sample, "publish")) == 9
    assert len(told(sample, "deliver")) == len(copies) - 9
    places = [(row["conn_id"], row["dir"], row["frame_no"], row["stream_off"]) for row in copies]
    others = [row for row in sample if row["source"] == "firehose"]
    assert [(row["conn_id"], row["dir"], row["frame_no"], row["stream_off"]) for row in others] == places


def test_a_message_that_came_in(sample: list[dict[str, Any]]) -> None:
    row = told(sample, "publish")[1]
    assert (row["exchange"], row["routing_key"], row["queue_inferred"]) == ("", "ordérs", None)
    assert (row["content_type"], row["content_encoding"]) == ("text/plain", "utf-8")
    assert (row["delivery_mode"], row["priority"], row["timestamp"]) == (2, 3, 1_700_000_000_000_000)
    assert (row["correlation_id"], row["reply_to"], row["expiration"]) == ("corr-1", "reply", "60000")
    assert (row["message_id"], row["type"], row["user_id"]) == ("mid", "typ", "guest")
    assert (row["app_id"], row["cluster_id"]) == ("app", "clu")
    assert (row["body_head"], row["body_size"], row["complete"]) == (b"full", 4, True)
    assert (row["node"], row["vhost"], row["traced_user"]) == ("rabbit@localhost", "shop", "guest")
    assert (row["traced_channel"], row["routed_queues"]) == (1, ["ordérs"])
    assert row["traced_connection"].endswith(" -> 127.0.0.1:5672")
    assert (row["lossy_types"], row["settle"], row["delivery_tag"], row["redelivered"]) == (
        False,
        None,
        None,
        None,
    )


def test_headers_keep_their_types(sample: list[dict[str, Any]]) -> None:
    """What the log of rabbitmq_tracing has as 1.15 is 1.5 here."""
    headers = variant_value(told(sample, "publish")[1]["headers"])
    assert headers["dec"] == Decimal("1.5")
    assert (headers["x"], headers["n"], headers["b"], headers["big"]) == (b"\x00\xff\x01", None, True, 2**40)
    assert (headers["a"], headers["d"], headers["t"].year) == ([1, "two", [3]], {"k": {"z": False}}, 2024)
    types = told(sample, "publish")[6]["headers"]
    assert len(variant_value(types)) == 20
    assert variant_value(types)["latin"] == {"$longstr": b"\xe9\xff"}
    assert told(sample, "publish")[0]["headers"] is None


def test_a_message_that_went_out(sample: list[dict[str, Any]]) -> None:
    first, second, third, *_ = told(sample, "deliver")
    assert (first["queue_inferred"], first["exchange"], first["routing_key"]) == ("ordérs", "", "ordérs")
    assert [row["redelivered"] for row in (first, second, third)] == [False, False, True]
    assert first["routed_queues"] is None


HEADERS = {
    "exchange_name": "e",
    "routing_keys": ["k", "copied"],
    "properties": {"priority": 300, "timestamp": 1 << 62, "content_type": 5, "headers": "none"},
    "channel": -1,
    "routed_queues": "none",
    "redelivered": "?",
}


def carrier(
    headers: dict[str, Any] | None, key: str = "deliver.q", exchange: str = "amq.rabbitmq.trace"
) -> Any:
    properties = {} if headers is None else {"headers": headers}
    fields: Any = {"consumer_tag": "c", "exchange": exchange, "routing_key": key, "delivery_tag": 1}
    steps = [*CONFIRM, *content(1, "basic.deliver", b"body", properties=properties, **fields)]
    return rows_of(events_of(steps))


def test_what_has_another_type_is_left_out() -> None:
    _, row = carrier(HEADERS)
    assert (row["source"], row["exchange"], row["routing_key"]) == ("firehose", "e", "k")
    left_out = (
        "priority",
        "timestamp",
        "content_type",
        "headers",
        "traced_channel",
        "routed_queues",
        "redelivered",
    )
    assert [row[name] for name in left_out] == [None] * len(left_out)


@pytest.mark.parametrize(
    ("headers", "key", "exchange"),
    [
        (None, "deliver.q", "amq.rabbitmq.trace"),
        ({}, "deliver.q", "amq.rabbitmq.trace"),
        ({"properties": "none"}, "deliver.q", "amq.rabbitmq.trace"),
        (HEADERS, "something.else", "amq.rabbitmq.trace"),
        (HEADERS, "", "amq.rabbitmq.trace"),
        (HEADERS, "deliver.q", "another"),
    ],
)
def test_what_is_no_firehose(headers: Any, key: str, exchange: str) -> None:
    (row,) = carrier(headers, key, exchange)
    assert row["source"] == "wire"


def test_headers_that_cannot_be_read() -> None:
    row = tuple(rows_of(events_of([*CONFIRM, *publish(exchange="amq.rabbitmq.trace")]))[0].values())
    assert firehose_row(row) is None
