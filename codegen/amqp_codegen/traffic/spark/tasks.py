"""Tasks as partitions of the data source: each task is in a file of the run, and what it gives are rows.

So nothing is sent through Spark but the number of a task, and its result.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, InputPartition

from ..ingest.blobs import BlobFolder
from ..ingest.runner import Row
from ..tables.filesystem import filesystem_of

# The options of the data source: the folder with the tasks, how many there are, and what they give.
FOLDER: Final = "taskfolder"
COUNT: Final = "taskcount"
ROWS: Final = "taskrows"

RESULTS: Final = "results"
SHUFFLED: Final = "shuffled"
# By what they give. A result is pickled; what is shuffled is as in ``Row``.
_SCHEMAS: Final = {
    RESULTS: "number int, result binary",
    SHUFFLED: "bucket int, file_no int, offset bigint, octets binary",
}
_ARROW: Final = {
    RESULTS: pa.schema([("number", pa.int32()), ("result", pa.binary())]),
    SHUFFLED: pa.schema(
        [("bucket", pa.int32()), ("file_no", pa.int32()), ("offset", pa.int64()), ("octets", pa.binary())]
    ),
}
ROW_SCHEMA: Final = _ARROW[SHUFFLED]


def schema(options: Any) -> str:
    """The columns of what tasks give."""
    return _SCHEMAS[options[ROWS]]


def write_tasks(folder: BlobFolder, tasks: Sequence[Callable[[], Any]]) -> None:
    """Leave tasks for the reader."""
    for number, task in enumerate(tasks):
        folder.write(_name(number), task)


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
        self._rows = str(options[ROWS])

    def partitions(self) -> Sequence[InputPartition]:
        """One for each task."""
        return [_Number(number) for number in range(self._count)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Run a task."""
        task = BlobFolder(*filesystem_of(self._place)).read(_name(partition.value))
        if self._rows == RESULTS:
            octets = pickle.dumps(task(), protocol=5)
            yield _batch(RESULTS, [(partition.value, octets)])
        else:
            for row in task():
                yield _batch(SHUFFLED, [row])


def _batch(rows: str, found: Sequence[tuple[Any, ...]] | Sequence[Row]) -> pa.RecordBatch:
    arrow = _ARROW[rows]
    arrays = [
        pa.array(values, field.type) for values, field in zip(zip(*found, strict=True), arrow, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=arrow)
