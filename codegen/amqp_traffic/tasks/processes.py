"""The runner of tasks in processes of this machine: for small work, Spark takes longer to start than the work itself."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

from amqp_codegen.support.processors import count_processors

from .blobs import BlobFolder, SendRows, consumers
from .runner import Consumer, Producer, Task, task_failure


class Processes:
    """The ``TaskRunner`` of processes of this machine."""

    def __init__(self, pool: ProcessPoolExecutor, folder: BlobFolder, show: Callable[[str], None]) -> None:
        """Take processes, and a folder for what tasks send to other tasks; ``show`` is called with the progress."""
        self._pool = pool
        self._folder = folder
        self._show = show

    def run(self, stage: str, tasks: Sequence[Task]) -> list[Any]:
        """See ``TaskRunner``."""
        results: list[Any] = []
        try:
            for result in self._pool.map(_call, tasks):
                results.append(result)
                self._show(f"{stage}: {len(results)} of {len(tasks)}")
        except (OSError, MemoryError, BrokenProcessPool) as error:
            raise task_failure(type(error), str(error)) or error from None
        return results

    def shuffle(self, stage: str, producers: Sequence[Producer], consumer: Consumer) -> list[Any]:
        """See ``TaskRunner``. Rows go through files."""
        folder = BlobFolder(self._folder.filesystem, f"{self._folder.path}/{uuid4().hex[:12]}")
        sent = self.run(f"{stage}, shared out", [SendRows(producer, folder) for producer in producers])
        return self.run(stage, consumers(sent, consumer, folder))


@contextmanager
def processes(
    folder: BlobFolder, show: Callable[[str], None], preload: Sequence[str] = ()
) -> Iterator[Processes]:
    """Start as many processes as there are processors. They end with the block. See ``Processes``.

    Modules in ``preload`` are imported once.
    """
    # Not forks of this process: it may have threads, and locks that they hold would stay locked for ever.
    methods = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if "forkserver" in methods:
        context.set_forkserver_preload(list(preload))
    pool = ProcessPoolExecutor(count_processors(), mp_context=context)
    try:
        yield Processes(pool, folder, show)
    finally:
        pool.shutdown(cancel_futures=True)


def _call(task: Task) -> Any:
    return task()
