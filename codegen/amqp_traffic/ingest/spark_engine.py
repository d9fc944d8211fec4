"""The engine on Spark: its tasks are those of the engine on processes.

Payloads go through Java only where files are read once, and their segments through Spark's shuffle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..capture.files import CaptureError
from ..capture.ledgers import LedgerError
from ..tasks.spark.runner import SparkRunner, told_in_a_line
from ..tasks.spark.session import count_workers
from .inputs import CaptureInput
from .job import LakeTarget, OnProgress, ReadSettings, WrittenCapture
from .local import Engine
from .sharing.plan import OCTETS_PER_SHARE, count_shares, is_shuffle_better, plan_shares
from .sharing.reading import read_once, read_shares


def spark_engine(
    session: Any,
    settings: ReadSettings,
    show: Callable[[str], None],
    octets_per_share: int = OCTETS_PER_SHARE,
    *,
    shuffle: bool = False,
) -> Engine:
    """Return the engine on Spark.

    Args:
        session: A session, classic or Connect.
        settings: How captures are read.
        show: Called with messages of progress.
        octets_per_share: The octets of a capture that are worth a task.
        shuffle: Read each file once, whatever it costs; otherwise where that is faster.
    """

    def read(capture: CaptureInput, target: LakeTarget, on_progress: OnProgress) -> WrittenCapture:
        # Tasks may run where the current folder is another one.
        capture = replace(capture, files=tuple(path.absolute() for path in capture.files))
        runner = SparkRunner(session, show, own_errors=(CaptureError, LedgerError))
        with told_in_a_line():
            workers = count_workers(session)
        count = count_shares(capture, workers, octets_per_share)
        if count > 1 and (shuffle or is_shuffle_better(capture, count)):
            return read_once(capture, target, settings, count, runner)
        return read_shares(capture, target, settings, plan_shares(capture, count), runner)

    return read
