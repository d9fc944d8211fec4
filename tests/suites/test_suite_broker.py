"""What a driver of one's own has of the broker: the helper of a suite, on fake brokers and on RabbitMQ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import amqp_1_0
import pytest
from amqp_0_9_1_rabbitmq.methods import (
    BasicGet,
    BasicGetEmpty,
    BasicGetOk,
    ChannelClose,
    ChannelFlow,
    ConnectionClose,
    ConnectionCloseOk,
    QueueBind,
    QueueDeclare,
    QueueDelete,
    QueueDeleteOk,
    QueuePurge,
)
from amqp_1_0.messaging import Accepted, AmqpValue
from amqp_1_0.performatives import Close, Detach, Disposition, End, Flow, Transfer
from conformance.amqp_0_9_1_rabbitmq.broker import Broker
from conformance.amqp_0_9_1_rabbitmq.broker_socket import Unexpected, read_url
from conformance.amqp_1_0.broker import Broker as Broker1
from conformance.amqp_1_0.broker_socket import Unexpected as Unexpected1

from tests.conftest import AMQP_URL
from tests.live_runner.amqp1 import fake_peer
from tests.live_runner.fake_broker import FakeBroker, fake_broker, hang_up, say, say_octets
from tests.patience import PATIENCE

ANSWERS = {
    "queue.bind": say(amqp.methods.ChannelClose(404, "no such thing")),
    "queue.purge": hang_up,
    "queue.unbind": say_octets(b"no frame"),
}
# For what never comes.
HASTE = 0.1


@pytest.fixture
def fake() -> Iterator[FakeBroker]:
    with fake_broker(ANSWERS) as broker:
        yield broker


@pytest.fixture
def broker(fake: FakeBroker) -> Iterator[Broker]:
    with Broker(fake.url, patience=PATIENCE) as tested:
        yield tested


def refused(*words: str) -> Any:
    return pytest.raises(Unexpected, match=".*".join(words))


def test_a_call_returns_the_reply_that_the_specification_names(broker: Broker) -> None:
    channel = broker.open_channel()
    assert channel.call(QueueDeclare(queue="one")).queue == "one"
    assert channel.call(ChannelFlow(active=True)).active
    channel.close()


def test_names_are_unique_and_say_whose_they_are(broker: Broker) -> None:
    names = [broker.name(), broker.name(), broker.name("key")]
    assert len(set(names)) == 3
    assert names[2].startswith("conformance.key.")


def test_a_close_is_expected_with_its_code_and_answered(broker: Broker, fake: FakeBroker) -> None:
    channel = broker.open_channel()
    channel.send(QueueBind(queue="q"))
    assert channel.expect(ChannelClose, reply_code=404).reply_text == "no such thing"
    channel.connection.open_channel(2).call(QueueDelete())
    assert [frame.NAME for frame in fake.came if "close" in frame.NAME] == ["channel.close-ok"]


def test_another_method_or_another_value_is_unexpected(broker: Broker) -> None:
    channel = broker.open_channel()
    with refused("expected queue.bind-ok, got ChannelClose", "404"):
        channel.call(QueueBind(queue="q"))
    channel = broker.open_channel()
    channel.send(QueueBind(queue="q"))
    with refused("expected channel.close with reply_code=405, got ChannelClose", "404"):
        channel.expect(ChannelClose, reply_code=405)


def test_silence_the_end_and_octets_that_are_no_frame(broker: Broker) -> None:
    channel = broker.open_channel()
    channel.expect_silence(0.05)
    channel.connection.patience = HASTE
    with refused("expected channel.close or queue.delete-ok, nothing came"):
        channel.expect(ChannelClose, QueueDeleteOk)
    channel.connection.patience = PATIENCE
    channel.send(QueueDelete())
    with refused("expected nothing, got QueueDeleteOk"):
        channel.expect_silence(PATIENCE)
    with refused("expected queue.purge-ok, but the socket is closed"):
        channel.call(QueuePurge())
    with refused("expected queue.unbind-ok, got octets that are no frame"):
        broker.open_channel().call(amqp.methods.QueueUnbind())


def test_the_end_of_the_connection_ends_every_channel(broker: Broker) -> None:
    connection = broker.connect()
    channel = connection.open_channel(3)
    channel.send(amqp.methods.ChannelOpen())  # once more: the broker closes the connection
    with refused("expected queue.delete-ok, got ConnectionClose", "504"):
        channel.expect(QueueDeleteOk)
    assert connection.control.expect(ConnectionClose).reply_code == 504
    connection.expect_end()


def test_the_handshake_step_by_step(broker: Broker, fake: FakeBroker) -> None:
    connection = broker.dial()
    connection.log_in(locale="de_DE")
    connection.tune(frame_max=4096)
    connection.open()
    connection.control.call(ConnectionClose(200, "done"))
    assert connection.expect_end() == b""
    assert (connection.start.version_minor, connection.offer.channel_max) == (9, 100)
    assert [frame.locale for frame in fake.came if frame.NAME == "connection.start-ok"] == ["de_DE"]
    assert [frame.frame_max for frame in fake.came if frame.NAME == "connection.tune-ok"] == [4096]


def test_any_octets_and_what_answers_them() -> None:
    header = b"AMQP\0\0\x09\x01"

    def refuse(conversation: Any, channel: int, method: Any) -> None:
        conversation.say_octets(header)
        conversation.close()

    with fake_broker({"protocol header": refuse}) as fake, Broker(fake.url, patience=PATIENCE) as broker:
        connection = broker.dial()
        connection.send_octets(b"AMQP\1\1\0\x0a")
        assert connection.expect_end() == header


@pytest.mark.parametrize("package", ["amqp_0_8", "amqp_0_9", "amqp_0_9_1", "amqp_0_9_1_rabbitmq"])
def test_every_version_of_0_x_logs_in(package: str) -> None:
    """Their first methods are the same octets, but for the version in the header."""
    module = import_module(f"conformance.{package}.broker")
    with fake_broker() as fake, module.Broker(fake.url, patience=PATIENCE) as broker:
        assert broker.connect().offer.channel_max == 100


def test_urls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AMQP_PASSWORD", "p%w")
    assert read_url("amqp://me@localhost:1/v") == ("localhost", 1, "me", "p%w", "v")
    monkeypatch.delenv("AMQP_PASSWORD")
    assert read_url("amqp://localhost") == ("localhost", 5672, "guest", "guest", "/")
    assert read_url("amqp://a%40b:p%2Fw@[::1]:1/v%2F") == ("::1", 1, "a@b", "p/w", "v/")
    for url in ("amqps://guest:secret@localhost/", "localhost:5672", "amqp:///x"):
        with pytest.raises(ValueError, match="looks like amqp://guest:guest@localhost:5672/") as caught:
            read_url(url)
        assert "secret" not in str(caught.value)


@pytest.mark.broker
def test_messages_on_rabbitmq() -> None:
    with Broker(AMQP_URL) as broker:
        channel = broker.open_channel()
        queue = channel.call(QueueDeclare(exclusive=True)).queue
        assert isinstance(channel.call(BasicGet(queue=queue)), BasicGetEmpty)
        body = bytes(300_000)
        channel.publish(queue, body, amqp.BasicProperties(app_id="test"), mandatory=True)
        channel.send(BasicGet(queue=queue, no_ack=True))
        message = channel.expect(BasicGetOk, routing_key=queue)
        assert (message.body, message.properties.app_id) == (body, "test")
        channel.send(BasicGet(queue=queue, no_ack=True))
        with refused("expected basic.get-ok, got BasicGetEmpty"):
            channel.expect(BasicGetOk)
        channel.close()
        channel.connection.control.send(ConnectionClose(200, "done"))
        channel.connection.control.expect(ConnectionCloseOk)


# --- AMQP 1.0 ---

MESSAGE = amqp_1_0.Message(body=AmqpValue("x"))


@pytest.fixture
def peer() -> Iterator[Broker1]:
    with fake_peer.running() as fake, Broker1(fake.url, patience=PATIENCE) as tested:
        yield tested


def test_a_message_there_and_back(peer: Broker1) -> None:
    session = peer.begin()
    sender = session.attach_sender("queue")
    session.expect(Flow, handle=sender)
    number = session.send_message(sender, MESSAGE)
    session.expect(Disposition, first=number, settled=True, state=Accepted())
    session.give_credit(session.attach_receiver("queue"), 1)
    _, transfer, payload = session.connection.expect_frame(Transfer)
    assert (transfer.delivery_id, payload) == (0, MESSAGE.encode())
    session.connection.expect_silence(0.05)


def test_an_error_is_expected_with_its_condition(peer: Broker1) -> None:
    session = peer.begin()
    session.give_credit(handle=5, count=1)
    session.expect(End, condition="amqp:session:unattached-handle")


def expect_another_condition(peer: Broker1) -> None:
    session = peer.begin()
    session.attach_sender("/missing")
    session.expect(Detach, condition="amqp:not-allowed")


def expect_another_performative(peer: Broker1) -> None:
    session = peer.begin()
    session.send(End())
    session.expect(Close)


def expect_what_does_not_come(peer: Broker1) -> None:
    connection = peer.connect()
    connection.patience = HASTE
    connection.expect(Close)


def expect_silence_where_there_is_none(peer: Broker1) -> None:
    session = peer.begin()
    session.send(End())
    session.connection.expect_silence(PATIENCE)


def expect_another_header(peer: Broker1) -> None:
    connection = peer.dial()
    connection.send_octets(amqp_1_0.PROTOCOL_HEADERS["tls"])
    connection.expect(amqp_1_0.ProtocolHeader, layer="tls")


def expect_more_after_the_end(peer: Broker1) -> None:
    connection = peer.connect()
    connection.send(Close())
    connection.expect(Close)
    connection.expect_end()
    connection.expect(Close)


@pytest.mark.parametrize(
    ("driver", "message"),
    [
        (expect_another_condition, "expected detach with condition='amqp:not-allowed', got Detach"),
        (expect_another_performative, "expected close, got End"),
        (expect_what_does_not_come, "expected close, nothing came"),
        (expect_silence_where_there_is_none, "expected nothing, got End"),
        (expect_another_header, "expected ProtocolHeader with layer='tls', got ProtocolHeader"),
        (expect_more_after_the_end, "expected close, but the socket is closed"),
    ],
)
def test_what_is_unexpected(peer: Broker1, driver: Callable[[Broker1], None], message: str) -> None:
    with pytest.raises(Unexpected1) as caught:
        driver(peer)
    assert message in str(caught.value)
