"""A capture whose files are read once: each file by one task, which sends the segments to the shares that decode them.

``SendSegments`` and ``DecodeSegments`` are the two sides of ``TaskRunner.shuffle``; the buckets of its rows are the numbers of
shares. A row has about a megabyte of segments: a table of Arrow, compressed with lz4. Rows are in the order of files and, in
a file, of what was sent; times do not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from ...capture.files import open_capture
from ...capture.flow_buckets import KnownBuckets
from ...capture.stream_data import Segment
from ...streams.connections import AT_ONCE
from ...tasks.runner import Row
from ..job import LakeTarget, ReadSettings
from ..tables.file_reading import FileReading, SegmentBatch
from .decoding import decode_share
from .shares import ShareResult, check_equal, share_name
from .survey import FileTotals, totals_of

_ROW_OCTETS = 1 << 20
_MOST_WAITING_OCTETS = 48 << 20  # of the segments that are not sent yet, in all shares
_SEGMENT_OCTETS = 400  # of memory that a segment takes besides its payload

# See ``Segment``.
_COLUMNS = pa.schema(
    [
        ("flow", pa.binary()),
        *((name, pa.int64()) for name in ("sequence", "acknowledgment", "flags")),
        ("data", pa.binary()),
        *((name, pa.int64()) for name in ("missing", "packet_no", "packet_offset", "ns")),
    ]
)
_LZ4 = pa.ipc.IpcWriteOptions(compression="lz4")


def pack_segments(segments: Sequence[Segment]) -> bytes:
    """Return segments as octets."""
    columns = [
        pa.array(values, kind)
        for values, kind in zip(zip(*segments, strict=True), _COLUMNS.types, strict=True)
    ]
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, _COLUMNS, options=_LZ4) as stream:
        stream.write_batch(pa.RecordBatch.from_arrays(columns, schema=_COLUMNS))
    octets: bytes = sink.getvalue().to_pybytes()
    return octets


def unpack_segments(octets: bytes) -> Iterator[list[Segment]]:
    """Return the segments in what ``pack_segments`` returned, ``AT_ONCE`` at a time."""
    for batch in pa.ipc.open_stream(octets).read_all().to_batches(AT_ONCE):
        yield list(zip(*(column.to_pylist() for column in batch.columns), strict=True))


@dataclass(frozen=True, slots=True)
class SendSegments:
    """A ``Producer`` that reads a file and sends its segments.

    Attributes:
        path: The file.
        number: Its number in the capture.
        packets_before: The number of packets in earlier files.
        totals: What the survey has counted in the file.
        shares: The number of the share of each bucket.
    """

    path: Path
    number: int
    packets_before: int
    totals: FileTotals
    shares: Mapping[int, int]

    def __call__(self) -> Iterator[Row]:
        """Yield the segments.

        Raises:
            LedgerError: The file has changed since the survey, or a fault of this program.
            OSError: It cannot be read.
        """
        with open_capture(self.path) as file:
            reading = FileReading(file, self.number)
            for chunk_no, (share, segments) in enumerate(self._chunks(reading)):
                yield share, self.number, chunk_no, pack_segments(segments)
            check_equal(f"{self.path.name}, when it was sent", totals_of(reading), self.totals)

    def _chunks(self, reading: FileReading) -> Iterator[tuple[int, list[Segment]]]:
        """Yield the segments of a row, and their share."""
        buckets, shares = KnownBuckets(), self.shares
        waiting: dict[int, list[Segment]] = {}
        sizes: dict[int, int] = {}
        all_waiting = 0
        for batch in reading.batches(self.packets_before):
            for segment in batch.segments:
                # A flow that the survey has not seen goes to any share: the sums will tell.
                share = shares.get(buckets[segment[0]], 0)
                size = len(segment[4]) + _SEGMENT_OCTETS
                waiting.setdefault(share, []).append(segment)
                sizes[share] = sizes.get(share, 0) + size
                all_waiting += size
                if sizes[share] >= _ROW_OCTETS:
                    yield share, waiting.pop(share)
                    all_waiting -= sizes.pop(share)
            if all_waiting >= _MOST_WAITING_OCTETS:
                yield from waiting.items()
                waiting, sizes, all_waiting = {}, {}, 0
        yield from waiting.items()


@dataclass(frozen=True, slots=True)
class DecodeSegments:
    """A ``Consumer`` that decodes the segments of a share and writes its tables.

    Attributes:
        packets_before: For each file, the number of packets in earlier files.
        settings: How the capture is read.
        target: The place of the tables.
    """

    packets_before: Sequence[int]
    settings: ReadSettings
    target: LakeTarget

    def __call__(self, share: int, rows: Iterator[Row]) -> ShareResult:
        """Decode and write.

        Raises:
            LedgerError: Segments are not in order, or octets are unaccounted for: a fault of this program.
        """
        with self.target.writer(share_name(share)) as writer:
            sums = decode_share(lambda core: self._batches(rows), self.settings, writer)
        return ShareResult([], [], sums, writer.written)

    def _batches(self, rows: Iterator[Row]) -> Iterator[SegmentBatch]:
        for _, file_no, _, octets in rows:
            for segments in unpack_segments(octets):
                yield SegmentBatch(file_no, self.packets_before[file_no], segments)
