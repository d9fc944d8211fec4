"""The broker under test, or any other container: what the driver of a rule talks to, by plain sockets.

A driver that has a parameter ``broker`` gets a ``Broker``::

    @rules.implements("begin.handle-max/outside-range")
    def outside_range(broker: Broker) -> None:
        session = broker.begin(handle_max=0)
        ...

Nothing is sent but what the driver says. What does not come as expected is ``Unexpected``, an AssertionError. All
connections are closed when the test ends.
"""

import time
import uuid
from collections import deque
from typing import Any, Final

from .broker_socket import NothingCame, SocketConnection, Unexpected, UrlBroker

_QUIET: Final = 0.3
_FRAME_SIZE: Final = 4096
_WINDOW: Final = 2048


class Broker(UrlBroker):
    """The broker at a URL."""

    def dial(self) -> "Connection":
        """Connects a socket, and sends nothing yet."""
        connection = Connection(self)
        self._connections.append(connection)
        return connection

    def connect(self, **fields: Any) -> "Connection":
        """Opens a connection; ``fields`` are those of our open."""
        connection = self.dial()
        connection.log_in()
        connection.open(**fields)
        return connection

    def begin(self, **fields: Any) -> "Session":
        """Begins a session on channel 0 of a new connection; ``fields`` are those of our begin."""
        return self.connect().begin(**fields)


class Connection(SocketConnection):
    """A connection.

    Attributes:
        remote: The open of the broker, after ours was answered.
    """

    def __init__(self, broker: Broker) -> None:
        super().__init__(broker)
        self.remote: Any = None
        self._decoder: Any = self.amqp.FrameDecoder(max_frame_size=_FRAME_SIZE)
        self._ready: deque[Any] = deque()

    # --- the first steps ---

    def exchange_headers(self, layer: str) -> None:
        """Sends the protocol header of a layer, ``sasl`` or ``amqp``, and expects the same one back."""
        self.send_octets(self.amqp.PROTOCOL_HEADERS[layer])
        self.expect(self.amqp.ProtocolHeader, layer=layer)

    def log_in(self, **changes: Any) -> None:
        """Does all of SASL: PLAIN if it is offered, else ANONYMOUS; ``changes`` are fields of sasl-init."""
        sasl = self.amqp.sasl
        self.exchange_headers("sasl")
        offered = self.expect(sasl.SaslMechanisms).sasl_server_mechanisms
        mechanism = self.amqp.choose_mechanism(offered, ["PLAIN", "ANONYMOUS"])
        known: dict[str, Any] = {"mechanism": mechanism, "hostname": self.url.host}
        if mechanism == "PLAIN":
            known["initial_response"] = self.amqp.plain_response(self.url.user, self.url.password)
        self.send(sasl.SaslInit(**{**known, **changes}))
        self.expect(sasl.SaslOutcome, code=sasl.SaslCode.OK)

    def open(self, **fields: Any) -> Any:
        """Exchanges headers and opens; returns the broker's open. For RabbitMQ the hostname names a virtual host."""
        self.exchange_headers("amqp")
        virtual_host = self.url.virtual_host
        known: dict[str, Any] = {
            "container_id": f"conformance.{uuid.uuid4().hex}",
            "hostname": self.url.host if virtual_host == "/" else f"vhost:{virtual_host}",
            "max_frame_size": _FRAME_SIZE,
        }
        self.send(self.amqp.performatives.Open(**{**known, **fields}))
        self.remote = self.expect(self.amqp.performatives.Open)
        return self.remote

    def begin(self, channel: int = 0, **fields: Any) -> "Session":
        """Begins a session; ``fields`` are those of our begin."""
        session = Session(self, channel)
        session.begin(**fields)
        return session

    # --- octets and frames ---

    def send(self, performative: Any, channel: int = 0, payload: bytes = b"") -> None:
        """Sends a frame, an empty one for None."""
        self.send_octets(self.amqp.encode_frame(channel, performative, payload))

    def expect(self, kind: Any, condition: str = "", **fields: object) -> Any:
        """The next performative, which is of this class and has these values.

        Flows are passed over unless one is expected: a broker may send them at any time. So are empty frames.

        Args:
            kind: A class of performatives, or ``ProtocolHeader``.
            condition: That of its error, for example ``amqp:not-found``.
            fields: The values of its fields.
        """
        return self.expect_frame(kind, condition, **fields)[1]

    def expect_frame(self, kind: Any, condition: str = "", **fields: object) -> tuple[int, Any, bytes]:
        """The same as the whole frame: channel, performative, payload."""
        wanted = [f"{name}={value!r}" for name, value in fields.items()]
        wanted += [f"condition={condition!r}"] if condition else []
        expected = getattr(kind, "NAME", kind.__name__) + (f" with {', '.join(wanted)}" if wanted else "")
        until = self._until(None)
        while True:
            frame = self.receive(expected, until - time.monotonic())
            if isinstance(frame[1], kind) or not self._may_come_between(frame[1]):
                break
        item = frame[1]
        error = getattr(item, "error", None)
        if (
            not isinstance(item, kind)
            or any(getattr(item, name) != value for name, value in fields.items())
            or (condition and getattr(error, "condition", None) != condition)
        ):
            raise Unexpected(f"expected {expected}, got {item!r}")
        return frame

    def _may_come_between(self, performative: Any) -> bool:
        return performative is None or isinstance(performative, self.amqp.performatives.Flow)

    def expect_silence(self, seconds: float = _QUIET) -> None:
        """Listens for that long; nothing may come but flows and empty frames."""
        until = time.monotonic() + seconds
        while True:
            try:
                _, item, _ = self.receive("nothing", until - time.monotonic())
            except NothingCame:
                return
            if not self._may_come_between(item):
                raise Unexpected(f"expected nothing, got {item!r}")

    def receive(self, expected: str = "a frame", seconds: float | None = None) -> tuple[int, Any, bytes]:
        """The next frame, whatever it is: channel, performative, payload."""
        until = self._until(seconds)
        while not self._ready:
            octets = self._socket.receive(until, expected)
            try:
                self._ready += self._decoder.feed(octets)
            except self.amqp.DecodeError as error:
                raise Unexpected(f"expected {expected}, got octets that are no frame: {error}") from None
        frame: tuple[int, Any, bytes] = self._ready.popleft()
        return frame


