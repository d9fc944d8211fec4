"""The survey of a capture, before it is shared out: what each file has, counted by its headers alone.

Nothing is decoded. The survey has the facts and the ledger of a file, and for each bucket of flows the segments and the octets
of their payloads, so that shares can be made of equal octets, and checked afterwards.

What has no flow belongs to the survey, not to a share: damage of the file, packets without a TCP segment, and logs, whose
messages it writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from ..capture.files import open_capture
from ..capture.quarantine import Quarantine
from ..capture.stream_data import Segment
from ..lake.writer import Written
from ..messages.connection_rows import endpoints
from .file_reading import FileReading, SegmentSums
from .file_tables import FileFacts
from .job import LakeTarget, ReadSettings
from .memory import bulk_memory

BUCKETS = 1024
_MOST_KNOWN_FLOWS = 1 << 16


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
        flows: The segments by bucket; empty if the capture is not shared out.
    """

    facts: FileFacts
    quarantine: Quarantine
    totals: FileTotals
    flows: Mapping[int, SegmentSums] = field(default_factory=dict)


def bucket_of(flow: bytes) -> int:
    """Return the bucket of a flow: the same for both directions, in every process."""
    return crc32(b"".join(endpoints(flow))) % BUCKETS


class KnownBuckets(dict[bytes, int]):
    """The buckets of flows seen lately: most packets are of a few flows."""

    def __missing__(self, flow: bytes) -> int:
        if len(self) >= _MOST_KNOWN_FLOWS:
            self.clear()
        bucket = self[flow] = bucket_of(flow)
        return bucket


def totals_of(reading: FileReading) -> FileTotals:
    """Return the totals of a file that was read to its end. The records of a log are no packets here."""
    facts = reading.facts()
    return FileTotals(0 if facts.tcp is None else facts.packets, reading.segments)


def survey_of(reading: FileReading, flows: Mapping[int, SegmentSums] | None = None) -> FileSurvey:
    """Return the survey of a file that was read to its end."""
    return FileSurvey(reading.facts(), reading.quarantine, totals_of(reading), flows or {})


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
            octets = [0] * BUCKETS
            counts = [0] * BUCKETS
            buckets = KnownBuckets()
            for batch in reading.batches():
                _count(batch.segments, buckets, counts, octets)
            for _ in reading.messages(self.settings.bodies, writer.write):
                pass
            flows = {
                bucket: SegmentSums(count, octets[bucket]) for bucket, count in enumerate(counts) if count
            }
            found = survey_of(reading, flows)
        return found, writer.written


def _count(
    segments: Iterable[Segment], buckets: Mapping[bytes, int], counts: list[int], octets: list[int]
) -> None:
    for segment in segments:
        bucket = buckets[segment[0]]
        counts[bucket] += 1
        octets[bucket] += len(segment[4])


def weights_of(surveys: Iterable[FileSurvey]) -> dict[int, int]:
    """Return the weight of each bucket of a capture: octets of payload, and one for each segment."""
    weights: dict[int, int] = {}
    for survey in surveys:
        for bucket, sums in survey.flows.items():
            weights[bucket] = weights.get(bucket, 0) + sums.octets + sums.segments
    return weights
