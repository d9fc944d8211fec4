"""The broker under test: what the driver of a rule talks to, by plain sockets and the generated package.

A driver that has a parameter ``broker`` gets a ``Broker``::

    @rules.implements("queue.declare.passive/passive")
    def passive(broker: Broker) -> None:
        channel = broker.open_channel()
        channel.send(QueueDeclare(queue=broker.name(), passive=True))
        channel.expect(ChannelClose, reply_code=404)

Nothing is sent but what the driver says; only a close of the broker is answered at once. What does not come as
expected is ``Unexpected``, an AssertionError. All connections are closed when the test ends.
"""

from collections import defaultdict, deque
from typing import Any, Final

from .broker_socket import NothingCame, SocketConnection, Unexpected, UrlBroker

_QUIET: Final = 0.3


class Broker(UrlBroker):
    """The broker at a URL."""

    def dial(self) -> "Connection":
        """Connects a socket, and sends nothing yet."""
        connection = Connection(self)
        self._connections.append(connection)
        return connection

    def connect(self, **tuning: int) -> "Connection":
        """Opens a connection; ``tuning`` are fields of connection.tune-ok to send instead of what the broker says."""
        connection = self.dial()
        connection.log_in()
        connection.tune(**tuning)
        connection.open()
        return connection

    def open_channel(self) -> "Channel":
        """Opens channel 1 of a new connection."""
        return self.connect().open_channel()


class Channel:
    """One channel of a connection."""

    def __init__(self, connection: "Connection", number: int) -> None:
        self.connection = connection
        self.number = number

    def send(self, *frames: Any) -> None:
        """Sends methods, content headers and bodies, as they are."""
        amqp = self.connection.amqp
        self.connection.send_octets(b"".join(amqp.encode_frame(self.number, frame) for frame in frames))

    def publish(self, routing_key: str, body: bytes = b"", properties: Any = None, **fields: Any) -> None:
        """Sends a message by basic.publish; ``fields`` are further ones of it."""
        amqp = self.connection.amqp
        method = amqp.methods.BasicPublish(routing_key=routing_key, **fields)
        limit = self.connection.max_frame_size
        self.connection.send_octets(
            amqp.encode_message(self.number, method, properties, body, max_frame_size=limit)
        )

    def call(self, method: Any) -> Any:
        """Sends a method and returns its reply, one of those that the specification names."""
        replies: Any = method.RESPONSES
        self.send(method)
        return self.expect(*replies)

    def expect(self, *kinds: Any, **fields: object) -> Any:
        """The next method, which is of one of these classes and has these values; a ``Message`` if it has content."""
        values = ", ".join(f"{name}={value!r}" for name, value in fields.items())
        expected = " or ".join(kind.NAME for kind in kinds) + (f" with {values}" if values else "")
        item = self.receive(expected)
        method = getattr(item, "method", item)
        if not isinstance(method, kinds) or any(
            getattr(method, name) != value for name, value in fields.items()
        ):
            raise Unexpected(f"expected {expected}, got {item!r}")
        return item

    def expect_silence(self, seconds: float = _QUIET) -> None:
        """Listens for that long; nothing may come on this channel."""
        try:
            item = self.receive("nothing", seconds)
        except NothingCame:
            return
        raise Unexpected(f"expected nothing, got {item!r}")

    def receive(self, expected: str = "a method", seconds: float | None = None) -> Any:
        """The next method, or ``Message`` if it has content, whatever it is; or the end of the connection."""
        return self.connection.receive(self.number, expected, seconds)

    def close(self) -> None:
        """Closes the channel; what comes before the answer is dropped."""
        methods = self.connection.amqp.methods
        self.send(methods.ChannelClose(reply_code=200, reply_text="done"))
        while not isinstance(item := self.receive("channel.close-ok"), methods.ChannelCloseOk):
            if isinstance(item, (methods.ChannelClose, methods.ConnectionClose)):
                raise Unexpected(f"expected channel.close-ok, got {item!r}")


