"""The rows of the table ``connections``, and the names of connections.

A ``ConnectionRecord`` has what packets tell about a connection, ``ConnectionFacts`` what its frames state. Names depend on
the capture, the endpoints and the first packet only, not on the engine or on the files.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Any

from ..capture.flow_buckets import endpoints
from ..capture.stream_data import SIDES, Direction
from ..frames.conversation import FramedConversation
from ..frames.protocol import Protocol
from ..frames.redaction import Login
from ..rows import row_of
from ..schemas import CONNECTIONS
from ..streams.connection import CapturedConnection
from .output import ConnectionFacts


@dataclass(frozen=True, slots=True)
class DirectionRecord:
    """Where the octets of one direction went: ``wire`` = ``framed`` + ``gap`` + ``skipped`` + ``tail``.

    Attributes:
        wire: The length of the stream.
        framed: In frames and protocol headers.
        gap: Not captured.
        skipped: Left out, see the quarantine.
        tail: The beginning of a frame that the end of the stream cuts.
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
    """A connection at its end, or where it is not followed any further.

    Attributes:
        number: Its number in the capture.
        client, server: Their addresses and ports.
        role_by, start_mode, end_mode: See ``CapturedConnection``.
        start_ns, end_ns: When its first and its last packet were captured.
        protocol: None if nothing was sent.
        answer: The protocol header of the server, if it sent one.
        login: None if it was not captured.
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


def record_of(connection: CapturedConnection, conversation: FramedConversation) -> ConnectionRecord:
    """Return the record of a connection that has ended."""
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


def _direction(
    connection: CapturedConnection, conversation: FramedConversation, direction: Direction
) -> DirectionRecord:
    stream, ledger = connection.streams[direction], conversation.ledgers[direction]
    return DirectionRecord(
        ledger.wire, ledger.framed, ledger.gap, ledger.skipped, ledger.tail, stream.duplicate
    )


def connection_id(capture_id: str, flow: bytes, first: int) -> str:
    """Return the name of a connection.

    Args:
        capture_id: The name of the capture.
        flow: That of either direction, see ``Segment``.
        first: The number of its first packet in the capture; of raw streams, which have no packets, that of the connection.
    """
    return sha256(b"\0".join((capture_id.encode(), *endpoints(flow), b"%d" % first))).hexdigest()[:16]


NOT_KNOWN = Protocol("", "", "")


def connection_row(
    record: ConnectionRecord, facts: ConnectionFacts, frames: tuple[int, int], bad_frames: tuple[int, int]
) -> tuple[Any, ...]:
    """Return the row of a connection, with its number instead of its name.

    Args:
        record: What packets tell about it.
        facts: What its frames state.
        frames: Their count by direction.
        bad_frames: How many of them could not be decoded, by direction.
    """
    protocol = record.protocol or NOT_KNOWN
    client, server = (
        (octets.wire, octets.framed, octets.gap, octets.skipped, octets.tail, octets.duplicate, count, bad)
        for octets, count, bad in zip(record.directions, frames, bad_frames, strict=True)
    )
    known = {
        "conn_id": record.number,
        "client_ip": record.client[0],
        "client_port": record.client[1],
        "server_ip": record.server[0],
        "server_port": record.server[1],
        "role_by": record.role_by,
        "start_ns": record.start_ns,
        "end_ns": record.end_ns,
        "start_mode": record.start_mode,
        "end_mode": record.end_mode,
        "protocol": protocol.name or None,
        "package": protocol.package or None,
        "dialect_by": protocol.by or None,
        "header_bytes": protocol.header or None,
        "answer_bytes": record.answer or None,
        "detail": protocol.detail or None,
        "user": (record.login.user or None) if record.login else None,
        "mechanism": record.login.mechanism if record.login else None,
        **dict(zip(_CLIENT_LEDGER, client, strict=True)),
        **dict(zip(_SERVER_LEDGER, server, strict=True)),
    }
    return _row({**{name: getattr(facts, name) for name in _FACTS}, **known})


_row = row_of(CONNECTIONS)
_FACTS = [field.name for field in fields(ConnectionFacts)]
_CLIENT_LEDGER, _SERVER_LEDGER = (
    [name for name, _ in CONNECTIONS if name.startswith(f"{side}_bytes_")]
    + [f"{side}_frames", f"{side}_bad_frames"]
    for side in SIDES
)
