"""Where the broker is, and a socket to it on which every wait has an end and everything is on record."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

from amqp_codegen.model.problem import Problem, SpecError
from amqp_codegen.support.wording import quote as quote_text

from .run_result import Disconnected, NoAnswer
from .transcript import Direction, Transcript

_RECEIVED_AT_ONCE = 1 << 16
DEFAULT_PORT = 5672
_EXAMPLE = "it looks like amqp://guest:guest@localhost:5672/"


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """The parts of ``amqp://user:password@host:port/vhost``; the text form leaves the password out."""

    host: str
    port: int
    user: str
    password: str
    virtual_host: str

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        virtual_host = "" if self.virtual_host == "/" else quote(self.virtual_host, safe="")
        return f"amqp://{quote(self.user, safe='')}@{host}:{self.port}/{virtual_host}"


def read_target(url: str) -> BrokerAddress:
    """The parts of a URL; what is not given is as RabbitMQ is set up by default: guest, guest, 5672, ``/``.

    Raises:
        SpecError: It is no such URL.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or DEFAULT_PORT
    except ValueError as error:
        raise _no_url(url, f" ({error})") from None
    if parts.scheme != "amqp" or not parts.hostname:
        raise _no_url(url)
    return BrokerAddress(
        host=parts.hostname,
        port=port,
        user=unquote(parts.username or "guest"),
        password=unquote(parts.password or "guest"),
        virtual_host=unquote(parts.path[1:]) or "/",
    )


def _no_url(url: str, why: str = "") -> SpecError:
    return SpecError([Problem("no-url", f"{quote_text(url)} is no URL of a broker{why}", None, _EXAMPLE)])


class BrokerSocket:
    """Sends and receives octets for one connection of a trial.

    That the broker closed the socket is found out by reading, never by sending: so what the broker said before
    it closed the socket is not missed by somebody who was just about to send.

    Attributes:
        number: Which of the trial's connections it is, from 1.
        ended: One of the two has closed the socket.
    """

    def __init__(
        self,
        address: tuple[str, int],
        number: int,
        transcript: Transcript,
        deadline: Callable[[float | None], float],
        patience: float,
    ) -> None:
        """Connect.

        Args:
            address: Host and port.
            number: Which of the trial's connections it is.
            transcript: What was sent and received.
            deadline: Until when a wait of so many seconds may last, on the monotonic clock; None for the usual
                patience. It raises when the trial is at its end.
            patience: How long to wait for the connection.

        Raises:
            OSError: Nothing listens.
        """
        self.number = number
        self.ended = False
        self._transcript = transcript
        self._deadline = deadline
        self._socket = socket.create_connection(address, patience)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def record(
        self, direction: Direction, channel: int | None, name: str, text: str, octets: bytes = b""
    ) -> None:
        """Put a frame or an event of this connection into the transcript."""
        self._transcript.add(direction, self.number, channel, name, text, octets)

    def send(self, octets: bytes, name: str = "what is sent") -> None:
        """Send octets, unless the broker has closed the socket.

        Args:
            octets: What to send.
            name: What it is, for the message.

        Raises:
            NoAnswer: The broker does not take them.
        """
        try:
            self._socket.settimeout(_seconds_left(self._deadline(None)))
            self._socket.sendall(octets)
        except TimeoutError:
            self._deadline(0)  # when it is the trial's time that is up
            raise NoAnswer(f"expected that the broker takes {name}, but it does not read") from None
        except OSError:  # reset, broken pipe or closed by us: reading will tell
            return

    def receive(self, until: float, expected: str = "an answer", rest: bytes = b"") -> bytes:
        """Return what the broker sent, at least one octet; nothing when it has just closed or reset the socket.

        Args:
            until: When to give up, on the monotonic clock.
            expected: What should come, for messages.
            rest: What came before and is not taken yet, for the record of the end.

        Raises:
            NoAnswer: Nothing came.
            Disconnected: The socket was closed already.
        """
        if self.ended:
            raise Disconnected(f"expected {expected}, but the broker closed the socket")
        try:
            self._socket.settimeout(_seconds_left(until))
            octets = self._socket.recv(_RECEIVED_AT_ONCE)
        except TimeoutError:
            self._deadline(0)  # when it is the trial's time that is up
            self.record("event", None, "silence", "nothing came")
            raise NoAnswer(f"expected {expected}, got no answer") from None
        except OSError:
            octets = b""
        if not octets:
            self.ended = True
            self.record("event", None, "end", "the broker closed the socket", rest)
        return octets

    def shut(self) -> None:
        """Wake up a thread that waits here; it finds the socket closed."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            return

    def close(self) -> None:
        """Close the socket."""
        self.ended = True
        self._socket.close()


def _seconds_left(until: float) -> float:
    """Return the seconds until then.

    Raises:
        TimeoutError: There are none, so that a broker that never stops is cut short.
    """
    seconds = until - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds
