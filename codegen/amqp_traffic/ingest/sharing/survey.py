"""The survey of a capture: what each file has, counted by its headers alone.

It has the facts and the ledger of a file, and for each bucket of flows the segments and the octets of their payloads, with which
the shares are compared. One of the shares makes it in passing; where no share reads the files, ``SurveyFile`` does.

What has no flow belongs to the survey, not to a share: damage of the file, packets without a TCP segment, and logs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from ...capture.files import open_capture
from ...capture.quarantine import Quarantine
from ...lake.writer import Written
from ..job import LakeTarget, ReadSettings
from ..memory import bulk_memory
from ..tables.file_reading import FileReading, SegmentSums
from ..tables.file_tables import FileFacts
from .buckets import BucketReading


class FileTotals(NamedTuple):
    """What every reader of a file must count: its packets and segments."""

    packets: int
    segments: int


@dataclass(frozen=True, slots=True)
class FileSurvey:
    """A file that was read to its end.

    Attributes:
        facts: The row of the file in ``captures``.
        quarantine: What is left out that has no flow.
        totals: All segments.
        octets: Octets of payload of all segments; 0 if they were not counted.
        flows: The segments by bucket; empty if a share made the survey.
    """

    facts: FileFacts
    quarantine: Quarantine
    totals: FileTotals
    octets: int = 0
    flows: Mapping[int, SegmentSums] = field(default_factory=dict)


def totals_of(reading: FileReading) -> FileTotals:
    """Return the totals of a file that was read to its end. The records of a log are no packets here."""
    facts = reading.facts()
    return FileTotals(0 if facts.tcp is None else facts.packets, reading.segments)


def survey_of(
    reading: FileReading, octets: int = 0, flows: Mapping[int, SegmentSums] | None = None
) -> FileSurvey:
    """Return the survey of a file that was read to its end."""
    return FileSurvey(reading.facts(), reading.quarantine, totals_of(reading), octets, flows or {})


@dataclass(frozen=True, slots=True)
class SurveyFile:
    """A task that surveys a file.

    Attributes:
        path: The file.
        number: Its number in the capture.
        settings: How messages of logs are read.
        target: The place of their rows.
    """

    path: Path
    number: int
    settings: ReadSettings
    target: LakeTarget

    def __call__(self) -> tuple[FileSurvey, list[Written]]:
        """Return the survey, and the files that were written.

        Raises:
            CaptureError: The file needs a package that is not installed, or exceeds the size of a capture.
            LedgerError: Octets are unaccounted for, a fault of this program.
            OSError: It cannot be read.
        """
        with (
            bulk_memory(),
            open_capture(self.path) as file,
            self.target.writer(f"log-{self.number:06}") as writer,
        ):
            reading = FileReading(file, self.number)
            buckets = BucketReading(lambda bucket: False)
            for _ in reading.batches(is_wanted=buckets.is_wanted):
                pass
            for _ in reading.messages(self.settings.bodies, writer.write):
                pass
            found = survey_of(reading, buckets.octets, buckets.sums())
        return found, writer.written


def flows_of(surveys: Iterable[FileSurvey]) -> dict[int, SegmentSums]:
    """Return the segments of a capture by bucket."""
    flows: dict[int, SegmentSums] = {}
    for survey in surveys:
        for bucket, sums in survey.flows.items():
            flows[bucket] = flows.get(bucket, SegmentSums()).plus(sums)
    return flows
