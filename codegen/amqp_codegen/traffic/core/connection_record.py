"""What is known of a connection at its end, apart from what was said on it."""

from __future__ import annotations

from dataclasses import dataclass

from .connection import Connection
from .conversation import Conversation
from .protocol import Protocol
from .redaction import Login
from .stream import Direction


@dataclass(frozen=True, slots=True)
class DirectionRecord:
    """Where the octets of one direction went: ``wire`` = ``framed`` + ``gap`` + ``skipped`` + ``tail``.

    Attributes:
        wire: The length of the stream.
        framed: In frames and protocol headers.
        gap: Not captured.
        skipped: Left out, see the quarantine.
        tail: The beginning of a frame that the stream ends within.
        duplicate: Captured again; not part of ``wire``.
    """

    wire: int = 0
    framed: int = 0
    gap: int = 0
    skipped: int = 0
    tail: int = 0
    duplicate: int = 0


@dataclass(frozen=True, slots=True)
class ConnectionRecord:
    """A connection that has ended, or is not followed any further.

    Attributes:
        number: Its number among those of the capture.
        client, server: Address and port of both.
        role_by: What tells client from server, see ``Connection``.
        start_ns, end_ns: When its first and its last packet were captured.
        start_mode, end_mode: See ``Connection``.
        protocol: What it speaks; None if nothing was said.
        answer: The protocol header that the server sent, if it did.
        login: Who logs in, if that was captured.
        directions: Where its octets went, in the order of ``Direction``.
    """

    number: int
    client: tuple[str, int]
    server: tuple[str, int]
    role_by: str
    start_ns: int
    end_ns: int
    start_mode: str
    end_mode: str
    protocol: Protocol | None
    answer: bytes
    login: Login | None
    directions: tuple[DirectionRecord, DirectionRecord]


def record_of(connection: Connection, conversation: Conversation) -> ConnectionRecord:
    """The record of a connection that has ended."""
    client, server = (_direction(connection, conversation, direction) for direction in Direction)
    return ConnectionRecord(
        connection.number,
        connection.client,
        connection.server,
        connection.role_by,
        connection.start_ns,
        connection.end_ns,
        connection.start_mode,
        connection.end_mode,
        conversation.protocol,
        conversation.answer,
        conversation.login,
        (client, server),
    )


def _direction(connection: Connection, conversation: Conversation, direction: Direction) -> DirectionRecord:
    stream, ledger = connection.streams[direction], conversation.ledgers[direction]
    return DirectionRecord(
        ledger.wire, ledger.framed, ledger.gap, ledger.skipped, ledger.tail, stream.duplicate
    )
