"""From segments to tables, for all connections of a capture or for a share of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ..capture.quarantine import Quarantine, Quarantined
from ..decode.decoding import Decoding
from ..frames.conversation import Conversation
from ..frames.frame_reader import FrameReader
from ..messages.assemblies import Assemblies
from ..messages.connection_rows import ConnectionIds, ConnectionRecord, record_of
from ..storage import day_of
from ..streams.connection import CapturedConnection
from .file_reading import SegmentBatch
from .file_tables import LeftOut
from .job import OnTable, ReadSettings
from .numbering import Numbering
from .row_conversion import NewTables, RowConversion


class TablePipeline:
    """The tables of the connections of a capture. Memory is bounded: rows are written as they gather.

    It can be pickled after ``flush``, except for ``on_table``: see ``attach``.

    Attributes:
        quarantine: What is left out, except for damaged files.
        settings: How the capture is read.
        on_table: Takes the rows of tables.
        packets_before: For each file begun so far, the number of packets in earlier files.
    """

    def __init__(
        self,
        capture_id: str,
        settings: ReadSettings,
        on_table: OnTable,
        quarantine: Quarantine | None = None,
    ) -> None:
        self.settings = settings
        self.quarantine = Quarantine() if quarantine is None else quarantine
        self._decoding = Decoding(self.quarantine, bodies=settings.bodies.wanted)
        self._reader = FrameReader(
            self._decoding.on_frames,
            self._on_end,
            on_begin=self._on_begin,
            server_ports=settings.server_ports,
            quarantine=self.quarantine,
        )
        self.on_table = on_table
        self._assemblies = Assemblies(bodies=settings.bodies, quarantine=self.quarantine)
        self._conversion = RowConversion(self._decoding, self.quarantine)
        self._ids = ConnectionIds(capture_id)
        self._conn_ids: list[str | None] = [None]  # numbers begin with 1
        self._dates: list[str] = [""]
        self.packets_before: list[int] = []
        self._ended: list[ConnectionRecord] = []
        self._gone: list[int] = []

    def attach(self, on_table: OnTable) -> None:
        """Give rows to another ``on_table`` from now on."""
        self.on_table = on_table

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "on_table": None}

    def read(self, batch: SegmentBatch) -> None:
        """Read the next segments."""
        while len(self.packets_before) <= batch.file_no:
            self.packets_before.append(batch.packets_before)
        self._reader.connections.read_batch(batch.segments)
        self._flush_if_full()

    def read_raw(self, paths: Sequence[Path]) -> Iterator[int]:
        """Read raw streams, see ``FrameReader.read_raw``."""
        for octets in self._reader.read_raw(paths):
            self._flush_if_full()
            yield octets

    def _flush_if_full(self) -> None:
        """Write rows if enough of them have gathered."""
        self._assemblies.add(self._decoding.take_events())  # now, while they are in the processor cache
        if self._decoding.full:
            self.flush()

    def finish(self) -> None:
        """End all connections, and write all rows except those of files and of the quarantine."""
        self._reader.finish()
        self.flush()

    def take_left_out(self) -> list[LeftOut]:
        """Remove and return what is in the quarantine. What is of connections without a name yet stays."""
        named: list[LeftOut] = []
        others: list[Quarantined] = []
        for item in self.quarantine.rows:
            conn_id = self._name_of(item.connection)
            if item.connection is None or conn_id is not None:
                named.append(LeftOut(conn_id, item))
            else:
                others.append(item)
        self.quarantine.rows = others
        for gone in self._gone:
            self._conn_ids[gone], self._dates[gone] = None, ""
        self._gone.clear()
        return named

    def _name_of(self, connection: int | None) -> str | None:
        if connection is None or connection >= len(self._conn_ids):
            return None
        return self._conn_ids[connection]

    # --- Callbacks ---

    def _on_begin(self, connection: CapturedConnection) -> None:
        number = connection.number
        while len(self._conn_ids) <= number:
            self._conn_ids.append(None)
            self._dates.append("")
        self._conn_ids[number] = self._ids.next(connection.streams[0].flow)
        self._dates[number] = day_of(connection.start_ns).isoformat()

    def _on_end(self, connection: CapturedConnection, conversation: Conversation) -> None:
        self._ended.append(record_of(connection, conversation))

    # --- To tables ---

    def flush(self) -> None:
        """Write all rows so far, except those of files and of the quarantine."""
        decoded = self._decoding.take()
        self._assemblies.add(decoded.events)
        ended, self._ended = self._ended, []
        facts = [self._assemblies.finish(record.number) for record in ended]
        messages, exchanges = self._assemblies.take()
        numbering = Numbering(self._conn_ids, self._dates, "", packets_before=self.packets_before or (0,))
        convert = self._conversion
        self._write(convert.frames(decoded, numbering))  # first: it changes the counts of connections
        self._write(convert.connections(list(zip(ended, facts, strict=True)), numbering))
        self._write(convert.rows("messages", messages, numbering))
        self._write(convert.rows("exchanges", exchanges, numbering))
        for record in ended:
            self._decoding.forget(record.number)
            self._gone.append(record.number)

    def _write(self, parts: Iterable[NewTables]) -> None:
        for tables in parts:
            for name, by_date in tables.items():
                for date, table in by_date.items():
                    self.on_table(name, date, table)
