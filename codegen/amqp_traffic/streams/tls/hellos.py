"""The first messages of TLS, which are not encrypted: what ClientHello and ServerHello say (RFC 8446, section 4.1)."""

from __future__ import annotations

from dataclasses import dataclass

from ...capture.stream_data import Direction, StreamPiece
from .records import HANDSHAKE, RECORD_HEAD, is_record_head, record_size
from .suites import name_of

CLIENT_HELLO, SERVER_HELLO = 1, 2
MESSAGE_HEAD = 4
_LONGEST_HELLO = 1 << 16
_SERVER_NAME, _ENCRYPT_THEN_MAC, _EARLY_DATA, _SUPPORTED_VERSIONS = 0, 22, 42, 43
# The random of a ServerHello that asks for another ClientHello.
_RETRY = bytes.fromhex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c")
_VERSIONS = {0x0300: "SSL 3.0", 0x0301: "1.0", 0x0302: "1.1", 0x0303: "1.2", 0x0304: "1.3"}


@dataclass(frozen=True, slots=True)
class ClientHello:
    """A ClientHello.

    Attributes:
        random: Its random, by which key logs name the connection.
        server_name: The server that the client wants; empty if it does not say.
        offers_early_data: Whether the client sends data before the server has answered.
    """

    random: bytes
    server_name: str
    offers_early_data: bool


@dataclass(frozen=True, slots=True)
class ServerHello:
    """A ServerHello.

    Attributes:
        random: Its random.
        version: For example ``1.2``; empty for an unknown one.
        suite: The number of the cipher suite.
        is_retry: Whether it asks for another ClientHello.
        encrypts_then_macs: Whether the MAC of CBC is that of encrypted octets (RFC 7366).
    """

    random: bytes
    version: str
    suite: int
    is_retry: bool
    encrypts_then_macs: bool


@dataclass(slots=True)
class TlsFacts:
    """What the hellos say of a connection; empty where they do not.

    Attributes:
        version: For example ``1.2``.
        cipher: The name of the cipher suite.
        server_name: The server that the client wants.
    """

    version: str = ""
    cipher: str = ""
    server_name: str = ""

    def take(self, hello: ClientHello | ServerHello) -> None:
        """Take what a hello says."""
        if isinstance(hello, ClientHello):
            self.server_name = hello.server_name
        elif not hello.is_retry:
            self.version, self.cipher = hello.version, name_of(hello.suite)


class _Fields:
    """The fields of a message, one after the other. Raises ``ValueError`` where there are no more."""

    def __init__(self, octets: bytes) -> None:
        self._octets = octets
        self._at = 0

    def take(self, size: int) -> bytes:
        taken = self._octets[self._at : self._at + size]
        if len(taken) < size:
            raise ValueError("a message is cut")
        self._at += size
        return taken

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "big")

    def vector(self, size: int) -> bytes:
        """Return what stands behind its length of so many octets."""
        return self.take(self.number(size))

    @property
    def is_over(self) -> bool:
        return self._at >= len(self._octets)


def read_extensions(octets: bytes) -> dict[int, bytes]:
    """Return extensions by their numbers.

    Raises:
        ValueError: They are cut.
    """
    fields, extensions = _Fields(octets), dict[int, bytes]()
    while not fields.is_over:
        number = fields.number(2)
        extensions[number] = fields.vector(2)
    return extensions


def accepts_early_data(encrypted_extensions: bytes) -> bool:
    """Return whether the content of EncryptedExtensions says that the server takes early data."""
    try:
        return _EARLY_DATA in read_extensions(_Fields(encrypted_extensions).vector(2))
    except ValueError:
        return False


def read_hello(message: bytes) -> ClientHello | ServerHello | None:
    """Read a message of the handshake; None if it is neither, or makes no sense."""
    fields = _Fields(message[MESSAGE_HEAD:])
    try:
        match message[0]:
            case 1:
                return _read_client_hello(fields)
            case 2:
                return _read_server_hello(fields)
            case _:
                return None
    except ValueError:
        return None


def _read_client_hello(fields: _Fields) -> ClientHello:
    fields.take(2)
    random = fields.take(32)
    fields.vector(1)  # session
    fields.vector(2)  # cipher suites
    fields.vector(1)  # compression
    extensions = {} if fields.is_over else read_extensions(fields.vector(2))
    return ClientHello(random, _read_name(extensions.get(_SERVER_NAME, b"")), _EARLY_DATA in extensions)


def _read_name(extension: bytes) -> str:
    """Return the name in an extension server_name (RFC 6066, section 3), if it is one."""
    name = extension[5:]
    if extension[2:3] != b"\0" or len(name) != int.from_bytes(extension[3:5], "big") or not name.isascii():
        return ""
    text = name.decode("ascii")
    return text if text.isprintable() else ""


def _read_server_hello(fields: _Fields) -> ServerHello:
    version = fields.number(2)
    random = fields.take(32)
    fields.vector(1)  # session
    suite = fields.number(2)
    fields.take(1)  # compression
    extensions = {} if fields.is_over else read_extensions(fields.vector(2))
    version = int.from_bytes(extensions.get(_SUPPORTED_VERSIONS, version.to_bytes(2, "big")), "big")
    return ServerHello(
        random, _VERSIONS.get(version, ""), suite, random == _RETRY, _ENCRYPT_THEN_MAC in extensions
    )


class HelloReader:
    """Reads the hello at the beginning of a stream.

    Attributes:
        hello: It, when it is complete.
        is_over: Whether it is, or there is none.
    """

    def __init__(self) -> None:
        self.hello: ClientHello | ServerHello | None = None
        self.is_over = False
        self._held = bytearray()
        self._message = bytearray()

    def feed(self, octets: bytes) -> None:
        """Take the next octets."""
        if self.is_over:
            return
        held, message = self._held, self._message
        held += octets
        while len(held) >= RECORD_HEAD and not self.is_over:
            size = record_size(held)
            if not is_record_head(held) or held[0] != HANDSHAKE or len(message) > _LONGEST_HELLO:
                self.is_over = True
            elif len(held) < size:
                break
            else:
                message += held[RECORD_HEAD:size]
                del held[:size]
                self._read_message()

    def _read_message(self) -> None:
        message = self._message
        end = MESSAGE_HEAD + int.from_bytes(message[1:4], "big")
        if message and (message[0] not in (CLIENT_HELLO, SERVER_HELLO) or end > _LONGEST_HELLO):
            self.is_over = True
        elif len(message) >= MESSAGE_HEAD and len(message) >= end:
            self.hello, self.is_over = read_hello(bytes(message[:end])), True


class HelloWatch:
    """Reads the hellos of a connection that is not decrypted.

    Attributes:
        facts: What they say.
    """

    def __init__(self, before: int = 0) -> None:
        """Take how many octets stand before TLS in both directions."""
        self.facts = TlsFacts()
        self._readers = [HelloReader(), HelloReader()]
        self._before = [before, before]

    def take(self, direction: Direction, piece: StreamPiece) -> bool:
        """Take the next piece; return whether there is nothing more to learn."""
        reader, before = self._readers[direction], self._before[direction]
        if piece.gap:
            reader.is_over = True
        elif not reader.is_over:
            self._before[direction] = max(before - len(piece.data), 0)
            reader.feed(piece.data[before:])
            if reader.hello is not None:
                self.facts.take(reader.hello)
        return all(reader.is_over for reader in self._readers)
