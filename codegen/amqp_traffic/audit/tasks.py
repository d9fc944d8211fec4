"""The tasks of an audit: distribute the rows of a lake by connection, and audit the connections of a share.

Producers read parts of tables that are each large enough for a task; a consumer gets all rows of the connections in its share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..lake.folder import Lake
from ..tasks.runner import Producer, Row
from .auditor import audit_connection
from .connection_columns import BEFORE_FRAMES, SOURCES, source_columns
from .connection_frames import read_trails
from .finding import AuditFinding
from .fleet.facts import READ
from .fleet.findings import FleetPart
from .shares import RowGroup, row_groups, slices

_ROWS_PER_TASK = 1 << 17
_ROWS_PER_SHARE = 1 << 19  # approximately
_ROWS_PER_SORT = 65_536


@dataclass(frozen=True, slots=True)
class ConnectionsTask:
    """A ``Producer`` that distributes a part of a table of a capture.

    Attributes:
        group: The part.
        capture_no: The number of the capture among those of the lake.
        shares: The number of shares.
    """

    group: RowGroup
    capture_no: int
    shares: int

    def __call__(self) -> Iterator[Row]:
        """Yield slices of rows. Shares are buckets, sorted by captures and the first rows of slices."""
        source = self.group.source
        own = [name for name, _ in source_columns(source)]
        keys = ["conn_id"] if source in BEFORE_FRAMES else ["conn_id", "frame_no"]
        marks = ["source"] if source == "messages" else []
        for rows in self.group.batches(_ROWS_PER_SORT, [*keys, *marks, *own]):
            yield from slices(source, self.group.capture_id, self.capture_no, self.shares, rows)


@dataclass(frozen=True, slots=True)
class InOneTask:
    """A ``Producer`` that calls several others, each too small for a task, one after the other."""

    producers: tuple[Producer, ...]

    def __call__(self) -> Iterator[Row]:
        """Yield the rows of all."""
        for producer in self.producers:
            yield from producer()


@dataclass(frozen=True, slots=True)
class AuditShare:
    """A ``Consumer`` that audits the connections of a share.

    Attributes:
        targets: The targets of a migration.
    """

    targets: tuple[str, ...] = ()

    def __call__(self, bucket: int, slices: Iterator[Row]) -> list[AuditFinding]:
        """Audit the connections that are in slices."""
        found: list[AuditFinding] = []
        for connection, frames in read_trails(slices):
            found += audit_connection(connection, frames, self.targets)
        return found


def count_rows(lake: Lake) -> int:
    """Return the number of rows in the tables that the audit of connections reads."""
    return sum(group.rows for group in row_groups(lake, SOURCES))


def packed(groups: Sequence[RowGroup], make: Callable[[RowGroup], Producer], at_least: int) -> list[Producer]:
    """Return producers for groups, with those of small groups in one task.

    ``at_least`` is the smallest number of producers, if there are as many groups.
    """
    worth = min(_ROWS_PER_TASK, sum(group.rows for group in groups) // at_least + 1)
    producers: list[Producer] = []
    waiting: list[Producer] = []
    rows = 0
    for group in groups:
        waiting.append(make(group))
        rows += group.rows
        if rows >= worth:
            producers.append(InOneTask(tuple(waiting)))
            waiting, rows = [], 0
    return [*producers, InOneTask(tuple(waiting))] if waiting else producers


def capture_numbers(groups: Sequence[RowGroup]) -> dict[str, int]:
    """Return the numbers of captures, in the order of their names."""
    return {name: number for number, name in enumerate(sorted({group.capture_id for group in groups}))}


def audited_groups(lake: Lake) -> list[RowGroup]:
    """Return all row groups that the audit reads of a lake."""
    return row_groups(lake, sorted({*SOURCES, *READ}))


def trail_parts_of(audited: Sequence[RowGroup], at_least: int = 1) -> tuple[int, list[Producer]]:
    """Return the number of shares, and producers of the rows of connections.

    Args:
        audited: The result of ``audited_groups``.
        at_least: The smallest number of producers and shares, if there are enough rows.
    """
    groups = [group for group in audited if group.source in SOURCES]
    numbers = capture_numbers(groups)
    shares = max(at_least, sum(group.rows for group in groups) // _ROWS_PER_SHARE + 1)

    def make(group: RowGroup) -> ConnectionsTask:
        return ConnectionsTask(group, numbers[group.capture_id], shares)

    return shares, packed(groups, make, at_least)


def fleet_parts_of(audited: Sequence[RowGroup], connection_shares: int, at_least: int = 1) -> list[Producer]:
    """Return producers of the facts that the rules across a fleet need; their shares follow those of connections.

    Args:
        audited: The result of ``audited_groups``.
        connection_shares: The number of shares of connections; captures are distributed among as many.
        at_least: The smallest number of producers, if there are enough rows.
    """
    groups = [group for group in audited if group.source in READ]
    numbers = capture_numbers(groups)

    def make(group: RowGroup) -> FleetPart:
        number = numbers[group.capture_id]
        return FleetPart(group, number, connection_shares + number % connection_shares)

    return packed(groups, make, at_least)