class Session:
    """A session.

    Attributes:
        connection: Its connection.
        channel: The channel on which we send.
        remote: The begin of the broker, after ours was answered.
    """

    def __init__(self, connection: Connection, channel: int) -> None:
        self.connection = connection
        self.channel = channel
        self.remote: Any = None
        self._next_handle = 0
        self._next_delivery = 0

    def begin(self, **fields: Any) -> Any:
        """Begins the session; returns the broker's begin."""
        known: dict[str, Any] = {
            "next_outgoing_id": 0,
            "incoming_window": _WINDOW,
            "outgoing_window": _WINDOW,
        }
        performatives = self.connection.amqp.performatives
        self.send(performatives.Begin(**{**known, **fields}))
        self.remote = self.expect(performatives.Begin)
        return self.remote

    def send(self, performative: Any, payload: bytes = b"") -> None:
        """Sends a frame on the session's channel."""
        self.connection.send(performative, self.channel, payload)

    def expect(self, kind: Any, condition: str = "", **fields: object) -> Any:
        """The next performative of the connection, see ``Connection.expect``."""
        return self.connection.expect(kind, condition, **fields)

    def attach_sender(self, address: str | None, **fields: Any) -> int:
        """Attaches a link to send to an address; returns its handle. ``fields`` are those of our attach."""
        amqp = self.connection.amqp
        known = {"target": amqp.messaging.Target(address), "initial_delivery_count": 0}
        return self._attach(
            amqp.performatives.Role.SENDER, {**known, "source": amqp.messaging.Source(), **fields}
        )

    def attach_receiver(self, address: str | None, **fields: Any) -> int:
        """Attaches a link to receive from an address; returns its handle. ``fields`` are those of our attach."""
        amqp = self.connection.amqp
        known = {"source": amqp.messaging.Source(address), "target": amqp.messaging.Target()}
        return self._attach(amqp.performatives.Role.RECEIVER, {**known, **fields})

    def _attach(self, role: Any, fields: dict[str, Any]) -> int:
        handle = self._next_handle
        self._next_handle += 1
        attach = self.connection.amqp.performatives.Attach
        self.send(attach(**{"name": f"link-{handle}", "handle": handle, "role": role, **fields}))
        self.expect(attach)
        return handle

    def give_credit(self, handle: int, count: int, **fields: Any) -> None:
        """Asks for that many messages, on a link that has had none; ``fields`` are further ones of the flow."""
        known: dict[str, Any] = {
            "next_incoming_id": self.remote.next_outgoing_id,
            "incoming_window": _WINDOW,
            "next_outgoing_id": self._next_delivery,
            "outgoing_window": _WINDOW,
            "handle": handle,
            "delivery_count": 0,
            "link_credit": count,
        }
        self.send(self.connection.amqp.performatives.Flow(**{**known, **fields}))

    def send_message(self, handle: int, message: Any, **fields: Any) -> int:
        """Sends a message in one transfer, without a look at credit; returns its delivery-id."""
        number = self._next_delivery
        self._next_delivery += 1
        known: dict[str, Any] = {"delivery_id": number, "delivery_tag": b"%d" % number, "message_format": 0}
        transfer = self.connection.amqp.performatives.Transfer(**{"handle": handle, **known, **fields})
        self.send(transfer, message.encode())
        return number
