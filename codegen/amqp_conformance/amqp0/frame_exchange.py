"""The frames of one connection of the 0-x family, in both directions, all recorded in the transcript."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..engine.broker_view import BrokerView
from ..engine.run_result import Disconnected, NoAnswer, Violation
from .frames import (
    HeaderAnswer,
    LiveContents,
    ReceivedFrame,
    SocketFrames,
    frame_name,
    frame_text,
    without_secrets,
)


class FrameExchange:
    """A socket for frames; a received frame waits until its channel is asked for it.

    Attributes:
        broker: The trial that it belongs to.
        frame_max: The negotiated frame size.
        is_open: True from connection.open-ok until either side closes.
        answers_closes: Whether close-ok is sent as soon as the broker closes the connection or a channel. A driver
            that answers by itself turns it off.
        consumers: Channel and tag of each consumer that the broker has started and not ended.
    """

    def __init__(self, broker: BrokerView) -> None:
        self.amqp: Any = broker.amqp
        self.frame_max: int = self.amqp.constants.FRAME_MIN_SIZE
        self.is_open = False
        self.answers_closes = True
        self.consumers: set[tuple[int, str]] = set()
        self.broker = broker
        self._socket = broker.dial_socket()
        self._reader = SocketFrames(self.amqp)
        self._contents = LiveContents(self.amqp)
        self._ready: defaultdict[int, deque[Any]] = defaultdict(deque)

    # --- sending ---

    def send_octets(
        self, octets: bytes, name: str = "octets", text: str = "", channel: int | None = None
    ) -> None:
        """Send octets, valid or not.

        The transcript shows ``name``, ``text`` (if empty, hexadecimal digits) and ``channel``.
        """
        self._socket.record("sent", channel, name, text or octets[:64].hex(" "), octets)
        self._socket.send(octets)

    def send(self, *frames: Any, channel: int) -> None:
        """Send frames on a channel, all at once."""
        self.send_together(*((channel, frame) for frame in frames))

    def send_together(self, *frames: tuple[int, Any]) -> None:
        """Send frames on several channels, all at once: pairs of channel and frame."""
        whole = b""
        for channel, frame in frames:
            whole += self.amqp.encode_frame(channel, frame)
            shown = without_secrets(frame)
            octets = self.amqp.encode_frame(channel, shown)
            self._socket.record("sent", channel, frame_name(shown), frame_text(shown), octets)
        self._socket.send(whole)

    def send_message(self, channel: int, method: Any, properties: Any, body: bytes) -> None:
        """Send a method with content, in as many frames as the negotiated size demands."""
        octets = self.amqp.encode_message(channel, method, properties, body, max_frame_size=self.frame_max)
        for _, frame in self.amqp.decode_frames(octets)[0]:
            piece = self.amqp.encode_frame(channel, frame)
            self._socket.record("sent", channel, frame_name(frame), frame_text(frame), piece)
        self._socket.send(octets)

    # --- receiving ---

    def take(self, channel: int, seconds: float | None = None) -> Any:
        """Return the next method or message of a channel, or the end of the connection.

        A close is answered with close-ok. The wait is ``seconds`` long, by default the patience of the trial. It begins
        anew with each piece of a message.

        Raises:
            NoAnswer: Nothing arrived in time.
            Disconnected: The broker closed the socket.
            Violation: The received octets are not a frame.
        """
        return self.take_any(channel, seconds=seconds)[1]

    def take_any(self, *channels: int, seconds: float | None = None) -> tuple[int, Any]:
        """Do as ``take`` for whichever of several channels has something first; return that channel, too."""
        until = self.broker.wait(seconds)
        while True:
            for channel in channels:
                item = self._next_ready(channel)
                if item is not None:
                    return channel, item
            self._receive(until)
            if any(map(self._contents.is_arriving, channels)):
                until = self.broker.wait(seconds)

    def came(self, channel: int) -> tuple[Any, ...]:
        """Return what has arrived on a channel and was not taken yet."""
        return tuple(self._ready[channel])

    def _next_ready(self, channel: int) -> Any:
        if self._ready[channel]:
            return self._ready[channel].popleft()
        # The end of the connection concerns every channel.
        close = self.amqp.methods.ConnectionClose
        return next((item for item in self._ready[0] if isinstance(item, close)), None)

    def _receive(self, until: float) -> None:
        """Read what the socket has."""
        if self._reader.fault:
            raise Violation.unexpected("a frame", f"octets that are none: {self._reader.fault}")
        octets = self._socket.receive(until, rest=self._reader.rest)
        if not octets:
            self.is_open = False
            return
        for received in self._reader.feed(octets):
            self._sort(received)
        if self._reader.fault:
            self._socket.record("received", None, "no frame", str(self._reader.fault), self._reader.rest)

    def _sort(self, received: ReceivedFrame) -> None:
        """Queue a frame for its channel; heartbeats are only recorded."""
        channel, frame = received.channel, received.frame
        shown = frame_text(frame)
        self._socket.record("received", channel, frame_name(frame), shown, received.octets)
        if isinstance(frame, self.amqp.Heartbeat):
            return
        item = frame if isinstance(frame, HeaderAnswer) else self._contents.add(channel, frame)
        if item is None:
            return
        self._ready[channel].append(item)
        self._count_consumers(channel, item)
        methods = self.amqp.methods
        if isinstance(item, methods.ConnectionClose):
            self.is_open = False
            if self.answers_closes:
                self.send(methods.ConnectionCloseOk(), channel=0)
        elif isinstance(item, methods.ChannelClose) and self.answers_closes:
            self.send(methods.ChannelCloseOk(), channel=channel)

    def _count_consumers(self, channel: int, item: Any) -> None:
        methods = self.amqp.methods
        if isinstance(item, methods.BasicConsumeOk):
            self.consumers.add((channel, item.consumer_tag))
        elif isinstance(item, (methods.BasicCancelOk, methods.BasicCancel)):
            self.consumers.discard((channel, item.consumer_tag))
        elif isinstance(item, (methods.ChannelClose, methods.ChannelCloseOk)):
            self.consumers = {consumer for consumer in self.consumers if consumer[0] != channel}
        elif isinstance(item, methods.ConnectionClose):
            self.consumers = set()

    @contextmanager
    def expecting(self, expected: str) -> Iterator[None]:
        """Name what was expected in the errors of ``take``."""
        try:
            yield
        except NoAnswer:
            raise NoAnswer(f"expected {expected}, got no answer", expected=expected) from None
        except Disconnected:
            message = f"expected {expected}, but the broker closed the socket"
            raise Disconnected(message, expected=expected) from None

    def expect_end(self) -> list[Any]:
        """Expect that the broker closes the socket; return what it sent on channel 0 before that.

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
