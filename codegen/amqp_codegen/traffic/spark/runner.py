"""Runs the tasks of the engines on Spark."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..ingest.blobs import BlobFolder
from ..ingest.runner import Consumer, Producer, Task
from ..ingest.shuffle import SendRows, consumers
from . import tasks
from .failure import told_in_a_line
from .progress import stage_progress
from .session import is_connect


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
        name = self._next()
        tasks.write_tasks(self._inside(name), tasks_to_run)
        run = self._run_through_source if is_connect(self._session) else self._run_through_context
        with told_in_a_line(), stage_progress(self._session, lambda text: self._show(f"{stage}: {text}")):
            results = run(f"{self._place}/{name}", len(tasks_to_run))
        return [pickle.loads(result) for result in results]

    def _run_through_context(self, folder: str, count: int) -> list[bytes]:
        """Through what is below tables: looking for the data source and planning take Spark seconds the first time."""
        numbers = self._session.sparkContext.parallelize(range(count), count)
        found: list[bytes] = numbers.map(partial(tasks.run_task, folder)).collect()
        return found

    def _run_through_source(self, folder: str, count: int) -> list[bytes]:
        """Through the data source, which is all that there is in Spark Connect."""
        source = self._session.read.format("amqp")
        rows = source.option(tasks.FOLDER, folder).option(tasks.COUNT, str(count)).load().collect()
        return [row.result for row in sorted(rows, key=lambda row: int(row.number))]

    def shuffle(self, stage: str, producers: Sequence[Producer], consumer: Consumer) -> list[Any]:
        """See ``Runner``; no more than a row of each task is in memory."""
        folder = self._inside(self._next())
        sent = self.run(f"{stage}, shared out", [SendRows(producer, folder) for producer in producers])
        return self.run(stage, consumers(sent, consumer, folder))

    def _next(self) -> str:
        self._stages += 1
        return f"stage-{self._stages}"

    def _inside(self, name: str) -> BlobFolder:
        return BlobFolder(self._folder.filesystem, f"{self._folder.path}/{name}")
