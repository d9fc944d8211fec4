"""Rows of one capture or connection from the tables of a lake, without Spark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..tables.lake import Lake

Condition = tuple[str, str, Any]


def read_rows(
    lake: Lake, table: str, capture_id: str, columns: Sequence[str], conditions: Sequence[Condition] = ()
) -> pa.Table | None:
    """Some rows of a table of a capture, in no order.

    Args:
        lake: The lake.
        table: The table.
        capture_id: The capture.
        columns: Which columns.
        conditions: What is true of the rows, such as ``("conn_id", "=", "5a0c1f0e2b9d4c77")``.

    Returns:
        The rows; None if the lake has no such table of this capture.
    """
    parts = [
        pq.read_table(
            f"{lake.root}/{path}",
            columns=list(columns),
            filesystem=lake.filesystem,
            filters=list(conditions) or None,
            partitioning=None,
        )
        for path in lake.files(table, capture_id)
    ]
    return pa.concat_tables(parts) if parts else None


def rows_as_dicts(
    lake: Lake, table: str, capture_id: str, columns: Sequence[str], conditions: Sequence[Condition] = ()
) -> list[dict[str, Any]]:
    """The same, as dicts by column."""
    rows = read_rows(lake, table, capture_id, columns, conditions)
    return [] if rows is None else list(rows.to_pylist())