class Connection(SocketConnection):
    """A connection.

    Attributes:
        control: Channel 0.
        start: The connection.start of the broker, after ``log_in``.
        offer: Its connection.tune, after ``log_in``.
        max_frame_size: The largest frame that is sent and taken.
    """

    def __init__(self, broker: Broker) -> None:
        super().__init__(broker)
        self.control = Channel(self, 0)
        self.start: Any = None
        self.offer: Any = None
        self.max_frame_size: int = self.amqp.constants.FRAME_MIN_SIZE
        # Brokers use letters of their own in the tables of every version, hence lenient.
        self._decoder: Any = self.amqp.FrameDecoder(
            max_frame_size=self.max_frame_size, lenient=True, strict=True
        )
        self._contents: Any = self.amqp.ContentAssembler()
        self._ready: defaultdict[int, deque[Any]] = defaultdict(deque)

    # --- the handshake ---

    def log_in(self, **changes: Any) -> None:
        """Sends header and connection.start-ok, up to connection.tune; ``changes`` are fields of start-ok."""
        methods = self.amqp.methods
        self.send_octets(self.amqp.PROTOCOL_HEADER)
        self.start = self.control.expect(methods.ConnectionStart)
        known: dict[str, Any] = {
            "client_properties": {"product": "conformance"},
            "mechanism": "PLAIN",
            "response": self.amqp.plain_response(self.url.user, self.url.password),
            "locale": "en_US",
        }
        self.control.send(methods.ConnectionStartOk(**{**known, **changes}))
        self.offer = self.control.expect(methods.ConnectionTune)

    def tune(self, **changes: int) -> None:
        """Sends connection.tune-ok: what the broker offers and no heartbeats, but for ``changes``."""
        known = {"channel_max": self.offer.channel_max, "frame_max": self.offer.frame_max, "heartbeat": 0}
        tuned = {**known, **changes}
        self.max_frame_size = self._decoder.max_frame_size = tuned["frame_max"]
        self.control.send(self.amqp.methods.ConnectionTuneOk(**tuned))

    def open(self) -> None:
        """Opens the virtual host of the URL."""
        self.control.call(self.amqp.methods.ConnectionOpen(virtual_host=self.url.virtual_host))

    def open_channel(self, number: int = 1) -> Channel:
        """Opens a channel."""
        channel = Channel(self, number)
        channel.call(self.amqp.methods.ChannelOpen())
        return channel

    # --- octets and frames ---

    def receive(self, number: int, expected: str, seconds: float | None = None) -> Any:
        """The next method or message on a channel, or the connection.close of the broker."""
        close = self.amqp.methods.ConnectionClose
        until = self._until(seconds)
        while not self._ready[number]:
            ended = next((item for item in self._ready[0] if isinstance(item, close)), None)
            if ended is not None:
                return ended
            self._read(until, expected)
        return self._ready[number].popleft()

    def _read(self, until: float, expected: str) -> None:
        """Puts what comes next into the queues of its channels."""
        octets = self._socket.receive(until, expected)
        try:
            frames = self._decoder.feed(octets)
        except self.amqp.DecodeError as error:
            raise Unexpected(f"expected {expected}, got octets that are no frame: {error}") from None
        for number, frame in frames:
            item = self._contents.add(number, frame)
            if item is not None and not isinstance(frame, self.amqp.Heartbeat):
                self._ready[number].append(item)
                self._answer(number, item)

    def _answer(self, number: int, item: Any) -> None:
        methods = self.amqp.methods
        if isinstance(item, methods.ConnectionClose):
            self.send_octets(self.amqp.encode_frame(0, methods.ConnectionCloseOk()))
        elif isinstance(item, methods.ChannelClose):
            self.send_octets(self.amqp.encode_frame(number, methods.ChannelCloseOk()))
