"""Rows from producers to consumers by Spark's own shuffle.

Producers are partitions of the data source ``amqp``. Spark sorts their rows by bucket, and gives each bucket to a table
function over Arrow: of what Spark offers for this, only that needs no pandas in a classic session.

Spark calls a table function with some rows after the other, while a consumer takes an iterator. So the consumer runs in a
thread of its own (``ConsumerThread``), which waits for the next rows. One batch of rows waits at most: 64 MB, by Spark's
``spark.sql.execution.arrow.maxBytesPerBatch``.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, ClassVar, Final

import pyarrow as pa
from pyspark.sql.datasource import InputPartition

from ..runner import Consumer, Row
from .carried_tasks import TaskReader, unpack_task

# Option of the data source: the producers, as those of tasks.
PRODUCERS: Final = "producers"

SCHEMA: Final = "bucket int, file_no int, place binary, octets binary"
_ARROW: Final = pa.schema(
    [("bucket", pa.int32()), ("file_no", pa.int32()), ("place", pa.binary()), ("octets", pa.binary())]
)
# Offsets of an audit are larger than a long. In big-endian order octets sort like numbers.
_PLACE_OCTETS = 16
_BATCH_OCTETS = 1 << 20

_RESULT: Final = "bucket int, result binary"
_ARROW_RESULT: Final = pa.schema([("bucket", pa.int32()), ("result", pa.binary())])


class RowReader(TaskReader):
    """The reader of the data source that runs producers."""

    option = PRODUCERS

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Run a producer."""
        held: list[Row] = []
        size = 0
        _, text = partition.value
        for row in unpack_task(text)():
            held.append(row)
            size += len(row[3])
            if size >= _BATCH_OCTETS:
                yield _batch(held)
                held, size = [], 0
        if held:
            yield _batch(held)


def _batch(rows: Iterable[Row]) -> pa.RecordBatch:
    buckets, files, offsets, octets = zip(*rows, strict=True)
    places = [offset.to_bytes(_PLACE_OCTETS, "big") for offset in offsets]
    columns = zip((buckets, files, places, octets), _ARROW.types, strict=True)
    return pa.RecordBatch.from_arrays([pa.array(values, kind) for values, kind in columns], schema=_ARROW)


def _rows(batch: pa.RecordBatch) -> Iterator[Row]:
    for bucket, file_no, place, octets in zip(*(batch[name] for name in _ARROW.names), strict=True):
        yield bucket.as_py(), file_no.as_py(), int.from_bytes(place.as_py(), "big"), octets.as_py()


class _Abandoned(Exception):
    """The rest of the rows will not come."""


class ConsumerThread:
    """A consumer at work: it takes the rows of a bucket from an iterator, which waits until ``read`` has brought more."""

    def __init__(self, consumer: Consumer, bucket: int) -> None:
        self._result: Future[Any] = Future()
        self._wanted: SimpleQueue[None] = SimpleQueue()  # the consumer asks for more rows, or has ended
        self._offered: SimpleQueue[Iterator[Row] | Exception | None] = SimpleQueue()
        Thread(target=self._run, args=(consumer, bucket), daemon=True).start()

    def read(self, rows: Iterator[Row]) -> None:
        """Bring the next rows. Raises what the consumer has raised meanwhile."""
        self._offer(rows)
        if self._result.done():
            self._result.result()

    def finish(self) -> Any:
        """Bring no more rows, and return the result of the consumer."""
        self._offer(None)
        return self._result.result()

    def abandon(self) -> None:
        """End the consumer with an error, if it has not ended."""
        self._offer(_Abandoned())

    def _offer(self, rows: Iterator[Row] | Exception | None) -> None:
        self._wanted.get()
        if self._result.done():
            self._wanted.put(None)  # for the next call
        else:
            self._offered.put(rows)

    def _run(self, consumer: Consumer, bucket: int) -> None:
        try:
            self._result.set_result(consumer(bucket, self._rows()))
        except BaseException as error:  # raised again by ``read`` or ``finish``
            self._result.set_exception(error)
        self._wanted.put(None)

    def _rows(self) -> Iterator[Row]:
        while True:
            self._wanted.put(None)
            rows = self._offered.get()
            if rows is None:
                return
            if isinstance(rows, Exception):
                raise rows
            yield from rows


class _Consume:
    """The table function, for one bucket; a subclass has the consumer."""

    consumer: ClassVar[staticmethod[[int, Iterator[Row]], Any]]

    def __init__(self) -> None:
        self._bucket = -1
        self._thread: ConsumerThread | None = None

    def eval(self, rows: pa.RecordBatch) -> None:
        """Take the next rows of the bucket."""
        if self._thread is None:
            self._bucket = rows["bucket"][0].as_py()
            self._thread = ConsumerThread(self.consumer, self._bucket)
        self._thread.read(_rows(rows))

    def terminate(self) -> Iterator[pa.Table]:
        """Yield the result, pickled; nothing if there was no row."""
        if self._thread is not None:
            result = pickle.dumps(self._thread.finish(), protocol=5)
            yield pa.table([[self._bucket], [result]], schema=_ARROW_RESULT)

    def cleanup(self) -> None:
        """End the thread, if Spark has given up before the last row."""
        if self._thread is not None:
            self._thread.abandon()


def consume(rows: Any, consumer: Consumer) -> list[Any]:
    """Give each bucket of rows to a consumer.

    ``rows`` is a table of Spark, with the columns of ``SCHEMA``.

    Returns:
        The results, in the order of the buckets.
    """
    from pyspark.sql.functions import arrow_udtf  # chooses between classic and Connect

    kind = type("Consume", (_Consume,), {"consumer": staticmethod(consumer)})
    function = arrow_udtf(kind, returnType=_RESULT)
    results = function(rows.asTable().partitionBy("bucket").orderBy("file_no", "place")).collect()
    return [pickle.loads(row.result) for row in sorted(results, key=lambda row: int(row.bucket))]
