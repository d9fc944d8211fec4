"""One AMQP 1.0 connection of a trial: octets and frames, one by one, with a deadline for every wait.

Nothing happens automatically: a driver that breaks a rule sends what it likes. ``login``, ``session_frames`` and
``links`` are for those that keep to the protocol.
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
# The highest channel that a driver uses.
_LAST_DRIVER_CHANNEL = 300
# Seconds to listen for frames that must not come.
QUIET = 0.3
# No peer is asked for frames above this size; what claims to be larger is not a frame.
_LARGEST_FRAME = 1 << 24


class LiveConnection:
    """The trial's end of a connection.

    Attributes:
        frames: Every frame received, in order.
        frame_size: The largest frame that the peer takes.
        container_id: Ours, as in our open; empty until it is sent.
        remote: The peer's open; None until it is received.
        observers: The sessions that observe the frames of a channel, by the channel on which the peer sends.
        closed: True if one of the two sent close.
    """

    def __init__(self, broker: BrokerView) -> None:
        self.frames: list[Frame] = []
        self.frame_size = amqp.constants.MIN_MAX_FRAME_SIZE
        self.container_id = ""
        self.remote: Open | None = None
        self.observers: dict[int, Callable[[Frame], None]] = {}
        self.closed = False
        self.broker = broker
        self._socket = broker.dial_socket()
        self._buffer = b""
        self._spare_channel = _LAST_DRIVER_CHANNEL
        self._waiting: deque[Frame] = deque()

    @property
    def ended(self) -> bool:
        """Whether one of the two has closed the socket."""
        return self._socket.ended

    @property
    def is_open(self) -> bool:
        """Whether it can be closed properly."""
        return self.remote is not None and not self.closed and not self.ended

    @property
    def highest_channel(self) -> int:
        """The peer's channel-max; 0 before its open."""
        return self.remote.channel_max if self.remote else 0

    def next_spare_channel(self) -> int | None:
        """Return a channel that no driver uses, another one each time; None if the peer's channel-max is too low."""
        self._spare_channel += 1
        return self._spare_channel if self._spare_channel <= self.highest_channel else None

    # --- sending ---

    def send(self, performative: Any, channel: int = 0, payload: bytes = b"") -> None:
        """Send one frame, an empty one for None."""
        octets = amqp.encode_frame(channel, performative, payload)
        secret = secret_in(performative)
        shown = octets.replace(secret, b"*" * len(secret)) if secret else octets
        self._send(octets, channel, name_of(performative), text_of(performative, payload), shown)
        self.closed = self.closed or isinstance(performative, Close)
        if isinstance(performative, Open):
            self.container_id = performative.container_id

    def send_octets(
        self, octets: bytes, what: str, channel: int | None = None, *, shown: bytes | None = None
    ) -> None:
        """Send octets that need not be a frame.

        The transcript has ``what`` as their description, and ``shown`` in their place if it is given.
        """
        self._send(octets, channel, what, what, octets if shown is None else shown)

    def without_password(self, octets: bytes) -> bytes:
        """Replace our password in a login by asterisks, as the transcript does; for octets that are sent in pieces."""
        return self._socket.without_password(octets)

    def _send(self, octets: bytes, channel: int | None, name: str, text: str, shown: bytes) -> None:
        self._socket.record("sent", channel, name, text, shown)
        self._socket.send(octets, name)

    # --- receiving ---

    def receive_header(self, seconds: float | None = None) -> bytes:
        """Receive eight octets: a protocol header, or what comes in its place; ``seconds`` as in ``receive``."""
        octets = self._read(HEADER_SIZE, "a protocol header", self.broker.wait(seconds))
        layer = amqp.recognise_header(octets)
        text = f"protocol header: {layer}" if layer else f"protocol header? {octets!r}"
        self._socket.record("received", None, "protocol header", text, octets)
        return octets

    def receive(self, what: str = "a frame", seconds: float | None = None) -> Frame:
        """Return the next frame as it arrives, empty ones included.

        ``what`` names what is expected, for the message; ``seconds`` is the wait, by default the patience of the trial.

        Raises:
            NoAnswer: Nothing arrives.
            Disconnected: The peer closes the socket.
            Violation: The octets are not a frame of AMQP 1.0.
        """
        until = self.broker.wait(seconds)
        self._fill(4, what, until)
        size = int.from_bytes(self._buffer[:4], "big")
        if not HEADER_SIZE <= size <= _LARGEST_FRAME:
            got = f"something whose first four octets are {self._buffer[:4].hex(' ')}"
            raise Violation.unexpected(what, got)
        octets = self._read(size, what, until)
        try:
            ((channel, performative, payload),), _ = amqp.decode_frames(octets)
        except amqp.DecodeError as error:
            self._socket.record("received", None, "malformed", str(error), octets)
            raise Violation.unexpected(what, f"a frame that cannot be decoded: {error}") from None
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
        """Read until a frame is as wanted; other frames stay for later calls.

        Args:
            wanted: Tests a frame.
            what: What is expected, for messages.
            given_up: Whether the wanted frame cannot come any more after this one; that is always so after a close.

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
        """Return the next performative of that type on any channel; its frame is the last of ``frames``."""
        return self.wait(lambda frame: isinstance(frame.performative, kind), what or kind.NAME).performative

    def pump(
        self, condition: Callable[[], bool], what: str, given_up: Callable[[Frame], bool] | None = None
    ) -> None:
        """Read until a condition is true, which sessions and links update from the frames.

        ``what`` and ``given_up`` are as in ``wait``.
        """
        while not condition():
            for frame in self._waiting:
                self._give_up(frame, what, given_up)
            self._waiting.append(self.receive(what))

    def listen(self, seconds: float = QUIET) -> list[Frame]:
        """Return the frames of that time, without empty frames; none if the peer closes the socket."""
        frames: list[Frame] = []
        until = self.broker.wait(seconds)
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
        """Listen for that long; the end of the stream counts as silence.

        Raises:
            Violation: Anything arrives.
        """
        with suppress(NoAnswer, Disconnected):
            self._fill(1, "silence", self.broker.wait(seconds))
        if self._buffer:
            raise Violation(f"expected silence, got {self.receive('a whole frame')}")

    # --- ends ---

    def expect_close(self, *conditions: str) -> Close:
        """Expect the peer's close, with an error of one of these conditions if any are given; answer it."""
        close: Close = self.expect(Close)
        check_error(close.error, "close", conditions)
        self.send(Close())
        return close

    def expect_end(self, what: str = "the end of the stream", seconds: float | None = None) -> None:
        """Read until the peer closes the socket; frames before that are ignored.

        Raises:
            NoAnswer: It does not.
        """
        until = self.broker.wait(seconds)
        while not self.ended:
            try:
                self._fill(len(self._buffer) + 1, what, until)
            except Disconnected:
                return

    def expect_refusal(self) -> Close | None:
        """Expect either a close, which is returned, or the end of the socket."""
        try:
            close: Close = self.expect(Close, "the end of the connection")
        except Disconnected:
            return None
        self.send(Close())
        return close

    def close(self) -> None:
        """Close properly; frames before the answer are ignored. This is set-up, unless it is called in ``trial``."""
        self.send(Close())
        with self.broker.set_up():
            self.expect(Close)
        self.shut()

    def shut(self) -> None:
        """Close the socket without a close."""
        self._socket.close()

    # --- octets ---

    def _read(self, count: int, what: str, until: float) -> bytes:
        self._fill(count, what, until)
        octets, self._buffer = self._buffer[:count], self._buffer[count:]
        return octets

    def _fill(self, count: int, what: str, until: float) -> None:
        while len(self._buffer) < count:
            try:
                self._buffer += self._socket.receive(until, rest=self._buffer)
            except NoAnswer:
                raise NoAnswer(f"expected {what}, nothing comes", expected=what) from None
            except Disconnected:
                raise Disconnected(
                    f"expected {what}, the peer has closed the socket", expected=what
                ) from None

    def _give_up(self, frame: Frame, what: str, given_up: Callable[[Frame], bool] | None) -> None:
        if isinstance(frame.performative, Close) or (given_up and given_up(frame)):
            raise Violation(f"expected {what}, got {frame}")


def check_error(error: Error | None, name: str, conditions: tuple[str, ...]) -> None:
    """Check that a close, end or detach has an error of one of these conditions; none given: any or no error.

    Raises:
        Violation: It has not.
    """
    if conditions and (error is None or error.condition not in conditions):
        raise Violation(
            f"expected {name} with {' or '.join(conditions)}, got {name} with {error_text(error)}"
        )
