"""Reads all files of a capture in splits, and proves that nothing is missing between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from uuid import uuid4

from ..capture.ledgers import LedgerError
from ..ingest.file_tables import FileFacts, SplitFacts, ignored_packets
from ..ingest.job import ReadSettings
from ..tasks.blobs import BlobFolder
from ..tasks.runner import TaskRunner
from .file_plan import CaptureFilePlan, FilePlan
from .split_reading import SplitOrder, SplitResult, index_split, read_split
from .splits import check_proof, join_ledgers
from .survey import known_before


@dataclass(frozen=True, slots=True)
class ReadSplit:
    """A task: reads a split."""

    order: SplitOrder
    blobs: BlobFolder | None

    def __call__(self) -> SplitResult:
        """Read it; each attempt leaves blobs of its own."""
        if self.blobs is None:
            return index_split(self.order)
        return read_split(self.order, self.blobs, uuid4().hex[:12])


@dataclass(slots=True)
class FilesRead:
    """The files of a capture that could be read.

    Attributes:
        results: What came out of all splits, in the order of files and splits.
        files: What is known of the files.
        splits: In which parts they were read.
    """

    results: list[SplitResult] = field(default_factory=list)
    files: list[FileFacts] = field(default_factory=list)
    splits: list[SplitFacts] = field(default_factory=list)

    @property
    def packets_before(self) -> list[int]:
        """Of each file of the capture, how many packets are in those before it; up to the last that could be read."""
        packets = {file.number: file.packets for file in self.files}
        numbers = range(max(packets, default=0) + 1)
        return [0, *accumulate(packets.get(number, 0) for number in numbers)][:-1]


def read_splits(
    plan: FilePlan, settings: ReadSettings, split_size: int, runner: TaskRunner, blobs: BlobFolder | None
) -> FilesRead:
    """Read all files.

    Args:
        plan: The files.
        settings: How they are read.
        split_size: About how large splits are, in octets.
        runner: Runs the tasks.
        blobs: Where rows and events go; None if connections are not to be read.

    Raises:
        LedgerError: Octets were lost in here.
    """
    reading = _Reading(plan, settings, runner, blobs)
    results = reading.run("reading", plan.files)
    wrong = {number for number, problem in _problems(results).items() if problem}
    if wrong:
        again = [file.exactly(split_size) for file in plan.files if file.number in wrong]
        results = [it for it in results if it.order.file_no not in wrong]
        results += reading.run("reading again", again)
        results.sort(key=lambda it: (it.order.file_no, it.order.split.start))
        for number, problem in _problems(results).items():
            if problem:
                raise LedgerError(f"file {number}: {problem}")
    read = FilesRead(results=results)
    for file in plan.files:
        parts = [it for it in results if it.order.file_no == file.number]
        read.files.append(_join(parts))
        proof = "exact" if file.number in wrong else "chained" if len(parts) > 1 else "whole"
        for number, it in enumerate(parts):
            ignored = ignored_packets(it.quarantine.totals)
            start, end, packets = it.report.split.start, it.report.end, it.report.packets
            read.splits.append(SplitFacts(file.number, number, start, end, packets, ignored, proof))
    return read


@dataclass(frozen=True, slots=True)
class _Reading:
    """Makes tasks, and has them run."""

    plan: FilePlan
    settings: ReadSettings
    runner: TaskRunner
    blobs: BlobFolder | None

    def run(self, stage: str, files: Sequence[CaptureFilePlan]) -> list[SplitResult]:
        """Read files."""
        surveys = [file.known for file in self.plan.files]
        places = {file.number: place for place, file in enumerate(self.plan.files)}
        orders = [
            SplitOrder(
                file.path,
                file.number,
                split,
                self.settings,
                known_before(surveys, places[file.number], split.start),
                is_first=not places[file.number] and not split.start,
            )
            for file in files
            for split in file.splits
        ]
        return list(self.runner.run(stage, [ReadSplit(order, self.blobs) for order in orders]))


def _problems(results: Iterable[SplitResult]) -> dict[int, str]:
    """What is wrong with the splits of each file."""
    files: dict[int, list[SplitResult]] = {}
    for it in results:
        files.setdefault(it.order.file_no, []).append(it)
    return {
        file_no: check_proof([it.report for it in parts], parts[0].file.size)
        for file_no, parts in files.items()
    }


def _join(parts: Sequence[SplitResult]) -> FileFacts:
    """What all splits of a file tell of it.

    Raises:
        LedgerError: Octets were lost in here.
    """
    facts = [it.file for it in parts]
    ledger = join_ledgers([it.report for it in parts], facts[0].size)
    ledger.check()
    return replace(
        facts[0],
        link_types=tuple(sorted({each for it in facts for each in it.link_types})),
        headers=ledger.headers,
        records=ledger.records,
        skipped=ledger.skipped,
        packets=ledger.packets,
        first_ns=next((it.first_ns for it in facts if it.packets), 0),
        last_ns=next((it.last_ns for it in reversed(facts) if it.packets), 0),
        status=max((it.status for it in facts), key=lambda status: status != "complete"),
    )
