"""The reading of one capture, with any runner of tasks.

The way of the data: a survey of each file, shares of equal octets, one task for each share (``decode_share``), a check of what
all of them have counted, and one commit. A capture that is one share needs no survey: its task makes it in passing.
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
from .shares import Buckets, ReadRawStreams, ReadShare, ShareResult, check_shares, share_out
from .survey import FileSurvey, SurveyFile, weights_of

# Below, another task takes longer to start than it saves.
OCTETS_PER_SHARE = 32_000_000
# Each share reads all packets, and drops those of the others: more shares would drop longer than they decode.
_MOST_SHARES = 64


def count_shares(capture: CaptureInput, workers: int, octets_per_share: int = OCTETS_PER_SHARE) -> int:
    """Return the largest number of shares that is worth it."""
    return max(1, min(workers, _MOST_SHARES, capture.size // octets_per_share))


def read_whole(
    capture: CaptureInput, target: LakeTarget, settings: ReadSettings
) -> ReadShare | ReadRawStreams:
    """Return the task that reads a capture as one share."""
    if is_raw_stream(capture.files[0]):
        return ReadRawStreams(capture.files, settings, target)
    return ReadShare(capture.files, None, settings, target, "share-0000")


def read_shares(
    capture: CaptureInput, target: LakeTarget, settings: ReadSettings, count: int, runner: TaskRunner
) -> WrittenCapture:
    """Read a capture.

    Args:
        capture: The capture.
        target: The place of its tables.
        settings: How it is read.
        count: The largest number of shares.
        runner: Runs the tasks.

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
    shares: Sequence[Buckets] = share_out(weights_of(surveys), count)
    results: list[ShareResult] = runner.run(
        "reading",
        [
            ReadShare(capture.files, buckets, settings, target, f"share-{number:04}")
            for number, buckets in enumerate(shares)
        ],
    )
    check_shares(surveys, shares, results)
    return _finish(surveys, results, written, target)


def finish_whole(result: ShareResult, target: LakeTarget) -> WrittenCapture:
    """Write the tables about files of a capture that was read as one share."""
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
