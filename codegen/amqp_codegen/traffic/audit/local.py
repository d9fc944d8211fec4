"""Audits the connections of a lake in this process, without Spark: for tests, and to explain a finding."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.parquet as pq

from ..tables.arrow_types import arrow_schema, arrow_type
from ..tables.lake import Lake
from ..tables.partition import capture_of
from .auditor import audit_connection
from .finding import Finding
from .trail_columns import BEFORE_FRAMES, KEY, SOURCES, source_columns
from .trail_reading import read_trails

_ROWS = 65_536  # of a batch
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
        for connection, frames in read_trails(_batches(lake, capture_id)):
            yield from audit_connection(connection, frames, target)


def _batches(lake: Lake, capture_id: str) -> list[pa.RecordBatch]:
    """The rows of a capture, sorted."""
    tables = [_rows(lake, capture_id, source) for source in SOURCES]
    table = pa.concat_tables([each for each in tables if each.num_rows])
    order = table.sort_by([("conn_id", "ascending"), ("frame_no", "ascending"), ("source", "ascending")])
    return list(order.combine_chunks().to_batches(max_chunksize=_ROWS))


def _rows(lake: Lake, capture_id: str, source: str) -> pa.Table:
    """The rows of a table, in the shape of all."""
    columns = source_columns(source)
    names = list(
        dict.fromkeys(["conn_id", *_numbers(source), *_marks(source), *(name for name, _ in columns)])
    )
    found = [
        pq.ParquetFile(lake.filesystem.open_input_file(f"{lake.root}/{path}")).read(columns=names)
        for path in lake.files(source, capture_id)
    ]
    rows = pa.concat_tables(found).combine_chunks() if found else None
    if rows is not None:
        rows = rows.filter(pa.compute.is_valid(rows["conn_id"]))
        if source == "messages":
            rows = rows.filter(pa.compute.equal(rows["source"], _WIRE))
    return _shaped(rows, capture_id, source)


def _numbers(source: str) -> list[str]:
    return [] if source in BEFORE_FRAMES else ["frame_no"]


def _marks(source: str) -> list[str]:
    return ["source"] if source == "messages" else []


def _shaped(rows: pa.Table | None, capture_id: str, source: str) -> pa.Table:
    """The key, and a structure for each table, of which one is not null."""
    length = 0 if rows is None else rows.num_rows
    arrays: dict[str, pa.Array] = {
        "capture_id": pa.repeat(pa.scalar(capture_id, pa.string()), length),
        "conn_id": rows["conn_id"].combine_chunks() if rows is not None else pa.nulls(0, pa.string()),
        "source": pa.repeat(pa.scalar(SOURCES.index(source), pa.int8()), length),
    }
    if source in BEFORE_FRAMES or rows is None:
        arrays["frame_no"] = pa.repeat(pa.scalar(BEFORE_FRAMES.get(source, 0), pa.int64()), length)
    else:
        arrays["frame_no"] = rows["frame_no"].combine_chunks()
    for each in SOURCES:
        schema = arrow_schema(source_columns(each))
        if each == source and rows is not None:
            values = [_array(rows[field.name], field.type) for field in schema]
            arrays[each] = pa.StructArray.from_arrays(values, fields=list(schema))
        else:
            arrays[each] = pa.nulls(length, pa.struct(list(schema)))
    fields = [(name, arrow_type(kind)) for name, kind in KEY]
    return pa.table({name: arrays[name] for name in (*(name for name, _ in fields), *SOURCES)})


def _array(column: pa.ChunkedArray, kind: pa.DataType) -> pa.Array:
    array = column.combine_chunks()
    return array if array.type == kind else array.cast(kind)
