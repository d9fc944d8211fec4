"""Connections of the engine that break, in each state: the socket is cut, or the broker is killed."""

from __future__ import annotations

import os
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from amqp_0_9_1_rabbitmq import methods
from amqp_0_9_1_rabbitmq.client import connection as engine

from tests.commands import run_command

from .client import URL
from .connection_scenes import SCENES, Channels, Scene, check, each_scene
from .engine_client import EngineClient
from .own_broker import OwnBroker, find_scripts

# Kills the broker of AMQP_URL and starts it again; `make brokers` has it.
KILL_COMMAND = os.environ.get("AMQP_KILL_COMMAND")
CHALLENGES = "RABBIT-CR-DEMO"  # the mechanism of RabbitMQ that asks a question
PUBLISHED = 2000

Killable = tuple[str, Callable[[], object]]


@each_scene
def test_the_socket_is_cut(prepare: Scene) -> None:
    client = EngineClient()
    with client.stream:
        channels = prepare(client)
        client.stream.shutdown(socket.SHUT_RDWR)
        check(client.lose(), channels)
    assert client.connection.next_event() is None
    assert client.connection.next_timer() is None


def test_the_socket_is_cut_while_we_close() -> None:
    """What waits is told; that the peer has gone without an answer is as good as one."""
    client = EngineClient()
    with client.stream:
        channel = client.open_channel()
        client.connection.send(channel, methods.ConfirmSelect(no_wait=True))
        client.connection.publish(channel, methods.BasicPublish("", "nowhere"))
        client.connection.close()
        client.send()
        client.stream.shutdown(socket.SHUT_RDWR)
        told = client.lose()
    assert told == [engine.ChannelClosed(channel, None, False, unconfirmed=(1,)), engine.Closed(None, False)]


@contextmanager
def killable(folder: Path) -> Iterator[Killable]:
    """A broker, and what kills it."""
    if KILL_COMMAND:
        yield URL, lambda: run_command(["sh", "-c", KILL_COMMAND])
        return
    scripts = find_scripts()
    if scripts is None:
        pytest.skip("needs RabbitMQ, installed")
    mechanisms = "".join(
        f"auth_mechanisms.{number} = {name}\n" for number, name in enumerate(("PLAIN", CHALLENGES), 1)
    )
    broker = OwnBroker(scripts, folder, mechanisms)
    broker.start()
    is_alive = True

    def kill() -> None:
        nonlocal is_alive
        broker.kill()
        is_alive = False

    try:
        yield broker.url, kill
    finally:
        if is_alive:
            broker.stop()


class Busy(EngineClient):
    """A client that has published much, and whose broker is about to confirm and to deliver it."""

    def prepare(self) -> None:
        channel = self.open_channel()
        queue = self.declare_queue(channel)
        self.connection.send(channel, methods.ConfirmSelect(no_wait=True))
        self.connection.send(channel, methods.BasicConsume(queue, "c", no_wait=True))
        for _ in range(PUBLISHED):
            self.connection.publish(channel, methods.BasicPublish("", queue), None, b"x" * 100)
        self.send()

    def receive_all(self) -> list[engine.Event]:
        """Receive all that has come, and the end."""
        told: list[engine.Event] = []
        while not told or not isinstance(told[-1], engine.Closed):
            try:
                self.receive()
            except ConnectionError:
                self.connection.receive_eof(time.monotonic())
            told += iter(self.connection.next_event, None)
        return told


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, tuple[EngineClient, Channels]]]:
    """All scenes at once, on a broker that is killed then; ``closing``, ``challenged`` and ``busy`` besides."""
    clients: dict[str, tuple[EngineClient, Channels]] = {}

    def add(name: str, client: EngineClient, channels: Channels) -> None:
        clients[name] = client, channels

    with killable(tmp_path_factory.mktemp("killed")) as (url, kill):
        for prepare in SCENES:
            client = EngineClient(url)
            add(prepare.__name__, client, prepare(client))
        client = EngineClient(url)
        channel = client.open_channel()
        client.connection.close()
        client.send()
        add("closing", client, [{}] * channel)
        if not KILL_COMMAND:
            client = EngineClient(url, engine.OtherLogin(CHALLENGES, b"guest"))
            client.wait_for(engine.Challenged)
            add("challenged", client, [])
        busy = Busy(url)
        busy.prepare()
        add("busy", busy, [])
        kill()
        yield clients
    for client, _ in clients.values():
        client.stream.close()


@pytest.mark.parametrize("name", [*(prepare.__name__ for prepare in SCENES), "challenged"])
def test_the_broker_is_killed(broken: dict[str, tuple[EngineClient, Channels]], name: str) -> None:
    if name not in broken:
        pytest.skip(f"needs a broker that offers {CHALLENGES}")
    client, channels = broken[name]
    check(client.lose(), channels)
    assert client.connection.next_event() is None
    assert client.connection.next_timer() is None


def test_the_broker_is_killed_while_we_close(broken: dict[str, tuple[EngineClient, Channels]]) -> None:
    told = broken["closing"][0].lose()
    assert told == [engine.ChannelClosed(1, None, False), engine.Closed(None, False)]


def test_no_confirm_is_lost_or_doubled_when_the_broker_is_killed(
    broken: dict[str, tuple[EngineClient, Channels]],
) -> None:
    client = broken["busy"][0]
    assert isinstance(client, Busy)
    *told, channel_closed, closed = client.receive_all()
    assert isinstance(closed, engine.Closed)
    assert closed.by_peer
    assert isinstance(channel_closed, engine.ChannelClosed)
    numbers: Counter[int] = Counter(channel_closed.unconfirmed)
    tags: list[int] = []
    for event in told:
        match event:
            case engine.Confirmed(numbers=confirmed):
                numbers.update(confirmed)
            case engine.Delivered(delivery_tag=tag):
                tags.append(tag)
            case _:
                pytest.fail(f"{event} came")
    assert numbers == Counter(range(1, PUBLISHED + 1))
    assert channel_closed.unacknowledged == tuple(tags)
