"""Run the tasks of the engines on Spark, and report failed tasks in one line instead of Spark's hundreds."""

from __future__ import annotations

import builtins
import pickle
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any

from ..runner import Consumer, Producer, Task, TaskFailed, task_failure
from . import row_shuffle
from .carried_tasks import TASKS, pack_task, pack_tasks, run_task
from .errors import error_text, error_types, known_cause, one_line, raise_interrupt
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
        self, session: Any, show: Callable[[str], None], own_errors: Sequence[type[Exception]] = ()
    ) -> None:
        """Take a session.

        Args:
            session: The session; it knows the data source ``amqp``.
            show: Called with the progress of the stages.
            own_errors: See ``told_in_a_line``.
        """
        self._session = session
        self._show = show
        self._own_errors = own_errors

    def run(self, stage: str, tasks_to_run: Sequence[Task]) -> list[Any]:
        """See ``TaskRunner``. Raises the ``own_errors`` of tasks, too."""
        if not tasks_to_run:
            return []
        run = self._run_through_source if is_connect(self._session) else self._run_through_context
        with self._stage(stage):
            results = run(tasks_to_run)
        return [pickle.loads(result) for result in results]

    def _run_through_context(self, tasks: Sequence[Task]) -> list[bytes]:
        """Run tasks below the level of tables: planning a query takes Spark seconds the first time."""
        packed = self._session.sparkContext.parallelize(map(pack_task, tasks), len(tasks))
        results: list[bytes] = packed.map(run_task).collect()
        return results

    def _run_through_source(self, tasks: Sequence[Task]) -> list[bytes]:
        """Run tasks through the data source, the only way in Spark Connect."""
        rows = self._table(TASKS, tasks).collect()
        return [row.result for row in sorted(rows, key=lambda row: int(row.number))]

    def shuffle(self, stage: str, producers: Sequence[Producer], consumer: Consumer) -> list[Any]:
        """See ``TaskRunner``. Rows go through Spark's shuffle. Raises the ``own_errors`` of tasks, too."""
        if not producers:
            return []
        with self._stage(stage):
            return row_shuffle.consume(self._table(row_shuffle.PRODUCERS, producers), consumer)

    def _table(self, option: str, tasks: Sequence[Callable[[], Any]]) -> Any:
        """Return the table of what tasks yield."""
        return self._session.read.format("amqp").option(option, pack_tasks(tasks)).load()

    @contextmanager
    def _stage(self, stage: str) -> Iterator[None]:
        """Show progress in the block, and tell errors in a line."""
        progress = stage_progress(self._session, lambda text: self._show(text and f"{stage}: {text}"))
        with told_in_a_line(self._own_errors), progress:
            yield
