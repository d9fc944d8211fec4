"""One connection to a broker of the 0-x family, step by step, every frame on record."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..broker import Broker
from ..outcome import Disconnected, NoAnswer, Violation
from .channel import Channel
from .contents import Contents
from .frame_reader import FrameReader, ProtocolHeader, Received
from .wording import describe, frame_name, frame_text, without_secrets

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


class Connection:
    """A socket that speaks the version of the generated package; nothing is said until the driver says it.

    Attributes:
        amqp: The generated package.
        control: Channel 0, the connection itself.
        start: The server's connection.start, after ``begin``.
        tune: The server's connection.tune, after ``log_in``.
        frame_max: The negotiated frame size.
        is_open: True from connection.open-ok until either side closes.
        answers_closes: Whether close-ok is sent as soon as the broker closes the connection or a channel; a
            driver that wants to do that itself turns it off.
    """

    def __init__(self, broker: Broker) -> None:
        self.amqp: Any = broker.amqp
        self.control = Channel(self, 0)
        self.frame_max: int = self.amqp.constants.FRAME_MIN_SIZE
        self.start: Any = None
        self.tune: Any = None
        self.is_open = False
        self.answers_closes = True
        self._broker = broker
        self._link, self._number = broker.dial_link()
        self._reader = FrameReader(self.amqp)
        self._contents = Contents(self.amqp)
        self._ready: defaultdict[int, deque[Any]] = defaultdict(deque)
        self._at_end = False

    # --- sending ---

    def send_octets(
        self, octets: bytes, name: str = "octets", text: str = "", channel: int | None = None
    ) -> None:
        """Sends octets, right or wrong.

        Args:
            octets: What to send.
            name: What the evidence calls it.
            text: The same at length; empty for the hex form.
            channel: The channel that the evidence names.
        """
        self._record("sent", channel, name, text or octets[:64].hex(" "), octets)
        self._write(octets)

    def send(self, *frames: Any, channel: int) -> None:
        """Sends frames on a channel, all at once."""
        self.send_together(*((channel, frame) for frame in frames))

    def send_together(self, *frames: tuple[int, Any]) -> None:
        """Sends frames on several channels, all at once.

        Args:
            frames: Pairs of channel and frame.
        """
        whole = b""
        for channel, frame in frames:
            whole += self.amqp.encode_frame(channel, frame)
            shown = without_secrets(frame)
            octets = self.amqp.encode_frame(channel, shown)
            self._record("sent", channel, frame_name(shown), frame_text(shown), octets)
        self._write(whole)

    def send_message(self, channel: int, method: Any, properties: Any, body: bytes) -> None:
        """Sends a method with content, in as many frames as the negotiated size asks for."""
        octets = self.amqp.encode_message(channel, method, properties, body, self.frame_max)
        for _, frame in self.amqp.decode_frames(octets)[0]:
            piece = self.amqp.encode_frame(channel, frame)
            self._record("sent", channel, frame_name(frame), frame_text(frame), piece)
        self._write(octets)

    def _write(self, octets: bytes) -> None:
        try:
            self._link.send(octets, self._broker.wait())
        except TimeoutError:
            self._broker.wait(0)  # when it is the trial's time that is up
            raise Violation("expected that the broker takes what is sent, but it does not read") from None

    # --- receiving ---

    def take(self, channel: int, seconds: float | None = None) -> Any:
        """The next method or message of a channel, or what ends the connection.

        A close that comes is answered with close-ok.

        Args:
            channel: The number of the channel.
            seconds: How long to wait; by default the patience of the trial.

        Raises:
            NoAnswer: Nothing came.
            Disconnected: The broker closed the socket.
            Violation: What came is no frame.
        """
        return self.take_any(channel, seconds=seconds)[1]

    def take_any(self, *channels: int, seconds: float | None = None) -> tuple[int, Any]:
        """As ``take``, but from whichever of several channels has something first; also returns which one."""
        until = self._broker.wait(seconds)
        while True:
            for channel in channels:
                item = self._next_ready(channel)
                if item is not None:
                    return channel, item
            self._receive(until)

    def came(self, channel: int) -> tuple[Any, ...]:
        """What has come on a channel and was not taken yet."""
        return tuple(self._ready[channel])

    def _next_ready(self, channel: int) -> Any:
        if self._ready[channel]:
            return self._ready[channel].popleft()
        # The end of the connection is news for every channel.
        close = self.amqp.methods.ConnectionClose
        return next((item for item in self._ready[0] if isinstance(item, close)), None)

    def _receive(self, until: float) -> None:
        """Takes in what the socket has."""
        if self._reader.fault:
            raise Violation(f"expected a frame, got octets that are none: {self._reader.fault}")
        if self._at_end:
            raise Disconnected("expected an answer, but the broker closed the socket")
        try:
            octets = self._link.receive(until)
        except TimeoutError:
            self._broker.wait(0)  # when it is the trial's time that is up
            self._record("event", None, "silence", "nothing came")
            raise NoAnswer("expected an answer, got none") from None
        if not octets:
            self._at_end = True
            self.is_open = False
            self._record("event", None, "end", "the broker closed the socket", self._reader.rest)
            return
        for received in self._reader.feed(octets):
            self._sort(received)
        if self._reader.fault:
            self._record("received", None, "no frame", str(self._reader.fault), self._reader.rest)

    def _sort(self, received: Received) -> None:
        """Puts a frame where its channel will look for it; heartbeats are only recorded."""
        channel, frame = received.channel, received.frame
        shown = frame_text(frame)
        self._record("received", channel, frame_name(frame), shown, received.octets)
        if isinstance(frame, self.amqp.Heartbeat):
            return
        item = frame if isinstance(frame, ProtocolHeader) else self._contents.add(channel, frame)
        if item is None:
            return
        self._ready[channel].append(item)
        methods = self.amqp.methods
        if isinstance(item, methods.ConnectionClose):
            self.is_open = False
            if self.answers_closes:
                self.send(methods.ConnectionCloseOk(), channel=0)
        elif isinstance(item, methods.ChannelClose) and self.answers_closes:
            self.send(methods.ChannelCloseOk(), channel=channel)

    @contextmanager
    def expecting(self, expected: str) -> Iterator[None]:
        """Names what was expected in the errors of ``take``."""
        try:
            yield
        except NoAnswer:
            raise NoAnswer(f"expected {expected}, got no answer") from None
        except Disconnected:
            raise Disconnected(f"expected {expected}, but the broker closed the socket") from None

    def expect_end(self) -> list[Any]:
        """The broker must close the socket; returns what it said on channel 0 before that.

        Raises:
            NoAnswer: It does not.
        """
        items: list[Any] = []
        while True:
            try:
                item = self.take(0)
            except Disconnected:
                return items
            except NoAnswer:
                raise NoAnswer("expected that the broker closes the socket, but it stays open") from None
            items.append(item)

    # --- the handshake ---

    def begin(self, header: bytes | None = None) -> Any:
        """Sends the protocol header; returns the server's connection.start."""
        octets = self.amqp.PROTOCOL_HEADER if header is None else header
        self.send_octets(octets, "protocol header", frame_text(ProtocolHeader(octets)))
        self.start = self.control.expect(self.amqp.methods.ConnectionStart)
        return self.start

    def start_ok(self, **changes: Any) -> Any:
        """A connection.start-ok that logs in with the user and password of the target."""
        target = self._broker.target
        properties = dict(CLIENT_PROPERTIES)
        if "boolean" in self.amqp.dialects.DEFAULT_DIALECT.write:  # 0-8 and 0-9 have no letter for true
            properties["capabilities"] = dict(CAPABILITIES)
        options: dict[str, Any] = {
            "client_properties": properties,
            "mechanism": "PLAIN",
            "response": f"\0{target.user}\0{target.password}".encode(),
            "locale": "en_US",
        }
        return self.amqp.methods.ConnectionStartOk(**{**options, **changes})

    def log_in(self, **changes: Any) -> Any:
        """Answers connection.start; returns the server's connection.tune."""
        self.control.send(self.start_ok(**changes))
        self.tune = self.control.expect(self.amqp.methods.ConnectionTune)
        return self.tune

    def tune_ok(self, **changes: int) -> None:
        """Answers connection.tune with what the server offers, but for changes; no heartbeats unless asked for."""
        options = {"channel_max": self.tune.channel_max, "frame_max": self.tune.frame_max, "heartbeat": 0}
        options |= changes
        self.frame_max = options["frame_max"]
        self._reader.limit(self.frame_max)
        self.control.send(self.amqp.methods.ConnectionTuneOk(**options))

    def open(self, virtual_host: str | None = None) -> None:
        """Opens a virtual host, by default that of the target."""
        name = self._broker.target.virtual_host if virtual_host is None else virtual_host
        self.control.call(self.amqp.methods.ConnectionOpen(virtual_host=name))
        self.is_open = True

    def open_channel(self, number: int = 1) -> Channel:
        """Opens a channel."""
        channel = Channel(self, number)
        channel.call(self.amqp.methods.ChannelOpen())
        return channel

    def close(self) -> None:
        """Closes the connection in good order; what else comes meanwhile is dropped."""
        methods = self.amqp.methods
        self.control.send(methods.ConnectionClose(reply_code=200, reply_text="done"))
        self.is_open = False
        while True:
            with self.expecting("connection.close-ok"):
                item = self.take(0)
            if isinstance(item, methods.ConnectionCloseOk):
                break
            if isinstance(item, methods.ConnectionClose):
                raise Violation(f"expected connection.close-ok, got {describe(item)}")
        self._link.close()

    def cut(self) -> None:
        """Closes the socket without a word."""
        self._record("event", None, "cut", "the client closes the socket")
        self.is_open = False
        self._link.close()

    def _record(self, direction: Any, channel: int | None, name: str, text: str, octets: bytes = b"") -> None:
        self._broker.transcript.add(direction, self._number, channel, name, text, octets)
