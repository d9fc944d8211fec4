"""A file of a capture that is being read: recognised, then read once, as batches of segments or as messages of a log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any, NamedTuple

from ...capture.files import CaptureError, CaptureFile
from ...capture.formats import Capture, recognise_capture
from ...capture.ledgers import LedgerError
from ...capture.quarantine import Quarantine, Quarantined, Reason
from ...capture.segments import IsWanted, read_segments, scan_segments
from ...capture.stream_data import Segment
from ...decode.body_retention import BodyRetention
from ...logs.trace_log import TraceLog, recognise_log
from ...streams.connections import AT_ONCE
from ..job import OnTable
from .file_tables import FileFacts, facts_of
from .log_tables import facts_of_log, read_log

_data_of = itemgetter(4)
# The octets of a batch from which on it gets no more segments, and after how many segments it is looked at.
_MOST_OCTETS, _BETWEEN_LOOKS = 1 << 19, 8


class SegmentSums(NamedTuple):
    """The number of segments, and the captured octets of their payloads."""

    segments: int = 0
    octets: int = 0

    def plus(self, other: SegmentSums) -> SegmentSums:
        """Return both together."""
        return SegmentSums(self.segments + other.segments, self.octets + other.octets)


class SegmentBatch(NamedTuple):
    """Some segments of a file, in its order.

    Attributes:
        file_no: The number of the file in the capture, from 0.
        packets_before: The number of packets in earlier files.
        segments: The segments. Their packets are counted from the first file on.
        taken: The segments before these that the core in C has got.
    """

    file_no: int
    packets_before: int
    segments: list[Segment]
    taken: SegmentSums = SegmentSums()

    @property
    def sums(self) -> SegmentSums:
        """Return the number of all segments, and the octets of their payloads."""
        return sums_of(self.segments).plus(self.taken)


def sums_of(segments: Sequence[Segment]) -> SegmentSums:
    """Count segments and octets."""
    return SegmentSums(len(segments), sum(map(len, map(_data_of, segments))))


def _parted(segments: Iterator[Segment]) -> Iterator[list[Segment]]:
    """Part segments into batches: of ``AT_ONCE`` segments, fewer where they are large, for they may hold very many frames."""
    batch: list[Segment] = []
    octets = 0
    while some := list(islice(segments, _BETWEEN_LOOKS)):
        batch += some
        octets += sums_of(some).octets
        if len(batch) >= AT_ONCE or octets >= _MOST_OCTETS:
            yield batch
            batch, octets = [], 0
    if batch:
        yield batch


class FileReading:
    """A file of a capture that is being read.

    Attributes:
        number: Its number in the capture, from 0.
        quarantine: What is left out that has no flow: damage, and packets without a TCP segment.
        segments: The number of segments read so far; at the end, of all segments.
        position: Where in the file the batch at hand begins.
    """

    def __init__(self, file: CaptureFile, number: int) -> None:
        self.number = number
        self.quarantine = Quarantine()
        self.segments = 0
        self.position = 0
        self._file = file
        self._capture: Capture | None = None
        self._log: TraceLog | None = None
        try:
            self._capture = recognise_capture(file.buffer, self.quarantine, file.damage)
        except CaptureError as error:
            # Not a file of packets, but perhaps a log. Its messages belong to no captured connection.
            self._log = recognise_log(file.buffer, self.quarantine, file.damage)
            if self._log is None:
                item = Quarantined(Reason.FILE_CORRUPT, len(file.buffer), detail=str(error))
                self.quarantine.add(item)

    def batches(
        self, packets_before: int = 0, is_wanted: IsWanted | None = None, core: Any = None
    ) -> Iterator[SegmentBatch]:
        """Read the segments that are wanted, none if this is not a file of packets.

        Args:
            packets_before: The number of packets in earlier files.
            is_wanted: See ``read_segments``.
            core: An ``Ingest`` of the module in C, which gets most segments; see ``scan_segments``.

        Raises:
            LedgerError: Octets or packets are unaccounted for, a fault of this program.
        """
        capture = self._capture
        if capture is None:
            return
        if core is None:
            batches = self._python_batches(capture, packets_before, is_wanted)
        else:
            batches = self._native_batches(capture, packets_before, is_wanted, core)
        for batch in batches:
            self.segments += len(batch.segments) + batch.taken.segments
            yield batch
        self.segments += capture.ledger.unwanted
        capture.ledger.check()
        facts = self.facts()
        if facts.tcp != self.segments:
            raise LedgerError(
                f"{facts.name}: {facts.packets:,} packets, but {self.segments:,} with TCP and {dict(facts.ignored)}"
            )

    def _python_batches(
        self, capture: Capture, packets_before: int, is_wanted: IsWanted | None
    ) -> Iterator[SegmentBatch]:
        segments = read_segments(capture, packets_before, is_wanted)
        for batch in _parted(segments):
            self.position = batch[0][7]
            yield SegmentBatch(self.number, packets_before, batch)

    def _native_batches(
        self, capture: Capture, packets_before: int, is_wanted: IsWanted | None, core: Any
    ) -> Iterator[SegmentBatch]:
        for step in scan_segments(capture, packets_before, is_wanted, core):
            core.end_file()  # what is read next may take the place of these octets
            self.position = step.position
            taken = SegmentSums(step.taken, step.octets)
            yield SegmentBatch(self.number, packets_before, step.segments, taken)

    def messages(self, bodies: BodyRetention, on_table: OnTable) -> Iterator[int]:
        """Read the messages if this is a log, and give their rows to ``on_table``.

        Yields:
            The octets read in each step.
        """
        if self._log is not None:
            yield from read_log(self._log, bodies, on_table)

    def facts(self) -> FileFacts:
        """Return the facts of the file. Call this when it has been read to its end."""
        file, name, size = self._file, self._file.path.name, len(self._file.buffer)
        if self._capture is not None:
            return facts_of(self._capture, name, self.number, file.compression)
        if self._log is not None:
            return facts_of_log(self._log, file, self.number)
        status = "not-a-capture"
        return FileFacts(
            name, self.number, compression=file.compression, size=size, skipped=size, status=status
        )
