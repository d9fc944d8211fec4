"""The reading of one capture, with any runner of tasks.

The way of the data: shares of about equal octets, one task for each share (``decode_share``), a check of what all of them have
counted, and one commit.

``read_shares``: each share reads all files and drops the packets of the others; one of them makes the survey in passing. Where
that would cost more than decoding, ``read_once``: after a survey, each file is read once, and its segments go to the shares
through the shuffle of the runner (``shuffle``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...capture.quarantine import MOST_ROWS, Reason, first_of_each
from ...lake.writer import Written
from ...streams.raw_streams import is_raw_stream
from ...tasks.runner import TaskRunner
from ..inputs import CaptureInput
from ..job import LakeTarget, ReadSettings, WrittenCapture
from ..tables.file_tables import (
    capture_date,
    count_reasons,
    packets_before,
    result_of,
    write_files,
    write_left_out,
)
from .buckets import Buckets
from .plan import share_out
from .shares import (
    ReadRawStreams,
    ReadShare,
    ShareResult,
    check_equal,
    check_readings,
    check_shares,
    share_name,
)
from .shuffle import DecodeSegments, SendSegments
from .survey import FileSurvey, SurveyFile, flows_of

# A shuffle distributes shares to tasks by hash; several small ones for each task even that out.
_SHUFFLED_PER_SHARE = 4


def share_tasks(
    capture: CaptureInput, target: LakeTarget, settings: ReadSettings, shares: Sequence[Buckets]
) -> list[ReadShare] | list[ReadRawStreams]:
    """Return the tasks that read a capture, one for each share. The last one, with the lightest share, tells about the files."""
    settings = settings.for_files(capture.files)
    if is_raw_stream(capture.files[0]):
        return [ReadRawStreams(capture.files, settings, target)]
    last = len(shares) - 1
    return [
        ReadShare(capture.files, buckets, settings, target, share_name(number), number == last)
        for number, buckets in enumerate(shares)
    ]


def finish_shares(
    shares: Sequence[Buckets], results: Sequence[ShareResult], target: LakeTarget
) -> WrittenCapture:
    """Check what the tasks of shares have read, and write the tables about files.

    Raises:
        LedgerError: Shares do not add up: a fault of this program, or a file has changed meanwhile.
    """
    surveys = results[-1].surveys
    check_readings(surveys, results)
    check_shares(surveys, results[-1].flows, shares, results)
    return _finish(surveys, results, [], target)


def read_shares(
    capture: CaptureInput,
    target: LakeTarget,
    settings: ReadSettings,
    shares: Sequence[Buckets],
    runner: TaskRunner,
) -> WrittenCapture:
    """Read a capture: each share reads all files.

    The tables go to ``target``. For ``shares`` see ``plan_shares``.

    Raises:
        CaptureError: A file needs a package that is not installed, or exceeds the size of a capture.
        LedgerError: Octets are unaccounted for, or shares do not add up: a fault of this program.
        OSError: A file cannot be read.
    """
    tasks = share_tasks(capture, target, settings, shares)
    return finish_shares(shares, runner.run("reading", tasks), target)


# The tables whose rows show that there is AMQP in a capture.
_FOUND = ("frames", "messages")


def read_once(
    capture: CaptureInput, target: LakeTarget, settings: ReadSettings, count: int, runner: TaskRunner
) -> WrittenCapture:
    """Read a capture: each file is read by one task for its survey, and by one that sends its segments to the shares.

    Args:
        capture: The capture; not raw streams, which have no segments.
        target: The place of its tables.
        settings: How it is read.
        count: The number of tasks that decode side by side.
        runner: Runs the tasks.

    Raises:
        CaptureError, LedgerError, OSError: See ``read_shares``.
    """
    tasks = [SurveyFile(path, number, settings, target) for number, path in enumerate(capture.files)]
    surveys: list[FileSurvey] = []
    written: list[Written] = []
    for survey, files in runner.run("survey", tasks):
        surveys.append(survey)
        written += files
    flows = flows_of(surveys)
    weights = {bucket: sums.segments + sums.octets for bucket, sums in flows.items()}
    shares = share_out(weights, _SHUFFLED_PER_SHARE * count)
    share_of = {bucket: number for number, buckets in enumerate(shares) for bucket in buckets}
    before = packets_before([survey.facts for survey in surveys])
    producers = [
        SendSegments(path, number, before[number], survey.totals, share_of)
        for number, (path, survey) in enumerate(zip(capture.files, surveys, strict=True))
    ]
    results = runner.shuffle(
        "reading", producers, DecodeSegments(before, settings.for_files(capture.files), target)
    )
    check_equal("shares that got segments", len(results), len(shares))
    check_shares(surveys, flows, shares, results)
    return _finish(surveys, results, written, target)


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
    found = sum(file.rows for file in written if file.table in _FOUND)
    return WrittenCapture(result_of(target.capture_id, files, left_out, found), [*written, *writer.written])
