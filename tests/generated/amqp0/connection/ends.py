"""A client and a server engine face to face, and what tests say to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any


class Ends:
    """Both ends of a connection, whose octets a test moves, in pieces of a size.

    Attributes:
        amqp: The package.
        engine: Its folder ``client.connection``.
        now: The clock of both.
        client_events: What the client has told and no test has taken.
        sent: What each side has sent so far.
    """

    def __init__(self, package: str, *, piece: int = 1 << 20, **settings: Any) -> None:
        self.amqp: Any = import_module(package)
        self.engine: Any = import_module(f"{package}.client.connection")
        self.methods: Any = self.amqp.methods
        self.now = 100.0
        client = {name: value for name, value in settings.items() if not name.startswith("server_")}
        server = {name[7:]: value for name, value in settings.items() if name.startswith("server_")}
        login = client.pop("login", self.engine.PlainLogin("guest", "secret"))
        self.client: Any = self.engine.Connection(self.engine.ClientSettings(login=login, **client))
        self.server: Any = self.engine.Connection(self.engine.ServerSettings(**server))
        self.sent = {"client": b"", "server": b""}
        self._piece = piece

    def start(self) -> None:
        """Start both."""
        self.server.start(self.now)
        self.client.start(self.now)

    def move(self, source: Any, target: Any, limit: int | None = None) -> int:
        """Move what one side has to send; return how many octets that were."""
        octets = source.data_to_send(limit)
        self.sent["client" if source is self.client else "server"] += octets
        for start in range(0, len(octets), self._piece):
            target.receive_data(octets[start : start + self._piece], self.now)
        return len(octets)

    def exchange(self, answer: Callable[[Any], None] | None = None) -> tuple[list[Any], list[Any]]:
        """Move octets until nothing is left; return the events of client and server, whom ``answer`` sees at once."""
        client: list[Any] = []
        server: list[Any] = []
        is_busy = True
        while is_busy:
            known = len(client) + len(server)
            client += events(self.client)
            for event in events(self.server):
                server.append(event)
                if answer is not None:
                    answer(event)
            moved = self.move(self.client, self.server) + self.move(self.server, self.client)
            is_busy = bool(moved) or len(client) + len(server) > known
        return client, server

    def welcome(self, event: Any) -> None:
        """Accept what a client asks for during the handshake."""
        if isinstance(event, self.engine.LoginRequested):
            self.server.accept_login()
        elif isinstance(event, self.engine.OpenRequested):
            self.server.accept_open()

    def open(self) -> tuple[list[Any], list[Any]]:
        """Go through the handshake; return the events of client and server."""
        self.start()
        return self.exchange(self.welcome)

    def open_channel(self) -> int:
        """Open a channel on both sides."""
        number: int = self.client.open_channel()
        self.exchange()
        return number

    def consume(self, channel: int, tag: str = "c", *, no_ack: bool = False) -> None:
        """Make a consumer."""
        methods = self.methods
        self.client.request(channel, methods.BasicConsume(queue="q", consumer_tag=tag, no_ack=no_ack))
        self.exchange()
        self.server.reply(channel, methods.BasicConsumeOk(tag))
        self.exchange()

    def deliver(self, channel: int, delivery_tag: int, body: bytes = b"x", tag: str = "c") -> None:
        """Deliver a message to a consumer, without moving it."""
        method = self.methods.BasicDeliver(consumer_tag=tag, delivery_tag=delivery_tag)
        self.server.publish(channel, method, self.amqp.BasicProperties(), body)


def opened(package: str, **settings: Any) -> Ends:
    """Return both ends of an open connection."""
    ends = Ends(package, **settings)
    ends.open()
    return ends


def events(connection: Any) -> Iterator[Any]:
    """Pull events until there is none."""
    while (event := connection.next_event()) is not None:
        yield event


def names(found: list[Any]) -> list[str]:
    """Return the names of the classes of events."""
    return [type(event).__name__ for event in found]
