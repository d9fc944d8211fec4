"""``spark.read.format("amqp")``: captures as tables, read where they are, without a lake.

    frames = spark.read.format("amqp").load("monday.pcapng")
    messages = spark.read.format("amqp").option("table", "messages").load("ring/")

Options:

- ``table``: the name of the table, see docs/traffic-tables.md; by default ``frames``.
- ``serverPorts``: for example ``5672,5671``. The endpoint with one of these ports is the broker, if nothing else tells.
- ``bodies``: ``none``, ``head:N`` or ``all``.
- ``keyLog``: a key log with which TLS is decrypted.
- ``partitions``: the number of tasks that share the connections of a capture; by default one for each 96 MB.

Each task reads the files of a capture from beginning to end, and decodes its share of the connections. For large captures
``amqp-codegen traffic ingest`` is faster: its tasks write files, and no row goes through Java.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader, InputPartition
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from ..decode.body_retention import BodyRetention, parse_body_retention
from ..lake.spark_catalog import spark_type
from ..schemas import TABLES, Columns, table_columns
from ..streams.connections import AMQP_PORTS
from ..streams.raw_streams import is_raw_stream
from ..streams.tls.key_log import NO_KEYS, KeyLog, KeyLogError
from ..tasks.spark import carried_tasks, row_shuffle
from .inputs import CaptureInput, find_inputs
from .job import OnTable, ReadSettings
from .sharing.decoding import ShareDecoding
from .sharing.shares import ShareReading, raw_surveys
from .tables.file_tables import capture_date, packets_before, write_files, write_left_out

_OCTETS_PER_PARTITION = 96_000_000
_MOST_PARTITIONS = 100_000


class AmqpSource(DataSource):
    """The data source ``amqp``."""

    @classmethod
    def name(cls) -> str:
        """Return the name for ``format``."""
        return "amqp"

    def schema(self) -> str:
        """Return the columns of the table as DDL."""
        if carried_tasks.TASKS in self.options:
            return carried_tasks.SCHEMA
        if row_shuffle.PRODUCERS in self.options:
            return row_shuffle.SCHEMA
        return _ddl(_columns(_table(self.options)))

    def reader(self, schema: Any) -> DataSourceReader:
        """Return the reader of the table."""
        if carried_tasks.TASKS in self.options:
            return carried_tasks.TaskReader(self.options)
        if row_shuffle.PRODUCERS in self.options:
            return row_shuffle.RowReader(self.options)
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
        bodies = _bodies(options.get("bodies", "none"))
        self._settings = ReadSettings(server_ports or AMQP_PORTS, bodies, _key_log(options.get("keyLog")))

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
            if name == self._table:
                gathered.append(rows)

        schema = _arrow_schema(self._schema)
        for _ in self._read(partition, on_table):
            while gathered:
                yield from _batches(gathered.popleft(), schema, partition.capture.capture_id)

    def _read(self, share: _Share, on_table: OnTable) -> Iterator[None]:
        """Read a share, step by step. What has no flow is of the first share."""
        paths, is_first = share.capture.files, share.number == 0
        is_raw = is_raw_stream(paths[0])
        settings = self._settings.for_files(paths)
        decoding = ShareDecoding(share.capture.capture_id, settings, on_table, is_raw=is_raw)
        if is_raw:
            if not is_first:
                return
            for _ in decoding.read_raw(paths):
                yield
            surveys = raw_surveys(paths)
        else:
            reading = ShareReading(
                paths,
                settings,
                lambda bucket: bucket % share.count == share.number,
                on_log=on_table if is_first else None,
            )
            for batch in reading.batches(decoding.core):
                decoding.read(batch)
                yield
            surveys = reading.surveys
        sums, files = decoding.finish(), [survey.facts for survey in surveys]
        if is_first:
            write_files(files, {survey.facts.number: survey.quarantine.rows for survey in surveys}, on_table)
        write_left_out(sums.left_out, packets_before(files), capture_date(files), on_table)
        yield


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


def _key_log(file: str | None) -> KeyLog:
    if file is None:
        return NO_KEYS
    try:
        return KeyLog(Path(file))
    except (KeyLogError, OSError) as error:
        raise ValueError(f"the option keyLog: {error}") from None


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


def _arrow_schema(schema: StructType) -> pa.Schema:
    # PySpark 4.1 always takes UTC, and has no argument for it.
    options = {"timezone": "UTC"} if "timezone" in signature(to_arrow_schema).parameters else {}
    return to_arrow_schema(schema, **options)


def _ddl(columns: Columns) -> str:
    return ", ".join(f"`{name}` {spark_type(kind)}" for name, kind in columns)
