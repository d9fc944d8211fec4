"""Rows of a lake: the row groups that tasks read, and the slices that distribute them by connection."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import fs

from ..lake.folder import Lake
from ..lake.storage import capture_of
from ..tasks.runner import Row
from .connection_columns import BEFORE_FRAMES, source_columns


@dataclass(frozen=True, slots=True)
class RowGroup:
    """A row group of a file.

    Attributes:
        filesystem: The file system of the lake.
        path: The file, with the folder of the lake.
        number: The number of the row group in the file.
        source: The table.
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


_MOST_SLICE_ROWS = 8192  # a megabyte or two
_OWN_SLICE_ROWS = 4096  # a connection with as many of these rows gets slices of its own
_WIRE = "wire"
_NAME, _CAPTURE = b"name", b"capture"
_SHARE, _OWN_SLICE = "_share", "_own"


def slices(source: str, capture_id: str, capture_no: int, shares: int, rows: pa.Table) -> Iterator[Row]:
    """Yield slices of some rows. Columns without values are left out.

    ``capture_no`` is the number of the capture among those of the lake. ``rows`` have the ``source_columns`` of the
    table, and its keys.
    """
    rows = rows.filter(pc.is_valid(rows["conn_id"]))
    if source == "messages":
        rows = rows.filter(pc.equal(rows["source"], _WIRE)).drop_columns(["source"])
    before = BEFORE_FRAMES.get(source)
    if before is not None:
        rows = rows.append_column("frame_no", pa.repeat(pa.scalar(before, pa.int64()), rows.num_rows))
    if not rows.num_rows:
        return
    own = {"conn_id", "frame_no", *(name for name, _ in source_columns(source))}
    rows = _sorted_for(
        shares, _without_nulls(rows.select([name for name in rows.column_names if name in own]))
    )
    share, alone, connection, frame_no = (
        rows[name].combine_chunks() for name in (_SHARE, _OWN_SLICE, "conn_id", "frame_no")
    )
    rows = rows.drop_columns([_SHARE, _OWN_SLICE])
    start = 0
    for end in _ends(share, alone):
        offset = frame_place(connection[start].as_py(), frame_no[start].as_py())
        yield share[start].as_py(), capture_no, offset, sealed(
            rows.slice(start, end - start), capture_id, source
        )
        start = end


def frame_place(conn_id: str, frame_no: int) -> int:
    """Return a sort key for frames of connections, and for the rows before their first frames."""
    return int(conn_id, 16) << 64 | frame_no - min(BEFORE_FRAMES.values())


def sealed(rows: pa.Table, capture_id: str, name: str) -> bytes:
    """Return rows as octets, with their capture and a name."""
    rows = rows.replace_schema_metadata({_CAPTURE: capture_id.encode(), _NAME: name.encode()})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as writer:
        writer.write_table(rows)
    octets: bytes = sink.getvalue().to_pybytes()
    return octets


def unsealed(octets: bytes) -> tuple[str, str, pa.Table]:
    """Return the capture, the name and the rows of what ``sealed`` returned."""
    rows = pa.ipc.open_stream(octets).read_all()
    marks = rows.schema.metadata
    return marks[_CAPTURE].decode(), marks[_NAME].decode(), rows


def _without_nulls(rows: pa.Table) -> pa.Table:
    columns = zip(rows.column_names, rows.columns, strict=True)
    return rows.select([name for name, column in columns if column.null_count < len(column)])


def _sorted_for(shares: int, rows: pa.Table) -> pa.Table:
    """Return rows sorted by share, and in it connections with many rows after the others."""
    names = rows["conn_id"].combine_chunks().dictionary_encode()
    counts = {count["values"]: count["counts"] for count in pc.value_counts(names.indices).to_pylist()}
    conn_ids = names.dictionary.to_pylist()
    share = pa.array([int(name, 16) % shares for name in conn_ids], pa.int32())
    own = pa.array(
        [number + 1 if counts[number] >= _OWN_SLICE_ROWS else 0 for number in range(len(conn_ids))],
        pa.int32(),
    )
    rows = rows.append_column(_SHARE, share.take(names.indices)).append_column(
        _OWN_SLICE, own.take(names.indices)
    )
    keys = [(name, "ascending") for name in (_SHARE, _OWN_SLICE, "conn_id", "frame_no")]
    return rows.take(pc.sort_indices(rows, keys)).combine_chunks()


def _ends(*columns: pa.Array) -> list[int]:
    """Return where slices end: where any of these columns changes, after so many rows, and at the end."""
    length = len(columns[0])
    places = {*range(_MOST_SLICE_ROWS, length, _MOST_SLICE_ROWS), length}
    for column in columns:
        changes = pc.not_equal(column.slice(1), column.slice(0, length - 1))
        places.update(place + 1 for place in pc.indices_nonzero(changes).to_pylist())
    return sorted(places)
