"""The rows of the table ``connections``."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from ..core.assembly.facts import Facts
from ..core.connection_record import ConnectionRecord
from ..core.protocol import Protocol
from ..core.stream import SIDES
from ..tables.rows import row_of
from ..tables.schemas import CONNECTIONS

NOT_KNOWN = Protocol("", "", "")


def connection_row(
    record: ConnectionRecord, facts: Facts, frames: tuple[int, int], bad_frames: tuple[int, int]
) -> tuple[Any, ...]:
    """The row of a connection, with its number in the place of its name.

    Args:
        record: What packets tell of it.
        facts: What was said about it.
        frames: How many frames there are, by direction.
        bad_frames: How many of them could not be decoded.
    """
    protocol = record.protocol or NOT_KNOWN
    client, server = (
        (it.wire, it.framed, it.gap, it.skipped, it.tail, it.duplicate, count, bad)
        for it, count, bad in zip(record.directions, frames, bad_frames, strict=True)
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
_FACTS = [field.name for field in fields(Facts)]
_CLIENT_LEDGER, _SERVER_LEDGER = (
    [name for name, _ in CONNECTIONS if name.startswith(f"{side}_bytes_")]
    + [f"{side}_frames", f"{side}_bad_frames"]
    for side in SIDES
)
