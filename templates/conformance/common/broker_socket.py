"""The URL of a broker, plain sockets to it, and the error of a broker that does something else than expected."""

import os
import socket
import time
import uuid
from types import TracebackType
from typing import Any, Final, NamedTuple, Self
from urllib.parse import unquote, urlsplit

from .package_peer import PackagePeer

# How many seconds to wait for what a broker has to do. Some take three until they close a socket.
PATIENCE: Final = 8.0
_DEFAULT_PORT: Final = 5672
_RECEIVED_AT_ONCE: Final = 1 << 16


class Unexpected(AssertionError):
    """The broker did something else than what was expected, or nothing."""


class NothingCame(Unexpected):
    """The broker sent nothing in time."""


class BrokerUrl(NamedTuple):
    """The parts of ``amqp://user:password@host:port/virtual-host``."""

    host: str
    port: int
    user: str
    password: str
    virtual_host: str


def read_url(url: str) -> BrokerUrl:
    """The parts of a URL; ValueError if it is none.

    What is left out is guest, 5672 and ``/``. The environment variable AMQP_PASSWORD has a password that the URL lacks.
    """
    parts = urlsplit(url)
    if parts.scheme != "amqp" or not parts.hostname:
        # Without the URL itself: it may have a password.
        raise ValueError(
            "the URL of a broker looks like amqp://guest:guest@localhost:5672/; there is no TLS here"
        )
    return BrokerUrl(
        parts.hostname,
        parts.port or _DEFAULT_PORT,
        unquote(parts.username or "guest"),
        unquote(parts.password) if parts.password else os.environ.get("AMQP_PASSWORD", "guest"),
        unquote(parts.path[1:]) or "/",
    )


class BrokerSocket:
    """A connected socket; every wait has an end.

    Attributes:
        is_closed: Either side has closed it.
    """

    def __init__(self, url: BrokerUrl, patience: float) -> None:
        self.is_closed = False
        self._patience = patience
        self._socket = socket.create_connection((url.host, url.port), patience)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, octets: bytes) -> None:
        """Sends octets. If the broker has closed the socket, only the next ``receive`` tells."""
        try:
            self._socket.settimeout(self._patience)
            self._socket.sendall(octets)
        except TimeoutError:
            raise Unexpected("the broker does not read what is sent") from None
        except OSError:
            return

    def receive(self, until: float, expected: str) -> bytes:
        """The octets that come next; none if the broker has just closed the socket.

        Args:
            until: When to give up, on the monotonic clock.
            expected: What is expected, for the message.
        """
        if self.is_closed:
            raise Unexpected(f"expected {expected}, but the socket is closed")
        octets = b""
        try:
            self._socket.settimeout(max(until - time.monotonic(), 0.001))
            octets = self._socket.recv(_RECEIVED_AT_ONCE)
        except TimeoutError:
            raise NothingCame(f"expected {expected}, nothing came") from None
        except OSError:
            self.is_closed = True
        self.is_closed = self.is_closed or not octets
        return octets

    def receive_rest(self, until: float) -> bytes:
        """All octets until the broker closes the socket."""
        octets = b""
        while not self.is_closed:
            octets += self.receive(until, "the end of the connection")
        return octets

    def close(self) -> None:
        """Closes the socket."""
        self.is_closed = True
        self._socket.close()


class UrlBroker:
    """The base of brokers at a URL.

    Attributes:
        url: Where it is: ``amqp://user:password@host:port/virtual-host``.
        patience: How many seconds to wait for what it has to do.
    """

    def __init__(self, url: str, package: Any = None, patience: float = PATIENCE) -> None:
        """Connects to nothing yet; give the generated package if it has another name than it was generated with."""
        self.url = url
        self.patience = patience
        self._package = package
        self._connections: list[SocketConnection] = []

    @property
    def amqp(self) -> Any:
        """The generated package."""
        if self._package is None:
            self._package = PackagePeer().amqp
        return self._package

    def name(self, label: str = "test") -> str:
        """A name that nobody else uses. Nothing is removed from the broker: declare exclusive or auto-delete."""
        return f"conformance.{label}.{uuid.uuid4().hex[:12]}"

    def close(self) -> None:
        """Closes the sockets of all connections."""
        for connection in self._connections:
            connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class SocketConnection:
    """The base of connections: octets.

    Attributes:
        amqp: The generated package.
        url: The parts of the broker's URL.
        patience: That of the broker.
    """

    def __init__(self, broker: UrlBroker) -> None:
        self.amqp: Any = broker.amqp
        self.url = read_url(broker.url)
        self.patience = broker.patience
        self._socket = BrokerSocket(self.url, self.patience)

    def close(self) -> None:
        """Closes the socket."""
        self._socket.close()

    def send_octets(self, octets: bytes) -> None:
        """Sends octets, valid or not."""
        self._socket.send(octets)

    def expect_end(self, seconds: float | None = None) -> bytes:
        """Reads until the broker closes the socket; returns the octets that came before, frames or not."""
        return self._socket.receive_rest(self._until(seconds))

    def _until(self, seconds: float | None) -> float:
        """When to give up, on the monotonic clock."""
        return time.monotonic() + (self.patience if seconds is None else seconds)
