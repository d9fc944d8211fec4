"""The engines of ``traffic ingest`` that need Spark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..capture.files import CaptureError
from ..capture.ledgers import LedgerError
from ..ingest.inputs import CaptureInput
from ..ingest.job import LakeTarget, ReadSettings, WrittenCapture
from ..ingest.local import Engine, OnProgress, local_engine
from ..ingest.log_tables import is_of_packets
from ..tasks.spark.runner import SparkRunner
from .in_place import read_by_reference, read_in_place

_READERS = {"spark": read_in_place, "reference": read_by_reference}


def spark_engine(
    name: str, session: Any, settings: ReadSettings, split_size: int, show: Callable[[str], None]
) -> Engine:
    """An engine on Spark.

    Args:
        name: ``spark`` or ``reference``.
        session: Of Spark, classic or Connect.
        settings: How captures are read.
        split_size: About how large the parts of files are, in octets.
        show: Is told how far stages are.
    """
    read_capture = _READERS[name]
    local = local_engine(settings)

    def read(capture: CaptureInput, target: LakeTarget, on_progress: OnProgress) -> WrittenCapture:
        if not is_of_packets(capture.files[0]):
            return local(capture, target, on_progress)
        # Tasks may run where the current folder is another one.
        capture = replace(capture, files=tuple(path.absolute() for path in capture.files))
        runner = SparkRunner(
            session, target.place, target.blobs, show, own_errors=(CaptureError, LedgerError)
        )
        return read_capture(capture, target, settings, split_size, runner)

    return read
