"""Audits the connections of a lake in this process, without Spark: for tests, and to explain a finding."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from operator import itemgetter

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..tables.lake import Lake
from ..tables.partition import capture_of
from .auditor import audit_connection
from .finding import Finding
from .trail_columns import BEFORE_FRAMES, SOURCES, source_columns
from .trail_reading import TrailRow, read_trails, row_values

_AT_ONCE = 16_384  # rows
_WIRE = "wire"


def audit_locally(lake: Lake, target: str | None = None) -> Iterator[Finding]:
    """Audit each connection by itself; one capture after the other is in memory.

    Args:
        lake: The lake.
        target: What one wants to move to, of ``rule.TARGETS``.

    Yields:
        What was found: captures in the order of their names, connections in that of theirs, each sorted in itself.
    """
    captures = {capture_of(path.split("/")[-2]) or "" for path in lake.files("connections")}
    for capture_id in sorted(captures):
        tables = (_rows(lake, capture_id, source) for source in SOURCES)
        rows = merge(*tables, key=itemgetter(1, 2, 3))  # connection, frame, table
        for connection, frames in read_trails(rows):
            yield from audit_connection(connection, frames, target)


def _rows(lake: Lake, capture_id: str, source: str) -> Iterator[TrailRow]:
    """The rows of a table, sorted."""
    table = _table(lake, capture_id, source)
    if table is None:
        return
    number = SOURCES.index(source)
    for start in range(0, table.num_rows, _AT_ONCE):
        part = table.slice(start, _AT_ONCE).combine_chunks()
        columns = {name: part[name].combine_chunks() for name in part.column_names}
        keys = part["conn_id"].to_pylist(), part["frame_no"].to_pylist()
        for conn_id, frame_no, value in zip(*keys, row_values(source, columns), strict=True):
            yield capture_id, conn_id, frame_no, number, value


def _table(lake: Lake, capture_id: str, source: str) -> pa.Table | None:
    own = [name for name, _ in source_columns(source)]
    before = BEFORE_FRAMES.get(source)
    keys = ["conn_id"] if before is not None else ["conn_id", "frame_no"]
    marks = ["source"] if source == "messages" else []
    found = [
        pq.ParquetFile(lake.filesystem.open_input_file(f"{lake.root}/{path}")).read([*keys, *own, *marks])
        for path in lake.files(source, capture_id)
    ]
    if not found:
        return None
    table = pa.concat_tables(found)
    table = table.filter(pc.is_valid(table["conn_id"]))
    if marks:
        table = table.filter(pc.equal(table["source"], _WIRE))
    if before is not None:
        table = table.append_column("frame_no", pa.repeat(pa.scalar(before, pa.int64()), table.num_rows))
    order = pc.sort_indices(table, [("conn_id", "ascending"), ("frame_no", "ascending")])
    return table.take(order)
