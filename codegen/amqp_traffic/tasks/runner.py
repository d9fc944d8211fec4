"""What engines need of whoever runs their tasks: Spark, or this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from itertools import groupby
from operator import itemgetter
from typing import Any, Protocol, TypeAlias

# Something to do, anywhere: called once or, where that failed, again. Task and result can be pickled.
Task: TypeAlias = Callable[[], Any]

# What is shuffled: bucket, number of the file, offset in the file, octets. That is the order, too.
Row: TypeAlias = tuple[int, int, int, bytes]
Producer: TypeAlias = Callable[[], Iterator[Row]]
# Is called with all rows of a bucket, in order.
Consumer: TypeAlias = Callable[[int, Iterator[Row]], Any]


_LONGEST_REASON = 300


class TaskFailed(Exception):
    """A task could not be done, even when it was tried again; says why in one line."""

    def __init__(self, reason: str) -> None:
        """Take the reason, of which the beginning is enough."""
        super().__init__(reason[:_LONGEST_REASON])


def task_failure(kind: type, message: str) -> TaskFailed | None:
    """Return the failure that an error in a task stands for; None for a fault of this program.

    Args:
        kind: The class of the error.
        message: What it says.
    """
    if issubclass(kind, MemoryError):
        return TaskFailed("there is not enough memory for a task; --master local[1] runs one at a time")
    if issubclass(kind, BrokenProcessPool):
        return TaskFailed("a process was killed, perhaps as there is not enough memory")
    return TaskFailed(message) if issubclass(kind, OSError) else None


class TaskRunner(Protocol):
    """Runs tasks."""

    def run(self, stage: str, tasks: Sequence[Task]) -> list[Any]:
        """Run tasks, at the same time as far as that is possible.

        Args:
            stage: What they do, for people.
            tasks: The tasks.

        Returns:
            Their results, in the same order.

        Raises:
            TaskFailed: One could not be done.
        """

    def shuffle(self, stage: str, producers: Sequence[Producer], consumer: Consumer) -> list[Any]:
        """Run producers, and a consumer for each bucket that they have rows for.

        Returns:
            The results of the consumers, in the order of the buckets.
        """


class InProcess:
    """Runs everything here, one after the other."""

    def run(self, stage: str, tasks: Sequence[Task]) -> list[Any]:
        """See ``TaskRunner``."""
        return [task() for task in tasks]

    def shuffle(self, stage: str, producers: Sequence[Producer], consumer: Consumer) -> list[Any]:
        """See ``TaskRunner``; all rows are in memory."""
        rows = sorted((row for producer in producers for row in producer()), key=itemgetter(0, 1, 2))
        return [consumer(bucket, of_bucket) for bucket, of_bucket in by_bucket(rows)]


def by_bucket(rows: Iterable[Row]) -> Iterator[tuple[int, Iterator[Row]]]:
    """Rows that are sorted, by bucket."""
    return groupby(rows, itemgetter(0))
