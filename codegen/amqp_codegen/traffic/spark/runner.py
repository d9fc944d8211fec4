"""Runs the tasks of the engines on Spark."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from ..ingest.blobs import BlobFolder
from ..ingest.runner import Consumer, Producer, Row, Task, by_bucket
from . import tasks
from .progress import stage_progress

_RESULT = pa.schema([("bucket", pa.int32()), ("result", pa.binary())])


class SparkRunner:
    """See ``ingest.runner.Runner``. Works in classic and in Connect sessions."""

    def __init__(self, session: Any, place: str, folder: BlobFolder, show: Callable[[str], None]) -> None:
        """Take a session.

        Args:
            session: The session; it knows the data source ``amqp``.
            place: The folder for what tasks need, as a path or URI.
            folder: The same folder.
            show: Is told how far the stages are.
        """
        self._session = session
        self._place = place
        self._folder = folder
        self._show = show
        self._stages = 0

    def run(self, stage: str, tasks_to_run: Sequence[Task]) -> list[Any]:
        """See ``Runner``."""
        if not tasks_to_run:
            return []
        found = self._frame(tasks_to_run, tasks.RESULTS)
        with stage_progress(self._session, lambda text: self._show(f"{stage}: {text}")):
            rows = found.collect()
        return [pickle.loads(row.result) for row in sorted(rows, key=lambda row: int(row.number))]

    def shuffle(self, stage: str, producers: Sequence[Producer], consumer: Consumer) -> list[Any]:
        """See ``Runner``."""
        if not producers:
            return []
        found = (
            self._frame(producers, tasks.SHUFFLED)
            .repartition("bucket")
            .sortWithinPartitions("bucket", "file_no", "offset")
            .mapInArrow(_Consuming(consumer), "bucket int, result binary")
        )
        with stage_progress(self._session, lambda text: self._show(f"{stage}: {text}")):
            rows = found.collect()
        return [pickle.loads(row.result) for row in sorted(rows, key=lambda row: int(row.bucket))]

    def _frame(self, tasks_to_run: Sequence[Callable[[], Any]], rows: str) -> Any:
        """A data frame of what the tasks give."""
        self._stages += 1
        name = f"stage-{self._stages}"
        tasks.write_tasks(BlobFolder(self._folder.filesystem, f"{self._folder.path}/{name}"), tasks_to_run)
        return (
            self._session.read.format("amqp")
            .option(tasks.FOLDER, f"{self._place}/{name}")
            .option(tasks.COUNT, str(len(tasks_to_run)))
            .option(tasks.ROWS, rows)
            .load()
        )


class _Consuming:
    """Gives the rows of each bucket to a consumer."""

    def __init__(self, consumer: Consumer) -> None:
        self._consumer = consumer

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for bucket, rows in by_bucket(_rows(batches)):
            result = pickle.dumps(self._consumer(bucket, rows), protocol=5)
            yield pa.RecordBatch.from_arrays(
                [pa.array([bucket], pa.int32()), pa.array([result], pa.binary())], schema=_RESULT
            )


def _rows(batches: Iterable[pa.RecordBatch]) -> Iterator[Row]:
    for batch in batches:
        bucket, file_no, offset, octets = batch.columns
        for at in range(batch.num_rows):
            yield bucket[at].as_py(), file_no[at].as_py(), offset[at].as_py(), octets[at].as_py()
