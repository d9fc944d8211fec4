"""From segments to tables in C: what ``TablePipeline`` does, without a Python object for a packet, a frame or a row.

``amqp_native_ingest.Ingest`` keeps the connections and makes the columns; ``NativeHost`` answers what it asks. Here the columns
become the tables that ``lake`` takes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from ...capture.native_module import native_module
from ...capture.quarantine import Quarantine
from ...decode.amqp0.decoder import CONTENT_BODY, CONTENT_HEADER, OTHERS
from ...decode.amqp1.decoder import EMPTY
from ...decode.decoded import OK, UNDECODED
from ...frames.amqp0.frame_format import method_key
from ...frames.conversation import TELLING_METHODS
from ...frames.formats import PROTOCOL_HEADER
from ...lake.arrow_types import VARIANT_FIELDS, arrow_type
from ...messages.amqp0.firehose import TRACE_EXCHANGE, firehose_row
from ...messages.connection_rows import connection_row
from ...messages.output import MessageRow
from ...schemas import Columns, table_columns
from ...secret_names import secret_names
from ..job import OnTable, ReadSettings
from ..tables.connection_names import MOST_ENDED, ConnectionNames
from ..tables.file_reading import SegmentBatch
from ..tables.file_tables import LeftOut
from ..tables.numbering import Numbering, number, rows_to_arrow
from ..tables.row_conversion import NewTables
from ..tables.staging import CONNECTION
from .host import NativeHost, sender_by_key
from .packages import native_recipes

# (type, nulls, validity or None, buffers), see ``rows_of_table`` in native/ingest/columns.h.
NativeColumn: TypeAlias = "tuple[str, int, bytes | None, list[bytes]]"

_TABLES = ("frames", "methods", "performatives", "messages", "exchanges")
# Columns of few names, of which C has the numbers.
_NAME = "name"
_NAMES = {
    "frames": ("name", "status", "err"),
    "methods": ("method",),
    "performatives": ("performative",),
}

# The methods of 0-x that mean more than a request or a reply, by their generated classes; see ``MethodKeys`` in C.
_METHODS = (
    *("ChannelOpen", "ChannelClose", "ChannelCloseOk", "QueueDeclare", "QueueDeclareOk", "BasicConsume"),
    *("BasicConsumeOk", "BasicCancelOk", "BasicPublish", "BasicReturn", "BasicDeliver", "BasicGetOk"),
    *("BasicAck", "BasicReject", "BasicNack", "BasicRecoverAsync", "BasicRecover", "ConfirmSelect"),
)


class NativeTables:
    """The tables of the connections of a share; the methods are those of ``TablePipeline``.

    Attributes:
        core: The ``Ingest`` in C, to which a scan of a file may give segments.
    """

    def __init__(
        self, capture_id: str, settings: ReadSettings, on_table: OnTable, quarantine: Quarantine
    ) -> None:
        self.quarantine = quarantine
        self._on_table = on_table
        self._names = ConnectionNames(capture_id)
        self._host = NativeHost(self._names, quarantine, settings.bodies, settings.key_log)
        self._packets_before: list[int] = []
        number_of = self._host.number_of
        frames = (CONTENT_HEADER, CONTENT_BODY.name, OTHERS[PROTOCOL_HEADER].name, EMPTY.name, OK, UNDECODED)
        self.core: Any = native_module().Ingest(
            self._host,
            tuple(settings.server_ports),
            sender_by_key(),
            {table: _native_columns(table) for table in _TABLES},
            native_recipes(),
            {
                **{name: method_key(name) for name in _METHODS},
                "connection": method_key("ConnectionStart") >> 16,
                "basic": method_key("BasicPublish") >> 16,
            },
            {name: number_of(name) for name in frames if name is not None},
            {
                frame_type: number_of(kind.name)
                for frame_type, kind in OTHERS.items()
                if kind.name is not None and frame_type != PROTOCOL_HEADER
            },
            settings.bodies.wanted,
            sorted(TELLING_METHODS),
            _secret_texts(),
        )

    def read(self, batch: SegmentBatch) -> None:
        """Read segments; those that a scan has given to ``core`` are not in the batch."""
        while len(self._packets_before) <= batch.file_no:
            self._packets_before.append(batch.packets_before)
        if batch.segments:
            self.core.add(batch.segments)
        if self.core.is_full() or len(self._host.ended) >= MOST_ENDED:
            self.flush()

    def finish(self) -> None:
        """End all connections, and write all rows except those of files and of the quarantine."""
        self.core.finish()
        self.flush()

    def take_left_out(self) -> list[LeftOut]:
        """Remove and return what is in the quarantine. What is of connections without a name yet stays."""
        return self._names.take_left_out(self.quarantine)

    def flush(self) -> None:
        """Write all rows so far, except those of files and of the quarantine."""
        names, host = self._names, self._host
        numbering = Numbering(names.conn_ids, names.dates, "", packets_before=self._packets_before or (0,))
        dictionary = pa.array(host.names, pa.string())
        for table, (rows, columns) in self.core.take().items():
            if rows:
                batch = _batch(table, rows, columns, dictionary)
                self._write({table: number(table, batch, numbering)})
                if table == "messages":
                    self._write({table: rows_to_arrow(table, _traced_rows(batch), numbering)})
        ended, host.ended = host.ended, []
        connections = [
            connection_row(ending.record, ending.facts, ending.frames, ending.bad_frames) for ending in ended
        ]
        self._write({"connections": rows_to_arrow("connections", connections, numbering)})
        for ending in ended:
            names.end(ending.record.number)
        names.forget(self.quarantine)

    def _write(self, tables: NewTables) -> None:
        for name, by_date in tables.items():
            for date, table in by_date.items():
                self._on_table(name, date, table)


def _secret_texts() -> tuple[tuple[bytes, ...], ...]:
    """Return what ``make_secrets`` in C takes."""
    names = secret_names()
    texts = names.endings, names.whole, names.public, (*names.beginnings, *names.parts)
    return tuple(tuple(text.encode() for text in group) for group in texts)


def _native_columns(table: str) -> Columns:
    """Return the columns that C fills in: the number of the connection instead of its name, numbers instead of names."""
    names = _NAMES.get(table, ())
    columns = [
        (name, _NAME if name in names else kind)
        for name, kind in table_columns(table)
        if name != "conn_id" and not kind.startswith("map<")
    ]
    return ((CONNECTION, "int32"), *columns)


def _batch(table: str, rows: int, columns: dict[str, NativeColumn], dictionary: pa.Array) -> pa.RecordBatch:
    """Return columns of C as Arrow, without a copy. Columns of names are always there: their type has to stay the same."""
    arrays = {name: _array(rows, column, dictionary) for name, column in columns.items()}
    for name in _NAMES.get(table, ()):
        if name not in arrays:
            arrays[name] = pa.DictionaryArray.from_arrays(pa.nulls(rows, pa.int32()), dictionary)
    return pa.RecordBatch.from_pydict(arrays)


def _array(rows: int, column: NativeColumn, dictionary: pa.Array) -> pa.Array:
    kind, nulls, validity, octets = column
    valid = None if validity is None else pa.py_buffer(validity)
    buffers = list(map(pa.py_buffer, octets))
    if kind == _NAME:
        places = pa.Array.from_buffers(pa.int32(), rows, [valid, *buffers], nulls)
        return pa.DictionaryArray.from_arrays(places, dictionary)
    of_type = arrow_type(kind)
    if kind == "variant":
        parts = [
            pa.Array.from_buffers(field.type, rows, [None, *buffers[at : at + 2]], 0)
            for field, at in zip(VARIANT_FIELDS, (0, 2), strict=True)
        ]
        return pa.Array.from_buffers(pa.struct(VARIANT_FIELDS), rows, [valid], nulls, children=parts)
    if kind.startswith("list<"):
        count = len(octets[1]) // 4 - 1 if octets[1] else 0
        texts = pa.Array.from_buffers(of_type.value_type, count, [None, *buffers[1:]], 0)
        return pa.Array.from_buffers(of_type, rows, [valid, buffers[0]], nulls, children=[texts])
    return pa.Array.from_buffers(of_type, rows, [valid, *buffers], nulls)


def _traced_rows(messages: pa.RecordBatch) -> Iterator[MessageRow]:
    """Return the rows of messages that messages of RabbitMQ's firehose describe."""
    if "exchange" not in messages.schema.names:
        return
    copies = messages.filter(pc.equal(messages["exchange"], TRACE_EXCHANGE))
    for copy in copies.to_pylist():
        copy["conn_id"] = copy[CONNECTION]
        row = firehose_row(tuple(_plain(copy.get(name), kind) for name, kind in table_columns("messages")))
        if row is not None:
            yield row


def _plain(value: Any, kind: str) -> Any:
    """Return a value of Arrow as rows have it: a variant as a pair, a timestamp in microseconds."""
    if value is not None and kind == "variant":
        return value["value"], value["metadata"]
    if value is not None and kind == "timestamp[us]":
        return pa.scalar(value, arrow_type(kind)).cast(pa.int64()).as_py()
    return value
