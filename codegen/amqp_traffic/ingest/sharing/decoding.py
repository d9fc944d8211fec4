"""The middle of every ingest: segments of some connections, in the order of the capture, become rows of tables.

Whoever has segments calls ``decode_share``: readers of files, or of what a shuffle has brought together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

from ...capture.ledgers import LedgerError
from ...capture.native_module import native_module
from ...capture.quarantine import OrderedQuarantine, Reason
from ...lake.writer import Writer
from ..job import OnTable, ReadSettings
from ..memory import bulk_memory
from ..native.tables import NativeTables
from ..tables.file_reading import SegmentBatch, SegmentSums
from ..tables.file_tables import LeftOut, count_reasons
from ..tables.pipeline import TablePipeline

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


def decode_share(
    segments: Callable[[Any], Iterable[SegmentBatch]], settings: ReadSettings, writer: Writer
) -> ShareSums:
    """Decode the segments of some connections, and write the rows of their tables.

    Args:
        segments: Called with the core in C, which may get segments at once, or None. Returns all segments of these connections
            and no others, in the order of files and packets.
        settings: How they are read.
        writer: Takes the rows.

    Raises:
        LedgerError: Segments are not in order, or octets are unaccounted for: a fault of this program.
    """
    with bulk_memory():
        decoding = ShareDecoding(writer.capture_id, settings, writer.write)
        for batch in segments(decoding.core):
            decoding.read(batch)
        return decoding.finish()


class ShareDecoding:
    """The decoding of a share, batch by batch; ``decode_share`` for those who take the rows of each batch at once.

    Attributes:
        core: What reads segments in C; None if all segments are read by Python.
    """

    def __init__(
        self, capture_id: str, settings: ReadSettings, on_table: OnTable, *, is_raw: bool = False
    ) -> None:
        """Take what rows are for; with ``is_raw``, streams are read instead of segments."""
        settings.key_log.require_module()
        self._quarantine = OrderedQuarantine()
        self._pipeline: TablePipeline | NativeTables
        if is_raw or native_module() is None:
            self._pipeline, self.core = TablePipeline(capture_id, settings, on_table, self._quarantine), None
        else:
            self._pipeline = NativeTables(capture_id, settings, on_table, self._quarantine)
            self.core = self._pipeline.core
        self._files: dict[int, SegmentSums] = {}
        self._last = 0

    def read(self, batch: SegmentBatch) -> None:
        """Take the next segments."""
        self._check_order(batch)
        sums = batch.sums
        if sums.segments:
            self._files[batch.file_no] = self._files.get(batch.file_no, SegmentSums()).plus(sums)
        self._pipeline.read(batch)

    def read_raw(self, paths: Sequence[Path]) -> Iterator[int]:
        """Read raw streams, and yield the octets of each step."""
        assert isinstance(self._pipeline, TablePipeline)
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
