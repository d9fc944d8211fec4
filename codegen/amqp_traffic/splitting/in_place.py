"""The engines that read parts of files side by side. They need a ``TaskRunner``, such as Spark.

In place:

1. Each split is read: frames, decoded, with numbers of the split (``read_splits``).
2. Splits are proved, and what they tell of connections is stitched (``core.stitching``).
3. Then it is known what the numbers mean, and tables are made: those of frames by split (``frame_writing``), those of
   messages by connection (``conversation_writing``).
4. Connections that could not be stitched are read as a whole (``whole_connections``).

By reference: all connections are read as a whole.
"""

from __future__ import annotations

from collections import Counter
from itertools import accumulate

from ..capture.quarantine import Reason
from ..ingest.file_tables import capture_date, count_reasons, result_of, write_files, write_quarantine
from ..ingest.inputs import CaptureInput
from ..ingest.job import LakeTarget, ReadSettings, WrittenCapture
from ..lake.writer import Written
from ..tasks.runner import TaskRunner
from .conversation_tasks import conversation_tasks
from .file_plan import FilePlan, plan_files
from .frame_writing import WriteFrames
from .read_splits import FilesRead, read_splits
from .split_numbers import SplitNumbers
from .split_reading import of_packets, packet_reasons
from .stitching import SplitFragments, stitch
from .whole_connections import read_whole


def read_in_place(
    capture: CaptureInput, target: LakeTarget, settings: ReadSettings, split_size: int, runner: TaskRunner
) -> WrittenCapture:
    """Read a capture of packets.

    Args:
        capture: Which one.
        target: Where its tables go.
        settings: How it is read.
        split_size: About how large splits are, in octets.
        runner: Runs the tasks.

    Raises:
        CaptureError: A file needs a package that is not there, or is larger than captures are.
        LedgerError: Octets were lost in here.
        OSError: A file cannot be read.
    """
    files = plan_files(capture.files, split_size)
    read = read_splits(files, settings, split_size, runner, target.blobs)
    plan = stitch(
        [SplitFragments(it.report.packets, it.fragments) for it in read.results],
        server_ports=settings.server_ports,
    )
    numbers = SplitNumbers(capture.capture_id, plan, read)
    # Those of connections take longest, so they begin first.
    of_messages = list(conversation_tasks(plan, read, numbers, target, settings))
    of_frames = [
        WriteFrames(target, target.blobs, tuple(it.rows), numbers.numbering(split), f"frames-{split:05}")
        for split, it in enumerate(read.results)
    ]
    results = runner.run("writing", [*of_messages, *of_frames])
    of_connections = list(numbers.of_connections())
    written: list[Written] = []
    for files_of_task, in_seams in results[: len(of_messages)]:
        written += files_of_task
        of_connections += in_seams
    for files_of_task in results[len(of_messages) :]:
        written += files_of_task
    date = capture_date(read.files)
    with target.writer("quarantine") as writer:
        write_quarantine(of_connections, numbers.conn_ids, read.packets_before, date, writer.write)
    written += writer.written
    left_out = Counter(item.reason for item in of_connections)
    if plan.unverified:
        flows = frozenset(plan.unverified)
        of_whole, reasons = read_whole(read, plan.packet_base, flows, target, settings, runner, date)
        written += of_whole
        left_out += reasons
    return _finish(capture, files, read, plan.packet_base, left_out, target, written)


def read_by_reference(
    capture: CaptureInput, target: LakeTarget, settings: ReadSettings, split_size: int, runner: TaskRunner
) -> WrittenCapture:
    """Read a capture of packets, each connection as a whole.

    Args and errors are those of ``read_in_place``.
    """
    files = plan_files(capture.files, split_size)
    read = read_splits(files, settings, split_size, runner, None)
    base = list(accumulate((it.report.packets for it in read.results), initial=0))[:-1]
    written, left_out = read_whole(read, base, None, target, settings, runner, capture_date(read.files))
    return _finish(capture, files, read, base, left_out, target, written)


def _finish(
    capture: CaptureInput,
    plan: FilePlan,
    read: FilesRead,
    packet_base: list[int],
    left_out: Counter[Reason],
    target: LakeTarget,
    written: list[Written],
) -> WrittenCapture:
    """Write the tables about files."""
    about_files = {number: it.rows for number, it in plan.quarantines.items()}
    for it, base in zip(read.results, packet_base, strict=True):
        before = base - read.packets_before[it.order.file_no]
        about_files.setdefault(it.order.file_no, []).extend(of_packets(it, before))
        left_out += packet_reasons(it)
    for quarantine in plan.quarantines.values():
        left_out += count_reasons(quarantine)
    files = sorted([*plan.others, *read.files], key=lambda it: it.number)
    with target.writer("files") as writer:
        write_files(files, read.splits, about_files, writer.write)
    return WrittenCapture(result_of(capture.capture_id, files, left_out), written + writer.written)
