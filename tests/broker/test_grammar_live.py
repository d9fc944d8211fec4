"""Real clients and a real broker keep to the grammar: no conversation finds anything."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import amqp
import amqp_0_8.grammar
import amqp_0_9_1.grammar
import amqp_0_9_1_rabbitmq.grammar
import pika
import pytest

from tests.patience import PATIENCE

from .client import Client, address
from .eavesdropper import Eavesdropper

PACKAGES = {
    "0-8": (amqp_0_8, amqp_0_8.grammar.Conversation),
    "0-9-1": (amqp_0_9_1, amqp_0_9_1.grammar.Conversation),
    "rabbitmq": (amqp_0_9_1_rabbitmq, amqp_0_9_1_rabbitmq.grammar.Conversation),
}
MESSAGES = 100


@pytest.fixture
def relay() -> Iterator[Eavesdropper]:
    with Eavesdropper(*PACKAGES["rabbitmq"], address()) as relay:
        yield relay
    assert relay.failures == []


@pytest.fixture
def name() -> str:
    return f"amqp-codegen.{uuid.uuid4().hex}"


def parameters(relay: Eavesdropper, **changes: Any) -> pika.ConnectionParameters:
    broker = relay.address._replace(**changes)
    return pika.ConnectionParameters(
        broker.host,
        broker.port,
        broker.virtual_host,
        pika.PlainCredentials(broker.user, broker.password),
        socket_timeout=PATIENCE,
        blocked_connection_timeout=PATIENCE,
    )


def assert_legal(relay: Eavesdropper, *expected: str) -> None:
    """Nothing was found, and these methods were seen, each ``client name`` or ``server name``."""
    assert [str(finding) for finding in relay.findings] == []
    assert {tuple(item.split()) for item in expected} - set(relay.seen) == set()


def test_pika_declares_publishes_consumes_and_gets(relay: Eavesdropper, name: str) -> None:
    connection = pika.BlockingConnection(parameters(relay))
    channel = connection.channel()
    channel.exchange_declare(name, "topic")
    channel.exchange_declare(f"{name}.2", "fanout")
    channel.exchange_bind(f"{name}.2", name, "k")
    channel.exchange_unbind(f"{name}.2", name, "k")
    channel.queue_declare(name, exclusive=True)
    channel.queue_bind(name, name, "#")
    channel.basic_qos(prefetch_count=50)
    for number in range(MESSAGES):
        channel.basic_publish(name, "a.b", b"x" * number * 3000)
    sizes: list[int] = []
    for deliver, _, body in channel.consume(name):
        sizes.append(len(body))
        if len(sizes) % 10 == 0:
            channel.basic_ack(deliver.delivery_tag, multiple=True)
        if len(sizes) == MESSAGES:
            break
    assert sizes == [number * 3000 for number in range(MESSAGES)]
    channel.cancel()
    channel.basic_publish("", name, b"one")
    method, _, body = channel.basic_get(name)
    assert body == b"one"
    channel.basic_nack(method.delivery_tag, requeue=True)
    channel.basic_recover(requeue=True)
    method, _, _ = channel.basic_get(name)
    channel.basic_reject(method.delivery_tag, requeue=False)
    assert channel.basic_get(name)[0] is None
    channel.queue_purge(name)
    channel.queue_unbind(name, name, "#")
    channel.queue_delete(name)
    channel.exchange_delete(name)
    channel.exchange_delete(f"{name}.2")
    channel.close()
    connection.update_secret("a new one", "a test")
    connection.close()
    assert_legal(
        relay,
        *("client connection.tune-ok", "server connection.close-ok", "server channel.close-ok"),
        *("server exchange.bind-ok", "server exchange.unbind-ok", "server queue.unbind-ok"),
        *("client basic.publish", "server basic.deliver", "client basic.ack", "server basic.qos-ok"),
        *("server basic.get-ok", "server basic.get-empty", "client basic.nack", "client basic.reject"),
        *("server basic.recover-ok", "server basic.cancel-ok", "server queue.purge-ok"),
        *("client connection.update-secret", "server connection.update-secret-ok"),
    )


def test_pika_confirms_returns_and_transactions(relay: Eavesdropper, name: str) -> None:
    connection = pika.BlockingConnection(parameters(relay))
    channel = connection.channel()
    limited = {"x-max-length": 1, "x-overflow": "reject-publish"}
    channel.queue_declare(name, exclusive=True, arguments=limited)
    channel.confirm_delivery()
    channel.basic_publish("", name, b"fits", mandatory=True)
    with pytest.raises(pika.exceptions.NackError):
        for _ in range(5):  # the limit may take effect late
            channel.basic_publish("", name, b"does not fit")
    with pytest.raises(pika.exceptions.UnroutableError):
        channel.basic_publish("", f"{name}.nobody", b"", mandatory=True)
    other = connection.channel()
    queue = other.queue_declare("", exclusive=True).method.queue
    other.tx_select()
    other.basic_publish("", queue, b"one")
    other.tx_rollback()
    other.basic_publish("", queue, b"two")
    other.tx_commit()
    connection.close()
    assert_legal(
        relay,
        *("server confirm.select-ok", "server basic.ack", "server basic.nack", "server basic.return"),
        *("server tx.select-ok", "server tx.commit-ok", "server tx.rollback-ok"),
    )


def test_pika_and_a_broker_that_closes(relay: Eavesdropper, name: str) -> None:
    """Channel errors, a channel that is opened again, a consumer whose queue goes away; publishes go on meanwhile."""
    connection = pika.BlockingConnection(parameters(relay))
    for _ in range(2):
        channel = connection.channel(channel_number=7)
        with pytest.raises(pika.exceptions.ChannelClosedByBroker):
            for _ in range(50):
                channel.basic_publish(f"{name}.nowhere", "", b"x" * 300)
            channel.queue_declare(name, passive=True)
    channel = connection.channel()
    channel.queue_declare(name)
    channel.basic_consume(name, lambda *_: None)
    channel.queue_delete(name)
    connection.process_data_events(0.5)
    with pytest.raises(pika.exceptions.ConnectionClosedByBroker):
        channel.exchange_declare(name, "no-such-type")
    assert_legal(
        relay,
        *(
            "server channel.close",
            "client channel.close-ok",
            "server basic.cancel",
            "server connection.close",
        ),
    )


def test_pika_and_a_broker_close_at_the_same_time(relay: Eavesdropper, name: str) -> None:
    connection = pika.BlockingConnection(parameters(relay))
    for _ in range(20):
        channel = connection.channel()
        with suppress(pika.exceptions.ChannelClosedByBroker):
            channel.basic_publish(f"{name}.nowhere", "", b"")
            channel.close()
    connection.close()
    assert_legal(relay, "server channel.close", "client channel.close")


@pytest.mark.parametrize("wrong", ["virtual_host", "password"])
def test_pika_is_not_let_in(relay: Eavesdropper, wrong: str) -> None:
    """A connection that is closed before it was open."""
    with pytest.raises(pika.exceptions.AMQPConnectionError):
        pika.BlockingConnection(parameters(relay, **{wrong: "no such thing"}))
    assert_legal(relay, "server connection.close")


def test_py_amqp(relay: Eavesdropper, name: str) -> None:
    broker = relay.address
    with amqp.Connection(
        f"{broker.host}:{broker.port}",
        broker.user,
        broker.password,
        virtual_host=broker.virtual_host,
        confirm_publish=True,
        heartbeat=1,
    ) as connection:
        connection.heartbeat_tick()
        channel = connection.channel()
        channel.queue_declare(name, exclusive=True, auto_delete=False, nowait=True)
        channel.exchange_declare(name, "direct", auto_delete=True, nowait=True)
        channel.queue_bind(name, name, name)
        channel.basic_qos(0, 10, False)
        bodies: list[str] = []

        def take(message: Any) -> None:
            bodies.append(message.body)
            channel.basic_ack(message.delivery_tag)

        tag = channel.basic_consume(name, callback=take)
        for number in range(MESSAGES):
            channel.basic_publish(amqp.Message(f"{number}"), name, name)
        while len(bodies) < MESSAGES:
            connection.drain_events(PATIENCE)
        channel.basic_cancel(tag)
        channel.basic_get(name)
        channel.basic_recover(requeue=True)
        with pytest.raises(amqp.NotFound):
            channel.queue_declare(f"{name}.nowhere", passive=True)
        again = connection.channel()
        again.tx_select()
        again.tx_commit()
        again.queue_delete(name)
        again.close()
    assert_legal(
        relay, "client queue.declare", "server basic.ack", "server channel.close", "server tx.commit-ok"
    )


@pytest.mark.parametrize("version", PACKAGES)
def test_the_client_of_these_tests(version: str, name: str) -> None:
    package, conversation = PACKAGES[version]
    methods = package.methods
    with Eavesdropper(package, conversation, address()) as relay:
        client = Client(package, broker=relay.address).handshake(heartbeat=1).open_channel()
        queue = client.declare(name)
        client.call(methods.BasicConsume(queue=queue, consumer_tag="c"))
        client.publish(queue, b"x" * 300_000)
        assert client.expect(methods.BasicDeliver).body == b"x" * 300_000
        client.send(methods.BasicAck(delivery_tag=1))
        client.call(methods.BasicCancel(consumer_tag="c"))
        while not client.inbox.heartbeats:
            client.inbox.feed(client.receive_octets())
        client.close()
    assert relay.failures == []
    assert_legal(relay, "server basic.deliver", "client basic.ack", "server connection.close-ok")


def test_what_a_client_does_wrong_is_found(relay: Eavesdropper, name: str) -> None:
    """And RabbitMQ agrees: it closes the connection."""
    package, _ = PACKAGES["rabbitmq"]
    client = Client(package, broker=relay.address).handshake()
    client.send(package.methods.QueueDeclare(queue=name, exclusive=True))
    with pytest.raises(package.errors.ConnectionCloseError):
        client.expect(package.methods.QueueDeclareOk)
    assert [finding.kind.name for finding in relay.findings] == ["NOT_OPEN"]
