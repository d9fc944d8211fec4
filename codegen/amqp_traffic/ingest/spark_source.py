"""``spark.read.format("amqp")``: captures as tables, read where they are, without a lake.

    frames = spark.read.format("amqp").load("monday.pcapng")
    messages = spark.read.format("amqp").option("table", "messages").load("ring/")

Options:

- ``table``: the name of the table, see docs/traffic-tables.md; by default ``frames``.
- ``serverPorts``: for example ``5672,5671``. The endpoint with one of these ports is the broker, if nothing else tells.
- ``bodies``: ``none``, ``head:N`` or ``all``.
- ``partitions``: the number of tasks that share the connections of a capture; by default one for each 96 MB.

Each task reads the files of a capture from beginning to end, and follows its share of the connections. For large captures
``amqp-codegen traffic ingest`` is faster: it reads parts of files, and uses this source for its tasks.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from ..decode.body_retention import BodyRetention, parse_body_retention
from ..lake.spark_catalog import spark_type
from ..messages.connection_rows import endpoints
from ..schemas import TABLES, Columns, table_columns
from ..streams.connections import AMQP_PORTS
from ..tasks.spark import stored_tasks
from .inputs import CaptureInput, find_inputs
from .job import ReadSettings
from .local import CaptureReading

_OCTETS_PER_PARTITION = 96_000_000
_MOST_PARTITIONS = 100_000
# Tables about files: each partition would have all of their rows.
_OF_FILES = ("captures", "splits")


class AmqpSource(DataSource):
    """The data source ``amqp``."""

    @classmethod
    def name(cls) -> str:
        """Return the name for ``format``."""
        return "amqp"

    def schema(self) -> str:
        """Return the columns of the table as DDL."""
        if stored_tasks.FOLDER in self.options:
            return stored_tasks.SCHEMA
        return _ddl(_columns(_table(self.options)))

    def reader(self, schema: Any) -> DataSourceReader:
        """Return the reader of the table."""
        if stored_tasks.FOLDER in self.options:
            return stored_tasks.TaskReader(self.options)
        return CaptureReader(self.options, schema)

    def streamReader(self, schema: Any) -> DataSourceStreamReader:
        """Refuse to stream: Spark asks for this when a stream starts.

        Raises:
            ValueError: Always.
        """
        raise ValueError(
            "format amqp has no readStream; amqp-codegen traffic ingest --follow DIR --out LAKE reads a ring that is"
            " still being written, and spark.readStream can read the tables of that lake as Parquet"
        )


class _Share(InputPartition):
    """The connections of a capture that one task reads."""

    def __init__(self, capture: CaptureInput, number: int, count: int) -> None:
        super().__init__((capture, number, count))
        self.capture, self.number, self.count = capture, number, count


class CaptureReader(DataSourceReader):
    """The reader of one table of captures."""

    def __init__(self, options: Any, schema: StructType) -> None:
        """Check the options.

        Raises:
            ValueError: An option is wrong.
        """
        self._schema = schema
        self._table = _table(options)
        self._paths = _paths(options)
        self._partitions = _number("partitions", options.get("partitions", "0"), _MOST_PARTITIONS)
        ports = [port for port in options.get("serverPorts", "").split(",") if port.strip()]
        server_ports = tuple(_number("serverPorts", port, 65_535) for port in ports)
        self._settings = ReadSettings(server_ports or AMQP_PORTS, _bodies(options.get("bodies", "none")))

    def partitions(self) -> Sequence[InputPartition]:
        """Return the share of each task."""
        shares: list[InputPartition] = []
        for capture in find_inputs(self._paths):
            count = self._partitions or 1 + capture.size // _OCTETS_PER_PARTITION
            shares += [_Share(capture, number, count) for number in range(count)]
        return shares

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Read the share of one task."""
        assert isinstance(partition, _Share)
        gathered: deque[pa.Table] = deque()

        def on_table(name: str, date: str, rows: pa.Table) -> None:
            if name == self._table and (partition.number == 0 or name not in _OF_FILES):
                gathered.append(rows)

        wanted = partial(_is_wanted, partition.number, partition.count)
        reading = CaptureReading(partition.capture, self._settings, on_table, wanted)
        schema = to_arrow_schema(self._schema, timezone="UTC")
        for _ in reading.steps():
            while gathered:
                yield from _batches(gathered.popleft(), schema, partition.capture.capture_id)
        reading.result()
        while gathered:
            yield from _batches(gathered.popleft(), schema, partition.capture.capture_id)


def _is_wanted(number: int, count: int, flow: bytes) -> bool:
    return crc32(b"".join(endpoints(flow))) % count == number if flow else number == 0


def _table(options: Any) -> str:
    table = str(options.get("table", "frames"))
    if table not in TABLES:
        raise ValueError(f"there is no table {table!r}; there are {', '.join(TABLES)}")
    return table


def _columns(table: str) -> Columns:
    return (("capture_id", "string"), *table_columns(table))


def _number(option: str, text: str, most: int) -> int:
    """Return the number in an option.

    Raises:
        ValueError: It is not a number, or too large.
    """
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and int(digits) <= most):
        raise ValueError(f"the option {option} wants numbers up to {most}, not {digits!r}")
    return int(digits)


def _bodies(text: str) -> BodyRetention:
    try:
        return parse_body_retention(text)
    except ValueError as error:
        raise ValueError(f"the option bodies: {error}") from None


def _paths(options: Any) -> list[Path]:
    """Return the paths given to ``load``."""
    paths = (
        json.loads(options["paths"]) if "paths" in options else [options["path"]] if "path" in options else []
    )
    if not paths:
        raise ValueError("load() wants the path of a capture")
    # Tasks may run in another current folder.
    return [Path(path).absolute() for path in paths]


def _batches(rows: pa.Table, schema: pa.Schema, capture_id: str) -> Iterator[pa.RecordBatch]:
    """Yield rows in the types of Spark, without dictionary encoding."""
    with_capture = rows.append_column("capture_id", pa.repeat(pa.scalar(capture_id), rows.num_rows))
    yield from with_capture.select(schema.names).cast(schema).combine_chunks().to_batches()


def _ddl(columns: Columns) -> str:
    return ", ".join(f"`{name}` {spark_type(kind)}" for name, kind in columns)
