"""Ingests captures into a lake, one after the other: each as a whole, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from ..tables.lake import Lake
from .capture_result import CaptureResult, WrittenCapture
from .inputs import CaptureInput
from .local import OnProgress, read_capture
from .settings import ReadSettings
from .target import Target

# Reads a capture, and writes its tables.
Engine: TypeAlias = Callable[[CaptureInput, Target, OnProgress], WrittenCapture]


def ingest(
    lake: Lake, captures: Iterable[CaptureInput], engine: Engine, on_progress: OnProgress
) -> Iterator[CaptureResult]:
    """Ingest captures. What the lake has of them already is replaced; what it has of others stays.

    Args:
        lake: Where the tables are.
        captures: Which captures.
        engine: Reads them.
        on_progress: Is told how many octets were read since the last time.

    Yields:
        What has become of each, when it is in the lake.

    Raises:
        CaptureError: A file cannot be read. Nothing of its capture is in the lake that was not there before; nor is
            it after any other error.
        LedgerError: Octets were lost in here.
        OSError: A file cannot be read, or the lake not be written.
    """
    for capture in captures:
        run = lake.new_run()
        try:
            read = engine(capture, Target(lake, run, capture.capture_id), on_progress)
            lake.commit(run, [capture.capture_id], read.files)
        except BaseException:
            lake.abandon(run)
            raise
        yield read.result


def local_engine(settings: ReadSettings) -> Engine:
    """The engine without Spark."""

    def read(capture: CaptureInput, target: Target, on_progress: OnProgress) -> WrittenCapture:
        with target.writer("local") as writer:
            result = read_capture(capture, settings, writer.write, on_progress)
        return WrittenCapture(result, writer.written)

    return read
