"""Tasks that Spark carries to its executors, and their results back.

Both are pickled and go through Spark alone, which runs what its user sends anyway. No file holds them, so nobody else can change
them, and whoever only reads a lake writes nothing into it. In Spark Connect, whose client has no RDDs, each task is a partition
of the data source, and its result is a row.
"""

from __future__ import annotations

import pickle
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, InputPartition

# Option of the data source: the tasks, with commas between. They may have keys of TLS; Spark redacts options of such a name.
TASKS: Final = "secret_tasks"

# Results are pickled.
SCHEMA: Final = "number int, result binary"
_ARROW: Final = pa.schema([("number", pa.int32()), ("result", pa.binary())])
_LEVEL = 1  # of compression: many tasks name the same files


def pack_task(task: Callable[[], Any]) -> str:
    """Return a task as text."""
    return b64encode(zlib.compress(pickle.dumps(task, protocol=5), _LEVEL)).decode()


def pack_tasks(tasks: Iterable[Callable[[], Any]]) -> str:
    """Return tasks as the value of an option."""
    return ",".join(map(pack_task, tasks))


def unpack_task(text: str) -> Callable[[], Any]:
    """Return the task that ``pack_task`` made a text of."""
    task: Callable[[], Any] = pickle.loads(zlib.decompress(b64decode(text)))
    return task


def run_task(text: str) -> bytes:
    """Run a task. Return its result, pickled."""
    return pickle.dumps(unpack_task(text)(), protocol=5)


class _TaskPartition(InputPartition):
    """A task: its number, and what ``pack_task`` returned."""


class TaskReader(DataSourceReader):
    """The reader of the data source that runs tasks."""

    option = TASKS

    def __init__(self, options: Any) -> None:
        """Take the options, that of the tasks among them."""
        self._tasks = str(options[self.option]).split(",")

    def __getstate__(self) -> dict[str, Any]:
        """Return what goes to each executor, with a partition: not the tasks of all others."""
        return {**self.__dict__, "_tasks": []}

    def partitions(self) -> Sequence[InputPartition]:
        """Return one partition for each task."""
        return [_TaskPartition(task) for task in enumerate(self._tasks)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Run a task."""
        number, text = partition.value
        arrays = [pa.array([number], pa.int32()), pa.array([run_task(text)], pa.binary())]
        yield pa.RecordBatch.from_arrays(arrays, schema=_ARROW)
