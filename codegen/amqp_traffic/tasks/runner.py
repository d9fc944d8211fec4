"""The interface between engines and the runners of their tasks, and the runner in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from itertools import groupby
from operator import itemgetter
from typing import Any, Protocol, TypeAlias

# Work that can run anywhere, and again if it failed. Task and result can be pickled.
Task: TypeAlias = Callable[[], Any]

# A row to shuffle: bucket, number of the file, offset in the file, octets. Rows are in this order.
Row: TypeAlias = tuple[int, int, int, bytes]
Producer: TypeAlias = Callable[[], Iterator[Row]]
# Called with a bucket and all of its rows, in order.
Consumer: TypeAlias = Callable[[int, Iterator[Row]], Any]


_LONGEST_REASON = 300  # characters


class TaskFailed(Exception):
    """A task failed, even when it was tried again. The message is one line."""

    def __init__(self, reason: str) -> None:
        """Take the reason, and keep its beginning."""
        super().__init__(reason[:_LONGEST_REASON])


def task_failure(kind: type, message: str) -> TaskFailed | None:
    """Return the failure for an error in a task, by its class and message; None for a fault of this program."""
    if issubclass(kind, MemoryError):
        return TaskFailed(
            "there is not enough memory for a task; on Spark, --master local[1] runs one at a time"
        )
    if issubclass(kind, BrokenProcessPool):
        return TaskFailed("a process was killed, perhaps as there is not enough memory")
    return TaskFailed(message) if issubclass(kind, OSError) else None


class TaskRunner(Protocol):
    """Runs tasks."""

    def run(self, stage: str, tasks: Sequence[Task]) -> list[Any]:
        """Run tasks, in parallel as far as possible.

        ``stage`` says what the tasks do, for people.

        Returns:
            The results, in the order of the tasks.

        Raises:
            TaskFailed: A task failed.
        """

    def shuffle(self, stage: str, producers: Sequence[Producer], consumer: Consumer) -> list[Any]:
        """Run producers, then a consumer for each bucket with rows.

        Returns:
            The results of the consumers, in the order of the buckets.
        """


class InProcess:
    """The ``TaskRunner`` that runs tasks in this process, one after the other."""

    def run(self, stage: str, tasks: Sequence[Task]) -> list[Any]:
        """See ``TaskRunner``."""
        return [task() for task in tasks]

    def shuffle(self, stage: str, producers: Sequence[Producer], consumer: Consumer) -> list[Any]:
        """See ``TaskRunner``. All rows are in memory."""
        rows = sorted((row for producer in producers for row in producer()), key=itemgetter(0, 1, 2))
        return [consumer(bucket, of_bucket) for bucket, of_bucket in by_bucket(rows)]


def by_bucket(rows: Iterable[Row]) -> Iterator[tuple[int, Iterator[Row]]]:
    """Group sorted rows by bucket."""
    return groupby(rows, itemgetter(0))
