"""Records of TLS: five octets of head, and a body that may be encrypted (RFC 8446, section 5)."""

from __future__ import annotations

from typing import NamedTuple

from ..wrappers import Place

CHANGE_CIPHER_SPEC, ALERT, HANDSHAKE, APPLICATION_DATA, HEARTBEAT = range(20, 25)
RECORD_HEAD = 5
LONGEST_BODY = (1 << 14) + 2048
_TYPES = frozenset((CHANGE_CIPHER_SPEC, ALERT, HANDSHAKE, APPLICATION_DATA, HEARTBEAT))
_MINOR_VERSIONS = frozenset(range(1, 5))


class Record(NamedTuple):
    """A record as it was sent.

    Attributes:
        head, body: Its octets.
        place: The packet that completes it.
    """

    head: bytes
    body: bytes
    place: Place

    @property
    def size(self) -> int:
        """All its octets."""
        return RECORD_HEAD + len(self.body)


def record_size(octets: bytes | bytearray, at: int = 0) -> int:
    """Return the octets of a record by its head."""
    return RECORD_HEAD + (octets[at + 3] << 8 | octets[at + 4])


def is_record_head(octets: bytes | bytearray, at: int = 0) -> bool:
    """Return whether five octets can be the head of a record."""
    return (
        octets[at] in _TYPES
        and octets[at + 1] == 3
        and octets[at + 2] in _MINOR_VERSIONS
        and record_size(octets, at) <= RECORD_HEAD + LONGEST_BODY
    )
