"""From slices of tables to trails: the connections of a share, each with its frames, of which few are in memory.

Slices are opened when their first row comes. Of an open one some thousand rows at a time become Python values; rows of one
connection that follow each other in it are a piece. Who reads takes piece after piece, in the order of their first frames.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import groupby, starmap
from operator import itemgetter
from typing import Any, TypeAlias

import pyarrow.compute as pc

from ..tasks.runner import Row
from .connection_frames import AuditConnection, AuditFrame
from .frame_columns import CONNECTIONS, FRAMES, MESSAGES, SOURCES
from .row_values import quick_list, row_values
from .shares import frame_place, open_slice

_AT_ONCE = 8192  # rows
_MOST_QUARANTINED = 1000  # rows of one connection

Trail: TypeAlias = "tuple[AuditConnection, Iterator[AuditFrame]]"
# The numbers of frames, and what stands for each row.
_Piece: TypeAlias = "tuple[list[int], list[Any]]"


def read_connections(slices: Iterator[Row]) -> Iterator[Trail]:
    """The connections, each with its frames. Those of one are to be taken before the next one is.

    Args:
        slices: Those of a share, in the order of captures, and of their first rows.
    """
    for _, of_capture in groupby(slices, itemgetter(1)):
        yield from _Slices(of_capture).trails()


class _Slice:
    """An open slice: rows of one table, sorted by connection and frame.

    Attributes:
        source: The number of the table.
        capture_id: The capture.
        connection: That of the next piece; None behind the last one.
        place: Where the next piece comes, as ``frame_place`` says.
    """

    def __init__(self, octets: bytes) -> None:
        self.capture_id, source, table = open_slice(octets)
        self.source = SOURCES.index(source)
        columns = {name: table[name].combine_chunks() for name in table.column_names}
        runs = pc.run_end_encode(columns.pop("conn_id"))
        self._ends, self._names = quick_list(runs.run_ends), runs.values.to_pylist()
        self._columns = columns
        self._run = self._start = 0
        self._rows_from = self._rows_to = 0
        self._numbers: list[int] = []
        self._values: list[Any] = []
        self._look()

    def _look(self) -> None:
        """See what comes next."""
        self.connection: str | None = None
        if self._run < len(self._ends):
            if self._start >= self._rows_to:
                self._read()
            self.connection = self._names[self._run]
            self.place = frame_place(self.connection, self._numbers[self._start - self._rows_from])

    def _read(self) -> None:
        """Make values of the next rows."""
        columns = {name: column.slice(self._start, _AT_ONCE) for name, column in self._columns.items()}
        self._numbers = quick_list(columns["frame_no"])
        self._values = row_values(SOURCES[self.source], columns)
        self._rows_from, self._rows_to = self._start, self._start + len(self._numbers)

    def take(self) -> _Piece:
        """The next piece; what comes after it is known then."""
        start, end = self._start, min(self._ends[self._run], self._rows_to)
        base = self._rows_from
        piece = self._numbers[start - base : end - base], self._values[start - base : end - base]
        self._start = end
        if end == self._ends[self._run]:
            self._run += 1
        self._look()
        return piece


class _Slices:
    """The slices of a capture in a share."""

    def __init__(self, slices: Iterator[Row]) -> None:
        self._slices = slices
        self._waiting = next(slices, None)
        self._open: list[tuple[int, int, _Slice]] = []  # a heap, by where their next pieces come
        self._opened = 0

    def trails(self) -> Iterator[Trail]:
        """All connections."""
        while (place := self._next_place()) is not None:
            end = (place >> 64) + 1 << 64
            connection = self._begin(end)
            frames = self._frames(end)
            yield connection, frames
            for _ in frames:
                pass  # whoever does not want them

    def _next_place(self) -> int | None:
        """Where the next piece comes; slices that have it are open then."""
        waiting = self._waiting
        while waiting is not None and (not self._open or waiting[2] <= self._open[0][0]):
            self._push(_Slice(waiting[3]))
            waiting = self._waiting = next(self._slices, None)
        return self._open[0][0] if self._open else None

    def _push(self, one: _Slice) -> None:
        self._opened += 1
        heappush(self._open, (one.place, self._opened, one))

    def _take(self) -> tuple[_Slice, _Piece]:
        _, _, one = heappop(self._open)
        piece = one.take()
        if one.connection is not None:
            self._push(one)
        return one, piece

    def _begin(self, end: int) -> AuditConnection:
        """What is known of a connection before its first frame."""
        facts: dict[str, Any] = {}
        quarantined: list[dict[str, Any]] = []
        first = self._open[0][2]
        name, before = first.connection or "", end - (1 << 64) + _FRAME_0
        while (place := self._next_place()) is not None and place < before:
            one, (_, rows) = self._take()
            if one.source == CONNECTIONS:
                facts = {key: value for key, value in rows[-1].items() if value is not None}
            elif len(quarantined) < _MOST_QUARANTINED:
                quarantined += rows[: _MOST_QUARANTINED - len(quarantined)]
        quarantined.sort(key=lambda each: (each["dir"] or 0, each["stream_off"] or 0, each["length"] or 0))
        return AuditConnection(first.capture_id, name, facts, tuple(quarantined))

    def _frames(self, end: int) -> Iterator[AuditFrame]:
        """The frames of a connection; what its places are below is given."""
        waiting: list[tuple[Any, ...]] = []  # frames, in order
        fields: dict[int, Any] = {}
        messages: dict[int, Any] = {}
        base = end - (1 << 64) + _FRAME_0
        while (place := self._next_place()) is not None and place < end:
            one, (numbers, values) = self._take()
            if one.source == FRAMES:
                frames = zip(numbers, values, strict=True)
                is_later = not waiting or waiting[-1][0] < numbers[0]
                waiting += starmap(_with_number, frames)
                if not is_later:
                    waiting.sort(key=_number)
            else:
                (messages if one.source == MESSAGES else fields).update(zip(numbers, values, strict=True))
            following = self._next_place()
            count = len(waiting)
            if following is not None and following < end:
                count = bisect_left(waiting, following - base, key=_number)
            if count:
                yield from _trail_frames(waiting[:count], fields, messages)
                del waiting[:count]


_FRAME_0 = frame_place("0", 0)
_number = itemgetter(0)


def _with_number(number: int, frame: tuple[Any, ...]) -> tuple[Any, ...]:
    return (number, *frame)


def _trail_frames(
    frames: list[tuple[Any, ...]], fields: dict[int, Any], messages: dict[int, Any]
) -> Iterator[AuditFrame]:
    """Frames with what is in them, which is taken out of where it was."""
    new, kind = tuple.__new__, AuditFrame  # half the time of calling it
    take_fields, take_message = fields.pop, messages.pop
    for frame in frames:
        number = frame[0]
        its_fields = take_fields(number, None)
        if frame[-1] is not None:
            its_fields = None  # there is only what could not be decoded
        yield new(kind, (*frame, its_fields, take_message(number, None)))
