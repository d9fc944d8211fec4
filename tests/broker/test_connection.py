"""The connection engine on a real broker: many messages, and sockets that are cut in each state."""

from __future__ import annotations

import socket
import time
from collections import Counter
from collections.abc import Iterator
from urllib.parse import urlsplit

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_0_9_1_rabbitmq import methods
from amqp_0_9_1_rabbitmq.client import connection as engine

from tests.conftest import AMQP_URL
from tests.patience import PATIENCE

pytestmark = pytest.mark.broker
MESSAGES = 10_000


class Client:
    """The engine on a socket."""

    def __init__(self) -> None:
        url = urlsplit(AMQP_URL)
        login = amqp.PlainLogin(url.username or "guest", url.password or "guest")
        self.connection = amqp.Connection(amqp.ClientSettings(login=login, heartbeat=0))
        self.stream = socket.create_connection((url.hostname, url.port or 5672), timeout=PATIENCE)
        self.connection.start(time.monotonic())

    def send(self) -> None:
        self.stream.sendall(self.connection.data_to_send())

    def next_event(self) -> engine.Event:
        while (event := self.connection.next_event()) is None:
            self.send()
            self.connection.receive_data(self.stream.recv(65536), time.monotonic())
        return event

    def wait_for(self, kind: type[engine.Event]) -> engine.Event:
        while not isinstance(event := self.next_event(), kind):
            assert not isinstance(event, engine.Closed), event
        return event

    def open_channel(self) -> int:
        self.wait_for(engine.Opened)
        channel = self.connection.open_channel()
        self.wait_for(engine.ChannelOpened)
        return channel


@pytest.fixture
def client() -> Iterator[Client]:
    found = Client()
    with found.stream:
        yield found


def test_no_confirm_is_lost_or_doubled(client: Client) -> None:
    channel = client.open_channel()
    request = client.connection.request(channel, methods.QueueDeclare("", exclusive=True))
    reply = client.wait_for(engine.Reply)
    assert isinstance(reply, engine.Reply)
    queue = request.answer(reply).queue
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


STATES = ("HEADER", "SECURE", "OPENING", "OPEN", "CLOSING")


@pytest.mark.parametrize("state", STATES)
def test_a_socket_that_is_cut(client: Client, state: str) -> None:
    if state in ("OPEN", "CLOSING"):
        client.open_channel()
    if state == "CLOSING":
        client.connection.close()
    while client.connection.state.value != state:
        client.send()
        client.connection.receive_data(client.stream.recv(1), time.monotonic())  # so that no state is missed
        assert client.connection.next_event() is None
    client.stream.shutdown(socket.SHUT_RDWR)
    client.connection.receive_eof(time.monotonic())
    found = list(iter(client.connection.next_event, None))
    assert [type(event) for event in found] == [engine.ChannelClosed] * (state in ("OPEN", "CLOSING")) + [
        engine.Closed
    ]
    assert (found[-1].error is None) is (state == "CLOSING")
    assert client.connection.next_event() is None
    assert client.connection.next_timer() is None


def test_a_wrong_password(client: Client) -> None:
    login = amqp.PlainLogin("nobody", "wrong")
    client.connection = amqp.Connection(amqp.ClientSettings(login=login))
    client.connection.start(time.monotonic())
    closed = client.next_event()
    assert isinstance(closed, engine.Closed)
    assert isinstance(closed.error, amqp.errors.AccessRefusedClose)
    assert closed.by_peer
