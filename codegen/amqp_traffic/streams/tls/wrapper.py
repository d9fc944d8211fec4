"""TLS around a protocol: a ``Wrapper`` that opens the records of both directions with the secrets of a key log."""

from __future__ import annotations

from ...capture.stream_data import Direction, StreamPiece
from ..wrappers import InnerStream, LeaveOut, inner_streams
from .handshake import TlsHandshake
from .hellos import ClientHello, HelloReader, TlsFacts
from .key_log import KeyLog
from .records import HANDSHAKE
from .side import Found, TlsSide

AMQP_TLS_HEADER = (
    b"AMQP\x02\x01\x00\x00"  # by which both sides of 1.0 may say that TLS follows (part 5, section 5.2.1)
)


def may_be_known_tls(head: bytes, key_log: KeyLog) -> bool:
    """Return whether TLS begins there whose keys are known, or may when more octets have come."""
    if key_log.is_empty or not head:
        return False
    before = _octets_before(head)
    if before is None:
        return True
    if not head[before:]:
        return before > 0
    if head[before] != HANDSHAKE:
        return False
    reader = HelloReader()
    reader.feed(head[before:])
    if not reader.is_over:
        return True
    return isinstance(reader.hello, ClientHello) and key_log.knows(reader.hello.random)


def is_known_tls(head: bytes, key_log: KeyLog) -> bool:
    """Return whether a stream begins with a whole ClientHello of a connection whose keys are known."""
    reader = HelloReader()
    reader.feed(head[_octets_before(head) or 0 :])
    return isinstance(reader.hello, ClientHello) and key_log.knows(reader.hello.random)


def _octets_before(head: bytes) -> int | None:
    """Return how many octets stand before TLS; None if more of them may come."""
    if head.startswith(AMQP_TLS_HEADER):
        return len(AMQP_TLS_HEADER)
    return None if AMQP_TLS_HEADER.startswith(head) else 0


class TlsWrapper:
    """Takes the application data out of TLS.

    Attributes:
        name, inner: See ``Wrapper``.
    """

    def __init__(self, head: bytes, key_log: KeyLog, leave_out: LeaveOut) -> None:
        """Begin; the client's stream begins with ``head``."""
        self.name = "tls"
        self.inner: tuple[InnerStream, InnerStream] = inner_streams(leave_out)
        self._handshake = TlsHandshake()
        before = _octets_before(head) or 0
        self._sides = [
            TlsSide(direction, self.inner[direction], self._handshake, key_log, before)
            for direction in Direction
        ]

    @property
    def facts(self) -> TlsFacts:
        """What the hellos say."""
        return self._handshake.facts

    def unwrap(self, direction: Direction, piece: StreamPiece) -> Found:
        """See ``Wrapper``."""
        found: Found = []
        self._sides[direction].take(piece, found)
        while self._handshake.is_changed:
            self._handshake.is_changed = False
            for side in self._sides:
                side.advance(found)
        return found

    def finish(self) -> Found:
        """See ``Wrapper``."""
        found: Found = []
        for side in self._sides:
            side.finish(found)
        return found
