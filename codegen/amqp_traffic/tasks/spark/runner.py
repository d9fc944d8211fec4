"""Runs the tasks of the engines on Spark.

Says in one line what Spark says about a failed task in hundreds.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from typing import Any, cast

from pyspark.errors import PySparkException

from ...capture.files import CaptureError
from ...capture.ledgers import LedgerError
from ..blobs import BlobFolder
from ..runner import Consumer, Producer, Task, TaskFailed, task_failure
from ..shuffle import SendRows, consumers
from . import stored_tasks
from .session import is_connect, stage_progress

# The last line of a Python traceback: OSError and what it stands for, and our own.
_PYTHON = re.compile(r"^(?:[\w.]+\.)?(\w*Error|\w*Interrupt): (.*)$", re.MULTILINE)
_OUT_OF_MEMORY = re.compile(r"^MemoryError$", re.MULTILINE)
# What Spark says when a worker or an executor is gone.
_SPARK = re.compile(r"(?:SparkException|most recent failure): (?!Job aborted)([^\n]*)")
_WORKER_GONE = "Python worker exited unexpectedly"
_OWN_ERRORS: dict[str, type[Exception]] = {error.__name__: error for error in (CaptureError, LedgerError)}


@contextmanager
def told_in_a_line() -> Iterator[None]:
    """Errors of tasks in the block become such of one line.

    Raises:
        CaptureError: A task has raised it.
        LedgerError: A task has raised it.
        TaskFailed: A file could not be read or written, or memory was not enough, or a worker is gone.
    """
    try:
        yield
    except (PySparkException, _java_error()) as error:
        found = _in_a_line(str(error))
        if found is None:  # a fault of this program, of which every line is of interest
            raise
        raise found from None


def _in_a_line(text: str) -> Exception | None:
    told = _PYTHON.findall(text)
    if told:
        name, message = told[-1]
        if name in _OWN_ERRORS:
            return _OWN_ERRORS[name](message)
        return task_failure(_builtin(name), message)
    if _OUT_OF_MEMORY.search(text):
        return task_failure(MemoryError, "")
    if _WORKER_GONE in text:
        return task_failure(BrokenProcessPool, "")
    reasons = _SPARK.findall(text)
    return TaskFailed(f"Spark has given up: {reasons[-1]}") if reasons else None


def _builtin(name: str) -> type:
    import builtins

    found = getattr(builtins, name, None)
    return found if isinstance(found, type) else object


def _java_error() -> type[Exception]:
    """What is raised where PySpark does not know the error of Java."""
    try:
        from py4j.protocol import Py4JJavaError as found
    except ImportError:  # Spark Connect alone has none
        found = PySparkException
    return cast("type[Exception]", found)


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
        stored_tasks.write_tasks(self._inside(name), tasks_to_run)
        run = self._run_through_source if is_connect(self._session) else self._run_through_context
        with told_in_a_line(), stage_progress(self._session, lambda text: self._show(f"{stage}: {text}")):
            results = run(f"{self._place}/{name}", len(tasks_to_run))
        return [pickle.loads(result) for result in results]

    def _run_through_context(self, folder: str, count: int) -> list[bytes]:
        """Through what is below tables: looking for the data source and planning take Spark seconds the first time."""
        numbers = self._session.sparkContext.parallelize(range(count), count)
        found: list[bytes] = numbers.map(partial(stored_tasks.run_task, folder)).collect()
        return found

    def _run_through_source(self, folder: str, count: int) -> list[bytes]:
        """Through the data source, which is all that there is in Spark Connect."""
        source = self._session.read.format("amqp")
        rows = (
            source.option(stored_tasks.FOLDER, folder).option(stored_tasks.COUNT, str(count)).load().collect()
        )
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
