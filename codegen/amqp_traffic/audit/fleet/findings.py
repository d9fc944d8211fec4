"""The audit of all connections of a lake together: producers of facts, their queries, and the findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import pyarrow.compute as pc

from ...lake.arrow_types import null_array
from ...lake.folder import Lake
from ...schemas import PACKAGES1, table_columns
from ...tasks.runner import Row, TaskRunner
from ..amqp0.octets import first_octets
from ..connection_frames import AuditFrame
from ..find_frames import FrameKey, find_frames
from ..finding import AuditFinding, FindingKey
from ..shares import RowGroup, sealed, unsealed
from .database import FleetRow, ask_fleet
from .facts import READ, facts
from .queries import FLEET_RULES

_ROWS_PER_BATCH = 1 << 18
_MOST_SLICE_ROWS = 1 << 15  # a megabyte or two


@dataclass(frozen=True, slots=True)
class FleetPart:
    """A ``Producer`` that extracts facts from a part of a table of a capture.

    Attributes:
        group: The part.
        capture_no: The number of the capture among those of the lake.
        share: The share that gets all facts of the capture.
    """

    group: RowGroup
    capture_no: int
    share: int

    def __call__(self) -> Iterator[Row]:
        """Yield slices of the tables of facts."""
        source = self.group.source
        wanted, kinds = READ[source], dict(table_columns(source))
        for rows in self.group.batches(_ROWS_PER_BATCH, wanted):
            for name in set(wanted).difference(rows.column_names):  # no row of the file has it
                rows = rows.append_column(name, null_array(rows.num_rows, kinds[name]))
            rows = rows.filter(pc.is_valid(rows["conn_id"]))
            for fact, fact_rows in facts(source, rows):
                for start in range(0, fact_rows.num_rows, _MOST_SLICE_ROWS):
                    some = fact_rows.slice(start, _MOST_SLICE_ROWS)
                    yield self.share, self.capture_no, 0, sealed(some, self.group.capture_id, fact)


@dataclass(frozen=True, slots=True)
class FleetShare:
    """A ``Consumer`` that queries the facts of some captures."""

    def __call__(self, bucket: int, slices: Iterator[Row]) -> list[FleetRow]:
        """Query the facts in slices, one capture after the other."""
        opened = (unsealed(octets) for _, _, _, octets in slices)
        found_rows = []
        for capture_id, of_capture in groupby(opened, itemgetter(0)):
            rows = ask_fleet((name, facts) for _, name, facts in of_capture)
            found_rows += [{"capture_id": capture_id, **row} for row in rows]
        return found_rows


def fleet_findings(lake: Lake, runner: TaskRunner, rows: Iterable[FleetRow]) -> list[AuditFinding]:
    """Return findings, sorted, with the places of their frames.

    ``runner`` runs the tasks that search for frames. The queries have found ``rows``, which have a ``capture_id``.
    """
    rows = list(rows)
    wanted = {_key(row) for row in rows if row["frame_no"] is not None}
    frames = find_frames(lake, runner, wanted)
    return sorted((_finding(row, frames.get(_key(row))) for row in rows), key=lambda finding: finding.order)


def _key(row: FleetRow) -> FrameKey:
    return row["capture_id"], row["conn_id"], row["frame_no"]


def _finding(row: FleetRow, frame: AuditFrame | None) -> AuditFinding:
    octets = b""
    if frame is not None and row["package"] not in PACKAGES1:
        octets = first_octets(frame, row["package"] or "")
    rule = FLEET_RULES[row["rule_id"]]
    key = FindingKey(rule, row["capture_id"], row["conn_id"], row["channel"], row["frame_no"])
    return key.finding(row, frame, octets, occurrences=row["occurrences"], evidence=row["evidence"])
