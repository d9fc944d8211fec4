"""The files of a ring that is being written, in the order in which they are to be read.

Reads the files of a ring one by one; what it knows in between can be pickled.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..capture.files import CaptureError, CaptureFile
from ..capture.quarantine import Quarantined, Reason
from .file_tables import ORDINARY, capture_date, count_reasons, write_files
from .inputs import RingName, is_wanted, ring_name
from .job import CaptureResult, OnTable, ReadSettings
from .local import FileRead, read_file
from .table_pipeline import TablePipeline

_NUMBERS = 100_000  # how dumpcap counts: five digits, then from 0 again


@dataclass(frozen=True, slots=True)
class RingFile:
    """A file of a ring.

    Attributes:
        path: Where it is.
        name: What its name says.
        size: How many octets it has by now.
    """

    path: Path
    name: RingName
    size: int

    @property
    def order(self) -> tuple[str, int]:
        """By this they are sorted."""
        return self.name.time, self.name.number


def list_ring(folder: Path) -> list[RingFile]:
    """The files of the ring that are in a folder; other files do not matter.

    Raises:
        CaptureError: There is no such folder, or there is more than one ring.
    """
    if not folder.is_dir():
        raise CaptureError(f"{folder}: there is no such folder")
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            name = ring_name(entry.name) if is_wanted(entry.name) else None
            if name is None:
                continue
            try:
                if entry.is_file():
                    found.append(RingFile(Path(entry.path), name, entry.stat().st_size))
            except FileNotFoundError:  # it was overwritten just now
                continue
    rings = sorted({file.name.ring for file in found})
    if len(rings) > 1:
        raise CaptureError(
            f"{folder} has more than one ring: {', '.join(rings)}; give each a folder of its own"
        )
    return sorted(found, key=lambda file: file.order)


def unread(files: Iterable[RingFile], taken: Collection[str], last: RingName | None) -> list[RingFile]:
    """The files that are still to be read, in their order.

    Args:
        files: Those that are there.
        taken: The names of those that were read.
        last: What the name of the last one says that was read.
    """
    others = [file for file in files if file.path.name not in taken]
    if last is None:
        return others
    later = [file for file in others if file.order > (last.time, last.number)]
    # A clock that is put back, as in autumn: only the number tells.
    set_back = [file for file in others if file not in later and file.name.number == _following(last)]
    return set_back + later


def is_hole(last: RingName | None, following: RingName) -> bool:
    """Whether files are missing between two that are read one after the other.

    Whoever begins a ring of the same name anew counts from 1 again.
    """
    return last is not None and following.number not in (_following(last), 1)


def _following(name: RingName) -> int:
    return (name.number + 1) % _NUMBERS


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
