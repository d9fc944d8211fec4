"""Shares of a capture: its connections are shared out by flow, and each share reads all files for its own.

``check_shares`` compares what the shares have read and decoded with the survey: a share that drops, doubles or moves a packet
is found before anything is committed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...capture.files import open_capture
from ...capture.ledgers import LedgerError
from ...capture.quarantine import Quarantine
from ...lake.writer import Written
from ..job import LakeTarget, OnProgress, OnTable, ReadSettings
from ..tables.file_reading import FileReading, SegmentBatch, SegmentSums
from ..tables.file_tables import FileFacts
from .buckets import BucketReading, Buckets
from .decoding import ShareDecoding, ShareSums, decode_share
from .survey import FileSurvey, FileTotals, survey_of


def _no_progress(octets: int) -> None:
    """Nobody wants to know."""


class ShareReading:
    """The files of a capture, as one share reads them: in order, from beginning to end.

    Attributes:
        surveys: The files read so far, without their flows.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        settings: ReadSettings,
        is_wanted: Callable[[int], bool],
        *,
        on_log: OnTable | None = None,
        on_progress: OnProgress = _no_progress,
    ) -> None:
        """Take the files.

        Args:
            paths: The files of the capture.
            settings: How they are read.
            is_wanted: True for the buckets to be read.
            on_log: Takes the rows of messages in logs; by default somebody else reads the logs.
            on_progress: Called with the octets read since the last call.
        """
        self.surveys: list[FileSurvey] = []
        self._paths = paths
        self._settings = settings
        self._buckets = BucketReading(is_wanted)
        self._on_log = on_log
        self._on_progress = on_progress

    def batches(self, core: Any = None) -> Iterator[SegmentBatch]:
        """Read the segments that are wanted, and logs, for which a batch is empty. For ``core`` see ``FileReading``."""
        packets = 0
        for number, path in enumerate(self._paths):
            with open_capture(path) as file:
                reading, position, octets = FileReading(file, number), 0, self._buckets.octets
                for batch in reading.batches(packets, self._buckets.is_wanted, core):
                    yield batch
                    self._on_progress(reading.position - position)
                    position = reading.position
                if self._on_log is not None:
                    for size in reading.messages(self._settings.bodies, self._on_log):
                        yield SegmentBatch(number, packets, [])
                        self._on_progress(size)
                survey = survey_of(reading, self._buckets.octets - octets)
            self.surveys.append(survey)
            packets += survey.totals.packets

    def flows(self) -> dict[int, SegmentSums]:
        """Return all segments so far by bucket, wanted or not."""
        return self._buckets.sums()


@dataclass(frozen=True, slots=True)
class ShareResult:
    """What a share has read.

    Attributes:
        surveys: The files, if this share is to tell about them; else empty.
        totals: What was counted in each file, of all flows; empty if the share has read no file.
        sums: What was decoded.
        written: The files of tables.
        flows: The segments of all shares by bucket, if this share is to tell.
    """

    surveys: list[FileSurvey]
    totals: list[FileTotals]
    sums: ShareSums
    written: list[Written]
    flows: Mapping[int, SegmentSums] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ReadShare:
    """A task that reads a share of a capture and writes its tables, except those about files.

    Attributes:
        paths: The files of the capture.
        buckets: The buckets of the share.
        settings: How the capture is read.
        target: The place of the tables.
        name: A part of the names of files.
        is_surveyor: True for the one share that tells about the files, and reads the logs among them.
    """

    paths: tuple[Path, ...]
    buckets: Buckets
    settings: ReadSettings
    target: LakeTarget
    name: str
    is_surveyor: bool

    def __call__(self, on_progress: OnProgress = _no_progress) -> ShareResult:
        """Read and write; ``on_progress`` is called with the octets read since the last call.

        Raises:
            CaptureError: A file needs a package that is not installed, or exceeds the size of a capture.
            LedgerError: Octets are unaccounted for, a fault of this program.
            OSError: A file cannot be read.
        """
        with self.target.writer(self.name) as writer:
            reading = ShareReading(
                self.paths,
                self.settings,
                self.buckets.__contains__,
                on_log=writer.write if self.is_surveyor else None,
                on_progress=on_progress,
            )
            sums = decode_share(reading.batches, self.settings, writer)
        totals = [survey.totals for survey in reading.surveys]
        if not self.is_surveyor:
            return ShareResult([], totals, sums, writer.written)
        return ShareResult(reading.surveys, totals, sums, writer.written, reading.flows())


@dataclass(frozen=True, slots=True)
class ReadRawStreams:
    """A task that reads raw streams: they have no flows, so they are one share. Attributes are those of ``ReadShare``."""

    paths: tuple[Path, ...]
    settings: ReadSettings
    target: LakeTarget

    def __call__(self, on_progress: OnProgress = _no_progress) -> ShareResult:
        """Read and write, see ``ReadShare``."""
        with self.target.writer("raw") as writer:
            decoding = ShareDecoding(writer.capture_id, self.settings, writer.write, is_raw=True)
            for octets in decoding.read_raw(self.paths):
                on_progress(octets)
            sums = decoding.finish()
        surveys = raw_surveys(self.paths)
        return ShareResult(surveys, [survey.totals for survey in surveys], sums, writer.written)


def raw_surveys(paths: Sequence[Path]) -> list[FileSurvey]:
    """Return the surveys of raw streams, which have no packets."""
    surveys = []
    for number, path in enumerate(paths):
        size = path.stat().st_size
        facts = FileFacts(path.name, number, "raw", size=size, records=size)
        surveys.append(FileSurvey(facts, Quarantine(), FileTotals(0, 0)))
    return surveys


def share_name(number: int) -> str:
    """Return the part of file names that tells the share."""
    return f"share-{number:04}"


def check_readings(surveys: Sequence[FileSurvey], results: Sequence[ShareResult]) -> None:
    """Check that each share has seen in the files what the survey has found.

    Raises:
        LedgerError: It has not: a fault of this program, or a file has changed meanwhile.
    """
    for number, result in enumerate(results):
        for survey, totals in zip(surveys, result.totals, strict=True):
            check_equal(f"share {number} of {survey.facts.name}, all flows", totals, survey.totals)


def check_shares(
    surveys: Sequence[FileSurvey],
    flows: Mapping[int, SegmentSums],
    shares: Sequence[Buckets],
    results: Sequence[ShareResult],
) -> None:
    """Check that the shares have decoded exactly what the survey has found, in each file and in the buckets of each share.

    Args:
        surveys: The files.
        flows: The segments of the capture by bucket.
        shares: The shares.
        results: What they have read.

    Raises:
        LedgerError: They have not: a fault of this program, or a file has changed meanwhile.
    """
    for survey in surveys:
        kept = _total(result.sums.files.get(survey.facts.number) for result in results)
        found = SegmentSums(survey.totals.segments, survey.octets)
        check_equal(f"all shares of {survey.facts.name}", kept, found)
    for number, (buckets, result) in enumerate(zip(shares, results, strict=True)):
        kept = _total(result.sums.files.values())
        check_equal(f"share {number} of all files", kept, _total(flows.get(bucket) for bucket in buckets))


def _total(sums: Iterable[SegmentSums | None]) -> SegmentSums:
    total = SegmentSums()
    for part in sums:
        total = total if part is None else total.plus(part)
    return total


def check_equal(subject: str, counted: object, expected: object) -> None:
    """Raise ``LedgerError`` if what was counted is not what the survey has."""
    if counted != expected:
        raise LedgerError(f"{subject}: {counted}, but the survey has {expected}")
