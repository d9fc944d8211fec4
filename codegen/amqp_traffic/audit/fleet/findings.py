"""The audit of all connections of a lake together: rules across messages, connections and clients.

Tasks extract the few facts that these rules need from the tables. One task for each capture queries them in SQL. Then the
frames of the findings are looked up in the lake.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from ...lake.folder import Lake
from ...schemas import PACKAGE1
from ...tasks.runner import Row, TaskRunner
from ..amqp0.octets import first_octets
from ..connection_frames import AuditFrame
from ..find_frames import FrameKey, find_frames
from ..finding import MOST_BYTES, AuditFinding, client_label, finding_id
from ..rules.catalogue import RULES
from .database import FleetRow, ask_fleet
from .parts import open_fact


@dataclass(frozen=True, slots=True)
class FleetShare:
    """A ``Consumer`` that queries the facts of some captures."""

    def __call__(self, bucket: int, slices: Iterator[Row]) -> list[FleetRow]:
        """Query the facts in slices, one capture after the other."""
        opened = (open_fact(octets) for _, _, _, octets in slices)
        found_rows = []
        for capture_id, of_capture in groupby(opened, itemgetter(0)):
            rows = ask_fleet((name, facts) for _, name, facts in of_capture)
            found_rows += [{"capture_id": capture_id, **row} for row in rows]
        return found_rows


def fleet_findings(lake: Lake, runner: TaskRunner, rows: Iterable[FleetRow]) -> list[AuditFinding]:
    """Return findings, sorted, with the places of their frames.

    Args:
        lake: The lake.
        runner: Runs the tasks that search for frames.
        rows: The rows found by the queries, with ``capture_id``.
    """
    rows = list(rows)
    wanted = {_key(row) for row in rows if row["frame_no"] is not None}
    frames = find_frames(lake, runner, wanted)
    return sorted((_finding(row, frames.get(_key(row))) for row in rows), key=lambda each: each.order)


def _key(row: FleetRow) -> FrameKey:
    return row["capture_id"], row["conn_id"], row["frame_no"]


def _finding(row: FleetRow, frame: AuditFrame | None) -> AuditFinding:
    rule = RULES[row["rule_id"]]
    octets = b""
    if frame is not None and row["package"] != PACKAGE1:
        octets = first_octets(frame, row["package"] or "")
    return AuditFinding(
        finding_id(rule.id, row["capture_id"], row["conn_id"], row["channel"], row["frame_no"]),
        rule.id,
        rule.severity.value,
        row["protocol"],
        rule.source,
        row["capture_id"],
        row["conn_id"],
        client_label(row),
        row["channel"],
        frame.direction if frame else None,
        row["frame_no"],
        frame.offset if frame else None,
        frame.file_no if frame else None,
        frame.pkt_no if frame else None,
        frame.pkt_off if frame else None,
        frame.ns if frame else None,
        row["occurrences"],
        row["evidence"] or "",
        octets[:MOST_BYTES].hex() or None,
        row["start_ns"],
    )
