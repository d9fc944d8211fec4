"""Conversations that are no AMQP, or one that nobody decodes: what else comes to the port of a broker."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from struct import pack

from .chance import Chance
from .setting import ConversationSetting
from .utterance import CLIENT, SERVER, HangUp, Said, Turn, foreign, header

_HANDSHAKE, _APPLICATION_DATA = 22, 23
_LONGEST_RECORD = 1 << 14


def tls(setting: ConversationSetting) -> Iterator[Turn]:
    """TLS: hellos that look right, and records with octets without pattern."""
    chance = setting.chance
    yield _record(CLIENT, _HANDSHAKE, _client_hello(chance))
    yield _record(
        SERVER,
        _HANDSHAKE,
        b"\x02\x00\x00\x46\x03\x03" + chance.octets(32) + b"\x20" + chance.octets(32) + b"\x13\x01\x00",
    )
    while not setting.budget.is_spent:
        direction = chance.pick((CLIENT, SERVER))
        yield _record(direction, _APPLICATION_DATA, chance.octets(chance.between(32, _LONGEST_RECORD)))
    yield HangUp(CLIENT)


def _record(direction: object, kind: int, octets: bytes) -> Said:
    head = pack(">BHH", kind, 0x0303, len(octets))
    return foreign(CLIENT if direction == CLIENT else SERVER, head + octets, "tls")


def _client_hello(chance: Chance) -> bytes:
    """A ClientHello with a server name (RFC 8446, section 4.1.2; RFC 6066, section 3)."""
    name = b"broker.example"
    entry = pack(">BH", 0, len(name)) + name
    extension = pack(">HHH", 0, len(entry) + 2, len(entry)) + entry
    ciphers = b"\x13\x01\x13\x02\x13\x03\xc0\x2f"
    hello = b"\x03\x03" + chance.octets(32) + b"\x20" + chance.octets(32)
    hello += pack(">H", len(ciphers)) + ciphers + b"\x01\x00" + pack(">H", len(extension)) + extension
    return b"\x01" + len(hello).to_bytes(3, "big") + hello


def http(setting: ConversationSetting) -> Iterator[Turn]:
    """A browser that has the wrong port; a broker answers what it speaks."""
    request = b"GET /api/overview HTTP/1.1\r\nHost: broker.example:5672\r\nAccept: */*\r\n\r\n"
    yield foreign(CLIENT, request, "http")
    yield header(SERVER, b"AMQP\x00\x00\x09\x01")
    yield HangUp(SERVER)


def unsupported_header(setting: ConversationSetting) -> Iterator[Turn]:
    """A client that speaks 0-10."""
    yield header(CLIENT, b"AMQP\x01\x01\x00\x0a")
    yield header(SERVER, b"AMQP\x00\x00\x09\x01")
    yield HangUp(SERVER, reset=True)


def silent(setting: ConversationSetting) -> Iterator[Turn]:
    """A health check: connects, and goes."""
    yield HangUp(CLIENT)


FOREIGN: dict[str, Callable[[ConversationSetting], Iterator[Turn]]] = {
    "tls": tls,
    "http": http,
    "0-10": unsupported_header,
    "silent": silent,
}
