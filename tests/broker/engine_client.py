"""The connection engine on a socket, by default that of amqp_0_9_1_rabbitmq."""

from __future__ import annotations

import socket
import time
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
from amqp_0_9_1_rabbitmq.client import connection as engine
from amqp_0_9_1_rabbitmq.methods import QueueDeclare

from tests.patience import PATIENCE

from .client import URL, address


class EngineClient:
    """A client whose engine is told only what a test wants it to know."""

    def __init__(self, url: str = URL, login: Any = None, package: Any = amqp, **settings: Any) -> None:
        place = address(url)
        login = login or package.PlainLogin(place.user, place.password)
        self.connection: amqp.Connection = package.Connection(
            package.ClientSettings(login=login, heartbeat=0, **settings)
        )
        self.stream = socket.create_connection(place[:2], timeout=PATIENCE)
        self.connection.start(time.monotonic())

    def send(self) -> None:
        """Send all that waits."""
        self.stream.sendall(self.connection.data_to_send())

    def receive(self, size: int = 65536) -> None:
        """Receive what has come, at most so many octets."""
        self.connection.receive_data(self.stream.recv(size), time.monotonic())

    def next_event(self) -> engine.Event:
        while (event := self.connection.next_event()) is None:
            self.send()
            self.receive()
        return event

    def wait_for(self, kind: type[Any]) -> Any:
        """Return the next event, which has to be of this kind."""
        event = self.next_event()
        assert isinstance(event, kind), event
        return event

    def open_channel(self) -> int:
        self.wait_for(engine.Opened)
        channel = self.connection.open_channel()
        self.wait_for(engine.ChannelOpened)
        return channel

    def declare_queue(self, channel: int) -> str:
        """Declare a queue of this connection; return its name."""
        request = self.connection.request(channel, QueueDeclare("", exclusive=True))
        return request.answer(self.wait_for(engine.Reply)).queue

    def go_to(self, state: str) -> None:
        """Go on until the connection is in a state, and no octet further."""
        while self.connection.state.value != state:
            self.send()
            self.receive(1)
            assert self.connection.next_event() is None

    def lose(self) -> list[engine.Event]:
        """Pass over what comes until the peer is gone; return what the engine tells then."""
        while self._receives():
            pass
        self.connection.receive_eof(time.monotonic())
        return list(iter(self.connection.next_event, None))

    def _receives(self) -> bool:
        try:
            return bool(self.stream.recv(65536))
        except ConnectionError:
            return False
