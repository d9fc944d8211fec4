"""What was read, where every octet of it went, and what was left out and why."""

from __future__ import annotations

from dataclasses import dataclass

from ..capture.stream_data import SIDES
from .queries import Ask

_FILES = """
SELECT t.capture_id, t.file_no, t.file, t.format, t.compression, t.size, t.packets, t.first_ns, t.last_ns, t.status,
  t.bytes_skipped
FROM captures t ORDER BY t.first_ns, t.capture_id, t.file_no
"""
_OCTET_COLUMNS = ("wire", "framed", "gap", "skipped", "tail", "dup")
_STREAMS = "SELECT {} FROM connections".format(
    ", ".join(
        f"coalesce(sum({side}_bytes_{kind}), 0) AS {side}_{kind}" for side in SIDES for kind in _OCTET_COLUMNS
    )
)
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


def ledger(ask: Ask) -> Ledger:
    """Query the tables ``captures`` and ``connections``."""
    files = [ReadFile(**row) for row in ask(_FILES)]
    row = next(iter(ask(_STREAMS)))
    return Ledger(
        tuple(files[:_MOST_FILES]),
        max(0, len(files) - _MOST_FILES),
        sum(each.size or 0 for each in files),
        sum(each.packets or 0 for each in files),
        {(each.capture_id, each.file_no): each.file for each in files},
        tuple(StreamOctets(side, *(row[f"{side}_{kind}"] for kind in _OCTET_COLUMNS)) for side in SIDES),
    )


_QUARANTINE = """
SELECT capture_id, stage, reason, count(*) AS times, coalesce(sum(length), 0) AS octets,
  count(DISTINCT conn_id) AS connections,
  min_by(named_struct('file_no', file_no, 'pkt_no', pkt_no, 'detail', detail, 'conn_id', conn_id),
    coalesce(ns, 0)) AS first
FROM quarantine GROUP BY capture_id, stage, reason ORDER BY capture_id, times DESC, stage, reason LIMIT 400
"""


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


def left_out(ask: Ask) -> tuple[QuarantineGroup, ...]:
    """Query what was left out, by capture, the most frequent reasons first."""
    rows = (dict(row) for row in ask(_QUARANTINE))
    return tuple(QuarantineGroup(**row.pop("first"), **row) for row in rows)
