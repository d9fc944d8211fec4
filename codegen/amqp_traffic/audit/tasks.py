"""The tasks of an audit: to share out what a lake has of connections, and to audit those of a share.

Producers read parts of tables that are each worth a task; who takes a share gets all rows of its connections.
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
from .fleet.parts import FleetPart
from .row_group import RowGroup, row_groups
from .shares import slices

_WORTH = 1 << 17  # rows of a task
_ROWS_OF_SHARE = 1 << 19  # about
_AT_ONCE = 65_536  # rows that are sorted


@dataclass(frozen=True, slots=True)
class ConnectionsTask:
    """Shares out a part of a table of a capture. It is a ``Producer``.

    Attributes:
        group: The part.
        capture_no: The number of the capture among those of the lake.
        shares: How many shares there are.
    """

    group: RowGroup
    capture_no: int
    shares: int

    def __call__(self) -> Iterator[Row]:
        """Slices of rows. Shares are buckets; in these slices come in the order of captures, and of their first rows."""
        source = self.group.source
        own = [name for name, _ in source_columns(source)]
        keys = ["conn_id"] if source in BEFORE_FRAMES else ["conn_id", "frame_no"]
        marks = ["source"] if source == "messages" else []
        for rows in self.group.batches(_AT_ONCE, [*keys, *marks, *own]):
            yield from slices(source, self.group.capture_id, self.capture_no, self.shares, rows)


@dataclass(frozen=True, slots=True)
class InOneTask:
    """Producers that are too small for a task each. It is a ``Producer``.

    Attributes:
        producers: They are called one after the other.
    """

    producers: tuple[Producer, ...]

    def __call__(self) -> Iterator[Row]:
        """The rows of all."""
        for producer in self.producers:
            yield from producer()


@dataclass(frozen=True, slots=True)
class AuditShare:
    """Audits some of the connections. It is a ``Consumer``.

    Attributes:
        targets: What one wants to move to.
    """

    targets: tuple[str, ...] = ()

    def __call__(self, bucket: int, slices: Iterator[Row]) -> list[AuditFinding]:
        """Audit the connections that are in slices."""
        found: list[AuditFinding] = []
        for connection, frames in read_trails(slices):
            found += audit_connection(connection, frames, self.targets)
        return found


def count_rows(lake: Lake) -> int:
    """How many rows there are of which the audit takes each."""
    return sum(group.rows for group in row_groups(lake, SOURCES))


def packed(groups: Sequence[RowGroup], make: Callable[[RowGroup], Producer], at_least: int) -> list[Producer]:
    """A producer for each group, those of small ones together.

    Args:
        groups: The groups.
        make: Makes the producer of a group.
        at_least: So many in the end, if there are so many groups.
    """
    worth = min(_WORTH, sum(group.rows for group in groups) // at_least + 1)
    found: list[Producer] = []
    waiting: list[Producer] = []
    rows = 0
    for group in groups:
        waiting.append(make(group))
        rows += group.rows
        if rows >= worth:
            found.append(InOneTask(tuple(waiting)))
            waiting, rows = [], 0
    return [*found, InOneTask(tuple(waiting))] if waiting else found


def capture_numbers(groups: Sequence[RowGroup]) -> dict[str, int]:
    """The numbers of captures, in their order."""
    return {name: number for number, name in enumerate(sorted({group.capture_id for group in groups}))}


def audited_groups(lake: Lake) -> list[RowGroup]:
    """All that the audit reads of a lake."""
    return row_groups(lake, sorted({*SOURCES, *READ}))


def trail_parts_of(audited: Sequence[RowGroup], at_least: int = 1) -> tuple[int, list[Producer]]:
    """Producers of the rows of connections; and how many shares there are.

    Args:
        audited: What ``audited_groups`` gave.
        at_least: So many producers and shares, if there is enough for that.
    """
    groups = [group for group in audited if group.source in SOURCES]
    numbers = capture_numbers(groups)
    shares = max(at_least, sum(group.rows for group in groups) // _ROWS_OF_SHARE + 1)

    def make(group: RowGroup) -> ConnectionsTask:
        return ConnectionsTask(group, numbers[group.capture_id], shares)

    return shares, packed(groups, make, at_least)


def fleet_parts_of(
    audited: Sequence[RowGroup], shares: int, first_share: int, at_least: int = 1
) -> list[Producer]:
    """Producers of the facts that rules across a fleet need.

    Args:
        audited: What ``audited_groups`` gave.
        shares: How many shares captures are dealt to.
        first_share: The number of the first of these.
        at_least: So many producers, if there is enough for that.
    """
    groups = [group for group in audited if group.source in READ]
    numbers = capture_numbers(groups)

    def make(group: RowGroup) -> FleetPart:
        number = numbers[group.capture_id]
        return FleetPart(group, number, first_share + number % shares)

    return packed(groups, make, at_least)
