"""Other clients at the far end: what we publish, pika and py-amqp read, and the other way round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import amqp as py_amqp
import amqp_0_9_1_rabbitmq as ours
import pika
import pytest

from tests.patience import PATIENCE

from .client import Client, Connect, address

MOMENT = datetime(2024, 2, 29, 12, 30, tzinfo=UTC)
HEADERS: dict[str, Any] = {
    "text": "ü 日本語",
    "empty": "",
    "small": -1,
    "large": 1 << 40,
    "yes": True,
    "no": False,
    "bytes": b"\0\xff",
    "decimal": Decimal("12.5"),  # pika drops trailing zeros
    "negative decimal": Decimal("-1.5"),
    "moment": MOMENT,
    "list": [1, "two", [], {"three": [3]}],
    "table": {"a": {"b": {}}},
    "nothing": None,
}
PROPERTIES: dict[str, Any] = {
    "content_type": "text/plain",
    "content_encoding": "utf-8",
    "delivery_mode": 1,
    "priority": 3,
    "correlation_id": "c-ü",
    "reply_to": "r",
    "expiration": "60000",
    "message_id": "m",
    "timestamp": int(MOMENT.timestamp()),
    "type": "t",
    "user_id": address().user,
    "app_id": "a",
    "cluster_id": "c",
}
BODY = bytes(range(256)) * 1200  # three frames
# What only RabbitMQ's letters can say; their encoders write I and l or L for any number.
LETTERS = {letter: ours.Tagged(letter, 7) for letter in "bBsuIilL"}


@pytest.fixture
def queue(connect: Connect, fresh_name: Callable[[], str]) -> str:
    """A queue that two connections can use."""
    return connect().declare(fresh_name(), exclusive=False)


def publish(client: Client, queue: str) -> None:
    properties = ours.BasicProperties(headers={**HEADERS, **LETTERS}, **renamed(PROPERTIES))
    client.publish(queue, BODY, properties)
    client.expect_count(queue, 1)


def renamed(properties: dict[str, Any]) -> dict[str, Any]:
    """The last property has no name of its own in 0-9-1."""
    return {"reserved" if name == "cluster_id" else name: value for name, value in properties.items()}


def check_ours(client: Client, queue: str, headers: dict[str, Any]) -> None:
    """Consumes what the peer published, and compares."""
    client.call(ours.methods.BasicConsume(queue))
    message = client.expect(ours.methods.BasicDeliver)
    client.send(ours.methods.BasicAck(message.method.delivery_tag))
    assert message.body == BODY
    got = message.properties.headers
    assert isinstance(got["moment"], ours.Timestamp)
    assert got == {**headers, "moment": int(MOMENT.timestamp())}
    message.properties.headers = None
    assert message.properties == ours.BasicProperties(**renamed(PROPERTIES))


class TestPika:
    @pytest.fixture
    def channel(self) -> Iterator[Any]:
        place = address()
        connection = pika.BlockingConnection(
            pika.ConnectionParameters(
                place.host,
                place.port,
                place.virtual_host,
                pika.PlainCredentials(place.user, place.password),
                socket_timeout=PATIENCE,
            )
        )
        yield connection.channel()
        connection.close()

    def test_reads_ours(self, client: Client, queue: str, channel: Any) -> None:
        publish(client, queue)
        method, properties, body = next(channel.consume(queue, inactivity_timeout=PATIENCE))
        channel.basic_ack(method.delivery_tag)
        channel.cancel()
        assert body == BODY
        assert properties.headers == {**HEADERS, **dict.fromkeys(LETTERS, 7)}
        assert {name: getattr(properties, name) for name in PROPERTIES} == PROPERTIES

    def test_writes_for_us(self, client: Client, queue: str, channel: Any) -> None:
        channel.confirm_delivery()
        channel.basic_publish("", queue, BODY, pika.BasicProperties(headers=HEADERS, **PROPERTIES))
        check_ours(client, queue, HEADERS)

    def test_its_letters(self, connect: Connect, queue: str, channel: Any) -> None:
        channel.confirm_delivery()
        channel.basic_publish("", queue, b"", pika.BasicProperties(headers=HEADERS))
        table = connect(lossless=True).fetch(queue).properties.headers
        assert letters(table) == "SSIlttxDDTAFV"
        assert ours.encode_table(HEADERS) == ours.encode_table(table)  # as we would write it


class TestPyAmqp:
    @pytest.fixture
    def channel(self) -> Iterator[Any]:
        place = address()
        with py_amqp.Connection(
            f"{place.host}:{place.port}",
            userid=place.user,
            password=place.password,
            virtual_host=place.virtual_host,
            connect_timeout=PATIENCE,
            read_timeout=PATIENCE,
        ) as connection:
            yield connection.channel()

    def test_reads_ours(self, client: Client, queue: str, channel: Any) -> None:
        publish(client, queue)
        message = channel.basic_get(queue)
        channel.basic_ack(message.delivery_tag)
        assert bytes(message.body) == BODY
        naive = MOMENT.replace(tzinfo=None)
        assert message.headers == {**HEADERS, **dict.fromkeys(LETTERS, 7), "moment": naive}
        got = {name: value for name, value in message.properties.items() if name != "application_headers"}
        assert got == PROPERTIES

    def test_writes_for_us(self, client: Client, queue: str, channel: Any) -> None:
        channel.basic_publish(self.message({**HEADERS, "float": 0.1}), "", queue)
        check_ours(client, queue, {**HEADERS, "float": 0.1})

    def test_its_letters(self, connect: Connect, queue: str, channel: Any) -> None:
        channel.basic_publish(self.message({**HEADERS, "float": 0.1}), "", queue)
        receiver = connect(lossless=True)
        receiver.expect_count(queue, 1)
        assert letters(receiver.fetch(queue).properties.headers) == "SSILttSDDTAFVd"  # L and S, we l and x

    @staticmethod
    def message(headers: dict[str, Any]) -> Any:
        headers["moment"] = MOMENT.replace(tzinfo=None)
        return py_amqp.Message(BODY, application_headers=headers, **PROPERTIES)


def letters(table: Any) -> str:
    """The letters of a table, in the order of ``HEADERS``."""
    return "".join(entry.value.letter for entry in table.entries)
