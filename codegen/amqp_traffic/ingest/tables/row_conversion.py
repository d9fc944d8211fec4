"""Rows of connections as final tables.

A value that cannot be converted, in whatever connection, costs no other row: the row goes to the quarantine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import pyarrow as pa

from ...capture.faults import convert_apart, describe_fault
from ...capture.quarantine import Quarantine, Quarantined, Reason
from ...decode.decoded import Decoded
from ...decode.decoding import Decoding
from ...messages.connection_rows import ConnectionRecord, connection_row
from ...messages.output import ConnectionFacts
from ...schemas import table_columns
from .numbering import Numbering, number, rows_to_arrow
from .staging import stage

# Rows by table and date.
NewTables: TypeAlias = "dict[str, dict[str, pa.Table]]"

# A connection at its end.
Ending: TypeAlias = "tuple[ConnectionRecord, ConnectionFacts]"


class RowConversion:
    """Converts rows to tables. What cannot be converted goes to the quarantine, and out of the counts of decoded frames."""

    def __init__(self, decoding: Decoding, quarantine: Quarantine) -> None:
        self._decoding = decoding
        self._quarantine = quarantine

    def frames(self, decoded: Decoded, numbering: Numbering) -> Iterator[NewTables]:
        """Convert frames, methods and performatives. A method that cannot be converted leaves an undecoded frame."""
        convert = partial(_frames, numbering)
        return convert_apart(decoded, convert, partial(self._without_rows, convert))

    def connections(self, endings: Sequence[Ending], numbering: Numbering) -> Iterator[NewTables]:
        """Convert connections, with the frames counted so far. One that cannot be converted keeps what packets tell."""
        convert = partial(self._connections, numbering)
        return convert_apart(endings, convert, partial(self._without_facts, convert))

    def rows(self, table: str, rows: Sequence[tuple[Any, ...]], numbering: Numbering) -> Iterator[NewTables]:
        """Convert rows as ``rows_to_arrow`` does."""
        place = [name for name, _ in table_columns(table)].index("conn_id")

        def leave_out(row: Sequence[tuple[Any, ...]], error: Exception) -> Iterable[NewTables]:
            self._leave_out(row[0][place], error)
            return ()

        return convert_apart(rows, lambda rows: {table: rows_to_arrow(table, rows, numbering)}, leave_out)

    def _connections(self, numbering: Numbering, endings: Sequence[Ending]) -> NewTables:
        counts = self._decoding.frames_of, self._decoding.bad_frames_of
        rows = [
            connection_row(record, facts, *(count(record.number) for count in counts))
            for record, facts in endings
        ]
        return {"connections": rows_to_arrow("connections", rows, numbering)}

    def _without_rows(
        self, convert: Callable[[Decoded], NewTables], frame: Decoded, error: Exception
    ) -> Iterator[NewTables]:
        """Convert a frame as an undecoded one."""
        ((connection, direction, _, _),) = frame.runs
        ((offset, size, _, _, packet_no, packet_offset, ns),) = frame.spans
        place = packet_no, packet_offset, ns, connection, direction, offset
        self._quarantine.add(Quarantined(Reason.DECODE_ERROR, size, *place, describe_fault(error)))
        if not frame.errors:
            self._decoding.recount(connection, direction, good=-1, bad=1)
        undecoded = Decoded(frame.spans, frame.runs, frame.kinds, {0: Reason.DECODE_ERROR})
        return convert_apart(undecoded, convert, self._without_frame)

    def _without_frame(self, frame: Decoded, error: Exception) -> Iterable[NewTables]:
        """Leave out a frame, which is in the quarantine already."""
        ((connection, direction, _, _),) = frame.runs
        self._decoding.recount(connection, direction, bad=-1)
        return ()

    def _without_facts(
        self, convert: Callable[[Sequence[Ending]], NewTables], ending: Sequence[Ending], error: Exception
    ) -> Iterable[NewTables]:
        """Convert a connection without what its peers say about themselves; leave it out if that fails, too."""
        ((record, _),) = ending
        self._leave_out(record.number, error)
        bare = [(replace(record, login=None), ConnectionFacts())]
        return convert_apart(bare, convert, lambda *_: ())

    def _leave_out(self, connection: int, error: Exception) -> None:
        item = Quarantined(Reason.DECODE_ERROR, 0, connection=connection, detail=describe_fault(error))
        self._quarantine.add(item)


def _frames(numbering: Numbering, decoded: Decoded) -> NewTables:
    return {name: number(name, staged, numbering) for name, staged in stage(decoded).items()}
