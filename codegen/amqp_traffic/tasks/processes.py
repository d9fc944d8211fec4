"""Runs tasks in processes of this machine: where there is not much to do, Spark would take longer to start than to do it."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from .blobs import BlobFolder
from .runner import Consumer, Producer, Task, task_failure
from .shuffle import SendRows, consumers


class Processes:
    """See ``Runner``."""

    def __init__(self, pool: ProcessPoolExecutor, folder: BlobFolder, show: Callable[[str], None]) -> None:
        """Take processes.

        Args:
            pool: The processes.
            folder: A folder for what tasks send to others.
            show: Is told how far the stages are.
        """
        self._pool = pool
        self._folder = folder
        self._show = show

    def run(self, stage: str, tasks: Sequence[Task]) -> list[Any]:
        """See ``Runner``."""
        found = []
        try:
            for result in self._pool.map(_call, tasks):
                found.append(result)
                self._show(f"{stage}: {len(found)} of {len(tasks)}")
        except (OSError, MemoryError, BrokenProcessPool) as error:
            raise task_failure(type(error), str(error)) or error from None
        return found

    def shuffle(self, stage: str, producers: Sequence[Producer], consumer: Consumer) -> list[Any]:
        """See ``Runner``; rows go through files."""
        folder = BlobFolder(self._folder.filesystem, f"{self._folder.path}/{uuid4().hex[:12]}")
        sent = self.run(f"{stage}, shared out", [SendRows(producer, folder) for producer in producers])
        return self.run(stage, consumers(sent, consumer, folder))


@contextmanager
def processes(
    folder: BlobFolder, show: Callable[[str], None], preload: Sequence[str] = ()
) -> Iterator[Processes]:
    """As many processes as there are processors, which end with the block.

    Args:
        folder: A folder for what tasks send to others.
        show: Is told how far the stages are.
        preload: Modules that tasks need: they are imported once.
    """
    # Not copies of this process: it may have threads, and what they hold would be held for ever.
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if "forkserver" in methods:
        context.set_forkserver_preload(list(preload))
    pool = ProcessPoolExecutor(os.cpu_count() or 1, mp_context=context)
    try:
        yield Processes(pool, folder, show)
    finally:
        pool.shutdown(cancel_futures=True)


def _call(task: Task) -> Any:
    return task()
