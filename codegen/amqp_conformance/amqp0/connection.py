"""One connection to a broker of the 0-x family and its channels, step by step.

What most drivers need before their trial is set-up: ``open_channel``, and of a channel ``declare_queue``,
``declare_exchange``, ``bind``, ``get`` and ``close``, and the ``close`` of a connection. In ``broker.trial()`` they count like any other step.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from ..engine.broker_view import BrokerView
from ..engine.run_result import NoAnswer, NotTestable, Violation
from .frame_exchange import FrameExchange
from .frames import HeaderAnswer, ReceivedMessage, describe, frame_name, frame_text

# How long to wait for a refusal before our own method shows that none comes.
_MOMENT_SECONDS = 1.0

# Those by which we can log in, best first.
MECHANISMS = ("PLAIN", "AMQPLAIN")
# Octets of the length of a table, which AMQPLAIN leaves out.
_TABLE_LENGTH = 4

CAPABILITIES: Mapping[str, Any] = {
    "authentication_failure_close": True,
    "basic.nack": True,
    "connection.blocked": True,
    "consumer_cancel_notify": True,
    "publisher_confirms": True,
}
CLIENT_PROPERTIES: Mapping[str, Any] = {
    "product": "amqp-codegen conformance",
    "version": "1",
    "platform": "Python",
    "information": "checks a broker against the rules of the specification",
}


class LiveChannel:
    """One channel of a connection; channel 0 stands for the connection itself."""

    def __init__(self, connection: LiveConnection, number: int) -> None:
        self.connection = connection
        self.number = number
        self.amqp: Any = connection.amqp
        self.broker = connection.broker
        self._barrier = ""

    # --- sending ---

    def send(self, *frames: Any) -> None:
        """Send methods, content headers and content bodies, exactly as given."""
        self.connection.send(*frames, channel=self.number)

    def publish(
        self,
        routing_key: str,
        body: bytes = b"",
        properties: Any = None,
        *,
        exchange: str = "",
        mandatory: bool = False,
        immediate: bool = False,
    ) -> None:
        """Publish a message, in as many frames as it takes."""
        method = self.amqp.methods.BasicPublish(
            exchange=exchange, routing_key=routing_key, mandatory=mandatory, immediate=immediate
        )
        self.connection.send_message(self.number, method, properties, body)

    # --- what comes ---

    def next(self, seconds: float | None = None) -> Any:
        """Return the next method of this channel, ``ReceivedMessage`` if it has content, or the end of the connection.

        Raises:
            NoAnswer: Nothing arrived in time.
            Disconnected: The broker closed the socket.
        """
        return self.connection.take(self.number, seconds)

    def expect(self, *kinds: type) -> Any:
        """Return the next method or message, which must be of one of these classes.

        Raises:
            Violation: Another one arrives, or none.
        """
        expected = " or ".join(kind.NAME for kind in kinds)  # type: ignore[attr-defined]
        with self.connection.expecting(expected):
            item = self.next()
        if not isinstance(getattr(item, "method", item), kinds):
            raise Violation.unexpected(expected, describe(item))
        return item

    def call(self, method: Any) -> Any:
        """Send a method and return its reply, which must be one of those that the specification names.

        Raises:
            Violation: Another reply, or none.
        """
        self.send(method)
        return self.expect(*type(method).RESPONSES)

    def grants(self, method: Any) -> bool:
        """Return whether the broker does what a method asks for, which it need not; a refusal closes something."""
        self.send(method)
        with self.broker.set_up(), self.connection.expecting(f"an answer to {method.NAME}"):
            return isinstance(self.next(), type(method).RESPONSES)

    def synchronize(self) -> list[Any]:
        """Wait until the broker has processed everything sent; return what else it sent meanwhile.

        A queue of ours is declared for that, and again the next time.

        Raises:
            Violation: It closed the channel or the connection.
        """
        methods = self.amqp.methods
        self._barrier = self._barrier or self.broker.name("barrier")
        self.send(methods.QueueDeclare(queue=self._barrier, exclusive=True))
        items: list[Any] = []
        while True:
            with self.connection.expecting("queue.declare-ok"):
                item = self.next()
            if isinstance(item, methods.QueueDeclareOk):
                return items
            if isinstance(item, (methods.ChannelClose, methods.ConnectionClose)):
                raise Violation(f"expected that the channel stays open, got {describe(item)}")
            items.append(item)

    def reaction(self) -> Any:
        """Return what comes next, where nothing need come.

        If nothing comes for a moment, the channel is closed: then it is channel.close-ok, or a late answer.

        Raises:
            NoAnswer, Disconnected: Not even that is answered.
        """
        moment = min(_MOMENT_SECONDS, self.broker.patience / 2)
        with suppress(NoAnswer):
            return self.next(moment)
        methods = self.amqp.methods
        self.send(methods.ChannelClose(reply_code=200, reply_text="done"))
        return self.next(self.broker.patience - moment)

    def expect_close(self, name: str, kind: Any = None) -> Any:
        """Expect a close with this reply code next: of the channel for a soft error, else of the connection.

        Args:
            name: The name of the constant, for example ``not-found``.
            kind: The class of the close, where a rule asks for another one than the constant is declared for.

        Returns:
            The close method; close-ok has been sent.

        Raises:
            Violation: Something else comes, or nothing.
        """
        constants, methods = self.amqp.constants, self.amqp.methods
        code = constants.ReplyCode[name.replace("-", "_").upper()]
        if kind is None:
            kind = methods.ChannelClose if code in constants.SOFT_ERRORS else methods.ConnectionClose
        expected = f"{kind.NAME} {int(code)} ({name})"
        with self.connection.expecting(expected):
            item = self.reaction()
        if not isinstance(item, kind) or item.reply_code != code:
            raise Violation.unexpected(expected, describe(item))
        return item

    def expect_refusal(self, *frames: Any, name: str) -> Any:
        """Send something that the broker must refuse with this reply code.

        Args:
            frames: A method, or a method with its content header and body.
            name: The name of the constant, for example ``not-found``.

        Returns:
            The close method.

        Raises:
            Violation: It is not refused, or in another way.
        """
        self.send(*frames)
        return self.expect_close(name)

    def expect_closed_by(self, method: Any, kind: Any) -> None:
        """Send a method that the broker must answer with a close of this class, whatever its code.

        Raises:
            Violation: It answers something else, or nothing.
        """
        self.send(method)
        reply = self.next()
        if not isinstance(reply, kind):
            raise Violation(f"expected {kind.NAME}, got {describe(reply)}")

    def get(self, queue: str, *, no_ack: bool = True) -> ReceivedMessage | None:
        """Fetch one message; return None if the queue is empty."""
        with self.broker.set_up():
            item = self.call(self.amqp.methods.BasicGet(queue=queue, no_ack=no_ack))
        return item if isinstance(item, ReceivedMessage) else None

    def fetch(self, queue: str, *, no_ack: bool = True) -> ReceivedMessage:
        """Fetch one message, which must be there.

        Raises:
            Violation: The queue is empty.
        """
        message = self.get(queue, no_ack=no_ack)
        if message is None:
            raise Violation(f"expected a message in the queue {queue}, got basic.get-empty")
        return message

    # --- shorthands ---

    def declare_queue(self, queue: str | None = None, **options: Any) -> str:
        """Declare a queue, exclusive by default, and return its name: a new one of ours unless it is given."""
        name = self.broker.name("queue") if queue is None else queue
        method = self.amqp.methods.QueueDeclare(queue=name, **{"exclusive": True, **options})
        with self.broker.set_up():
            return str(self.call(method).queue)

    def declare_exchange(self, exchange: str, type: str = "direct", **options: Any) -> str:
        """Declare an exchange and return its name."""
        with self.broker.set_up():
            self.call(self.amqp.methods.ExchangeDeclare(exchange=exchange, type=type, **options))
        return exchange

    def bind(self, queue: str, exchange: str, routing_key: str = "") -> None:
        """Bind a queue to an exchange."""
        method = self.amqp.methods.QueueBind(queue=queue, exchange=exchange, routing_key=routing_key)
        with self.broker.set_up():
            self.call(method)

    def close(self) -> None:
        """Close the channel properly; what arrives meanwhile is dropped."""
        self.send(self.amqp.methods.ChannelClose(reply_code=200, reply_text="done"))
        with self.broker.set_up():
            self.wait_for("channel.close-ok")

    def wait_for(self, name: str) -> None:
        """Drop what arrives, up to the method of this name; Violation if it does not come."""
        item: Any = None
        while frame_name(item) != name:
            if isinstance(item, self.amqp.methods.ConnectionClose):
                raise Violation.unexpected(name, describe(item))
            with self.connection.expecting(name):
                item = self.next()


class LiveConnection(FrameExchange):
    """A connection in the version of the generated package. It sends only what the driver tells it to.

    Attributes:
        control: Channel 0, the connection itself.
        start: The server's connection.start, after ``begin``.
        tune: The server's connection.tune, after ``log_in``.
    """

    def __init__(self, broker: BrokerView) -> None:
        super().__init__(broker)
        self.control = LiveChannel(self, 0)
        self.start: Any = None
        self.tune: Any = None

    # --- the handshake ---

    def begin(self, header: bytes | None = None) -> Any:
        """Send the protocol header; return the server's connection.start."""
        octets = self.amqp.PROTOCOL_HEADER if header is None else header
        self.send_octets(octets, "protocol header", frame_text(HeaderAnswer(octets)))
        self.start = self.control.expect(self.amqp.methods.ConnectionStart)
        return self.start

    def start_ok(self, **changes: Any) -> Any:
        """Return a connection.start-ok that logs in with the user and password of the target.

        The mechanism is one that the server offers; PLAIN if there is none that we have.
        """
        target = self.broker.target
        properties = dict(CLIENT_PROPERTIES)
        if (
            "boolean" in self.amqp.dialects.DEFAULT_DIALECT.write
        ):  # field tables of 0-8 and 0-9 have no letter for booleans
            properties["capabilities"] = dict(CAPABILITIES)
        options: dict[str, Any] = {"client_properties": properties, "locale": "en_US"}
        options["mechanism"] = changes.get("mechanism", self._mechanism or "PLAIN")
        if options["mechanism"] == "AMQPLAIN":
            login = {"LOGIN": target.user, "PASSWORD": target.password}
            options["response"] = self.amqp.table.encode_table(login)[_TABLE_LENGTH:]
        else:
            options["response"] = f"\0{target.user}\0{target.password}".encode()
        return self.amqp.methods.ConnectionStartOk(**{**options, **changes})

    def log_in(self, **changes: Any) -> Any:
        """Answer connection.start; return the server's connection.tune.

        Raises:
            Violation: The server offers no mechanism that we have, or does not let us in.
        """
        if self.start is not None and not self._mechanism and "mechanism" not in changes:
            offered = self.start.mechanisms
            raise Violation(
                f"expected {' or '.join(MECHANISMS)} among the mechanisms of connection.start, got {offered!r}"
            )
        self.control.send(self.start_ok(**changes))
        self.tune = self.control.expect(self.amqp.methods.ConnectionTune)
        return self.tune

    def tune_ok(self, **changes: int) -> None:
        """Answer connection.tune with the server's values but for ``changes``; heartbeats are off by default.

        We do not agree to frames below the smallest size of the specification: then the server may still mend its ways.
        """
        frame_max = self.tune.frame_max and max(self.tune.frame_max, self.amqp.constants.FRAME_MIN_SIZE)
        options = {"channel_max": self.tune.channel_max, "frame_max": frame_max, "heartbeat": 0}
        options |= changes
        self.frame_max = options["frame_max"]
        self._reader.limit(self.frame_max)
        self.control.send(self.amqp.methods.ConnectionTuneOk(**options))

    def open(self, virtual_host: str | None = None) -> None:
        """Open a virtual host, by default that of the target."""
        name = self.broker.target.virtual_host if virtual_host is None else virtual_host
        try:
            self.control.call(self.amqp.methods.ConnectionOpen(virtual_host=name))
        except Violation as error:
            if not self._tuning_fault:
                raise
            raise type(error)(f"{error}; {self._tuning_fault}") from None
        self.is_open = True

    @property
    def _mechanism(self) -> str:
        """The first of our mechanisms that the server offers; empty if it offers none of them."""
        offered = self.start.mechanisms.split() if self.start is not None else []
        return next((name for name in MECHANISMS if name.encode() in offered), "")

    @property
    def _tuning_fault(self) -> str:
        """What is wrong with the limits that the server proposes, for which a login may fail."""
        smallest = self.amqp.constants.FRAME_MIN_SIZE
        if self.tune is None or not 0 < self.tune.frame_max < smallest:
            return ""
        return (
            f"connection.tune proposes a frame-max of {self.tune.frame_max}, and frame-min-size is {smallest}"
        )

    def open_channel(self, number: int = 1) -> LiveChannel:
        """Open a channel.

        Raises:
            NotTestable: The broker does not take that many.
        """
        highest = self.tune.channel_max if self.tune else 0
        if highest and number > highest:  # 0 means no limit
            raise NotTestable(f"needs channel {number}, and the broker takes no channel above {highest}")
        channel = LiveChannel(self, number)
        with self.broker.set_up():
            channel.call(self.amqp.methods.ChannelOpen())
        return channel

    def cancel_consumers(self) -> None:
        """Cancel every consumer of which the broker knows; what arrives meanwhile is dropped."""
        methods = self.amqp.methods
        for number, tag in sorted(self.consumers):
            channel = LiveChannel(self, number)
            channel.send(methods.BasicCancel(consumer_tag=tag))
            while (number, tag) in self.consumers:
                with self.expecting("basic.cancel-ok"):
                    channel.next()

    def close(self) -> None:
        """Close the connection properly; what arrives meanwhile is dropped."""
        self.control.send(self.amqp.methods.ConnectionClose(reply_code=200, reply_text="done"))
        self.is_open = False
        with self.broker.set_up():
            self.control.wait_for("connection.close-ok")
        self._socket.close()

    def cut(self) -> None:
        """Close the socket without a connection.close."""
        self._socket.record("event", None, "cut", "the client closes the socket")
        self.is_open = False
        self._socket.close()
