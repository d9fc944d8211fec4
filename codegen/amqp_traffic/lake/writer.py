"""A writer of tables as Parquet files, compressed with zstd: a folder for each table, date and capture."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import TracebackType
from typing import Any
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from .arrow_types import VARIANT

# A file of this size is closed.
TARGET_OCTETS = 192 << 20
# A row group is written when it has so many rows. When all tables together hold so many octets, the longest one is written.
_MOST_GROUP_ROWS = 1 << 18
# Arrow encodes so many values of a column at once; by default 1,024, which takes a tenth longer.
_MOST_BATCH_ROWS = 1 << 16
_MOST_HELD_OCTETS = 64 << 20


@dataclass(frozen=True, slots=True)
class Written:
    """A file that was written.

    Attributes:
        date: The date of its rows.
        path: Relative to the folder of the writer.
        rows: Their number.
        octets: The size of the file.
    """

    table: str
    date: str
    path: str
    rows: int
    octets: int


class Writer:
    """A writer of the tables of a capture, or of a part of it.

    Use it with ``with``: at the end of the block all files are complete. After an error all of them are deleted.

    A task may be tried more than once, also concurrently. So file names have a random part: no writer touches the files of
    another, and a commit takes the files that the successful attempt has returned.

    Attributes:
        written: The files that are complete.
    """

    def __init__(
        self,
        filesystem: fs.FileSystem,
        folder: str,
        capture_id: str,
        name: str,
        *,
        target: int = TARGET_OCTETS,
    ) -> None:
        """Begin without files.

        ``folder`` is the parent of the folders of tables; ``name`` is a part of file names, for people and for the
        order of reading. After ``target`` octets of a file the next one begins; row groups are not cut.
        """
        self.written: list[Written] = []
        self._filesystem = filesystem
        self._folder = folder
        self.capture_id = capture_id
        self._name = f"{name}-{uuid4().hex[:12]}"
        self._target = target
        self._parts: dict[tuple[str, str], _Part] = {}
        self._count: dict[tuple[str, str], int] = {}

    def write(self, table: str, date: str, rows: pa.Table) -> None:
        """Write rows of a table and date."""
        if not rows.num_rows:
            return
        key = table, date
        part = self._parts.get(key)
        if part is None:
            part = self._parts[key] = self._open(table, date, rows.schema)
        part.add(rows)
        if part.held_rows >= _MOST_GROUP_ROWS:
            self._write_group(key)
        elif sum(part.held_octets for part in self._parts.values()) >= _MOST_HELD_OCTETS:
            self._write_group(max(self._parts, key=lambda key: self._parts[key].held_octets))

    def close(self) -> list[Written]:
        """Complete all files, and return them."""
        for key in list(self._parts):
            self._close(key)
        return self.written

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            unfinished = [*self._parts.values()]
            for part in unfinished:
                part.abandon()
            for path in (*(part.path for part in unfinished), *(file.path for file in self.written)):
                self._filesystem.delete_file(f"{self._folder}/{path}")

    def _open(self, table: str, date: str, schema: pa.Schema) -> _Part:
        folder = f"{table}/date={date}/capture_id={self.capture_id}"
        number = self._count[table, date] = self._count.get((table, date), -1) + 1
        path = f"{folder}/part-{self._name}-{number:04}.parquet"
        self._filesystem.create_dir(f"{self._folder}/{folder}", recursive=True)
        return _Part(path, self._filesystem.open_output_stream(f"{self._folder}/{path}"), schema)

    def _write_group(self, key: tuple[str, str]) -> None:
        part = self._parts[key]
        part.write()
        if part.size >= self._target:
            self._close(key)

    def _close(self, key: tuple[str, str]) -> None:
        part = self._parts.pop(key)
        octets = part.close()
        self.written.append(Written(*key, part.path, part.rows, octets))


def _repeated(column: pa.Field) -> list[str]:
    """Return the Parquet paths of a column that repeat few values: texts, and the names in variants."""
    if column.type == VARIANT:
        return [f"{column.name}.metadata"]
    is_text = pa.types.is_string(column.type) or pa.types.is_dictionary(column.type)
    return [column.name] if is_text else []


@dataclass(slots=True)
class _Part:
    """A file that is being written.

    Attributes:
        rows: The number of rows that it was given; ``held_rows`` and ``held_octets`` of them are not written yet.
    """

    path: str
    stream: Any
    schema: pa.Schema
    rows: int = 0
    held_rows: int = 0
    held_octets: int = 0
    _file: Any = None
    _held: list[pa.Table] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._file = pq.ParquetWriter(
            self.stream,
            self.schema,
            compression="zstd",
            compression_level=1,
            use_dictionary=[path for column in self.schema for path in _repeated(column)],
            write_batch_size=_MOST_BATCH_ROWS,
            store_schema=False,  # readers get plain columns, even if dictionaries were written
        )

    @property
    def size(self) -> int:
        """Return the octets written so far."""
        size: int = self.stream.tell()
        return size

    def add(self, rows: pa.Table) -> None:
        """Hold rows for the next row group."""
        self._held.append(rows)
        self.rows += rows.num_rows
        self.held_rows += rows.num_rows
        self.held_octets += rows.nbytes

    def write(self) -> None:
        """Write the rows held as one row group."""
        if self._held:
            table = pa.concat_tables(self._held).unify_dictionaries()
            self._file.write_table(table, row_group_size=table.num_rows)
            self._held, self.held_rows, self.held_octets = [], 0, 0

    def close(self) -> int:
        """Write the rest. Return the size of the file."""
        self.write()
        self._file.close()
        size = self.size
        self.stream.close()
        return size

    def abandon(self) -> None:
        """Close the file, which will be deleted."""
        self._file.close()
        self.stream.close()
