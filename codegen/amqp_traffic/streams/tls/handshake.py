"""What both sides of a TLS connection agree on, as far as it decides which keys protect their records."""

from __future__ import annotations

from ...capture.stream_data import Direction
from .hellos import ClientHello, ServerHello, TlsFacts, accepts_early_data
from .key_log import EARLY, HANDSHAKE, MASTER_SECRET
from .key_schedule import Protection
from .suites import SUITES

_CLIENT = Direction.client_to_server


class TlsHandshake:
    """The handshakes of a connection, one after the other if it is renegotiated.

    Attributes:
        facts: What the hellos say.
        fault: Why nothing can be decrypted; empty if it can.
        awaits_server: Whether what the client sends next depends on a ServerHello that is not known yet.
        pending: In TLS 1.2, what protects each direction after its next ChangeCipherSpec; None if it is not known.
        is_changed: Set when there is something new, on which the other side may wait.
        has_told: Whether it was told that keys do not fit.
    """

    def __init__(self) -> None:
        self.facts = TlsFacts()
        self.fault = ""
        self.awaits_server = False
        self.pending: list[Protection | None] = [None, None]
        self.is_changed = False
        self.has_told = False
        self._random = b""
        self._server: ServerHello | None = None
        self._offers_early_data = False
        self._takes_early_data: bool | None = None

    @property
    def has_client_hello(self) -> bool:
        """Whether there was a ClientHello."""
        return bool(self._random)

    @property
    def version(self) -> str:
        """The version that the server has chosen; empty if that is not known yet."""
        return "" if self._server is None else self._server.version

    @property
    def awaits_early_data(self) -> bool:
        """Whether it is not known yet if the server takes the early data of the client."""
        return self._offers_early_data and self._takes_early_data is None

    @property
    def has_refused_early_data(self) -> bool:
        """Whether the server has not taken the early data of the client, which sends them again then."""
        return self._offers_early_data and self._takes_early_data is False

    def first_protection(self, direction: Direction) -> Protection | None:
        """Return what protects the first records of a direction, in TLS 1.3."""
        if self._server is None or self.version != "1.3":
            return None
        takes_early = direction is _CLIENT and self._offers_early_data and self._takes_early_data
        label = EARLY if takes_early else HANDSHAKE[direction]
        return Protection(direction, self._server.suite, label, self._random)

    def fail(self, fault: str) -> None:
        """Give up."""
        self.fault = self.fault or fault
        self.is_changed = True

    def take(self, hello: ClientHello | ServerHello) -> None:
        """Take a hello."""
        self.is_changed = True
        self.facts.take(hello)
        if isinstance(hello, ClientHello):
            self._random = hello.random
            self.awaits_server = self._server is None
            if self._takes_early_data is None:
                self._offers_early_data = hello.offers_early_data
            return
        self.awaits_server = False
        if hello.is_retry:
            self._takes_early_data = False
            return
        self._server = hello
        suite = SUITES.get(hello.suite)
        if hello.version not in ("1.2", "1.3"):
            self.fail(
                f"TLS {hello.version}" if hello.version[:1].isdigit() else hello.version or "unknown version"
            )
        elif suite is None or suite.is_of_1_3 is not (hello.version == "1.3"):
            self.fail(f"cipher suite {self.facts.cipher}")
        elif hello.version == "1.2":
            self.pending = [
                Protection(
                    direction,
                    hello.suite,
                    MASTER_SECRET,
                    self._random,
                    hello.random,
                    encrypts_then_macs=hello.encrypts_then_macs,
                )
                for direction in Direction
            ]

    def take_extensions(self, content: bytes) -> None:
        """Take the content of EncryptedExtensions."""
        if self._takes_early_data is None:
            self._takes_early_data = accepts_early_data(content)
            self.is_changed = True

    def end_flight(self) -> None:
        """Take the end of what the server sends first: who has not refused early data by then has taken them."""
        if self._takes_early_data is None:
            self._takes_early_data = True
            self.is_changed = True
