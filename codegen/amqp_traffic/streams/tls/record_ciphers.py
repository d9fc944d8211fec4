"""Ciphers of records: each opens a record if its sequence number is the right one, and says so if it is not."""

from __future__ import annotations

import hmac
from typing import Any, NamedTuple, Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESCCM, AESGCM, ChaCha20Poly1305

from .key_log import KeyLog
from .key_schedule import Protection, RecordKeys, derive_keys
from .suites import SUITES, CipherSuite

_BLOCK, _EXPLICIT_NONCE, _TAG = 16, 8, 16  # octets


class OpenedRecord(NamedTuple):
    """What is in a record: the type of its content, and that."""

    type: int
    content: bytes


class RecordCipher(Protocol):
    """Opens the records of a direction."""

    def open(self, head: bytes, body: bytes, number: int) -> OpenedRecord | None:
        """Open the record with this sequence number; None if it has another one, other keys, or was changed."""
        ...


def make_cipher(protection: Protection, key_log: KeyLog) -> RecordCipher | None:
    """Return what opens the records; None if the key log lacks the secret."""
    keys = derive_keys(protection, key_log)
    if keys is None:
        return None
    suite = SUITES[protection.suite]
    if suite.mode == "cbc":
        return _Cbc(suite, keys, protection.encrypts_then_macs)
    return _Aead(suite, keys)


class _Aead:
    """AES-GCM, AES-CCM and ChaCha20-Poly1305."""

    def __init__(self, suite: CipherSuite, keys: RecordKeys) -> None:
        self._is_of_1_3 = suite.is_of_1_3
        self._has_explicit_nonce = not suite.is_of_1_3 and suite.mode != "chacha20"
        self._tag = 8 if suite.mode == "ccm_8" else _TAG
        self._iv = keys.iv
        self._iv_number = int.from_bytes(keys.iv, "big")
        self._cipher: Any
        match suite.mode:
            case "gcm":
                self._cipher = AESGCM(keys.key)
            case "chacha20":
                self._cipher = ChaCha20Poly1305(keys.key)
            case _:
                self._cipher = AESCCM(keys.key, self._tag)

    def open(self, head: bytes, body: bytes, number: int) -> OpenedRecord | None:
        """See ``RecordCipher``."""
        if self._has_explicit_nonce:
            nonce, body = self._iv + body[:_EXPLICIT_NONCE], body[_EXPLICIT_NONCE:]
        else:
            nonce = (self._iv_number ^ number).to_bytes(len(self._iv), "big")
        size = len(body) - self._tag
        if size < 0:
            return None
        about = head
        if not self._is_of_1_3:
            about = number.to_bytes(8, "big") + head[:3] + size.to_bytes(2, "big")
        try:
            content = self._cipher.decrypt(nonce, body, about)
        except InvalidTag:
            return None
        if not self._is_of_1_3:
            return OpenedRecord(head[0], content)
        content = content.rstrip(b"\0")  # padding
        return OpenedRecord(content[-1], content[:-1]) if content else OpenedRecord(0, b"")


class _Cbc:
    """AES-CBC with a MAC, of the content or of what is encrypted."""

    def __init__(self, suite: CipherSuite, keys: RecordKeys, encrypts_then_macs: bool) -> None:
        self._algorithm = algorithms.AES(keys.key)
        self._mac_key = keys.mac_key
        self._mac = suite.mac
        self._mac_size = suite.mac_key_size
        self._encrypts_then_macs = encrypts_then_macs

    def open(self, head: bytes, body: bytes, number: int) -> OpenedRecord | None:
        """See ``RecordCipher``."""
        if self._encrypts_then_macs:
            body, mac = body[: -self._mac_size], body[-self._mac_size :]
            if not self._is_mac_of(mac, head, body, number):
                return None
        if len(body) < 2 * _BLOCK or len(body) % _BLOCK:
            return None
        decryptor = Cipher(self._algorithm, modes.CBC(body[:_BLOCK])).decryptor()
        content = decryptor.update(body[_BLOCK:]) + decryptor.finalize()
        padding = content[-1] + 1
        if content[-padding:] != bytes([padding - 1]) * padding:
            return None
        content = content[:-padding]
        if not self._encrypts_then_macs:
            if len(content) < self._mac_size:
                return None
            content, mac = content[: -self._mac_size], content[-self._mac_size :]
            if not self._is_mac_of(mac, head, content, number):
                return None
        return OpenedRecord(head[0], content)

    def _is_mac_of(self, mac: bytes, head: bytes, octets: bytes, number: int) -> bool:
        about = number.to_bytes(8, "big") + head[:3] + len(octets).to_bytes(2, "big")
        return hmac.compare_digest(hmac.digest(self._mac_key, about + octets, self._mac), mac)
