"""Reads the files of a ring one by one; what it knows in between can be pickled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..core.capture_file import CaptureFile
from ..core.quarantine import Quarantined, Reason
from .capture_result import CaptureResult
from .capture_rows import ORDINARY
from .file_tables import capture_date, count_reasons, write_files
from .inputs import RingName, ring_name
from .local import FileRead, read_file
from .on_table import OnTable
from .ring import is_hole
from .settings import ReadSettings
from .table_pipeline import TablePipeline


class RingReading:
    """A ring as one capture: connections go on from file to file.

    Attributes:
        capture_id: The capture.
        settings: How it is read.
        files: How many files were read.
        taken: The names of those that may still be there.
        last: What the name of the last one says.
    """

    def __init__(self, capture_id: str, settings: ReadSettings) -> None:
        """Begin with a ring of which nothing was read."""
        self.capture_id = capture_id
        self.settings = settings
        self.files = 0
        self.taken: set[str] = set()
        self.last: RingName | None = None
        self._pipeline = TablePipeline(capture_id, settings, _nobody)
        self._octets = self._packets = 0
        self._left_out: Counter[Reason] = Counter()
        self._date = ""
        # Files without packets at the beginning, as long as the date is not known.
        self._waiting: list[FileRead] = []

    def read(self, file: CaptureFile, on_table: OnTable) -> Iterator[int]:
        """Read the next file. After that all rows are handed on that are certain.

        Args:
            file: The file.
            on_table: Is given the rows.

        Yields:
            How many octets were read in each step.
        """
        pipeline, name = self._pipeline, ring_name(file.path.name)
        pipeline.attach(on_table)
        read = yield from read_file(file, self.files, self._packets, pipeline)
        pipeline.flush()
        assert read.facts is not None and name is not None
        if self.last is not None and is_hole(self.last, name):
            detail = f"files of the ring before {file.path.name} were overwritten before they were read"
            read.quarantine.add(Quarantined(Reason.FILE_MISSING, 0, detail=detail))
        self.last = name
        self.taken.add(file.path.name)
        self.files += 1
        self._octets += read.facts.size
        self._packets += read.facts.packets
        self._left_out += count_reasons(read.quarantine)
        self._waiting.append(read)
        if not self._date and read.facts.first_ns:
            self._date = capture_date([read.facts])
        if self._date:
            self._write_waiting(self._date, on_table)

    def finish(self, on_table: OnTable) -> CaptureResult:
        """Nothing more comes: hand on all other rows. To be called once."""
        self._pipeline.attach(on_table)
        self._pipeline.finish()
        self._write_waiting(self._date or capture_date(()), on_table)
        left_out = self._left_out + count_reasons(self._pipeline.quarantine)
        by_name = {reason.value: left_out[reason] for reason in sorted(left_out, key=lambda it: it.value)}
        partial = not ORDINARY.issuperset(left_out)
        return CaptureResult(self.capture_id, self.files, self._octets, self._packets, by_name, partial)

    def _write_waiting(self, date: str, on_table: OnTable) -> None:
        """Hand on the rows of files, and of the quarantine."""
        files = [read.facts for read in self._waiting if read.facts is not None]
        splits = [read.split for read in self._waiting if read.split is not None]
        quarantines = {
            read.facts.number: read.quarantine.rows for read in self._waiting if read.facts is not None
        }
        self._waiting = []
        write_files(files, splits, quarantines, on_table, date)
        self._pipeline.write_quarantine(date)


def _nobody(table: str, date: str, rows: object) -> None:
    raise AssertionError("rows without anybody to take them")
