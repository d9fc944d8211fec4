"""Says in one line what Spark says about a failed task in hundreds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import cast

from pyspark.errors import PySparkException

from ..core.capture_file import CaptureError
from ..core.ledger import LedgerError
from ..ingest.runner import TaskFailed, task_failure

# The last line of a Python traceback: OSError and what it stands for, and our own.
_PYTHON = re.compile(r"^(?:[\w.]+\.)?(\w*Error|\w*Interrupt): (.*)$", re.MULTILINE)
_OUT_OF_MEMORY = re.compile(r"^MemoryError$", re.MULTILINE)
# What Spark says when a worker or an executor is gone.
_SPARK = re.compile(r"(?:SparkException|most recent failure): (?!Job aborted)([^\n]*)")
_WORKER_GONE = "Python worker exited unexpectedly"
_OWN: dict[str, type[Exception]] = {error.__name__: error for error in (CaptureError, LedgerError)}


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
        if name in _OWN:
            return _OWN[name](message)
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
