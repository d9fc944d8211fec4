"""The properties of basic messages: alone, all at once, at their limits."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest

from .client import Client, Connect, address

ALL: dict[str, Any] = {
    "content_type": "text/plain; charset=utf-8",
    "content_encoding": "gzip",
    "headers": {"text": "ü", "number": 1, "nested": {"list": [1, "two", None, True]}},
    "delivery_mode": 2,
    "priority": 9,
    "correlation_id": "δ-1",
    "reply_to": "some.queue",
    "expiration": "60000",
    "message_id": "🐇",
    "timestamp": 1_700_000_000,
    "type": "einfach schön",
    "user_id": address().user,
    "app_id": "日本語",
    "reserved": "cluster",
}
EDGES = [
    ("content_type", ""),
    ("content_type", "x" * 255),
    ("correlation_id", "é" * 127),
    ("message_id", "😀" * 63 + "xyz"),
    ("headers", {}),
    ("delivery_mode", 1),
    ("priority", 0),
    ("priority", 255),
    ("expiration", "4294967295"),
    ("timestamp", 0),
    ("timestamp", (1 << 32) + 1),
    ("timestamp", (1 << 64) - 1),
    ("type", "\0\t\r\n"),
]


def returned(client: Client, properties: Any) -> Any:
    """The properties with which a message comes back."""
    queue = client.declare()
    client.publish(queue, b"body", properties)
    message = client.fetch(queue)
    assert message.body == b"body"
    return message.properties


def for_package(package: Any, values: dict[str, Any]) -> Any:
    """The property set of a package; 0-8 and 0-9 still call the last property cluster_id."""
    names = {layout.name for layout in package.BasicProperties.FIELDS}
    return package.BasicProperties(
        **{name if name in names else "cluster_id": value for name, value in values.items()}
    )


def test_all_at_once(any_client: Client) -> None:
    assert len(ALL) == len(any_client.amqp.BasicProperties.FIELDS)
    properties = for_package(any_client.amqp, ALL)
    assert returned(any_client, properties) == properties


def test_none_at_all(any_client: Client) -> None:
    properties = returned(any_client, None)
    assert properties == any_client.amqp.BasicProperties()
    assert all(getattr(properties, layout.name) is None for layout in properties.FIELDS)


def test_each_alone_and_all_but_each(client: Client) -> None:
    queue = client.declare()
    sets = [{name: value} for name, value in ALL.items()]
    sets += [{other: value for other, value in ALL.items() if other != name} for name in ALL]
    for values in sets:
        client.publish(queue, b"", amqp.BasicProperties(**values))
    for values in sets:
        assert client.fetch(queue).properties == amqp.BasicProperties(**values)


@pytest.mark.parametrize(("name", "value"), EDGES)
def test_edges(client: Client, name: str, value: Any) -> None:
    properties = amqp.BasicProperties(**{name: value})
    assert returned(client, properties) == properties


def test_a_datetime_comes_back_as_seconds(client: Client) -> None:
    moment = datetime(2038, 1, 19, 3, 14, 8, tzinfo=UTC)
    assert returned(client, amqp.BasicProperties(timestamp=moment)).timestamp == 1 << 31


def test_the_broker_writes_them_anew(connect: Connect) -> None:
    """A BCC header makes RabbitMQ decode and encode the header instead of passing the octets on."""
    client = connect(lossless=True)
    first, second = client.declare(), client.declare()
    values = ALL | {"headers": {**ALL["headers"], "BCC": [second]}}
    client.publish(first, b"", amqp.BasicProperties(**values))
    for queue in (first, second):
        assert client.fetch(queue).properties == amqp.BasicProperties(**ALL)


def test_lossless_octets_are_those_that_were_sent(connect: Connect) -> None:
    client = connect(lossless=True)
    queue = client.declare()
    header = amqp.ContentHeader(amqp.BasicProperties(**ALL), 0)
    client.send(amqp.methods.BasicPublish(routing_key=queue), header)
    again = amqp.ContentHeader(client.fetch(queue).properties, 0)
    assert amqp.encode_frame(1, again) == amqp.encode_frame(1, header)
