"""Row groups of the Parquet files of a lake: the units that tasks of the audit read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from ..lake.folder import Lake
from ..storage import capture_of


@dataclass(frozen=True, slots=True)
class RowGroup:
    """A row group of a file.

    Attributes:
        filesystem: The file system of the lake.
        path: The file, with the folder of the lake.
        number: The number of the row group in the file.
        source: The table.
        capture_id: The capture.
        rows: The number of rows.
    """

    filesystem: fs.FileSystem
    path: str
    number: int
    source: str
    capture_id: str
    rows: int

    def batches(self, most: int, columns: Sequence[str]) -> Iterator[pa.Table]:
        """Read the rows in batches.

        Args:
            most: The largest number of rows in a batch.
            columns: The names of columns; those that the file does not have are left out.
        """
        with self.filesystem.open_input_file(self.path) as stream:
            file = pq.ParquetFile(stream)
            for batch in file.iter_batches(most, [self.number], list(columns), use_threads=False):
                yield pa.Table.from_batches([batch])


def row_groups(lake: Lake, sources: Sequence[str]) -> list[RowGroup]:
    """Return all row groups of tables of a lake. Only the footers of files are read."""
    groups = []
    for source in sources:
        for file in lake.files(source):
            path, capture_id = f"{lake.root}/{file}", capture_of(file.split("/")[-2]) or ""
            with lake.filesystem.open_input_file(path) as stream:
                metadata = pq.ParquetFile(stream).metadata
                groups += [
                    RowGroup(
                        lake.filesystem, path, number, source, capture_id, metadata.row_group(number).num_rows
                    )
                    for number in range(metadata.num_row_groups)
                ]
    return groups
