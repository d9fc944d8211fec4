"""A small client for tests: a generated package, a socket, and the wish to see every frame.

``Inbox`` turns octets into frames and messages and does no input or output; ``Client`` owns the socket.
The package is a parameter, so that one client speaks 0-8, 0-9, 0-9-1 and RabbitMQ's variant of it.
"""

from __future__ import annotations

import os
import socket
import time
from collections import defaultdict, deque
from typing import Any, NamedTuple, Protocol
from urllib.parse import unquote, urlsplit

from tests.patience import PATIENCE

URL = os.environ.get("AMQP_URL", "amqp://guest:guest@localhost:5672/")
CAPABILITIES = {
    "basic.nack": True,
    "publisher_confirms": True,
    "consumer_cancel_notify": True,
    "connection.blocked": True,
    "authentication_failure_close": True,
}


class Address(NamedTuple):
    """Where the broker is and who we are there."""

    host: str
    port: int
    user: str
    password: str
    virtual_host: str


def address(url: str = URL) -> Address:
    """The parts of ``amqp://user:password@host:port/vhost``; no or an empty path means the virtual host ``/``."""
    parts = urlsplit(url)
    return Address(
        parts.hostname or "localhost",
        parts.port or 5672,
        unquote(parts.username or "guest"),
        unquote(parts.password or "guest"),
        unquote(parts.path[1:]) or "/",
    )


class Disconnected(Exception):
    """The broker closed the socket."""


class Dial(Protocol):
    """The type of the fixture ``dial``."""

    def __call__(self, amqp: Any = ..., *, dialect: str = ..., lossless: bool = ...) -> Client: ...


class Connect(Protocol):
    """The type of the fixture ``connect``."""

    def __call__(
        self,
        amqp: Any = ...,
        *,
        dialect: str = ...,
        lossless: bool = ...,
        frame_max: int = ...,
        heartbeat: int = ...,
    ) -> Client: ...


class Inbox:
    """Sorts what comes in by channel; heartbeats are only counted.

    Attributes:
        assembler: That of the package, which puts contents together.
        heartbeats: How many heartbeats came.
        pieces: The sizes of the body frames that came.
    """

    def __init__(self, amqp: Any, **options: Any) -> None:
        self.amqp = amqp
        self.decoder = amqp.FrameDecoder(**options)
        self.assembler = amqp.ContentAssembler()
        self.heartbeats = 0
        self.pieces: list[int] = []
        self._ready: defaultdict[int, deque[Any]] = defaultdict(deque)

    def feed(self, data: bytes) -> None:
        """Takes octets from the socket."""
        for channel, frame in self.decoder.feed(data):
            if isinstance(frame, self.amqp.Heartbeat):
                self.heartbeats += 1
                continue
            if isinstance(frame, self.amqp.ContentBody):
                self.pieces.append(len(frame.payload))
            item = self.assembler.add(channel, frame)
            if item is not None:
                self._ready[channel].append(item)

    def take(self, channel: int) -> Any:
        """The next method or message of a channel; None when there is none."""
        queue = self._ready[channel]
        return queue.popleft() if queue else None

    def waiting(self, channel: int) -> int:
        """How many methods and messages of a channel nobody has taken yet."""
        return len(self._ready[channel])


