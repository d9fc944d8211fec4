"""TLS octet by octet: both sides of a connection, with secrets that are chosen instead of agreed on.

So there can be all that programs do seldom, or that is wrong. The keys are derived here once more, from the RFCs.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from random import Random
from struct import pack

from amqp_traffic.capture.stream_data import Direction
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, ChaCha20Poly1305

from .wrapped_captures import Wrap

CLIENT, SERVER = Direction
Sent = list[tuple[Direction, bytes]]

# Mode, octets of a key, hash of the key schedule, hash of the MAC.
SUITES = {
    0x1301: ("gcm", 16, "sha256", ""),
    0x1302: ("gcm", 32, "sha384", ""),
    0x1303: ("chacha", 32, "sha256", ""),
    0x1304: ("ccm", 16, "sha256", ""),
    0x1305: ("ccm8", 16, "sha256", ""),
    0x009C: ("gcm", 16, "sha256", ""),
    0xC030: ("gcm", 32, "sha384", ""),
    0xCCA8: ("chacha", 32, "sha256", ""),
    0xC0AC: ("ccm", 16, "sha256", ""),
    0xC0AF: ("ccm8", 32, "sha256", ""),
    0xC013: ("cbc", 16, "sha256", "sha1"),
    0xC027: ("cbc", 16, "sha256", "sha256"),
    0xC028: ("cbc", 32, "sha384", "sha384"),
}
RETRY = hashlib.sha256(b"HelloRetryRequest").digest()
_LABELS = {
    "early": ("CLIENT_EARLY_TRAFFIC_SECRET", ""),
    "handshake": ("CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET"),
    "application": ("CLIENT_TRAFFIC_SECRET_0", "SERVER_TRAFFIC_SECRET_0"),
}


def expand(secret: bytes, label: bytes, size: int, name: str) -> bytes:
    """HKDF-Expand-Label (RFC 8446, section 7.1), without context."""
    info = pack(">H", size) + bytes([6 + len(label)]) + b"tls13 " + label + b"\0"
    octets, last, turn = b"", b"", 1
    while len(octets) < size:
        last = hmac.new(secret, last + info + bytes([turn]), name).digest()
        octets, turn = octets + last, turn + 1
    return octets[:size]


def prf(secret: bytes, seed: bytes, size: int, name: str) -> bytes:
    """P_hash (RFC 5246, section 5)."""
    octets, step = b"", seed
    while len(octets) < size:
        step = hmac.new(secret, step, name).digest()
        octets += hmac.new(secret, step + seed, name).digest()
    return octets[:size]


@dataclass
class Keys:
    """What protects a direction."""

    key: bytes
    iv: bytes
    mac_key: bytes = b""
    secret: bytes = b""
    number: int = 0


@dataclass
class MadeTls:
    """A connection.

    Attributes:
        version: ``1.2`` or ``1.3``.
        suite: The number of the cipher suite.
        seed: Of the secrets.
        early: What the client sends before the server has answered, in TLS 1.3; ``takes_early``: whether the server takes it.
        retries: The server asks for another ClientHello.
        encrypts_then_macs: As both sides agree on it for CBC.
        padding: Octets of padding in each record of TLS 1.3, or blocks in CBC.
        most: The most octets of content in a record.
        coalesces: All messages of a flight are in one record.
        name: The server name.
        key_log: The lines of the key log.
    """

    version: str = "1.3"
    suite: int = 0x1301
    seed: int = 1
    early: bytes = b""
    takes_early: bool = True
    retries: bool = False
    encrypts_then_macs: bool = False
    padding: int = 0
    most: int = 1 << 14
    coalesces: bool = False
    name: bytes = b"broker.example"
    key_log: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._chance = Random(self.seed)
        self._keys: list[Keys | None] = [None, None]
        self._mode, self._key_size, self._hash, self._mac = SUITES[self.suite]

    # --- Conversations ---

    def handshake(self) -> Sent:
        """The first handshake."""
        self._random = self._chance.randbytes(32)
        sent: Sent = [(CLIENT, self._messages(CLIENT, self._client_hello()))]
        if self.version == "1.2":
            return sent + self._rest_of_1_2()
        change = self.record(CLIENT, 20, b"\1", is_plain=True)
        if self.early:
            self._keys[CLIENT] = self._new_keys("early", CLIENT)
            sent += [(CLIENT, change), (CLIENT, self._data(CLIENT, self.early))]
        if self.retries:
            self._keys[CLIENT] = None
            sent.append((SERVER, self._messages(SERVER, self._server_hello(RETRY))))
            sent.append((CLIENT, self._messages(CLIENT, self._client_hello(is_second=True))))
        sent.append((SERVER, self._messages(SERVER, self._server_hello(self._chance.randbytes(32)))))
        sent.append((SERVER, self.record(SERVER, 20, b"\1", is_plain=True)))
        self._keys[SERVER] = self._new_keys("handshake", SERVER)
        takes_early = bool(self.early) and self.takes_early and not self.retries
        extensions = pack(">HH", 42, 0) if takes_early else pack(">HHH", 10, 2, 0)
        flight = (
            message(8, pack(">H", len(extensions)) + extensions),
            message(11, bytes(900)),
            message(20, bytes(32)),
        )
        sent.append((SERVER, self._messages(SERVER, *flight)))
        self._keys[SERVER] = self._new_keys("application", SERVER)
        if takes_early:
            sent.append((CLIENT, self._messages(CLIENT, message(5, b""))))
        sent.append((CLIENT, change))
        self._keys[CLIENT] = self._new_keys("handshake", CLIENT)
        sent.append((CLIENT, self._messages(CLIENT, message(20, bytes(32)))))
        self._keys[CLIENT] = self._new_keys("application", CLIENT)
        sent.append((SERVER, self._messages(SERVER, message(4, bytes(200)))))
        return sent

    def renegotiate(self) -> Sent:
        """Another handshake of TLS 1.2, within the first."""
        self._random = self._chance.randbytes(32)
        return [
            (SERVER, self._messages(SERVER, message(0, b""))),
            (CLIENT, self._messages(CLIENT, self._client_hello())),
            *self._rest_of_1_2(),
        ]

    def _rest_of_1_2(self) -> Sent:
        server_random = self._chance.randbytes(32)
        keys = self._keys_of_1_2(server_random)
        flight = self._server_hello(server_random), message(11, bytes(900)), message(14, b"")
        sent: Sent = [(SERVER, self._messages(SERVER, *flight))]
        sent.append((CLIENT, self._messages(CLIENT, message(16, bytes(66)))))
        for direction in Direction:
            sent.append((direction, self.record(direction, 20, b"\1")))
            self._keys[direction] = keys[direction]
            sent.append((direction, self._messages(direction, message(20, bytes(12)))))
        return sent

    def data(self, direction: Direction, octets: bytes) -> Sent:
        """Application data."""
        return [(direction, self._data(direction, octets))]

    def alert(self, direction: Direction) -> Sent:
        """The end of a direction."""
        return [(direction, self.record(direction, 21, b"\1\0"))]

    def update_keys(self, direction: Direction) -> Sent:
        """KeyUpdate of TLS 1.3."""
        sent = [(direction, self._messages(direction, message(24, b"\0")))]
        keys = self._keys[direction]
        assert keys is not None
        secret = expand(keys.secret, b"traffic upd", len(keys.secret), self._hash)
        self._keys[direction] = self._keys_of(secret)
        return sent

    # --- Messages ---

    def _client_hello(self, is_second: bool = False) -> bytes:
        name = pack(">BH", 0, len(self.name)) + self.name
        extensions = [(0, pack(">H", len(name)) + name)]
        if self.version == "1.3":
            extensions.append((43, b"\2\3\4"))
        if self.early and not is_second:
            extensions.append((42, b""))
        if self.encrypts_then_macs:
            extensions.append((22, b""))
        suites = pack(">HH", self.suite, 0x00FF)
        body = b"\3\3" + self._random + b"\0" + pack(">H", len(suites)) + suites + b"\1\0"
        return message(1, body + _extensions(extensions))

    def _server_hello(self, random: bytes) -> bytes:
        extensions = [(43, b"\3\4")] if self.version == "1.3" else [(0xFF01, b"\0")]
        if self.encrypts_then_macs:
            extensions.append((22, b""))
        body = b"\3\3" + random + b"\0" + pack(">HB", self.suite, 0)
        return message(2, body + _extensions(extensions))

    def _messages(self, direction: Direction, *messages: bytes) -> bytes:
        parts = [b"".join(messages)] if self.coalesces else messages
        return b"".join(
            self.record(direction, 22, part[at : at + self.most])
            for part in parts
            for at in range(0, len(part), self.most)
        )

    def _data(self, direction: Direction, octets: bytes) -> bytes:
        return b"".join(
            self.record(direction, 23, octets[at : at + self.most]) for at in range(0, len(octets), self.most)
        )

    # --- Keys ---

    def _log(self, label: str, secret: bytes) -> None:
        self.key_log.append(f"{label} {self._random.hex()} {secret.hex()}")

    def _new_keys(self, epoch: str, direction: Direction) -> Keys:
        secret = self._chance.randbytes(hashlib.new(self._hash).digest_size)
        self._log(_LABELS[epoch][direction], secret)
        return self._keys_of(secret)

    def _keys_of(self, secret: bytes) -> Keys:
        key = expand(secret, b"key", self._key_size, self._hash)
        return Keys(key, expand(secret, b"iv", 12, self._hash), secret=secret)

    def _keys_of_1_2(self, server_random: bytes) -> list[Keys]:
        master = self._chance.randbytes(48)
        self._log("CLIENT_RANDOM", master)
        mac = hashlib.new(self._mac).digest_size if self._mac else 0
        iv = {"cbc": 0, "chacha": 12}.get(self._mode, 4)
        block = prf(
            master,
            b"key expansion" + server_random + self._random,
            2 * (mac + self._key_size + iv),
            self._hash,
        )
        at, parts = 0, []
        for size in (mac, mac, self._key_size, self._key_size, iv, iv):
            parts.append(block[at : at + size])
            at += size
        return [Keys(parts[2 + side], parts[4 + side], parts[side]) for side in range(2)]

    # --- Records ---

    def record(self, direction: Direction, kind: int, content: bytes, is_plain: bool = False) -> bytes:
        """A record, protected as those of this direction are."""
        keys = None if is_plain else self._keys[direction]
        if keys is None:
            return pack(">BHH", kind, 0x0303, len(content)) + content
        number, keys.number = keys.number, keys.number + 1
        if self.version == "1.3":
            inner = content + bytes([kind]) + bytes(self.padding)
            head = pack(">BHH", 23, 0x0303, len(inner) + self._tag)
            return head + self._aead(keys).encrypt(self._nonce(keys, number), inner, head)
        head, about = pack(">BH", kind, 0x0303), pack(">QBH", number, kind, 0x0303)
        if self._mode == "cbc":
            body = self._cbc(keys, about, content)
        elif self._mode == "chacha":
            body = self._aead(keys).encrypt(
                self._nonce(keys, number), content, about + pack(">H", len(content))
            )
        else:
            explicit = pack(">Q", number ^ 0x1234)  # no counter, as some programs have it
            body = explicit + self._aead(keys).encrypt(
                keys.iv + explicit, content, about + pack(">H", len(content))
            )
        return head + pack(">H", len(body)) + body

    @property
    def _tag(self) -> int:
        return 8 if self._mode == "ccm8" else 16

    def _aead(self, keys: Keys) -> AESGCM | AESCCM | ChaCha20Poly1305:
        if self._mode == "gcm":
            return AESGCM(keys.key)
        return ChaCha20Poly1305(keys.key) if self._mode == "chacha" else AESCCM(keys.key, self._tag)

    def _nonce(self, keys: Keys, number: int) -> bytes:
        return bytes(a ^ b for a, b in zip(keys.iv, pack(">IQ", 0, number), strict=True))

    def _cbc(self, keys: Keys, about: bytes, content: bytes) -> bytes:
        def mac_of(octets: bytes) -> bytes:
            return hmac.new(keys.mac_key, about + pack(">H", len(octets)) + octets, self._mac).digest()

        if not self.encrypts_then_macs:
            content += mac_of(content)
        padding = 15 - len(content) % 16 + 16 * self.padding
        iv = self._chance.randbytes(16)
        encryptor = Cipher(algorithms.AES(keys.key), modes.CBC(iv)).encryptor()
        body = iv + encryptor.update(content + bytes([padding]) * (padding + 1)) + encryptor.finalize()
        return body + mac_of(body) if self.encrypts_then_macs else body


def message(kind: int, body: bytes) -> bytes:
    """A message of the handshake."""
    return bytes([kind]) + len(body).to_bytes(3, "big") + body


def _extensions(extensions: list[tuple[int, bytes]]) -> bytes:
    octets = b"".join(pack(">HH", number, len(content)) + content for number, content in extensions)
    return pack(">H", len(octets)) + octets


def made_wrap(tls: MadeTls, between: bool = False) -> Wrap:
    """A wrapping of a connection; with ``between``, keys are new after some data."""
    turns = 0

    def wrap(direction: Direction, data: bytes) -> Sent:
        nonlocal turns
        sent = [] if turns else tls.handshake()
        turns += 1
        if between and turns % 5 == 0:
            if tls.version == "1.2":
                sent += tls.renegotiate()
            else:
                sent += tls.update_keys(direction)
        return sent + tls.data(direction, data)

    return wrap
