"""Run the tasks of the engines on Spark, and report failed tasks in one line instead of Spark's hundreds."""

from __future__ import annotations

import builtins
import pickle
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from typing import Any

from ...spark_errors import error_text, error_types, known_cause, one_line, raise_interrupt
from ...storage import inside
from ..blobs import BlobFolder
from ..runner import Consumer, Producer, Task, TaskFailed, task_failure
from . import row_shuffle, stored_tasks
from .session import is_connect, stage_progress

# The last line of a Python traceback: an OSError with its meaning, or an error of this program.
_PYTHON_ERROR = re.compile(r"^(?:[\w.]+\.)?(\w*Error|\w*Interrupt): (.*)$", re.MULTILINE)
_OUT_OF_MEMORY = re.compile(r"^MemoryError$", re.MULTILINE)
# What Spark says when a worker or an executor is gone.
_SPARK_ERROR = re.compile(r"(?:SparkException|most recent failure): (?!Job aborted)([^\n]*)")
_TRACEBACK = "Traceback (most recent call last):"
_WORKER_GONE = "Python worker exited unexpectedly"


@contextmanager
def told_in_a_line(own_errors: Sequence[type[Exception]] = ()) -> Iterator[None]:
    """Turn errors of tasks in the block into errors of one line.

    Args:
        own_errors: Classes that are raised again, with the same message, when a task has raised them.

    Raises:
        TaskFailed: A file could not be read or written, there is not enough memory, a module is missing, or Spark or a
            worker is gone.
        RuntimeError: A task has failed by a fault of this program; the text is the traceback of Python.
    """
    try:
        yield
    except error_types() as error:
        raise_interrupt(error)
        raise _in_a_line(error, own_errors) from None


def _in_a_line(error: Exception, own_errors: Sequence[type[Exception]]) -> Exception:
    text = error_text(error)
    python_errors = list(_PYTHON_ERROR.finditer(text)) if _TRACEBACK in text else []
    if python_errors:
        name, message = python_errors[-1].groups()
        for own_error in own_errors:
            if name == own_error.__name__:
                return own_error(message)
        if name == ModuleNotFoundError.__name__:
            return TaskFailed(
                f'an executor has {message[0].lower()}{message[1:]}; see "On a cluster" in docs/traffic.md'
            )
        begin = text.rfind(_TRACEBACK, 0, python_errors[-1].start())
        traceback = text[begin if begin >= 0 else python_errors[-1].start() : python_errors[-1].end()]
        return task_failure(_builtin(name), message) or RuntimeError(traceback)
    if _OUT_OF_MEMORY.search(text):
        return task_failure(MemoryError, "") or error
    if _WORKER_GONE in text:
        return task_failure(BrokenProcessPool, "") or error
    if cause := known_cause(text):
        return TaskFailed(cause)
    reasons = _SPARK_ERROR.findall(text)
    return TaskFailed(f"Spark has given up: {reasons[-1] if reasons else one_line(error)[0]}")


def _builtin(name: str) -> type:
    named = getattr(builtins, name, None)
    return named if isinstance(named, type) else object


class SparkRunner:
    """The ``TaskRunner`` of Spark, for classic and Connect sessions."""

    def __init__(
        self,
        session: Any,
        place: str,
        folder: BlobFolder,
        show: Callable[[str], None],
        own_errors: Sequence[type[Exception]] = (),
    ) -> None:
        """Take a session.

        Args:
            session: The session; it knows the data source ``amqp``.
            place: The folder for what tasks need, as a path or URI.
            folder: The same folder.
            show: Called with the progress of the stages.
            own_errors: See ``told_in_a_line``.
        """
        self._session = session
        self._place = place
        self._folder = folder
        self._show = show
        self._own_errors = own_errors
        self._stages = 0

    def run(self, stage: str, tasks_to_run: Sequence[Task]) -> list[Any]:
        """See ``TaskRunner``. Raises the ``own_errors`` of tasks, too."""
        if not tasks_to_run:
            return []
        run = self._run_through_source if is_connect(self._session) else self._run_through_context
        with self._stage(stage, tasks_to_run) as folder:
            results = run(folder, len(tasks_to_run))
        return [pickle.loads(result) for result in results]

    def _run_through_context(self, folder: str, count: int) -> list[bytes]:
        """Run tasks below the level of tables: planning a query takes Spark seconds the first time."""
        numbers = self._session.sparkContext.parallelize(range(count), count)
        results: list[bytes] = numbers.map(partial(stored_tasks.run_task, folder)).collect()
        return results

    def _run_through_source(self, folder: str, count: int) -> list[bytes]:
        """Run tasks through the data source, the only way in Spark Connect."""
        rows = self._table(stored_tasks.FOLDER, folder, count).collect()
        return [row.result for row in sorted(rows, key=lambda row: int(row.number))]

    def shuffle(self, stage: str, producers: Sequence[Producer], consumer: Consumer) -> list[Any]:
        """See ``TaskRunner``. Rows go through Spark's shuffle. Raises the ``own_errors`` of tasks, too."""
        if not producers:
            return []
        with self._stage(stage, producers) as folder:
            rows = self._table(row_shuffle.FOLDER, folder, len(producers))
            return row_shuffle.consume(rows, consumer)

    def _table(self, option: str, folder: str, count: int) -> Any:
        """Return the table of what the tasks in a folder yield."""
        source = self._session.read.format("amqp")
        return source.option(option, folder).option(stored_tasks.COUNT, str(count)).load()

    @contextmanager
    def _stage(self, stage: str, tasks: Sequence[Callable[[], Any]]) -> Iterator[str]:
        """Store tasks and yield their folder. In the block progress is shown, and errors are told in a line."""
        self._stages += 1
        name = f"stage-{self._stages}"
        stored_tasks.write_tasks(BlobFolder(self._folder.filesystem, f"{self._folder.path}/{name}"), tasks)
        progress = stage_progress(self._session, lambda text: self._show(text and f"{stage}: {text}"))
        with told_in_a_line(self._own_errors), progress:
            yield inside(self._place, name)
