"""From Arrow to trails: batches of rows that are sorted by capture, connection, frame and table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from .trail import TrailConnection, TrailFrame
from .trail_columns import (
    CONNECTIONS,
    FRAMES,
    MESSAGES,
    METHODS,
    PERFORMATIVES,
    QUARANTINE,
    SOURCES,
    method_fields,
    source_columns,
)

# (capture_id, conn_id, frame_no, source, values): the values are a tuple for frames, else a dict by column.
_Row: TypeAlias = tuple[str, str, int, int, Any]

_MOST_QUARANTINED = 1000  # rows of one connection
_MICROSECONDS = pa.int64()


def read_trails(
    batches: Iterable[pa.RecordBatch],
) -> Iterator[tuple[TrailConnection, Iterator[TrailFrame]]]:
    """The connections in batches, each with its frames.

    What is held is a batch. The frames of a connection are to be taken before the next connection is.

    Args:
        batches: See ``trail_columns``.
    """
    rows = chain.from_iterable(map(_rows, batches))
    row = next(rows, None)
    while row is not None:
        connection, row = _connection(rows, row)
        frames = _Frames(rows, row, connection)
        yield connection, frames
        for _ in frames:
            pass  # whoever does not want them
        row = frames.following


def _connection(rows: Iterator[_Row], row: _Row | None) -> tuple[TrailConnection, _Row | None]:
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

    def __init__(self, rows: Iterator[_Row], first: _Row | None, connection: TrailConnection) -> None:
        self.following = first
        self._name = connection.capture_id, connection.conn_id
        self._frames = self._read(rows)

    def __iter__(self) -> Iterator[TrailFrame]:
        return self

    def __next__(self) -> TrailFrame:
        return next(self._frames)

    def _read(self, rows: Iterator[_Row]) -> Iterator[TrailFrame]:
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


def _rows(batch: pa.RecordBatch) -> Iterator[_Row]:
    source = batch.column("source")
    values: list[Any] = [None] * batch.num_rows
    for number in pc.unique(source).to_pylist():
        places = pc.indices_nonzero(pc.equal(source, number))
        columns = batch.column(SOURCES[number]).take(places)
        for place, value in zip(places.to_pylist(), _VALUES[number](columns), strict=True):
            values[place] = value
    keys = (batch.column(name).to_pylist() for name in ("capture_id", "conn_id", "frame_no", "source"))
    return zip(*keys, values, strict=True)


def _tuples(columns: pa.StructArray) -> Iterator[Any]:
    """Frames, in the order of ``TrailFrame``."""
    names = [name for name, _ in source_columns("frames")]
    return zip(*(columns.field(name).to_pylist() for name in names), strict=True)


def _dicts_of(source: str) -> Any:
    names = [name for name, _ in source_columns(source)]
    return lambda columns: _dicts(columns, names)


def _dicts(columns: pa.StructArray, names: Iterable[str]) -> list[dict[str, Any]]:
    names = list(names)
    lists = [_plain(columns.field(name)) for name in names]
    return [dict(zip(names, row, strict=True)) for row in zip(*lists, strict=True)]


def _methods(columns: pa.StructArray) -> list[Any]:
    """Methods one kind after the other: each has few of the columns."""
    kinds = columns.field("method").dictionary_encode()
    values: list[Any] = [None] * len(columns)
    for number, name in enumerate(kinds.dictionary.to_pylist()):
        names = method_fields().get(name)
        if names is None:
            continue
        places = pc.indices_nonzero(pc.equal(kinds.indices, number))
        for place, value in zip(places.to_pylist(), _dicts(columns.take(places), names), strict=True):
            values[place] = value
    return values


def _plain(column: pa.Array) -> list[Any]:
    """Values as an auditor wants them: moments in microseconds, variants as pairs."""
    kind = column.type
    if pa.types.is_timestamp(kind):
        return list(column.cast(pa.timestamp("us", kind.tz)).cast(_MICROSECONDS).to_pylist())
    if not pa.types.is_struct(kind):
        return list(column.to_pylist())
    if column.null_count == len(column):
        return [None] * len(column)
    there = column.is_valid().to_pylist()
    pairs = zip(column.field("value").to_pylist(), column.field("metadata").to_pylist(), strict=True)
    return [pair if valid else None for pair, valid in zip(pairs, there, strict=True)]


_VALUES = {
    CONNECTIONS: _dicts_of("connections"),
    QUARANTINE: _dicts_of("quarantine"),
    FRAMES: _tuples,
    METHODS: _methods,
    PERFORMATIVES: _dicts_of("performatives"),
    MESSAGES: _dicts_of("messages"),
}
