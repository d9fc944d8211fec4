"""The connection engine on a real broker: many messages, and a login that is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_0_9_1_rabbitmq import methods
from amqp_0_9_1_rabbitmq.client import connection as engine

from tests.generated.test_public_names import NAMES_0

from .engine_client import EngineClient

MESSAGES = 10_000


@pytest.fixture
def client() -> Iterator[EngineClient]:
    found = EngineClient()
    with found.stream:
        yield found


def test_no_confirm_is_lost_or_doubled(client: EngineClient) -> None:
    channel = client.open_channel()
    queue = client.declare_queue(channel)
    client.connection.send(channel, methods.ConfirmSelect(no_wait=True))
    client.connection.send(channel, methods.BasicConsume(queue, "c", no_wait=True))
    client.connection.request(channel, methods.BasicQos(prefetch_count=200))
    confirmed: Counter[int] = Counter()
    bodies: list[bytes] = []
    published = 0
    while len(confirmed) < MESSAGES or len(bodies) < MESSAGES:
        while (
            published < MESSAGES
            and client.connection.channel(channel).can_publish
            and published - len(bodies) < 500
        ):
            published += 1
            number = client.connection.publish(
                channel, methods.BasicPublish("", queue), None, b"%d" % published
            )
            assert number == published
        match client.next_event():
            case engine.Confirmed(numbers=numbers, positive=positive):
                assert positive
                confirmed.update(numbers)
            case engine.Delivered(delivery_tag=tag, message=message):
                bodies.append(message.body)
                client.connection.ack(channel, tag)
            case engine.Reply():
                pass
            case event:
                pytest.fail(f"{event} came")
    assert bodies == [b"%d" % number for number in range(1, MESSAGES + 1)]
    assert set(confirmed) == set(range(1, MESSAGES + 1))
    assert set(confirmed.values()) == {1}
    client.connection.close()
    closed = [client.wait_for(engine.ChannelClosed), client.next_event()]
    assert closed == [engine.ChannelClosed(channel, None, False), engine.Closed(None, False)]


def test_a_channel_that_is_closed_while_its_consumer_is_busy(client: EngineClient) -> None:
    """RabbitMQ sends deliveries behind its channel.close: the connection goes on, with the same number."""
    channel = client.open_channel()
    for _ in range(5):
        queue = client.declare_queue(channel)
        client.connection.send(channel, methods.BasicConsume(queue, "c", no_ack=True, no_wait=True))
        for _ in range(500):
            client.connection.publish(channel, methods.BasicPublish("", queue), None, b"x" * 500)
        client.connection.request(channel, methods.QueueDeclare("no such queue", passive=True))
        while isinstance(event := client.next_event(), engine.Delivered):
            pass
        assert isinstance(event, engine.ChannelClosed), event
        assert client.connection.open_channel() == channel
        client.wait_for(engine.ChannelOpened)


def test_a_wrong_password() -> None:
    client = EngineClient(login=amqp.PlainLogin("nobody", "wrong"))
    with client.stream:
        closed = client.wait_for(engine.Closed)
    assert isinstance(closed.error, amqp.errors.AccessRefusedClose)
    assert closed.by_peer


@pytest.mark.parametrize("settings", [{}, {"dialect": "rabbitmq"}], ids=str)
@pytest.mark.parametrize("package", NAMES_0)
def test_each_package_opens_a_connection(package: str, settings: dict[str, Any]) -> None:
    """RabbitMQ answers all of them, with tables of its own dialect."""
    client = EngineClient(package=import_module(package), **settings)
    events = import_module(f"{package}.client.connection")
    with client.stream:
        event = client.next_event()
        if isinstance(event, events.VersionRefused):  # RabbitMQ 4.3 has no 0-8
            assert package.startswith("amqp_0_8") and event.header == b"AMQP\3\1\0\0"
            assert isinstance(client.wait_for(events.Closed).error, events.ConnectionFailed)
            return
    assert isinstance(event, events.Opened)
    assert event.server["product"] == "RabbitMQ"
    assert not (package.startswith("amqp_0_8") and event.server["version"].startswith("4.3"))
