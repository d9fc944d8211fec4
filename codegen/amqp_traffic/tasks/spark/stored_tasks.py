"""Tasks stored in files of the run, so that only the number and the result of a task go through Spark.

In Spark Connect each task is a partition of the data source, and its result is a row.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, InputPartition

from ...storage import filesystem_of
from ..blobs import BlobFolder

# Options of the data source: the folder with the tasks, and their number.
FOLDER: Final = "taskfolder"
COUNT: Final = "taskcount"

# Results are pickled.
SCHEMA: Final = "number int, result binary"
_ARROW: Final = pa.schema([("number", pa.int32()), ("result", pa.binary())])


def write_tasks(folder: BlobFolder, tasks: Sequence[Callable[[], Any]]) -> None:
    """Write tasks to the folder."""
    for number, task in enumerate(tasks):
        folder.write(_name(number), task)


def load_task(place: str, number: int) -> Callable[[], Any]:
    """Return the task with this number in a folder, given as path or URI."""
    task: Callable[[], Any] = BlobFolder(*filesystem_of(place)).read(_name(number))
    return task


def run_task(place: str, number: int) -> bytes:
    """Run the task with this number in a folder. Return its result, pickled."""
    return pickle.dumps(load_task(place, number)(), protocol=5)


def _name(number: int) -> str:
    return f"task-{number:06}"


class _Number(InputPartition):
    """The number of a task."""


class TaskReader(DataSourceReader):
    """The reader of the data source that runs tasks.

    Attributes:
        option: The name of the option with the folder.
        place: The folder.
    """

    option = FOLDER

    def __init__(self, options: Any) -> None:
        """Take the options, ``COUNT`` among them."""
        self.place = str(options[self.option])
        self._count = int(options[COUNT])

    def partitions(self) -> Sequence[InputPartition]:
        """Return one partition for each task."""
        return [_Number(number) for number in range(self._count)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Run a task."""
        result = run_task(self.place, partition.value)
        arrays = [pa.array([partition.value], pa.int32()), pa.array([result], pa.binary())]
        yield pa.RecordBatch.from_arrays(arrays, schema=_ARROW)
