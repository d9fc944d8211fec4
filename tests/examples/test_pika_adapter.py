"""``examples/pika_adapter`` against brokers that do what RabbitMQ rarely does; with pika's own tests on RabbitMQ: ``tests/clients``."""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest
from amqp_0_9_1_rabbitmq import methods
from amqp_0_9_1_rabbitmq.client import connection as engine

from tests.commands import run_command

from .programs import ROOT, peer

sys.path.append(str(ROOT / "examples"))  # in these tests ``examples`` is their own folder
adapter: Any = import_module("pika_adapter")
errors: Any = adapter.errors

Serve = Callable[[amqp.Connection, engine.Event], object]


def broker(serve: Serve, until: engine.ConnectionState | None = None) -> Callable[[socket.socket], None]:
    """A broker that lets everybody in, tells events to a function, and hangs up in a state."""

    def run(stream: socket.socket) -> None:
        connection = amqp.Connection(amqp.ServerSettings(heartbeat=0))
        connection.start(0.0)
        while not connection.is_closed:
            connection.receive_data(stream.recv(65536), 0.0)
            while (event := connection.next_event()) is not None:
                if connection.state is until:
                    return
                match event:
                    case engine.LoginRequested():
                        connection.accept_login()
                    case engine.OpenRequested():
                        connection.accept_open()
                    case engine.Requested(channel, method) if method.expects_reply:
                        connection.reply(channel, method.RESPONSES[0]())
                serve(connection, event)
            stream.sendall(connection.data_to_send())

    return run


def nothing(*_: object) -> None:
    """Serve nothing."""


def connect(url: str) -> Any:
    parameters = adapter.URLParameters(url)
    parameters.stack_timeout = parameters.socket_timeout = None
    return adapter.BlockingConnection(parameters)


@pytest.mark.parametrize(
    ("state", "error"),
    [
        (engine.ConnectionState.SECURE, errors.ProbableAuthenticationError),
        (engine.ConnectionState.OPENING, errors.ProbableAccessDeniedError),
    ],
)
def test_a_broker_that_hangs_up_has_a_reason(state: engine.ConnectionState, error: type[Exception]) -> None:
    with peer(broker(nothing, until=state)) as url, pytest.raises(error):
        connect(url)


@pytest.mark.parametrize("answer", [b"", b"AMQP\x00\x00\x09\x00", b"HTTP/1.1 400 Bad Request\r\n"])
def test_another_protocol(answer: bytes) -> None:
    def serve(stream: socket.socket) -> None:
        stream.recv(8)
        stream.sendall(answer)

    with peer(serve) as url, pytest.raises(errors.IncompatibleProtocolError):
        connect(url)


def test_a_refused_login_says_so() -> None:
    def refuse(connection: amqp.Connection, event: engine.Event) -> None:
        if isinstance(event, engine.LoginRequested):
            connection.close(403, "ACCESS_REFUSED")

    with peer(broker(refuse)) as url, pytest.raises(errors.ProbableAuthenticationError, match="403"):
        connect(url)


def test_callbacks_of_a_blocked_broker() -> None:
    def block(connection: amqp.Connection, event: engine.Event) -> None:
        if isinstance(event, engine.ChannelOpened):
            connection.send(0, methods.ConnectionBlocked("low on memory"))
            connection.send(0, methods.ConnectionUnblocked())

    told: list[Any] = []
    with peer(broker(block)) as url, connect(url) as connection:
        connection.add_on_connection_blocked_callback(lambda *args: told.append(args))
        connection.add_on_connection_unblocked_callback(lambda *args: told.append(args))
        connection.channel()
        while len(told) < 2:
            connection.process_data_events(None)
        assert told == [
            (connection, (0, methods.ConnectionBlocked("low on memory"))),
            (connection, (0, methods.ConnectionUnblocked())),
        ]


def test_a_message_that_is_refused() -> None:
    def refuse(connection: amqp.Connection, event: engine.Event) -> None:
        if isinstance(event, engine.Published) and event.number is not None:
            connection.nack(event.channel, event.number)

    with peer(broker(refuse)) as url, connect(url) as connection:
        channel = connection.channel()
        channel.basic_publish("", "q", "not confirmed")
        channel.confirm_delivery()
        with pytest.raises(errors.NackError):
            channel.basic_publish("", "q", b"refused")


def test_a_silent_broker() -> None:
    def serve(stream: socket.socket) -> None:
        server = amqp.Connection(amqp.ServerSettings(heartbeat=1))
        server.start(0.0)
        commands: Iterable[Callable[[], None]] = (server.accept_login, server.accept_open)
        for command in commands:
            while server.next_event() is None:
                stream.sendall(server.data_to_send())
                server.receive_data(stream.recv(65536), 0.0)
            command()
        stream.sendall(server.data_to_send())
        while stream.recv(65536):
            pass

    with peer(serve) as url:
        connection = connect(f"{url}/?heartbeat=1")
        with pytest.raises(errors.AMQPHeartbeatTimeout):
            while True:
                connection.process_data_events(None)


def test_a_delivery_that_does_not_wait() -> None:
    with peer(broker(nothing)) as url, connect(url) as connection:
        channel = connection.channel()
        with pytest.raises(amqp.LocalError, match="no delivery 5"):
            channel.basic_ack(5)
        assert channel.is_open


def test_a_callback_cannot_wait_for_callbacks() -> None:
    with peer(broker(nothing)) as url, connect(url) as connection:
        channel = connection.channel()
        connection.call_later(0, channel.start_consuming)
        with pytest.raises(errors.ReentrancyError):
            connection.process_data_events(None)


def test_time_limit() -> None:
    with peer(broker(nothing)) as url, connect(url) as connection:
        start = time.monotonic()
        connection.process_data_events(0.05)
        assert time.monotonic() - start >= 0.05


def test_install_refuses_a_pika_that_is_there() -> None:
    install = "import pika_adapter\npika_adapter.install(); pika_adapter.install()\n"
    environment = {"PYTHONPATH": f"{ROOT / 'examples'}:{ROOT / 'generated'}"}
    done = run_command(
        [sys.executable, "-c", f"{install}import pika; pika.spec.Basic.GetOk"], env=environment
    )
    assert done.returncode == 0, done.stderr
    done = run_command(
        [sys.executable, "-c", f"import sys; sys.modules['pika'] = sys\n{install}"], env=environment
    )
    assert "pika is imported already" in done.stderr
