"""One AMQP 1.0 connection of a trial: octets and frames, one by one, with a deadline for every wait.

Nothing happens by itself. Who wants to break a rule sends what it likes; who wants to keep them has ``login``,
``session`` and ``links`` for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import amqp_1_0 as amqp
from amqp_1_0.performatives import Close, Error, Open

from ..engine.broker_view import BrokerView
from ..engine.run_result import Disconnected, NoAnswer, Violation
from .frames import Frame, error_text, name_of, secret_in, text_of

HEADER_SIZE = 8
# Drivers use channels up to this one.
_DRIVERS_CHANNELS = 300
# How long to listen for what must not come.
QUIET = 0.3
# No peer is asked for frames above this size; what claims to be larger is no frame.
_LARGEST = 1 << 24


class LiveConnection:
    """The trial's end of a connection.

    Attributes:
        frames: Every frame that came, in order.
        frame_size: The largest frame that the peer takes.
        container_id: Ours, as our open says; empty until it is sent.
        remote: The peer's open; None until it came.
        observers: Who learns from the frames that come on a channel, by the channel on which the peer sends.
        closed: One of the two sent close.
    """

    def __init__(self, broker: BrokerView) -> None:
        self.frames: list[Frame] = []
        self.frame_size = amqp.constants.MIN_MAX_FRAME_SIZE
        self.container_id = ""
        self.remote: Open | None = None
        self.observers: dict[int, Callable[[Frame], None]] = {}
        self.closed = False
        self._broker = broker
        self._socket = broker.dial_socket()
        self._buffer = b""
        self._spare_channel = _DRIVERS_CHANNELS
        self._waiting: deque[Frame] = deque()

    @property
    def ended(self) -> bool:
        """Whether one of the two has closed the socket."""
        return self._socket.ended

    @property
    def is_open(self) -> bool:
        """Whether it can be closed in good order."""
        return self.remote is not None and not self.closed and not self.ended

    def next_spare_channel(self) -> int | None:
        """A channel that no driver uses, another one each time; None when the peer takes none so high."""
        self._spare_channel += 1
        highest = self.remote.channel_max if self.remote else 0
        return self._spare_channel if self._spare_channel <= highest else None

    # --- sending ---

    def send(self, performative: Any, channel: int = 0, payload: bytes = b"") -> None:
        """Sends one frame; None makes an empty one."""
        octets = amqp.encode_frame(channel, performative, payload)
        secret = secret_in(performative)
        shown = octets.replace(secret, b"*" * len(secret)) if secret else octets
        self._send(octets, channel, name_of(performative), text_of(performative, payload), shown)
        self.closed = self.closed or isinstance(performative, Close)
        if isinstance(performative, Open):
            self.container_id = performative.container_id

    def send_octets(self, octets: bytes, what: str, channel: int | None = None) -> None:
        """Sends octets that need not be a frame; ``what`` tells people what they are."""
        self._send(octets, channel, what, what, octets)

    def _send(self, octets: bytes, channel: int | None, name: str, text: str, shown: bytes) -> None:
        self._socket.record("sent", channel, name, text, shown)
        self._socket.send(octets, name)

    # --- receiving ---

    def receive_header(self) -> bytes:
        """The eight octets of a protocol header, or what comes in its place."""
        octets = self._read(HEADER_SIZE, "a protocol header", self._broker.wait())
        layer = amqp.recognise_header(octets)
        text = f"protocol header: {layer}" if layer else f"protocol header? {octets!r}"
        self._socket.record("received", None, "protocol header", text, octets)
        return octets

    def receive(self, what: str = "a frame", seconds: float | None = None) -> Frame:
        """The next frame as it comes, empty ones too.

        Args:
            what: What is expected, for the message if nothing comes.
            seconds: How long to wait if not as patiently as usual.

        Raises:
            NoAnswer: Nothing comes.
            Disconnected: The peer closes the socket.
            Violation: What comes is no frame of AMQP 1.0.
        """
        until = self._broker.wait(seconds)
        self._fill(4, what, until)
        size = int.from_bytes(self._buffer[:4], "big")
        if not HEADER_SIZE <= size <= _LARGEST:
            raise Violation(
                f"expected {what}, got something whose first four octets are {self._buffer[:4].hex(' ')}"
            )
        octets = self._read(size, what, until)
        try:
            ((channel, performative, payload),), _ = amqp.decode_frames(octets)
        except amqp.DecodeError as error:
            self._socket.record("received", None, "malformed", str(error), octets)
            raise Violation(f"expected {what}, got a frame that cannot be decoded: {error}") from None
        frame = Frame(octets, channel, performative, payload)
        self._socket.record("received", channel, name_of(performative), str(frame), octets)
        self.frames.append(frame)
        self.closed = self.closed or isinstance(performative, Close)
        if frame.type == amqp.constants.FRAME_AMQP and channel in self.observers:
            self.observers[channel](frame)
        return frame

    def wait(
        self, wanted: Callable[[Frame], bool], what: str, given_up: Callable[[Frame], bool] | None = None
    ) -> Frame:
        """Reads until there is a frame as wanted; other frames stay for those who ask later.

        Args:
            wanted: Whether it is the frame.
            what: What is expected, for messages.
            given_up: Whether the wanted frame cannot come any more after this one; a close is always such.

        Raises:
            Violation: The peer ends what would have to go on.
        """
        for frame in self._waiting:
            if wanted(frame):
                self._waiting.remove(frame)
                return frame
        for frame in self._waiting:
            self._give_up(frame, what, given_up)
        while True:
            frame = self.receive(what)
            if wanted(frame):
                return frame
            self._waiting.append(frame)
            self._give_up(frame, what, given_up)

    def expect(self, kind: type[Any], what: str = "") -> Any:
        """The next performative of that kind on any channel; the frame it came in is the last of ``frames``."""
        return self.wait(lambda frame: isinstance(frame.performative, kind), what or kind.NAME).performative

    def pump(
        self, condition: Callable[[], bool], what: str, given_up: Callable[[Frame], bool] | None = None
    ) -> None:
        """Reads until something is so, through what sessions and links learn from the frames.

        Args:
            condition: What is to become true.
            what: What is expected, for messages.
            given_up: Whether it cannot become true any more after this frame; a close is always such.
        """
        while not condition():
            for frame in self._waiting:
                self._give_up(frame, what, given_up)
            self._waiting.append(self.receive(what))

    def listen(self, seconds: float = QUIET) -> list[Frame]:
        """What comes during that time, empty frames apart; nothing when the peer closes the socket."""
        frames: list[Frame] = []
        until = self._broker.wait(seconds)
        while not self.ended:
            try:
                self._fill(4, "a frame", until)
            except (NoAnswer, Disconnected):
                break
            frame = self.receive("a whole frame")
            self._waiting.append(frame)
            if frame.performative is not None:
                frames.append(frame)
        return frames

    def expect_silence(self, seconds: float = QUIET) -> None:
        """Listens for that long; the end of the stream is silence, too.

        Raises:
            Violation: Anything comes.
        """
        with suppress(NoAnswer, Disconnected):
            self._fill(1, "silence", self._broker.wait(seconds))
        if self._buffer:
            raise Violation(f"expected silence, got {self.receive('a whole frame')}")

    # --- ends ---

    def expect_close(self, *conditions: str) -> Close:
        """The peer's close; with an error of one of these conditions if any are given. It is answered."""
        close: Close = self.expect(Close)
        check_error(close.error, "close", conditions)
        self.send(Close())
        return close

    def expect_end(self, what: str = "the end of the stream", seconds: float | None = None) -> None:
        """Reads until the peer closes the socket; frames before that do not matter.

        Raises:
            NoAnswer: It does not.
        """
        until = self._broker.wait(seconds)
        while not self.ended:
            try:
                self._fill(len(self._buffer) + 1, what, until)
            except Disconnected:
                return

    def expect_refusal(self) -> Close | None:
        """The end of the connection in whichever way: a close, which is returned, or of the socket."""
        try:
            close: Close = self.expect(Close, "the end of the connection")
        except Disconnected:
            return None
        self.send(Close())
        return close

    def close(self) -> None:
        """Closes in good order; what else comes before the answer does not matter."""
        self.send(Close())
        self.expect(Close)
        self.shut()

    def shut(self) -> None:
        """Cuts the socket off."""
        self._socket.close()

    # --- octets ---

    def _read(self, count: int, what: str, until: float) -> bytes:
        self._fill(count, what, until)
        octets, self._buffer = self._buffer[:count], self._buffer[count:]
        return octets

    def _fill(self, count: int, what: str, until: float) -> None:
        while len(self._buffer) < count:
            self._buffer += self._socket.receive(until, what, rest=self._buffer)

    def _give_up(self, frame: Frame, what: str, given_up: Callable[[Frame], bool] | None) -> None:
        if isinstance(frame.performative, Close) or (given_up and given_up(frame)):
            raise Violation(f"expected {what}, got {frame}")


def check_error(error: Error | None, name: str, conditions: tuple[str, ...]) -> None:
    """Checks that a close, end or detach has an error of one of these conditions; none given: whatever it has.

    Raises:
        Violation: It has not.
    """
    if conditions and (error is None or error.condition not in conditions):
        raise Violation(
            f"expected {name} with {' or '.join(conditions)}, got {name} with {error_text(error)}"
        )