class Client:
    """One connection, driven step by step.

    Attributes:
        amqp: The generated package.
        inbox: What came in and was not taken yet.
        start: The server's connection.start, after ``handshake``.
        tune: The server's connection.tune, after ``handshake``.
        frame_max: The negotiated frame size.
        chunk: How many octets to read at a time.
    """

    def __init__(
        self,
        amqp: Any,
        *,
        dialect: str = "rabbitmq",
        lossless: bool = False,
        timeout: float = PATIENCE,
        broker: Address | None = None,
        source: tuple[str, int] | None = None,
    ) -> None:
        self.amqp = amqp
        self.dialect = dialect
        self.timeout = timeout
        self.chunk = 1 << 18
        self.inbox = Inbox(amqp, dialect=dialect, lossless=lossless)
        self.address = broker or address()
        self.frame_max: int = amqp.constants.FRAME_MIN_SIZE
        self.start: Any = None
        self.tune: Any = None
        self.socket = socket.create_connection(self.address[:2], timeout, source)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    # --- octets ---

    def send_octets(self, data: bytes) -> None:
        """Sends octets; Disconnected when the broker has closed the socket."""
        self.socket.settimeout(self.timeout)
        try:
            self.socket.sendall(data)
        except ConnectionError as error:
            raise Disconnected(str(error)) from None

    def receive_octets(self, deadline: float | None = None) -> bytes:
        """What the socket has; Disconnected at its end, TimeoutError at the deadline (monotonic time)."""
        deadline = time.monotonic() + self.timeout if deadline is None else deadline
        self.socket.settimeout(max(deadline - time.monotonic(), 0.001))
        try:
            data = self.socket.recv(self.chunk)
        except ConnectionError as error:
            raise Disconnected(str(error)) from None
        if not data:
            raise Disconnected("end of stream")
        return data

    # --- frames ---

    def send(self, *frames: Any, channel: int = 1) -> None:
        self.send_octets(
            b"".join(self.amqp.encode_frame(channel, frame, dialect=self.dialect) for frame in frames)
        )

    def next(self, channel: int = 1) -> Any:
        """The next method or message of a channel; raises the error with which the broker closed it, if it did."""
        return self._checked(self.take(channel), channel)

    def take(self, channel: int = 1) -> Any:
        """The next method or message of a channel, also a close, which is not answered."""
        deadline = time.monotonic() + self.timeout
        while True:
            # A closed connection is news for every channel, once what came before it is taken.
            item = self.inbox.take(channel) or self.inbox.take(0)
            if item is not None:
                return item
            self.inbox.feed(self.receive_octets(deadline))

    def _checked(self, item: Any, channel: int) -> Any:
        methods, errors = self.amqp.methods, self.amqp.errors
        if isinstance(item, methods.ConnectionClose):
            self.send(methods.ConnectionCloseOk(), channel=0)
            self.socket.close()
            unknown = errors.ConnectionCloseError
        elif isinstance(item, methods.ChannelClose):
            self.send(methods.ChannelCloseOk(), channel=channel)
            unknown = errors.ChannelCloseError
        else:
            return item
        # RabbitMQ sends codes on 0-8 connections that 0-8 does not have.
        error = self.amqp.CLOSE_ERRORS.get(item.reply_code, unknown)
        raise error(item.reply_text, item.class_id, item.method_id)

    def expect(self, *kinds: type, channel: int = 1) -> Any:
        """The next thing on the channel, which must be a method, or a message with a method, of these classes."""
        item = self.next(channel)
        method = item.method if isinstance(item, self.amqp.Message) else item
        assert isinstance(method, kinds), f"{[kind.__name__ for kind in kinds]} expected, got {item!r}"
        return item

    def call(self, method: Any, channel: int = 1) -> Any:
        """Sends a request and returns its reply, the next thing that comes; raises the error of a close."""
        assert method.expects_reply
        self.send(method, channel=channel)
        return self.expect(*method.RESPONSES, channel=channel)

    def pump(self, seconds: float) -> None:
        """Takes in whatever comes during that time."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                self.inbox.feed(self.receive_octets(deadline))
            except TimeoutError:
                return

    # --- connection ---

    def handshake(
        self,
        *,
        header: bytes | None = None,
        frame_max: int = 0,
        heartbeat: int = 0,
        capabilities: dict[str, Any] | None = None,
    ) -> Client:
        """Protocol header, login, tuning and open, up to connection.open-ok; 0 takes the server's frame size."""
        methods = self.amqp.methods
        self.send_octets(self.amqp.PROTOCOL_HEADER if header is None else header)
        self.start = self.expect(methods.ConnectionStart, channel=0)
        self.send(self.start_ok(capabilities), channel=0)
        self.tune = self.expect(methods.ConnectionTune, channel=0)
        self.frame_max = frame_max or self.tune.frame_max
        self.inbox.decoder.max_frame_size = self.frame_max
        self.send(methods.ConnectionTuneOk(self.tune.channel_max, self.frame_max, heartbeat), channel=0)
        self.call(methods.ConnectionOpen(virtual_host=self.address.virtual_host), channel=0)
        return self

    def start_ok(self, capabilities: dict[str, Any] | None = None) -> Any:
        return self.amqp.methods.ConnectionStartOk(
            client_properties={
                "product": "amqp-codegen broker tests",
                "capabilities": CAPABILITIES if capabilities is None else capabilities,
            },
            mechanism="PLAIN",
            response=f"\0{self.address.user}\0{self.address.password}".encode(),
            locale="en_US",
        )

    def open_channel(self, channel: int = 1) -> Client:
        self.call(self.amqp.methods.ChannelOpen(), channel=channel)
        return self

    def close(self) -> None:
        """Closes the connection in good order, if it is still open; what comes in meanwhile is dropped."""
        if self.socket.fileno() < 0:
            return
        try:
            self.send(self.amqp.methods.ConnectionClose(200, "bye"), channel=0)
            while not isinstance(self.next(channel=0), self.amqp.methods.ConnectionCloseOk):
                pass
        finally:
            self.socket.close()

    # --- shorthands ---

    def declare(self, queue: str = "", **arguments: Any) -> str:
        """Declares an exclusive queue on channel 1 and returns its name."""
        options: dict[str, Any] = {"exclusive": True} | arguments
        return str(self.call(self.amqp.methods.QueueDeclare(queue=queue, **options)).queue)

    def publish(
        self,
        routing_key: str,
        body: bytes = b"",
        properties: Any = None,
        *,
        exchange: str = "",
        mandatory: bool = False,
        channel: int = 1,
    ) -> None:
        method = self.amqp.methods.BasicPublish(
            exchange=exchange, routing_key=routing_key, mandatory=mandatory
        )
        self.send_octets(
            self.amqp.encode_message(
                channel, method, properties, body, max_frame_size=self.frame_max, dialect=self.dialect
            )
        )

    def get(self, queue: str, *, no_ack: bool = True) -> Any:
        """Fetches one message, None when the queue is empty."""
        item = self.call(self.amqp.methods.BasicGet(queue=queue, no_ack=no_ack))
        return item if isinstance(item, self.amqp.Message) else None

    def fetch(self, queue: str) -> Any:
        """Fetches one message, which must be there: a publish on the same channel comes before the get."""
        message = self.get(queue)
        assert message is not None, f"{queue} is empty"
        return message

    def expect_count(self, queue: str, count: int) -> None:
        """Waits until a queue has that many ready messages: a passive declare overtakes publishes and acks."""
        deadline = time.monotonic() + self.timeout
        ready = -1
        while ready != count and time.monotonic() < deadline:
            ready = self.call(self.amqp.methods.QueueDeclare(queue=queue, passive=True)).message_count
        assert ready == count, f"{queue} has {ready} ready messages, not {count}"
