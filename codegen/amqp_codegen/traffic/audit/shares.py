"""Rows of a lake, shared out by connection: who takes a share gets all rows of its connections.

Tables are not sorted, and a connection may be anywhere in them. So what is read is sorted some ten thousand rows at a time,
and sent as Arrow, in slices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import fs

from ..ingest.runner import Row
from ..tables.lake import Lake
from ..tables.partition import capture_of
from .trail_columns import BEFORE_FRAMES, SOURCES, source_columns

_AT_ONCE = 65_536  # rows that are sorted
_MANY = 4096  # rows of one connection among these that are a slice of their own
_BUCKET = 1 << 19  # rows of a share, about
_WIRE = "wire"
_SOURCE, _CAPTURE = b"source", b"capture"
_SHARE, _OWN = "_share", "_own"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a table of a capture: a row group of a file. It is a ``Producer``.

    Attributes:
        filesystem: Where the lake is.
        path: The file.
        row_group: Which one.
        source: The table.
        capture_id: The capture.
        capture_no: Its number among those of the lake.
        shares: How many shares there are.
    """

    filesystem: fs.FileSystem
    path: str
    row_group: int
    source: str
    capture_id: str
    capture_no: int
    shares: int

    def __call__(self) -> Iterator[Row]:
        """Slices of rows. Shares are buckets; in these slices come in the order of captures, and of their first rows."""
        own = [name for name, _ in source_columns(self.source)]
        before = BEFORE_FRAMES.get(self.source)
        keys = ["conn_id"] if before is not None else ["conn_id", "frame_no"]
        marks = ["source"] if self.source == "messages" else []
        with self.filesystem.open_input_file(self.path) as stream:
            file = pq.ParquetFile(stream)
            for batch in file.iter_batches(_AT_ONCE, [self.row_group], [*keys, *marks, *own]):
                rows = pa.Table.from_batches([batch])
                rows = rows.filter(pc.is_valid(rows["conn_id"]))
                if marks:
                    rows = rows.filter(pc.equal(rows["source"], _WIRE)).drop_columns(marks)
                if before is not None:
                    numbers = pa.repeat(pa.scalar(before, pa.int64()), rows.num_rows)
                    rows = rows.append_column("frame_no", numbers)
                if rows.num_rows:
                    yield from self._slices(rows)

    def _slices(self, rows: pa.Table) -> Iterator[Row]:
        rows = _sorted_for(self.shares, _without_nulls(rows))
        shares, own = (rows[name].combine_chunks() for name in (_SHARE, _OWN))
        first = {name: rows[name].combine_chunks() for name in ("conn_id", "frame_no")}
        rows = rows.drop_columns([_SHARE, _OWN])
        marks = {_SOURCE: self.source.encode(), _CAPTURE: self.capture_id.encode()}
        rows = rows.replace_schema_metadata(marks)
        start = 0
        for end in _ends(shares, own):
            offset = place_of(first["conn_id"][start].as_py(), first["frame_no"][start].as_py())
            yield shares[start].as_py(), self.capture_no, offset, _octets(rows.slice(start, end - start))
            start = end


def place_of(conn_id: str, frame_no: int) -> int:
    """A number by which frames of connections can be sorted, also what stands before the first."""
    return int(conn_id, 16) << 64 | frame_no - min(BEFORE_FRAMES.values())


def open_slice(octets: bytes) -> tuple[str, str, pa.Table]:
    """The capture and the table of a slice, and its rows; columns without values are not there."""
    rows = pa.ipc.open_stream(octets).read_all()
    marks = rows.schema.metadata
    return marks[_CAPTURE].decode(), marks[_SOURCE].decode(), rows


def parts_of(lake: Lake, at_least: int = 1) -> list[Part]:
    """All parts of the tables of a lake. Of files only the ends are read.

    Args:
        lake: The lake.
        at_least: So many shares, if there is enough for that.
    """
    found = []
    total = 0
    for source in SOURCES:
        for path in lake.files(source):
            with lake.filesystem.open_input_file(f"{lake.root}/{path}") as stream:
                metadata = pq.ParquetFile(stream).metadata
                total += metadata.num_rows
                capture_id = capture_of(path.split("/")[-2]) or ""
                found += [(path, group, source, capture_id) for group in range(metadata.num_row_groups)]
    captures = sorted({each[3] for each in found})
    shares = max(at_least, total // _BUCKET + 1)
    return [
        Part(lake.filesystem, f"{lake.root}/{path}", group, source, capture, captures.index(capture), shares)
        for path, group, source, capture in found
    ]


def _without_nulls(rows: pa.Table) -> pa.Table:
    columns = zip(rows.column_names, rows.columns, strict=True)
    return rows.select([name for name, column in columns if column.null_count < len(column)])


def _sorted_for(shares: int, rows: pa.Table) -> pa.Table:
    """Sorted by share, and in it connections with many rows after the others."""
    names = rows["conn_id"].combine_chunks().dictionary_encode()
    counts = {each["values"]: each["counts"] for each in pc.value_counts(names.indices).to_pylist()}
    found = names.dictionary.to_pylist()
    share = pa.array([int(name, 16) % shares for name in found], pa.int32())
    own = pa.array([number + 1 if counts[number] >= _MANY else 0 for number in range(len(found))], pa.int32())
    rows = rows.append_column(_SHARE, share.take(names.indices)).append_column(_OWN, own.take(names.indices))
    keys = [(name, "ascending") for name in (_SHARE, _OWN, "conn_id", "frame_no")]
    return rows.take(pc.sort_indices(rows, keys)).combine_chunks()


def _ends(*columns: pa.Array) -> list[int]:
    """Where any of these columns changes, and the end."""
    length = len(columns[0])
    places: set[int] = {length}
    for column in columns:
        changes = pc.not_equal(column.slice(1), column.slice(0, length - 1))
        places.update(place + 1 for place in pc.indices_nonzero(changes).to_pylist())
    return sorted(places)


def _octets(rows: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as writer:
        writer.write_table(rows)
    octets: bytes = sink.getvalue().to_pybytes()
    return octets
