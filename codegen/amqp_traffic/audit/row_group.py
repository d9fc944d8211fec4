"""A row group of a file of a table of a lake: what a task of the audit reads."""

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
        filesystem: Where the lake is.
        path: The file, with the folder of the lake.
        number: Which one.
        source: The table.
        capture_id: The capture.
        rows: How many there are.
    """

    filesystem: fs.FileSystem
    path: str
    number: int
    source: str
    capture_id: str
    rows: int

    def batches(self, most: int, columns: Sequence[str]) -> Iterator[pa.Table]:
        """Read it.

        Args:
            most: So many rows at a time.
            columns: Which columns; those that the file does not have are left out.
        """
        with self.filesystem.open_input_file(self.path) as stream:
            file = pq.ParquetFile(stream)
            for batch in file.iter_batches(most, [self.number], list(columns), use_threads=False):
                yield pa.Table.from_batches([batch])


def row_groups(lake: Lake, sources: Sequence[str]) -> list[RowGroup]:
    """All row groups of tables of a lake. Of files only the ends are read."""
    found = []
    for source in sources:
        for file in lake.files(source):
            path, capture_id = f"{lake.root}/{file}", capture_of(file.split("/")[-2]) or ""
            with lake.filesystem.open_input_file(path) as stream:
                metadata = pq.ParquetFile(stream).metadata
                found += [
                    RowGroup(
                        lake.filesystem, path, number, source, capture_id, metadata.row_group(number).num_rows
                    )
                    for number in range(metadata.num_row_groups)
                ]
    return found
