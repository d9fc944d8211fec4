"""The middle of every ingest: segments of some connections, in the order of the capture, become rows of tables.

Whoever has segments calls ``decode_share``: readers of files, or of what a shuffle has brought together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from ..capture.ledgers import LedgerError
from ..capture.quarantine import OrderedQuarantine, Reason
from ..lake.writer import Writer
from .file_reading import SegmentBatch, SegmentSums, sums_of
from .file_tables import LeftOut, count_reasons
from .job import OnTable, ReadSettings
from .memory import bulk_memory
from .table_pipeline import TablePipeline

_packet_of = itemgetter(6)


@dataclass(frozen=True, slots=True)
class ShareSums:
    """What was decoded of a share, and what was left out of it.

    Attributes:
        files: The segments that were decoded, by number of file.
        left_out: What of them is not in the tables.
        reasons: How often that was, by reason.
    """

    files: dict[int, SegmentSums]
    left_out: list[LeftOut]
    reasons: Counter[Reason]


def decode_share(segments: Iterable[SegmentBatch], settings: ReadSettings, writer: Writer) -> ShareSums:
    """Decode the segments of some connections, and write the rows of their tables.

    Args:
        segments: All segments of these connections and no others, in the order of files and packets.
        settings: How they are read.
        writer: Takes the rows.

    Raises:
        LedgerError: Segments are not in order, or octets are unaccounted for: a fault of this program.
    """
    with bulk_memory():
        decoding = ShareDecoding(writer.capture_id, settings, writer.write)
        for batch in segments:
            decoding.read(batch)
        return decoding.finish()


class ShareDecoding:
    """The decoding of a share, batch by batch; ``decode_share`` for those who take the rows of each batch at once."""

    def __init__(self, capture_id: str, settings: ReadSettings, on_table: OnTable) -> None:
        self._quarantine = OrderedQuarantine()
        self._pipeline = TablePipeline(capture_id, settings, on_table, self._quarantine)
        self._files: dict[int, SegmentSums] = {}
        self._last = 0

    def read(self, batch: SegmentBatch) -> None:
        """Take the next segments."""
        self._check_order(batch)
        before = self._files.get(batch.file_no, SegmentSums())
        self._files[batch.file_no] = before.plus(sums_of(batch.segments))
        self._pipeline.read(batch)

    def read_raw(self, paths: Sequence[Path]) -> Iterator[int]:
        """Read raw streams, and yield the octets of each step."""
        yield from self._pipeline.read_raw(paths)

    def finish(self) -> ShareSums:
        """End all connections, and write the rest of the rows."""
        self._pipeline.finish()
        self._quarantine.trim()
        reasons = count_reasons(self._quarantine)
        return ShareSums(self._files, self._pipeline.take_left_out(), reasons)

    def _check_order(self, batch: SegmentBatch) -> None:
        packets = [self._last, *map(_packet_of, batch.segments)]
        if packets != sorted(packets):
            raise LedgerError(f"file {batch.file_no}: the packets of a share are not in order")
        self._last = packets[-1]
