"""Rows of a lake as Arrow tables, a row group at a time, and their sums by group.

No section of the report holds a table: it sums up each row group, then the sums. So memory is bounded by the number of
groups, and the report needs neither Spark nor a database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..lake.folder import Lake, LakeError
from ..lake.storage import capture_of

# Sums of this many groups are summed up again before the next row group is read.
_MOST_GROUPS_WAITING = 1 << 20


@dataclass(frozen=True, slots=True)
class RowGroupRows:
    """The rows of a row group.

    Attributes:
        capture_id: The capture, which is not a column.
        rows: The columns that were asked for.
    """

    capture_id: str
    rows: pa.Table


@dataclass(frozen=True, slots=True)
class LakeRows:
    """The tables of a lake. Threads may share it."""

    lake: Lake

    def groups(self, table: str, columns: Sequence[str]) -> Iterator[RowGroupRows]:
        """Read columns of a table.

        Raises:
            LakeError: A file cannot be read.
        """
        for path in self.lake.files(table):
            capture_id = capture_of(path.split("/")[-2]) or ""
            try:
                with self.lake.filesystem.open_input_file(f"{self.lake.root}/{path}") as stream:
                    file = pq.ParquetFile(stream)
                    for number in range(file.num_row_groups):
                        rows = file.read_row_group(number, list(columns), use_threads=False)
                        yield RowGroupRows(capture_id, rows)
            except (pa.ArrowException, OSError) as error:
                reason = str(error).partition("\n")[0]
                raise LakeError(f"{path} cannot be read ({reason}); ingest its capture again") from None


def summed(parts: Iterable[pa.Table], keys: Sequence[str], functions: Mapping[str, str]) -> pa.Table:
    """Group rows by columns, sorted by them, and aggregate the others.

    Args:
        parts: Rows with the same columns in each part.
        keys: The columns by which to group.
        functions: ``sum``, ``min``, ``max`` or ``first`` by the name of a column.

    Returns:
        The keys and the aggregated columns, under their own names; without columns if there are no parts.
    """
    waiting: list[pa.Table] = []
    for part in parts:
        waiting.append(_aggregated(part, keys, functions))
        if sum(table.num_rows for table in waiting) > _MOST_GROUPS_WAITING:
            waiting = [_aggregated(pa.concat_tables(waiting), keys, functions)]
    if not waiting:
        return pa.table({})
    result = waiting[0] if len(waiting) == 1 else _aggregated(pa.concat_tables(waiting), keys, functions)
    return result.sort_by([(key, "ascending") for key in keys])


def _aggregated(rows: pa.Table, keys: Sequence[str], functions: Mapping[str, str]) -> pa.Table:
    # Threads would make the order, and so ``first``, a matter of chance.
    grouped = rows.group_by(list(keys), use_threads=False).aggregate(list(functions.items()))
    names = [*keys, *functions]
    # Before pyarrow 14 keys come last.
    own = grouped.select([*keys, *(f"{name}_{function}" for name, function in functions.items())])
    return own.rename_columns(names)


def with_count(columns: Mapping[str, Any], length: int) -> pa.Table:
    """Return a table of columns and the column ``times``, which is 1 in each row, to be summed."""
    return pa.table({**columns, "times": pa.repeat(pa.scalar(1, pa.int64()), length)})


def is_one_of(column: pa.ChunkedArray, *values: str) -> pa.ChunkedArray:
    """Return whether each value is one of these; false for null."""
    return pc.is_in(column, value_set=pa.array(values, pa.string()))
