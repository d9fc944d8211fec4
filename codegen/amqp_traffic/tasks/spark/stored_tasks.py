"""Tasks in files of the run. In Spark Connect each is a partition of the data source, and what it gives is a row.

So nothing is sent through Spark but the number of a task, and its result.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, InputPartition

from ...storage import filesystem_of
from ..blobs import BlobFolder

# The options of the data source: the folder with the tasks, and how many there are.
FOLDER: Final = "taskfolder"
COUNT: Final = "taskcount"

# Results are pickled.
SCHEMA: Final = "number int, result binary"
_ARROW: Final = pa.schema([("number", pa.int32()), ("result", pa.binary())])


def write_tasks(folder: BlobFolder, tasks: Sequence[Callable[[], Any]]) -> None:
    """Leave tasks for the reader."""
    for number, task in enumerate(tasks):
        folder.write(_name(number), task)


def run_task(place: str, number: int) -> bytes:
    """Run one of the tasks in a folder; returns its result, pickled.

    Args:
        place: The folder, as a path or URI.
        number: Which one.
    """
    task = BlobFolder(*filesystem_of(place)).read(_name(number))
    return pickle.dumps(task(), protocol=5)


def _name(number: int) -> str:
    return f"task-{number:06}"


class _Number(InputPartition):
    """The number of a task."""


class TaskReader(DataSourceReader):
    """Runs tasks."""

    def __init__(self, options: Any) -> None:
        """Take the options."""
        self._place = str(options[FOLDER])
        self._count = int(options[COUNT])

    def partitions(self) -> Sequence[InputPartition]:
        """One for each task."""
        return [_Number(number) for number in range(self._count)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Run a task."""
        result = run_task(self._place, partition.value)
        arrays = [pa.array([partition.value], pa.int32()), pa.array([result], pa.binary())]
        yield pa.RecordBatch.from_arrays(arrays, schema=_ARROW)
