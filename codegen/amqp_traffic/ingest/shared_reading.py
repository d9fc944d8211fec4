"""The reading of one capture, with any runner of tasks.

The way of the data: a survey of each file, shares of equal octets, one task for each share (``decode_share``), a check of what
all of them have counted, and one commit. A capture that is one share needs no survey: its task makes it in passing.

Each share reads all files and drops the packets of the others. Where that would cost more than decoding, each file is read
once, and its segments go to the shares through the shuffle of the runner (``segment_shuffle``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..capture.quarantine import MOST_ROWS, Reason, first_of_each
from ..lake.writer import Written
from ..streams.raw_streams import is_raw_stream
from ..tasks.runner import TaskRunner
from .file_tables import (
    capture_date,
    count_reasons,
    packets_before,
    result_of,
    write_files,
    write_left_out,
)
from .inputs import CaptureInput
from .job import LakeTarget, ReadSettings, WrittenCapture
from .segment_shuffle import DecodeSegments, SendSegments
from .shares import (
    ReadRawStreams,
    ReadShare,
    ShareResult,
    check_equal,
    check_readings,
    check_shares,
    share_name,
    share_out,
)
from .survey import FileSurvey, SurveyFile, weights_of

# Below, another task takes longer to start than it saves.
OCTETS_PER_SHARE = 32_000_000
# Each share reads all packets, and drops those of the others: more shares would drop longer than they decode.
_MOST_READERS = 64
# The same if each share has to decompress the files.
_MOST_READERS_OF_COMPRESSED = 2
# A shuffle distributes shares to tasks by hash; several small ones for each task even that out.
_SHUFFLED_PER_SHARE = 4


def count_shares(capture: CaptureInput, workers: int, octets_per_share: int = OCTETS_PER_SHARE) -> int:
    """Return the number of tasks that are worth it."""
    return max(1, min(workers, capture.size // octets_per_share))


def is_shuffle_better(surveys: Sequence[FileSurvey], count: int) -> bool:
    """Return whether so many shares of a capture should get their segments instead of reading the files."""
    is_compressed = any(survey.facts.compression for survey in surveys)
    return count > (_MOST_READERS_OF_COMPRESSED if is_compressed else _MOST_READERS)


def read_whole(
    capture: CaptureInput, target: LakeTarget, settings: ReadSettings
) -> ReadShare | ReadRawStreams:
    """Return the task that reads a capture as one share."""
    if is_raw_stream(capture.files[0]):
        return ReadRawStreams(capture.files, settings, target)
    return ReadShare(capture.files, None, settings, target, share_name(0))


def read_shares(
    capture: CaptureInput,
    target: LakeTarget,
    settings: ReadSettings,
    count: int,
    runner: TaskRunner,
    shuffle: bool | None = False,
) -> WrittenCapture:
    """Read a capture.

    Args:
        capture: The capture.
        target: The place of its tables.
        settings: How it is read.
        count: The largest number of tasks that decode.
        runner: Runs the tasks.
        shuffle: Whether segments go through the shuffle of the runner; None if ``is_shuffle_better`` decides.

    Raises:
        CaptureError: A file needs a package that is not installed, or exceeds the size of a capture.
        LedgerError: Octets are unaccounted for, or shares do not add up: a fault of this program.
        OSError: A file cannot be read.
    """
    if count == 1 or is_raw_stream(capture.files[0]):
        return finish_whole(runner.run("reading", [read_whole(capture, target, settings)])[0], target)
    tasks = [SurveyFile(path, number, settings, target) for number, path in enumerate(capture.files)]
    surveys: list[FileSurvey] = []
    written: list[Written] = []
    for survey, files in runner.run("survey", tasks):
        surveys.append(survey)
        written += files
    if shuffle is None:
        shuffle = is_shuffle_better(surveys, count)
    most = _SHUFFLED_PER_SHARE * count if shuffle else min(count, _MOST_READERS)
    shares = share_out(weights_of(surveys), most)
    if shuffle:
        results = _shuffle(capture, target, settings, surveys, shares, runner)
    else:
        results = _read(capture, target, settings, shares, runner)
        check_readings(surveys, results)
    check_shares(surveys, shares, results)
    return _finish(surveys, results, written, target)


def _read(
    capture: CaptureInput,
    target: LakeTarget,
    settings: ReadSettings,
    shares: Sequence[frozenset[int]],
    runner: TaskRunner,
) -> list[ShareResult]:
    """Let each share read all files."""
    return runner.run(
        "reading",
        [
            ReadShare(capture.files, buckets, settings, target, share_name(number))
            for number, buckets in enumerate(shares)
        ],
    )


def _shuffle(
    capture: CaptureInput,
    target: LakeTarget,
    settings: ReadSettings,
    surveys: Sequence[FileSurvey],
    shares: Sequence[frozenset[int]],
    runner: TaskRunner,
) -> list[ShareResult]:
    """Read each file once, and send its segments to the shares."""
    share_of = {bucket: number for number, buckets in enumerate(shares) for bucket in buckets}
    before = packets_before([survey.facts for survey in surveys])
    producers = [
        SendSegments(path, number, before[number], survey.totals, share_of)
        for number, (path, survey) in enumerate(zip(capture.files, surveys, strict=True))
    ]
    results = runner.shuffle("reading", producers, DecodeSegments(before, settings, target))
    check_equal("shares that got segments", len(results), len(shares))
    return results


def finish_whole(result: ShareResult, target: LakeTarget) -> WrittenCapture:
    """Write the tables about files of a capture that was read as one share."""
    check_readings(result.surveys, [result])
    check_shares(result.surveys, [None], [result])
    return _finish(result.surveys, [result], [], target)


def _finish(
    surveys: Sequence[FileSurvey], results: Sequence[ShareResult], written: list[Written], target: LakeTarget
) -> WrittenCapture:
    files = [survey.facts for survey in surveys]
    date = capture_date(files)
    left_out: Counter[Reason] = sum((count_reasons(survey.quarantine) for survey in surveys), Counter())
    with target.writer("files") as writer:
        about_files = {survey.facts.number: survey.quarantine.rows for survey in surveys}
        write_files(files, about_files, writer.write)
        of_shares = (row for result in results for row in result.sums.left_out)
        rows = first_of_each(of_shares, MOST_ROWS, lambda row: row.item)
        write_left_out(rows, packets_before(files), date, writer.write)
    for result in results:
        left_out += result.sums.reasons
        written += result.written
    return WrittenCapture(result_of(target.capture_id, files, left_out), [*written, *writer.written])
