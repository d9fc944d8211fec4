"""What was read, where every octet of it went, and what was left out and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any

import pyarrow.compute as pc

from ..capture.stream_data import SIDES
from .lake_rows import LakeRows

_OCTET_COLUMNS = ("wire", "framed", "gap", "skipped", "tail", "dup")
_MOST_FILES = 200  # a ring may have thousands


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file that was read: columns of ``captures``."""

    capture_id: str
    file_no: int
    file: str
    format: str
    compression: str | None
    size: int
    packets: int
    first_ns: int | None
    last_ns: int | None
    status: str
    bytes_skipped: int


_FILE = tuple(column.name for column in fields(ReadFile) if column.name != "capture_id")


@dataclass(frozen=True, slots=True)
class StreamOctets:
    """Octets of all streams of one direction; sums of columns of ``connections``."""

    side: str
    wire: int
    framed: int
    gap: int
    skipped: int
    tail: int
    dup: int

    @property
    def difference(self) -> int:
        """The octets that are not accounted for; always 0."""
        return self.wire - self.framed - self.gap - self.skipped - self.tail


@dataclass(frozen=True, slots=True)
class Ledger:
    """The files and octets that were read.

    Attributes:
        files: The first 200 files.
        files_more: The number of other files.
        size: Octets of all files.
        packets: Packets of all files.
        names: The names of all files, by capture and number.
        octets: Octets of the clients' streams, and of the servers'.
    """

    files: tuple[ReadFile, ...]
    files_more: int
    size: int
    packets: int
    names: dict[tuple[str, int], str]
    octets: tuple[StreamOctets, ...]


def ledger(tables: LakeRows) -> Ledger:
    """Sum up the tables ``captures`` and ``connections``."""
    files = sorted(
        (
            ReadFile(group.capture_id, **row)
            for group in tables.groups("captures", _FILE)
            for row in group.rows.to_pylist()
        ),
        key=lambda file: (file.first_ns or 0, file.capture_id, file.file_no),
    )
    octets: Counter[str] = Counter()
    names = [f"{side}_bytes_{kind}" for side in SIDES for kind in _OCTET_COLUMNS]
    for group in tables.groups("connections", names):
        octets.update({name: pc.sum(group.rows[name]).as_py() or 0 for name in names})
    return Ledger(
        tuple(files[:_MOST_FILES]),
        max(0, len(files) - _MOST_FILES),
        sum(file.size or 0 for file in files),
        sum(file.packets or 0 for file in files),
        {(file.capture_id, file.file_no): file.file for file in files},
        tuple(
            StreamOctets(side, *(octets[f"{side}_bytes_{kind}"] for kind in _OCTET_COLUMNS)) for side in SIDES
        ),
    )


_MOST_REASONS = 400
_LEFT_OUT = ("stage", "reason", "file_no", "pkt_no", "detail", "conn_id", "ns", "length")


@dataclass(frozen=True, slots=True)
class QuarantineGroup:
    """What was left out of a capture for one reason.

    Attributes:
        stage: The stage of the ingest.
        reason: One of the reasons that the ingest knows.
        times: The number of rows.
        octets: The octets of all rows.
        connections: The number of connections.
        file_no: The file of the first row.
        pkt_no: The packet of the first row, from 1.
        detail: The detail of the first row.
        conn_id: The connection of the first row.
    """

    capture_id: str
    stage: str
    reason: str
    times: int
    octets: int
    connections: int
    file_no: int | None
    pkt_no: int | None
    detail: str | None
    conn_id: str | None


@dataclass(slots=True)
class _Reason:
    """The rows of one reason, as far as they were read."""

    first: dict[str, Any]
    times: int = 0
    octets: int = 0
    conn_ids: set[str] = field(default_factory=set)

    def add(self, row: dict[str, Any]) -> None:
        """Count a row."""
        self.times += 1
        self.octets += row["length"] or 0
        if row["conn_id"] is not None:
            self.conn_ids.add(row["conn_id"])
        if (row["ns"] or 0) < (self.first["ns"] or 0):
            self.first = row


def left_out(tables: LakeRows) -> tuple[QuarantineGroup, ...]:
    """Return what was left out, by capture, the most frequent reasons first."""
    # Row by row: an ingest keeps a limited number of rows for each reason.
    reasons: dict[tuple[str, str, str], _Reason] = {}
    for group in tables.groups("quarantine", _LEFT_OUT):
        for row in group.rows.to_pylist():
            reasons.setdefault((group.capture_id, row["stage"], row["reason"]), _Reason(row)).add(row)
    groups = [
        QuarantineGroup(
            *key,
            times=counts.times,
            octets=counts.octets,
            connections=len(counts.conn_ids),
            **{name: counts.first[name] for name in ("file_no", "pkt_no", "detail", "conn_id")},
        )
        for key, counts in reasons.items()
    ]
    return tuple(
        sorted(groups, key=lambda loss: (loss.capture_id, -loss.times, loss.stage, loss.reason))[
            :_MOST_REASONS
        ]
    )
