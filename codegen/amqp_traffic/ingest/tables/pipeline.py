"""From segments to tables, for all connections of a capture or for a share of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ...capture.quarantine import Quarantine
from ...decode.decoding import Decoding
from ...frames.conversation import FramedConversation
from ...frames.frame_reader import FrameReader
from ...messages.assemblies import Assemblies
from ...messages.connection_rows import ConnectionRecord, record_of
from ...streams.connection import CapturedConnection
from ..job import OnTable, ReadSettings
from .connection_names import MOST_ENDED, ConnectionNames
from .file_reading import SegmentBatch
from .file_tables import LeftOut
from .numbering import Numbering
from .row_conversion import NewTables, RowConversion


class TablePipeline:
    """The tables of the connections of a capture. Memory is bounded: rows are written as they gather.

    After ``flush`` it can be part of a state (``state_writing``), except for ``on_table``: see ``attach``.

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
            key_log=settings.key_log,
        )
        self.on_table = on_table
        self._assemblies = Assemblies(bodies=settings.bodies, quarantine=self.quarantine)
        self._conversion = RowConversion(self._decoding, self.quarantine)
        self._names = ConnectionNames(capture_id)
        self.packets_before: list[int] = []
        self._ended: list[ConnectionRecord] = []

    @property
    def dates(self) -> set[str]:
        """The dates on which connections began that have not ended."""
        return set(self._names.dates.values())

    def attach(self, on_table: OnTable) -> None:
        """Give rows to another ``on_table`` from now on."""
        self.on_table = on_table

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
        if self._decoding.full or len(self._ended) >= MOST_ENDED:
            self.flush()

    def finish(self) -> None:
        """End all connections, and write all rows except those of files and of the quarantine."""
        self._reader.finish()
        self.flush()

    def take_left_out(self) -> list[LeftOut]:
        """Remove and return what is in the quarantine. What is of connections without a name yet stays."""
        return self._names.take_left_out(self.quarantine)

    # --- Callbacks ---

    def _on_begin(self, connection: CapturedConnection) -> None:
        flow, packet_no = connection.streams[0].flow, connection.packet_no
        self._names.begin(connection.number, flow, packet_no, connection.start_ns)

    def _on_end(self, connection: CapturedConnection, conversation: FramedConversation) -> None:
        self._ended.append(record_of(connection, conversation))

    # --- To tables ---

    def flush(self) -> None:
        """Write all rows so far, except those of files and of the quarantine."""
        decoded = self._decoding.take()
        self._assemblies.add(decoded.events)
        ended, self._ended = self._ended, []
        facts = [self._assemblies.finish(record.number) for record in ended]
        messages, exchanges = self._assemblies.take()
        names = self._names
        numbering = Numbering(names.conn_ids, names.dates, "", packets_before=self.packets_before or (0,))
        convert = self._conversion
        self._write(convert.frames(decoded, numbering))  # first: it changes the counts of connections
        self._write(convert.connections(list(zip(ended, facts, strict=True)), numbering))
        self._write(convert.rows("messages", messages, numbering))
        self._write(convert.rows("exchanges", exchanges, numbering))
        for record in ended:
            self._decoding.forget(record.number)
            names.end(record.number)
        names.forget(self.quarantine)

    def _write(self, parts: Iterable[NewTables]) -> None:
        for tables in parts:
            for name, by_date in tables.items():
                for date, table in by_date.items():
                    self.on_table(name, date, table)
