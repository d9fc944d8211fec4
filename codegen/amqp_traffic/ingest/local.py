"""The ingest of captures into a lake, one after the other; and the engine that needs no Spark.

The engine reads a capture with processes of this machine, and a small one in this process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from amqp_codegen.support.processors import count_processors

from ..capture.native_module import native_module
from ..lake.folder import Lake
from ..tasks.processes import processes
from .inputs import CaptureInput
from .job import CaptureResult, LakeTarget, OnProgress, ReadSettings, WrittenCapture
from .sharing.plan import OCTETS_PER_SHARE, count_shares, plan_shares
from .sharing.reading import finish_shares, read_shares, share_tasks

_MODULES = ("amqp_traffic.ingest.sharing.shares",)
# C decodes so much in the time in which a process starts.
_OCTETS_PER_NATIVE_PROCESS = 128_000_000


# Reads a capture and writes its tables.
Engine: TypeAlias = Callable[[CaptureInput, LakeTarget, OnProgress], WrittenCapture]


def ingest(
    lake: Lake, captures: Iterable[CaptureInput], engine: Engine, on_progress: OnProgress
) -> Iterator[CaptureResult]:
    """Ingest captures. Rows that the lake already holds for a capture are replaced.

    After an error, the lake is unchanged for the capture at hand.

    Yields:
        The result of each capture, after its commit.

    Raises:
        CaptureError: A file cannot be read.
        LedgerError: Octets are unaccounted for, a fault of this program.
        OSError: A file cannot be read, or the lake cannot be written.
    """
    for capture in captures:
        run = lake.new_run()
        try:
            read = engine(capture, LakeTarget(lake, run, capture.capture_id), on_progress)
            lake.commit(run, [capture.capture_id], read.files)
        except BaseException:
            lake.abandon(run)
            raise
        yield read.result


def _quiet(text: str) -> None:
    """Nobody wants to know."""


def local_engine(
    settings: ReadSettings,
    show: Callable[[str], None] = _quiet,
    workers: int | None = None,
    octets_per_share: int | None = None,
) -> Engine:
    """Return the engine without Spark.

    Args:
        settings: How captures are read.
        show: Called with messages of progress.
        workers: The largest number of processes; by default as many as there are processors.
        octets_per_share: The octets of a capture that are worth a process; by default more where the module in C is.
    """
    if octets_per_share is None:
        octets_per_share = OCTETS_PER_SHARE if native_module() is None else _OCTETS_PER_NATIVE_PROCESS
    per_share = octets_per_share

    def read(capture: CaptureInput, target: LakeTarget, on_progress: OnProgress) -> WrittenCapture:
        count = count_shares(capture, workers or count_processors(), per_share)
        shares = plan_shares(capture, count)
        if len(shares) == 1:
            (task,) = share_tasks(capture, target, settings, shares)
            return finish_shares(shares, [task(on_progress)], target)
        with processes(target.blobs, show, _MODULES) as runner:
            return read_shares(capture, target, settings, shares, runner)

    return read
