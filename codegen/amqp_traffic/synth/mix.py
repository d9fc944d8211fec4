"""The kinds of connections in a capture and their proportions; conversations in protocols other than AMQP."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from struct import pack

from ..schemas import PACKAGE1
from .amqp0 import conversations as amqp0
from .amqp1 import conversations as amqp1
from .chance import Chance
from .setting import ConversationSetting
from .utterance import CLIENT, SERVER, HangUp, Said, Turn, foreign, header

_HANDSHAKE, _APPLICATION_DATA = 22, 23
_MOST_RECORD_OCTETS = 1 << 14


def tls(setting: ConversationSetting) -> Iterator[Turn]:
    """Yield a TLS conversation: plausible hellos, then records with random octets."""
    chance = setting.chance
    yield _record(CLIENT, _HANDSHAKE, _client_hello(chance))
    yield _record(
        SERVER,
        _HANDSHAKE,
        b"\x02\x00\x00\x46\x03\x03" + chance.octets(32) + b"\x20" + chance.octets(32) + b"\x13\x01\x00",
    )
    while not setting.budget.is_spent:
        direction = chance.pick((CLIENT, SERVER))
        yield _record(direction, _APPLICATION_DATA, chance.octets(chance.between(32, _MOST_RECORD_OCTETS)))
    yield HangUp(CLIENT)


def _record(direction: object, kind: int, octets: bytes) -> Said:
    head = pack(">BHH", kind, 0x0303, len(octets))
    return foreign(CLIENT if direction == CLIENT else SERVER, head + octets, "tls")


def _client_hello(chance: Chance) -> bytes:
    """Return a ClientHello with a server name (RFC 8446, section 4.1.2; RFC 6066, section 3)."""
    name = b"broker.example"
    entry = pack(">BH", 0, len(name)) + name
    extension = pack(">HHH", 0, len(entry) + 2, len(entry)) + entry
    ciphers = b"\x13\x01\x13\x02\x13\x03\xc0\x2f"
    hello = b"\x03\x03" + chance.octets(32) + b"\x20" + chance.octets(32)
    hello += pack(">H", len(ciphers)) + ciphers + b"\x01\x00" + pack(">H", len(extension)) + extension
    return b"\x01" + len(hello).to_bytes(3, "big") + hello


def http(setting: ConversationSetting) -> Iterator[Turn]:
    """Yield the conversation of a browser on the wrong port; the broker answers with its protocol header."""
    request = b"GET /api/overview HTTP/1.1\r\nHost: broker.example:5672\r\nAccept: */*\r\n\r\n"
    yield foreign(CLIENT, request, "http")
    yield header(SERVER, b"AMQP\x00\x00\x09\x01")
    yield HangUp(SERVER)


def unsupported_version(setting: ConversationSetting) -> Iterator[Turn]:
    """Yield the conversation of a client that speaks 0-10."""
    yield header(CLIENT, b"AMQP\x01\x01\x00\x0a")
    yield header(SERVER, b"AMQP\x00\x00\x09\x01")
    yield HangUp(SERVER, reset=True)


def silent(setting: ConversationSetting) -> Iterator[Turn]:
    """Yield the conversation of a health check: it connects and hangs up."""
    yield HangUp(CLIENT)


FOREIGN: dict[str, Callable[[ConversationSetting], Iterator[Turn]]] = {
    "tls": tls,
    "http": http,
    "0-10": unsupported_version,
    "silent": silent,
}


_WITH_SASL, _WITHOUT_SASL = "1.0", "1.0-bare"

KINDS = (*amqp0.VERSIONS, _WITH_SASL, _WITHOUT_SASL, *FOREIGN)
# Short whatever their budget: they cannot fill a capture.
SHORT = frozenset(FOREIGN) - {"tls"}
# Connections of each kind, relative to each other.
DEFAULT_MIX: Mapping[str, int] = dict.fromkeys(KINDS, 1) | {"0-9-1-rabbitmq": 5, _WITH_SASL: 2}


class MixError(ValueError):
    """A text that is not a mix. The message says why."""


def read_mix(text: str) -> Mapping[str, int]:
    """Return the mix that a text describes: ``0-9-1=3,1.0`` has three connections of 0-9-1 for each one of 1.0.

    Raises:
        MixError: A kind is unknown, or a share is not a positive integer.
    """
    mix: dict[str, int] = {}
    for part in text.split(","):
        kind, equals, share = part.strip().partition("=")
        if kind not in KINDS:
            raise MixError(f"there is no kind of connection {kind!r}; there are {', '.join(KINDS)}")
        if equals and not (share.isascii() and share.isdigit() and int(share)):
            raise MixError(f"{share!r} is not a number of connections of kind {kind}")
        mix[kind] = int(share) if equals else 1
    return mix


def kinds_in_turn(mix: Mapping[str, int], count: int) -> Iterator[str]:
    """Yield the kinds of ``count`` connections; those of one kind are spread evenly."""
    credit = dict.fromkeys(mix, 0)
    total = sum(mix.values())
    for _ in range(count):
        for kind, share in mix.items():
            credit[kind] += share
        chosen = max(credit, key=credit.__getitem__)
        credit[chosen] -= total
        yield chosen


def converse(kind: str, setting: ConversationSetting) -> Iterator[Turn]:
    """Return a conversation of a kind."""
    if kind in amqp0.VERSIONS:
        return amqp0.SyntheticConversation(amqp0.VERSIONS[kind], setting).turns()
    if kind in FOREIGN:
        return FOREIGN[kind](setting)
    return amqp1.SyntheticConversation(kind == _WITH_SASL, setting).turns()


def package_of(kind: str) -> str | None:
    """Return the generated package that decodes a kind of connection; None if it is not AMQP."""
    if kind in amqp0.VERSIONS:
        return amqp0.VERSIONS[kind].package
    return None if kind in FOREIGN else PACKAGE1
