"""The files of a ring that is being written, and a reading of them, whose state between files can be written."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ...capture.files import CaptureError, CaptureFile
from ...capture.quarantine import Quarantined, Reason
from ..inputs import RingName, is_wanted, ring_name
from ..job import CaptureResult, OnTable, ReadSettings
from ..sharing.survey import FileSurvey, survey_of
from ..tables.file_reading import FileReading
from ..tables.file_tables import ORDINARY, capture_date, count_reasons, write_files, write_left_out
from ..tables.pipeline import TablePipeline

_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_RING_NUMBERS = 100_000  # dumpcap counts with five digits, then from 0 again


@dataclass(frozen=True, slots=True)
class RingFile:
    """A file of a ring.

    Attributes:
        name: The parts of its name.
        size: Its octets so far.
    """

    path: Path
    name: RingName
    size: int

    @property
    def order(self) -> tuple[str, int]:
        """Return the key of the reading order."""
        return self.name.time, self.name.number


def list_ring(folder: Path) -> list[RingFile]:
    """Return the files of the ring in a folder, in order. Other files are ignored.

    Raises:
        CaptureError: There is no such folder, or there is more than one ring.
    """
    if not folder.is_dir():
        raise CaptureError(f"{folder}: there is no such folder")
    files = []
    with os.scandir(folder) as entries:
        for entry in entries:
            name = ring_name(entry.name) if is_wanted(entry.name) else None
            if name is None:
                continue
            try:
                if entry.is_file():
                    files.append(RingFile(Path(entry.path), name, entry.stat().st_size))
            except FileNotFoundError:  # overwritten just now
                continue
    rings = sorted({file.name.ring for file in files})
    if len(rings) > 1:
        raise CaptureError(
            f"{folder} has more than one ring: {', '.join(rings)}; give each a folder of its own"
        )
    return sorted(files, key=lambda file: file.order)


def unread(files: Iterable[RingFile], taken: Collection[str], last: RingName | None) -> list[RingFile]:
    """Return the files that are still to be read, in order.

    Args:
        files: The files of the ring.
        taken: The names of files that were read.
        last: The name of the file that was read last.
    """
    others = [file for file in files if file.path.name not in taken]
    if last is None:
        return others
    later = [file for file in others if file.order > (last.time, last.number)]
    # If the clock was set back, as in autumn, only the number tells the order.
    set_back = [file for file in others if file not in later and file.name.number == _following(last)]
    return set_back + later


def is_hole(last: RingName | None, following: RingName) -> bool:
    """True if files are missing between two that are read one after the other.

    A new ring with the same name begins with number 1.
    """
    return last is not None and following.number not in (_following(last), 1)


def _following(name: RingName) -> int:
    return (name.number + 1) % _RING_NUMBERS


class RingReading:
    """A ring read as one capture: connections continue from file to file.

    Attributes:
        settings: How it is read.
        files: The number of files read.
        taken: The names of read files that may still exist.
        last: The name of the file that was read last.
    """

    def __init__(self, capture_id: str, settings: ReadSettings) -> None:
        self.capture_id = capture_id
        self.settings = settings
        self.files = 0
        self.taken: set[str] = set()
        self.last: RingName | None = None
        self._pipeline = TablePipeline(capture_id, settings, _no_target)
        self._octets = self._packets = 0
        self._left_out: Counter[Reason] = Counter()
        self._date = ""
        # The first files, until one has a packet, which gives the date of the capture.
        self._waiting: list[FileSurvey] = []

    def is_sound(self, capture_id: str, files: int) -> bool:
        """Return whether a state that was loaded belongs to a capture after so many files, and its texts can be used.

        Its dates name folders, and messages show its settings.
        """
        try:
            dates = {self._date, *self._pipeline.dates} - {""}
            is_whole = (self.capture_id, self.files) == (capture_id, files)
            parts = self.settings, self.last, self._pipeline, self.taken
            has_parts = [*map(type, parts)] == [ReadSettings, RingName, TablePipeline, set]
            is_shown_in_a_line = f"{self.settings.server_ports} {self.settings.bodies}".isprintable()
            return has_parts and is_whole and is_shown_in_a_line and all(map(_DATE.fullmatch, dates))
        except (AttributeError, TypeError):
            return False

    def read(self, file: CaptureFile, on_table: OnTable) -> Iterator[int]:
        """Read the next file, and write all rows that are final.

        Yields:
            The octets read in each step.
        """
        pipeline, name = self._pipeline, ring_name(file.path.name)
        self.settings.key_log.add_capture(file.path)
        pipeline.attach(on_table)
        reading, position = FileReading(file, self.files), 0
        for batch in reading.batches(self._packets):
            pipeline.read(batch)
            yield reading.position - position
            position = reading.position
        yield from reading.messages(self.settings.bodies, on_table)
        pipeline.flush()
        read = survey_of(reading)
        assert name is not None
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
        """Write all other rows; no more files follow. Call this once."""
        self._pipeline.attach(on_table)
        self._pipeline.finish()
        self._write_waiting(self._date or capture_date(()), on_table)
        left_out = self._left_out + count_reasons(self._pipeline.quarantine)
        by_name = {
            reason.value: left_out[reason] for reason in sorted(left_out, key=lambda reason: reason.value)
        }
        partial = not ORDINARY.issuperset(left_out)
        return CaptureResult(self.capture_id, self.files, self._octets, self._packets, by_name, partial)

    def _write_waiting(self, date: str, on_table: OnTable) -> None:
        """Write the rows of files and of the quarantine."""
        files = [read.facts for read in self._waiting]
        quarantines = {read.facts.number: read.quarantine.rows for read in self._waiting}
        self._waiting = []
        write_files(files, quarantines, on_table, date)
        write_left_out(self._pipeline.take_left_out(), self._pipeline.packets_before, date, on_table)


def _no_target(table: str, date: str, rows: object) -> None:
    raise AssertionError("rows before on_table was attached")
