"""From Arrow to trails: rows of all tables that are sorted by capture, connection, frame and table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from .trail import TrailConnection, TrailFrame
from .trail_columns import (
    CONNECTIONS,
    FRAMES,
    MESSAGES,
    NAME_COLUMNS,
    fields_by_name,
    source_columns,
)

# (capture_id, conn_id, frame_no, source, values): the values are a tuple for frames, else a dict by column.
TrailRow: TypeAlias = tuple[str, str, int, int, Any]

_MOST_QUARANTINED = 1000  # rows of one connection


def read_trails(
    rows: Iterator[TrailRow],
) -> Iterator[tuple[TrailConnection, Iterator[TrailFrame]]]:
    """The connections, each with its frames. Those of one are to be taken before the next one is.

    Args:
        rows: Sorted by capture, connection, frame and table.
    """
    row = next(rows, None)
    while row is not None:
        connection, row = _connection(rows, row)
        frames = _Frames(rows, row, connection)
        yield connection, frames
        for _ in frames:
            pass  # whoever does not want them
        row = frames.following


def _connection(rows: Iterator[TrailRow], row: TrailRow | None) -> tuple[TrailConnection, TrailRow | None]:
    """What is known before the first frame, and the row after that."""
    assert row is not None
    name = row[0], row[1]
    facts: dict[str, Any] = {}
    quarantined: list[dict[str, Any]] = []
    while row is not None and row[2] < 0 and (row[0], row[1]) == name:
        if row[3] == CONNECTIONS:
            facts = {key: value for key, value in row[4].items() if value is not None}
        elif len(quarantined) < _MOST_QUARANTINED:
            quarantined.append(row[4])
        row = next(rows, None)
    quarantined.sort(key=lambda each: (each["dir"] or 0, each["stream_off"] or 0, each["length"] or 0))
    return TrailConnection(*name, facts, tuple(quarantined)), row


class _Frames:
    """The frames of a connection: rows of several tables about one frame become one.

    Attributes:
        following: After the last frame, the first row of the next connection; None if there is none.
    """

    def __init__(self, rows: Iterator[TrailRow], first: TrailRow | None, connection: TrailConnection) -> None:
        self.following = first
        self._name = connection.capture_id, connection.conn_id
        self._frames = self._read(rows)

    def __iter__(self) -> Iterator[TrailFrame]:
        return self

    def __next__(self) -> TrailFrame:
        return next(self._frames)

    def _read(self, rows: Iterator[TrailRow]) -> Iterator[TrailFrame]:
        capture_id, conn_id = self._name
        row = self.following
        new, kind = tuple.__new__, TrailFrame  # half the time of calling it
        while row is not None and row[1] == conn_id and row[0] == capture_id:
            frame_no, frame = row[2], None
            fields: Any = None
            message: Any = None
            while row is not None and row[2] == frame_no and row[1] == conn_id and row[0] == capture_id:
                source = row[3]
                if source == FRAMES:
                    frame = row[4]
                elif source == MESSAGES:
                    message = row[4]
                else:
                    fields = row[4]
                row = next(rows, None)
            if frame is not None:
                if frame[-1] is not None:
                    fields = None  # there is only what could not be decoded
                yield new(kind, (frame_no, *frame, fields, message))
        self.following = row


def row_values(source: str, columns: Mapping[str, pa.Array]) -> list[Any]:
    """What stands for each row of a table: of frames a tuple in the order of ``TrailFrame``, else a dict.

    Args:
        source: The table.
        columns: Its columns, by name; those without values may be left out.
    """
    names = [name for name, _ in source_columns(source)]
    length = len(next(iter(columns.values())))
    if source == "frames":
        nulls = [None] * length
        lists = (columns[name].to_pylist() if name in columns else nulls for name in names)
        return list(zip(*lists, strict=True))
    if source in NAME_COLUMNS:
        return _named(source, columns)
    return _dicts(columns, names, length)


def _named(source: str, columns: Mapping[str, pa.Array]) -> list[Any]:
    """Methods or performatives, those of one name after the other: each has few of the columns."""
    values: list[Any] = [None] * len(next(iter(columns.values())))
    if NAME_COLUMNS[source] not in columns:
        return values
    kinds = columns[NAME_COLUMNS[source]].dictionary_encode()
    for number, kind in enumerate(kinds.dictionary.to_pylist()):
        names = fields_by_name(source).get(kind)
        if names is None:
            continue
        places = pc.indices_nonzero(pc.equal(kinds.indices, number))
        found = {name: columns[name].take(places) for name in names if name in columns}
        for place, value in zip(places.to_pylist(), _dicts(found, names, len(places)), strict=True):
            values[place] = value
    return values


def _dicts(columns: Mapping[str, pa.Array], names: Sequence[str], length: int) -> list[dict[str, Any]]:
    nulls = [None] * length
    lists = [_plain(columns[name]) if name in columns else nulls for name in names]
    return [dict(zip(names, row, strict=True)) for row in zip(*lists, strict=True)]


def _plain(column: pa.Array) -> list[Any]:
    """Values as an auditor wants them: moments in microseconds, variants as pairs."""
    kind = column.type
    if pa.types.is_timestamp(kind):
        return list(column.cast(pa.timestamp("us", kind.tz)).cast(pa.int64()).to_pylist())
    if not pa.types.is_struct(kind):
        return list(column.to_pylist())
    if column.null_count == len(column):
        return [None] * len(column)
    there = column.is_valid().to_pylist()
    pairs = zip(column.field("value").to_pylist(), column.field("metadata").to_pylist(), strict=True)
    return [pair if valid else None for pair, valid in zip(pairs, there, strict=True)]
