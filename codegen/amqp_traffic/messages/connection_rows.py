"""The rows of the table ``connections``, and the names of connections.

A ``ConnectionRecord`` has what packets tell about a connection, ``ConnectionFacts`` what its frames state. Names depend on
the capture, the endpoints and the first packet only, not on the engine or on the files.
"""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass, fields
from hashlib import sha256
from typing import Any

from ..capture.flow_buckets import endpoints
from ..capture.stream_data import SIDES
from ..frames.conversation import FramedConversation
from ..frames.protocol import Protocol
from ..frames.redaction import Login
from ..rows import row_of
from ..schemas import CONNECTIONS
from ..streams.connection import CapturedConnection
from ..streams.tls.hellos import TlsFacts
from .output import ConnectionFacts


@dataclass(frozen=True, slots=True)
class DirectionRecord:
    """Where the octets of one direction went: ``wire`` is the sum of the others but ``duplicate``.

    Attributes:
        wire: The length of the stream.
        framed: In frames and protocol headers.
        gap: Not captured.
        skipped: Left out, see the quarantine.
        tail: The beginning of a frame that the end of the stream cuts.
        wrapped: Around the octets of AMQP; see ``FramingLedger``.
        duplicate: Captured again; not part of ``wire``.
    """

    wire: int = 0
    framed: int = 0
    gap: int = 0
    skipped: int = 0
    tail: int = 0
    wrapped: int = 0
    duplicate: int = 0


@dataclass(frozen=True, slots=True)
class ConnectionRecord:
    """A connection at its end, or where it is not followed any further.

    Attributes:
        number: Its number in the capture.
        client, server: Their addresses and ports; of a client behind a proxy its own, if the proxy tells.
        proxy: Address and port of the proxy, if there is one that tells so.
        transport: What is between TCP and AMQP, from the outermost on, for example ``tls, websocket``; empty for nothing.
        role_by, start_mode, end_mode: See ``CapturedConnection``.
        start_ns, end_ns: When its first and its last packet were captured.
        protocol: None if nothing was sent.
        answer: The protocol header of the server, if it sent one.
        login: None if it was not captured.
        tls: What the hellos of TLS say.
        directions: Where its octets went, in the order of ``Direction``.
    """

    number: int
    client: tuple[str, int]
    server: tuple[str, int]
    proxy: tuple[str, int] | None
    transport: str
    role_by: str
    start_ns: int
    end_ns: int
    start_mode: str
    end_mode: str
    protocol: Protocol | None
    answer: bytes
    login: Login | None
    tls: TlsFacts
    directions: tuple[DirectionRecord, DirectionRecord]


def record_of(connection: CapturedConnection, conversation: FramedConversation) -> ConnectionRecord:
    """Return the record of a connection that has ended."""
    return make_record(
        conversation,
        connection.number,
        (connection.client, connection.server),
        connection.role_by,
        (connection.start_ns, connection.end_ns),
        (connection.start_mode, connection.end_mode),
        (connection.streams[0].duplicate, connection.streams[1].duplicate),
    )


def make_record(
    conversation: FramedConversation,
    number: int,
    ends: tuple[tuple[str, int], tuple[str, int]],
    role_by: str,
    ns: tuple[int, int],
    modes: tuple[str, str],
    duplicates: tuple[int, int],
) -> ConnectionRecord:
    """Return the record of a connection that has ended.

    Args:
        conversation: Its frames.
        number: Its number in the capture.
        ends: Addresses and ports of both ends of TCP, the client first.
        role_by: See ``CapturedConnection``.
        ns: When its first and its last packet were captured.
        modes: How it begins and ends, see ``CapturedConnection``.
        duplicates: Octets that were captured again, by direction.
    """
    unwrapping = conversation.unwrapping
    client, server = (
        DirectionRecord(**asdict(ledger), duplicate=duplicate)
        for ledger, duplicate in zip(conversation.ledgers, duplicates, strict=True)
    )
    return ConnectionRecord(
        number,
        unwrapping.client or ends[0],
        ends[1],
        ends[0] if unwrapping.client else None,
        unwrapping.transport,
        role_by,
        *ns,
        *modes,
        conversation.protocol,
        conversation.answer,
        conversation.login,
        conversation.tls,
        (client, server),
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
    proxy_ip, proxy_port = record.proxy or (None, None)
    client, server = (
        (*astuple(octets), count, bad)
        for octets, count, bad in zip(record.directions, frames, bad_frames, strict=True)
    )
    known = {
        "conn_id": record.number,
        "client_ip": record.client[0],
        "client_port": record.client[1],
        "server_ip": record.server[0],
        "server_port": record.server[1],
        "proxy_ip": proxy_ip,
        "proxy_port": proxy_port,
        "transport": record.transport or None,
        "tls_version": record.tls.version or None,
        "tls_cipher": record.tls.cipher or None,
        "tls_server_name": record.tls.server_name or None,
        "role_by": record.role_by,
        "start_ns": record.start_ns,
        "end_ns": record.end_ns,
        "start_mode": record.start_mode,
        "end_mode": _FIN if record.end_mode == _RST and facts.is_closed else record.end_mode,
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
_FACTS = [field.name for field in fields(ConnectionFacts) if field.name != "is_closed"]
_FIN, _RST = "fin", "rst"
_CLIENT_LEDGER, _SERVER_LEDGER = (
    [name for name, _ in CONNECTIONS if name.startswith(f"{side}_bytes_")]
    + [f"{side}_frames", f"{side}_bad_frames"]
    for side in SIDES
)
