"""The address of the broker, and a socket to it: every wait has a deadline, everything is recorded."""

from __future__ import annotations

import re
import socket
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import SplitResult, quote, unquote, urlsplit

from amqp_codegen.model.problem import Problem, SpecError
from amqp_codegen.support.wording import quote as quote_text

from .password import PasswordSources, find_password
from .redaction import Redactor, redactor_of
from .run_result import Disconnected, NoAnswer
from .tls import TlsOptions, explain_alert, make_context, start_tls
from .transcript import Direction, Transcript

_RECEIVED_AT_ONCE = 1 << 16
DEFAULT_PORT = 5672
DEFAULT_TLS_PORT = 5671
_NO_OTHER_SOURCE = PasswordSources()
_VERIFIED = TlsOptions()
_EXAMPLE = "it looks like amqp://guest:guest@localhost:5672/"


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """The parts of ``amqp://user:password@host:port/vhost``; the text form leaves the password out.

    Attributes:
        tls: How to do TLS, for ``amqps://``; None to go without.
    """

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    virtual_host: str
    tls: ssl.SSLContext | None = field(default=None, repr=False)

    @property
    def redactor(self) -> Redactor:
        """What keeps the password out of texts and octets."""
        return redactor_of(self.user, self.password)

    def __str__(self) -> str:
        scheme = "amqps" if self.tls else "amqp"
        host = f"[{self.host}]" if ":" in self.host else self.host
        virtual_host = "" if self.virtual_host == "/" else quote(self.virtual_host, safe="")
        return f"{scheme}://{quote(self.user, safe='')}@{host}:{self.port}/{virtual_host}"


def read_target(
    url: str, passwords: PasswordSources = _NO_OTHER_SOURCE, tls: TlsOptions = _VERIFIED
) -> BrokerAddress:
    """Split a URL into its parts; missing parts take RabbitMQ's defaults: guest, guest, 5672 or 5671, ``/``.

    Args:
        url: ``amqp://...``, or ``amqps://...`` for TLS.
        passwords: Where else the password may come from.
        tls: Which certificates count.

    Raises:
        SpecError: The text is not such a URL, or what else was given does not fit.
    """
    parts = _split(url)
    is_tls = parts.scheme == "amqps"
    if tls.first_given and not is_tls:
        message = f"{tls.first_given} is for TLS, but {quote_text(_without_password(url))} asks for none"
        raise SpecError([Problem("no-tls", message, None, "amqps:// asks for TLS")])
    context = make_context(tls) if is_tls else None
    user = None if parts.username is None else unquote(parts.username)
    given = None if parts.password is None else unquote(parts.password)
    return BrokerAddress(
        host=parts.hostname or "",
        port=parts.port or (DEFAULT_TLS_PORT if is_tls else DEFAULT_PORT),
        user=user or "guest",
        password=find_password(passwords, user, given),
        virtual_host=unquote(parts.path[1:]) or "/",
        tls=context,
    )


def _split(url: str) -> SplitResult:
    """Split the URL of a broker.

    Raises:
        SpecError: It is not such a URL; the message shows it without the password.
    """
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        # What Python quotes could be a part of a password that is not well written.
        raise _no_url(url, "" if "@" in url else f" ({error})") from None
    if parts.scheme not in ("amqp", "amqps") or not parts.hostname:
        raise _no_url(url)
    if url.count("@") > ("@" in parts.netloc):
        hint = "in a user, a password or a virtual host @ is written %40, / is written %2F"
        raise _no_url(url, "", hint)
    return parts


def _no_url(url: str, why: str = "", hint: str = _EXAMPLE) -> SpecError:
    message = f"{quote_text(_without_password(url))} is no URL of a broker{why}"
    return SpecError([Problem("no-url", message, None, hint)])


def _without_password(url: str) -> str:
    """Return a text that should be a URL with asterisks for all that could be a part of a password."""
    return re.sub(r"(?s)^((?:amqps?:/+|[a-z0-9+.-]*://)?[^:@]*):.*@", r"\1:***@", url)


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
        address: BrokerAddress,
        number: int,
        transcript: Transcript,
        deadline: Callable[[float | None], float],
        patience: float,
    ) -> None:
        """Connect.

        Args:
            address: Where to, and whether with TLS.
            number: Which of the trial's connections it is.
            transcript: Takes what is sent and received.
            deadline: Returns the end of a wait of that many seconds (None for the usual patience), on the monotonic
                clock. Raises at the end of the trial.
            patience: How long to wait for the connection.

        Raises:
            OSError: Nothing listens, or TLS fails.
        """
        self.number = number
        self.ended = False
        self._transcript = transcript
        self._deadline = deadline
        self._redactor = address.redactor
        self._socket = socket.create_connection((address.host, address.port), patience)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if address.tls:
            self._socket = start_tls(self._socket, address.tls, address.host)

    def record(
        self, direction: Direction, channel: int | None, name: str, text: str, octets: bytes = b""
    ) -> None:
        """Add a frame or an event of this connection to the transcript, which blanks out our password."""
        self._transcript.add(direction, self.number, channel, name, text, octets)

    def without_password(self, octets: bytes) -> bytes:
        """Replace our password by as many asterisks, in octets that are recorded in pieces."""
        return self._redactor.octets(octets)

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
            Disconnected: The socket was closed already, or the broker ended TLS with an alert.
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
        except ssl.SSLError as error:
            self.ended = True
            self.record("event", None, "end", f"TLS failed: {explain_alert(error)}", rest)
            raise Disconnected(f"expected an answer, but TLS failed: {explain_alert(error)}") from None
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
