"""The tables of the specifications in a lake: ``LAKE/spec_*/part-0.parquet``, the same for all captures."""

from __future__ import annotations

import io

import pyarrow as pa
import pyarrow.parquet as pq

from .arrow_types import arrow_schema
from .lake import Lake
from .spec_rows import built_in_rows
from .spec_schemas import SPEC_TABLES


def write_specifications(lake: Lake) -> list[str]:
    """Writes the tables that are not there or not alike.

    Returns:
        The names of those that were written.
    """
    written = []
    for table, rows in built_in_rows().items():
        wanted = pa.Table.from_pylist(rows, schema=arrow_schema(SPEC_TABLES[table]))
        path = f"{table}/part-0.parquet"
        if not _has(lake, path, wanted):
            lake.replace_file(path, _parquet(wanted))
            written.append(table)
    return written


def _has(lake: Lake, path: str, wanted: pa.Table) -> bool:
    """Whether the file has exactly these rows."""
    if path not in lake.files(path.partition("/")[0]):
        return False
    try:
        found = pq.read_table(f"{lake.root}/{path}", filesystem=lake.filesystem)
    except (pa.ArrowException, OSError):  # damaged
        return False
    return bool(found.equals(wanted))


def _parquet(rows: pa.Table) -> bytes:
    sink = io.BytesIO()
    pq.write_table(rows, sink, compression="zstd")
    return sink.getvalue()
