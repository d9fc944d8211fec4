"""The address of the broker, and a socket to it: every wait has a deadline, everything is recorded."""

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
    """Split a URL into its parts; missing parts take RabbitMQ's defaults: guest, guest, 5672, ``/``.

    Raises:
        SpecError: The text is not such a URL.
    """
    try:
        parts = urlsplit(url)
        port = parts.port or DEFAULT_PORT
    except ValueError as error:
        raise _no_url(url, f" ({error})") from None
    if parts.scheme == "amqps":
        message = "amqps:// asks for TLS, which this command does not speak"
        hint = "name a port without TLS, for example amqp://guest:guest@localhost:5672/"
        raise SpecError([Problem("no-tls", message, None, hint)])
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

    Only reading finds out that the broker closed the socket, never sending: so a driver that is about to send does not
    miss what the broker said before it closed.

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
            transcript: Takes what is sent and received.
            deadline: Returns the end of a wait of that many seconds (None for the usual patience), on the monotonic
                clock. Raises at the end of the trial.
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
        """Add a frame or an event of this connection to the transcript."""
        self._transcript.add(direction, self.number, channel, name, text, octets)

    def send(self, octets: bytes, name: str = "what is sent") -> None:
        """Send octets, unless the broker has closed the socket; ``name`` is for the message.

        Raises:
            NoAnswer: The broker does not read them.
        """
        try:
            self._socket.settimeout(_seconds_left(self._deadline(None)))
            self._socket.sendall(octets)
        except TimeoutError:
            self._deadline(0)  # raises if the trial's time is up
            raise NoAnswer(f"expected that the broker takes {name}, but it does not read") from None
        except OSError:  # reset, broken pipe or closed by us: the next read finds out
            return

    def receive(self, until: float, rest: bytes = b"") -> bytes:
        """Return what the broker sent, at least one octet; empty if it has just closed or reset the socket.

        Args:
            until: When to give up, on the monotonic clock.
            rest: The octets that arrived before and were not taken, for the record of the end.

        Raises:
            NoAnswer: Nothing arrived in time.
            Disconnected: The socket was closed already.
        """
        if self.ended:
            raise Disconnected("expected an answer, but the broker closed the socket")
        try:
            self._socket.settimeout(_seconds_left(until))
            octets = self._socket.recv(_RECEIVED_AT_ONCE)
        except TimeoutError:
            self._deadline(0)  # raises if the trial's time is up
            self.record("event", None, "silence", "nothing came")
            raise NoAnswer("expected an answer, got none") from None
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
        TimeoutError: None are left; so a broker that never stops sending is cut off.
    """
    seconds = until - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds
