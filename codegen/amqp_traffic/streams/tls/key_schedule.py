"""From secrets of a key log to the keys of records: RFC 8446, section 7, and RFC 5246, section 6.3.

A ``Protection`` says which keys protect the records of a direction. It has none itself, so it may be kept with a state.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass, replace
from typing import NamedTuple

from ...capture.stream_data import Direction
from .key_log import APPLICATION, EARLY, HANDSHAKE, MASTER_SECRET, KeyLog
from .suites import SUITES, CipherSuite

_NONCE = 12  # octets


@dataclass(frozen=True, slots=True)
class Protection:
    """Which keys protect the records of a direction.

    Attributes:
        direction: The direction.
        suite: The number of the cipher suite.
        label: The label of their secret.
        client_random: The random of the ClientHello.
        server_random: That of the ServerHello, for TLS 1.2.
        updates: How often the secret was updated, in TLS 1.3.
        encrypts_then_macs: See ``ServerHello``.
    """

    direction: Direction
    suite: int
    label: str
    client_random: bytes
    server_random: bytes = b""
    updates: int = 0
    encrypts_then_macs: bool = False

    @property
    def following(self) -> Protection | None:
        """What comes next in TLS 1.3, as KeyUpdate or the end of the handshake begins it; None in 1.2."""
        if self.label == EARLY:
            return replace(self, label=HANDSHAKE[self.direction])
        if self.label in HANDSHAKE:
            return replace(self, label=APPLICATION[self.direction])
        return replace(self, updates=self.updates + 1) if self.label in APPLICATION else None


class RecordKeys(NamedTuple):
    """The keys of a direction.

    Attributes:
        key: Of the cipher.
        iv: The part of nonces that is the same for all records.
        mac_key: Of the MAC of CBC; empty for others.
    """

    key: bytes
    iv: bytes
    mac_key: bytes

    def __repr__(self) -> str:
        """Return a text without keys."""
        return "<keys>"


def derive_keys(protection: Protection, key_log: KeyLog) -> RecordKeys | None:
    """Return the keys of a direction; None if the key log has not the secret that the cipher suite needs."""
    suite = SUITES[protection.suite]
    secret = key_log.secret(protection.label, protection.client_random)
    if secret is None:
        return None
    if protection.label == MASTER_SECRET:
        return _keys_of_1_2(protection, suite, secret)
    size = 48 if suite.hash == "sha384" else 32
    if len(secret) != size:
        return None
    for _ in range(protection.updates):
        secret = expand_label(secret, b"traffic upd", size, suite.hash)
    key = expand_label(secret, b"key", suite.key_size, suite.hash)
    return RecordKeys(key, expand_label(secret, b"iv", _NONCE, suite.hash), b"")


def _keys_of_1_2(protection: Protection, suite: CipherSuite, secret: bytes) -> RecordKeys:
    """Cut the key block: MAC keys, keys and IVs, each of the client and of the server."""
    sizes = suite.mac_key_size, suite.key_size, suite.fixed_iv_size
    seed = b"key expansion" + protection.server_random + protection.client_random
    block = expand_block(secret, seed, 2 * sum(sizes), suite.hash)
    parts, at = list[bytes](), 0
    for size in sizes:
        begin = at + protection.direction * size
        parts.append(block[begin : begin + size])
        at += 2 * size
    mac_key, key, iv = parts
    return RecordKeys(key, iv, mac_key)


def expand_label(secret: bytes, label: bytes, size: int, hash_name: str) -> bytes:
    """Return HKDF-Expand-Label of TLS 1.3, without context."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

    algorithm = hashes.SHA384() if hash_name == "sha384" else hashes.SHA256()
    label = b"tls13 " + label
    info = size.to_bytes(2, "big") + bytes([len(label)]) + label + b"\0"
    return HKDFExpand(algorithm, size, info).derive(secret)


def expand_block(secret: bytes, seed: bytes, size: int, hash_name: str) -> bytes:
    """Return the pseudorandom function of TLS 1.2."""
    block, step = b"", seed
    while len(block) < size:
        step = hmac.digest(secret, step, hash_name)
        block += hmac.digest(secret, step + seed, hash_name)
    return block[:size]
