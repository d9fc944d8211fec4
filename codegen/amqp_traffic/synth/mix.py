"""Which kinds of connections a capture has, and in which proportion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .conversations0 import VERSIONS0, Conversation0
from .conversations1 import Conversation1
from .foreign import FOREIGN
from .setting import ConversationSetting
from .utterance import Turn

_WITH_SASL, _WITHOUT_SASL = "1.0", "1.0-bare"

KINDS = (*VERSIONS0, _WITH_SASL, _WITHOUT_SASL, *FOREIGN)
# These say what they have to say, and go; they do not fill a capture.
SHORT = frozenset(FOREIGN) - {"tls"}
# Connections of each kind in sixteen.
DEFAULT_MIX: Mapping[str, int] = dict.fromkeys(KINDS, 1) | {"0-9-1-rabbitmq": 5, _WITH_SASL: 2}


class MixError(ValueError):
    """A mix that is none. The message says why."""


def read_mix(text: str) -> Mapping[str, int]:
    """A mix as it is written: ``0-9-1=3,1.0`` are three connections of 0-9-1 for each one of 1.0.

    Raises:
        MixError: There is no such kind, or what stands behind the equals sign is no positive number.
    """
    mix: dict[str, int] = {}
    for part in text.split(","):
        kind, equals, share = part.strip().partition("=")
        if kind not in KINDS:
            raise MixError(f"there is no kind of connection {kind!r}; there are {', '.join(KINDS)}")
        if equals and not (share.isascii() and share.isdigit() and int(share)):
            raise MixError(f"{share!r} is no number of connections of kind {kind}")
        mix[kind] = int(share) if equals else 1
    return mix


def kinds_in_turn(mix: Mapping[str, int], count: int) -> Iterator[str]:
    """The kinds of so many connections: those of one kind spread evenly between the others."""
    credit = dict.fromkeys(mix, 0)
    total = sum(mix.values())
    for _ in range(count):
        for kind, share in mix.items():
            credit[kind] += share
        chosen = max(credit, key=credit.__getitem__)
        credit[chosen] -= total
        yield chosen


def converse(kind: str, setting: ConversationSetting) -> Iterator[Turn]:
    """A conversation of that kind."""
    if kind in VERSIONS0:
        return Conversation0(VERSIONS0[kind], setting).turns()
    if kind in FOREIGN:
        return FOREIGN[kind](setting)
    return Conversation1(kind == _WITH_SASL, setting).turns()


def package_of(kind: str) -> str | None:
    """The generated package that decodes it; None if it is not AMQP."""
    if kind in VERSIONS0:
        return VERSIONS0[kind].package
    return None if kind in FOREIGN else "amqp_1_0"
