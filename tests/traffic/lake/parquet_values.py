"""Tables written as Parquet, and read again as plain values."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from amqp_traffic.decode.decoded import Decoded
from amqp_traffic.ingest.tables.numbering import Numbering, number
from amqp_traffic.ingest.tables.staging import stage
from amqp_traffic.lake.arrow_types import table_schema
from amqp_traffic.lake.writer import Writer
from pyarrow import fs

DAY, NEXT_DAY = "2026-11-21", "2026-11-22"

# Connections 1 to 5; 4 is left out, 5 began on another day.
NUMBERING = Numbering({1: "c1", 2: "b2", 3: "a3", 5: "d5"}, {1: DAY, 2: DAY, 3: DAY, 5: NEXT_DAY}, DAY)


def write(folder: Path, tables: list[tuple[str, str, pa.Table]], **options: Any) -> dict[str, list[Path]]:
    """Write rows of tables and dates; returns the files by table."""
    with Writer(fs.LocalFileSystem(), str(folder), "capture", "x", **options) as writer:
        for table, date, rows in tables:
            writer.write(table, date, rows)
    files: dict[str, list[Path]] = {}
    for item in writer.written:
        path = folder / item.path
        assert path.stat().st_size == item.octets and pq.read_metadata(path).num_rows == item.rows
        files.setdefault(item.table, []).append(path)
    return files


def read(table: str, path: Path) -> list[dict[str, Any]]:
    """The rows of a file; moments are microseconds, and variants pairs."""
    found = pq.ParquetFile(path).read()
    assert found.schema.names == table_schema(table).names
    for name in found.schema.names:
        assert _plain(found.schema.field(name).type) == _plain(table_schema(table).field(name).type)
    return plain_rows(found)


def _plain(kind: pa.DataType) -> str:
    """A type; how Parquet calls what is in lists and maps makes no difference."""
    return re.sub(r" \('\w+'\)", "", str(kind)).replace("element:", "item:")


def plain_rows(table: pa.Table) -> list[dict[str, Any]]:
    """The same of a table in memory."""
    columns = {}
    for name in table.column_names:
        column = table.column(name)
        if pa.types.is_timestamp(column.type):
            column = column.cast(pa.int64())
        columns[name] = [
            (value["value"], value["metadata"]) if isinstance(value, dict) else value
            for value in column.to_pylist()
        ]
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def final(decoded: Decoded, numbering: Numbering = NUMBERING) -> dict[str, dict[str, pa.Table]]:
    """The final tables of what was decoded, by table and date."""
    return {table: number(table, staged, numbering) for table, staged in stage(decoded).items()}


def there(row: dict[str, Any]) -> dict[str, Any]:
    """A row without what is null."""
    return {name: value for name, value in row.items() if value is not None}
