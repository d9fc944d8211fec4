"""The ingest of captures into a lake, one after the other, each as a whole; and the engine that needs no Spark.

The engine reads each file from its beginning to its end, in one process.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ..capture.files import CaptureError, CaptureFile, open_capture
from ..capture.formats import recognise_capture
from ..capture.pcap import HEADER_SIZE
from ..capture.quarantine import Quarantine, Quarantined, Reason
from ..lake.folder import Lake
from ..logs.trace_log import recognise_log
from ..streams.raw_streams import is_raw_stream
from .file_tables import (
    FileFacts,
    SplitFacts,
    capture_date,
    count_reasons,
    facts_of,
    ignored_packets,
    result_of,
    write_files,
)
from .inputs import CaptureInput
from .job import CaptureResult, LakeTarget, OnTable, ReadSettings, WrittenCapture
from .log_tables import facts_of_log, read_log
from .memory import bulk_memory
from .table_pipeline import TablePipeline

# Called with the octets read since the last call.
OnProgress: TypeAlias = Callable[[int], None]

_MOST_MAPPED_OCTETS = 32 << 20  # octets of a file that may stay in memory


def read_capture(
    capture: CaptureInput, settings: ReadSettings, on_table: OnTable, on_progress: OnProgress
) -> CaptureResult:
    """Read a capture as a whole; ``on_table`` takes the rows of all tables.

    Raises:
        CaptureError: A file needs a package that is not installed, or exceeds the size of a capture.
        LedgerError: Octets are unaccounted for, a fault of this program.
        OSError: A file cannot be read.
    """
    reading = CaptureReading(capture, settings, on_table)
    with bulk_memory():
        for octets in reading.steps():
            on_progress(octets)
        return reading.result()


class CaptureReading:
    """A capture that is being read, step by step."""

    def __init__(
        self,
        capture: CaptureInput,
        settings: ReadSettings,
        on_table: OnTable,
        wanted: Callable[[bytes], bool] | None = None,
    ) -> None:
        """Begin with a capture.

        Args:
            capture: Its files.
            settings: How it is read.
            on_table: Takes the rows of all tables, in the order of the steps.
            wanted: True for each flow to be read, see ``Segment``; by default all flows are.
        """
        self._capture = capture
        self._on_table = on_table
        self._pipeline = TablePipeline(capture.capture_id, settings, on_table, wanted)
        self._wanted = wanted
        self._files: list[FileFacts] = []
        self._splits: list[SplitFacts] = []
        self._quarantines: list[Quarantine] = []

    def steps(self) -> Iterator[int]:
        """Read it to its end.

        Yields:
            The octets read in each step.
        """
        if is_raw_stream(self._capture.files[0]):
            yield from self._read_raw()
        else:
            for number, path in enumerate(self._capture.files):
                with open_capture(path) as file:
                    yield from self._read_file(number, file)
        self._pipeline.finish()

    def result(self) -> CaptureResult:
        """Write the tables about files, and return the result. Call this once, after all steps."""
        files, pipeline = self._files, self._pipeline
        about_files = {number: quarantine.rows for number, quarantine in enumerate(self._quarantines)}
        write_files(files, self._splits, about_files, self._on_table)
        pipeline.write_quarantine(capture_date(files))
        left_out = sum(map(count_reasons, self._quarantines), count_reasons(pipeline.quarantine))
        return result_of(self._capture.capture_id, files, left_out)

    def _read_raw(self) -> Iterator[int]:
        paths, pipeline = self._capture.files, self._pipeline
        if self._wanted is None or self._wanted(b""):
            for octets in pipeline.reader.read_raw(paths):
                pipeline.flush_if_full()
                yield octets
        for number, path in enumerate(paths):
            size = path.stat().st_size
            self._files.append(FileFacts(path.name, number, "raw", size=size, records=size))

    def _read_file(self, number: int, file: CaptureFile) -> Iterator[int]:
        packets_before = sum(facts.packets for facts in self._files)
        read = yield from read_file(file, number, packets_before, self._pipeline)
        self._quarantines.append(read.quarantine)
        if read.facts is not None:
            self._files.append(read.facts)
        if read.split is not None:
            self._splits.append(read.split)


@dataclass(frozen=True, slots=True)
class FileRead:
    """A file that was read to its end.

    Attributes:
        quarantine: What was left out of it, without the connections.
        facts: None if another task writes them.
        split: The whole file as one part; None for files without packets.
    """

    quarantine: Quarantine
    facts: FileFacts | None
    split: SplitFacts | None = None


def read_file(
    file: CaptureFile, number: int, packets_before: int, pipeline: TablePipeline
) -> Generator[int, None, FileRead]:
    """Read a file of a capture, from its beginning to its end.

    Args:
        file: The file.
        number: Its number in the capture, from 0.
        packets_before: The number of packets in earlier files.
        pipeline: Makes the tables. The messages of a log go to its ``on_table``.

    Yields:
        The octets read in each step.
    """
    quarantine = Quarantine()
    pipeline.begin_file(packets_before)
    try:
        capture = recognise_capture(file.buffer, quarantine, file.damage)
    except CaptureError as error:
        # Not a file of packets, but perhaps a log. Its messages belong to no captured connection.
        log = recognise_log(file.buffer, quarantine, file.damage)
        if log is None:
            return FileRead(quarantine, not_a_capture(file, number, quarantine, str(error)))
        wanted = pipeline.reader.wanted
        if wanted is not None and not wanted(b""):
            return FileRead(quarantine, None)
        yield from read_log(log, pipeline.settings.bodies, pipeline.on_table)
        return FileRead(quarantine, facts_of_log(log, file, number))
    position = kept = 0
    for begun in pipeline.reader.read_packets(capture, packets_before):
        pipeline.flush_if_full()
        yield begun - position
        position = begun
        if position - kept > _MOST_MAPPED_OCTETS:
            file.forget(kept, position)
            kept = position
    capture.ledger.check()
    facts = facts_of(capture, file.path.name, number, file.compression)
    first = HEADER_SIZE if facts.format == "pcap" else 0
    ignored = ignored_packets(quarantine.totals)
    split = SplitFacts(number, 0, first, facts.size, facts.packets, ignored)
    return FileRead(quarantine, facts, split)


def not_a_capture(file: CaptureFile, number: int, quarantine: Quarantine, detail: str) -> FileFacts:
    """Return the facts of an unreadable file: all of it is left out."""
    size = len(file.buffer)
    quarantine.add(Quarantined(Reason.FILE_CORRUPT, size, detail=detail))
    return FileFacts(
        file.path.name, number, compression=file.compression, size=size, skipped=size, status="not-a-capture"
    )


# Reads a capture and writes its tables.
Engine: TypeAlias = Callable[[CaptureInput, LakeTarget, OnProgress], WrittenCapture]


def ingest(
    lake: Lake, captures: Iterable[CaptureInput], engine: Engine, on_progress: OnProgress
) -> Iterator[CaptureResult]:
    """Ingest captures. Rows that the lake already holds for a capture are replaced.

    After an error, the lake is unchanged for the capture at hand.

    Yields:
        The result of each capture, after its commit.

    Raises:
        CaptureError: A file cannot be read.
        LedgerError: Octets are unaccounted for, a fault of this program.
        OSError: A file cannot be read, or the lake cannot be written.
    """
    for capture in captures:
        run = lake.new_run()
        try:
            read = engine(capture, LakeTarget(lake, run, capture.capture_id), on_progress)
            lake.commit(run, [capture.capture_id], read.files)
        except BaseException:
            lake.abandon(run)
            raise
        yield read.result


def local_engine(settings: ReadSettings) -> Engine:
    """Return the engine without Spark."""

    def read(capture: CaptureInput, target: LakeTarget, on_progress: OnProgress) -> WrittenCapture:
        with target.writer("local") as writer:
            result = read_capture(capture, settings, writer.write, on_progress)
        return WrittenCapture(result, writer.written)

    return read
