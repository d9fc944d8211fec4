"""Audits the connections of a lake, each by itself, on whatever runs tasks: Spark, or this process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush, heapreplace
from itertools import count, repeat
from typing import Any

from ..ingest.runner import Row, Runner
from ..tables.lake import Lake
from .auditor import audit_connection
from .finding import Finding
from .shares import open_slice, parts_of, place_of
from .trail_columns import SOURCES
from .trail_reading import TrailRow, read_trails, row_values


def audit_connections(
    lake: Lake, runner: Runner, target: str | None = None, at_least: int = 1
) -> list[Finding]:
    """Audit each connection.

    Args:
        lake: The lake.
        runner: Runs the tasks.
        target: What one wants to move to, of ``rule.TARGETS``.
        at_least: So many tasks, if there is enough for that.

    Returns:
        What was found, sorted.
    """
    shares = runner.shuffle("connections", parts_of(lake, at_least), AuditShare(target))
    return sorted((finding for share in shares for finding in share), key=lambda each: each.order)


@dataclass(frozen=True, slots=True)
class AuditShare:
    """Audits some of the connections. It is a ``Consumer``.

    Attributes:
        target: What one wants to move to.
    """

    target: str | None

    def __call__(self, bucket: int, slices: Iterator[Row]) -> list[Finding]:
        """Audit the connections that are in slices."""
        found: list[Finding] = []
        for connection, frames in read_trails(merged(slices)):
            found += audit_connection(connection, frames, self.target)
        return found


def merged(slices: Iterator[Row]) -> Iterator[TrailRow]:
    """The rows of slices, sorted by capture, connection, frame and table.

    A slice is opened when its first row comes, so no more is in memory than slices that overlap.

    Args:
        slices: In the order of captures, and of their first rows.
    """
    heap: list[tuple[Any, int, TrailRow, Iterator[TrailRow]]] = []
    numbers = count()
    waiting = next(slices, None)
    while heap or waiting is not None:
        while waiting is not None and (not heap or (waiting[1], waiting[2]) <= heap[0][0][:2]):
            rows = _rows(waiting[3])
            first = next(rows)
            key = waiting[1], waiting[2], first[3]
            heappush(heap, (key, next(numbers), first, rows))
            waiting = next(slices, None)
        key, number, row, rows = heap[0]
        yield row
        following = next(rows, None)
        if following is None:
            heappop(heap)
        else:
            heapreplace(
                heap, ((key[0], place_of(following[1], following[2]), following[3]), number, following, rows)
            )


def _rows(octets: bytes) -> Iterator[TrailRow]:
    capture_id, source, table = open_slice(octets)
    columns = {name: table[name].combine_chunks() for name in table.column_names}
    keys = columns["conn_id"].to_pylist(), columns["frame_no"].to_pylist()
    values = row_values(source, columns)
    return zip(repeat(capture_id), *keys, repeat(SOURCES.index(source)), values)
