"""What was left out, and why."""

from __future__ import annotations

from dataclasses import dataclass

from .gather import Ask

_QUERY = """
SELECT capture_id, stage, reason, count(*) AS times, coalesce(sum(length), 0) AS octets,
  count(DISTINCT conn_id) AS connections,
  min_by(named_struct('file_no', file_no, 'pkt_no', pkt_no, 'detail', detail, 'conn_id', conn_id),
    coalesce(ns, 0)) AS first
FROM quarantine GROUP BY capture_id, stage, reason ORDER BY capture_id, times DESC, stage, reason LIMIT 400
"""


@dataclass(frozen=True, slots=True)
class QuarantineTotals:
    """What was left out of a capture for one reason.

    Attributes:
        capture_id: The capture.
        stage: Where.
        reason: Why, of the closed list of the ingest.
        times: How often.
        octets: How many.
        connections: Of how many.
        file_no: The file of the first.
        pkt_no: The packet of the first, from 1.
        detail: More about the first.
        conn_id: The connection of the first.
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


def left_out(ask: Ask) -> tuple[QuarantineTotals, ...]:
    """By capture, the most frequent first."""
    rows = (dict(row) for row in ask(_QUERY))
    return tuple(QuarantineTotals(**row.pop("first"), **row) for row in rows)
