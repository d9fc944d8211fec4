"""What the audit knows of a connection: its facts, then its frames in order; and how they are read from slices of tables.

``AuditConnection`` and ``AuditFrame`` hold plain values, without Arrow, so that tests can make them.

``read_trails`` merges the slices of a share. It opens a slice when its first row is due and converts a few thousand rows at a
time to Python values, so few frames are in memory. Consecutive rows of one connection in a slice are a piece; pieces are
taken in the order of their first frames.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

import pyarrow.compute as pc

from ..capture.stream_data import SIDES
from ..tasks.runner import Row
from .connection_columns import CONNECTIONS, FRAMES, MESSAGES, SOURCES, quick_list, row_values
from .shares import frame_place, unsealed

# Frame types of 0-x (0-9-1 document, section 2.3.5).
METHOD, HEADER, BODY, HEARTBEAT = 1, 2, 3, 8
CLIENT, SERVER = 0, 1  # directions: the sender


class AuditFrame(NamedTuple):
    """A frame.

    Attributes:
        frame_no: Its number in the connection, from 0, in the order in which frames of both directions became complete.
        direction: 0 from the client, 1 from the server.
        offset: Where it begins in the stream of its direction.
        file_no, pkt_no, pkt_off: The packet in which it begins.
        ns: When that packet was captured.
        type: The frame type; -1 for a protocol header.
        channel: The channel number in the frame.
        size: The number of its octets, with header and end.
        class_id, method_id: The ids of a method; content headers have only a class.
        name: Of the method or performative, or the kind of frame: ``content-body``, ``heartbeat``, ...; None if unknown.
        err: Why it could not be decoded, a reason of the quarantine; None if it could.
        fields: The arguments of a method or the fields of a performative, by the names of their columns; variants are
            pairs of octets. None for other frames, and if it could not be decoded.
        message: Columns of the row of ``messages`` that begins with this frame; None if there is none.
    """

    frame_no: int
    direction: int
    offset: int
    file_no: int | None
    pkt_no: int | None
    pkt_off: int | None
    ns: int
    type: int
    channel: int
    size: int
    class_id: int | None = None
    method_id: int | None = None
    name: str | None = None
    err: str | None = None
    fields: Mapping[str, Any] | None = None
    message: Mapping[str, Any] | None = None

    @property
    def key(self) -> int:
        """The key of a method in generated packages: class id << 16 | method id."""
        return (self.class_id or 0) << 16 | (self.method_id or 0)


@dataclass(frozen=True, slots=True)
class AuditConnection:
    """What is known of a connection before its first frame.

    Attributes:
        conn_id: Its name.
        facts: Columns of ``connections`` that have values.
        quarantined: Columns of the rows of ``quarantine`` about its streams: octets that could not be framed or decoded.
    """

    capture_id: str
    conn_id: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    quarantined: tuple[Mapping[str, Any], ...] = ()

    @property
    def package(self) -> str:
        """The generated package that decodes its frames; empty if there is none."""
        return self.facts.get("package") or ""

    @property
    def is_from_start(self) -> bool:
        """Whether it was captured from its beginning."""
        return self.facts.get("start_mode") == "syn"

    def samples(self) -> dict[tuple[int, int], bytes]:
        """Return the beginning of payloads that could not be decoded, by direction and offset."""
        rows = (row for row in self.quarantined if row.get("sample") is not None)
        return {(row["dir"], row["stream_off"]): row["sample"] for row in rows}

    def is_whole(self, direction: int) -> bool:
        """Return whether nothing of a direction is missing or was skipped."""
        side = SIDES[direction]
        return self.is_from_start and not (
            self.facts.get(f"{side}_bytes_gap") or self.facts.get(f"{side}_bytes_skipped")
        )


def unread_frame(row: Mapping[str, Any], direction: int) -> AuditFrame:
    """Return a stand-in for octets that could not be read as a frame, from columns of ``quarantine``."""
    return AuditFrame(
        -1,
        direction,
        row.get("stream_off") or 0,
        row.get("file_no"),
        row.get("pkt_no"),
        row.get("file_off"),
        row.get("ns") or 0,
        -1,
        0,
        row.get("length") or 0,
        fields={"sample": row.get("sample")},
    )


_ROWS_PER_PIECE = 8192
_MOST_QUARANTINED_PER_CONNECTION = 1000

Trail: TypeAlias = "tuple[AuditConnection, Iterator[AuditFrame]]"
# The frame numbers, and the values of each row.
_Piece: TypeAlias = "tuple[list[int], list[Any]]"


def read_trails(slices: Iterator[Row]) -> Iterator[Trail]:
    """Yield the connections of a share, each with its frames. Take the frames of one before the next connection.

    Args:
        slices: The slices of the share, in the order of captures and of their first rows.
    """
    for _, of_capture in groupby(slices, itemgetter(1)):
        yield from _Slices(of_capture).trails()


class _Slice:
    """An open slice: rows of one table, sorted by connection and frame.

    Attributes:
        source: The number of the table.
        connection: The connection of the next piece; None after the last one.
        place: The place of the next piece in the order, see ``frame_place``.
    """

    def __init__(self, octets: bytes) -> None:
        self.capture_id, source, table = unsealed(octets)
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
        """Find the next piece."""
        self.connection: str | None = None
        if self._run < len(self._ends):
            if self._start >= self._rows_to:
                self._read()
            self.connection = self._names[self._run]
            self.place = frame_place(self.connection, self._numbers[self._start - self._rows_from])

    def _read(self) -> None:
        """Convert the next rows to values."""
        columns = {name: column.slice(self._start, _ROWS_PER_PIECE) for name, column in self._columns.items()}
        self._numbers = quick_list(columns["frame_no"])
        self._values = row_values(SOURCES[self.source], columns)
        self._rows_from, self._rows_to = self._start, self._start + len(self._numbers)

    def take(self) -> _Piece:
        """Return the next piece, and find the one after it."""
        start, end = self._start, min(self._ends[self._run], self._rows_to)
        base = self._rows_from
        piece = self._numbers[start - base : end - base], self._values[start - base : end - base]
        self._start = end
        if end == self._ends[self._run]:
            self._run += 1
        self._look()
        return piece


class _Slices:
    """The slices of a capture in a share, merged by connection and frame."""

    def __init__(self, slices: Iterator[Row]) -> None:
        self._slices = slices
        self._waiting = next(slices, None)
        self._open: list[tuple[int, int, _Slice]] = []  # a heap, by the places of the next pieces
        self._opened = 0

    def trails(self) -> Iterator[Trail]:
        """Yield all connections, each with its frames."""
        while (place := self._next_place()) is not None:
            end = (place >> 64) + 1 << 64
            connection = self._begin(end)
            frames = self._frames(end)
            yield connection, frames
            for _ in frames:
                pass  # frames that the caller did not take

    def _next_place(self) -> int | None:
        """Return the place of the next piece, and open the slices that may hold it."""
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
        """Read what is known of a connection before its first frame."""
        facts: dict[str, Any] = {}
        quarantined: list[dict[str, Any]] = []
        first = self._open[0][2]
        name, before = first.connection or "", end - (1 << 64) + _FRAME_0
        while (place := self._next_place()) is not None and place < before:
            one, (_, rows) = self._take()
            if one.source == CONNECTIONS:
                facts = {key: value for key, value in rows[-1].items() if value is not None}
            elif len(quarantined) < _MOST_QUARANTINED_PER_CONNECTION:
                quarantined += rows[: _MOST_QUARANTINED_PER_CONNECTION - len(quarantined)]
        quarantined.sort(key=lambda row: (row["dir"] or 0, row["stream_off"] or 0, row["length"] or 0))
        return AuditConnection(first.capture_id, name, facts, tuple(quarantined))

    def _frames(self, end: int) -> Iterator[AuditFrame]:
        """Yield the frames of a connection, which have places below ``end``."""
        waiting: list[tuple[Any, ...]] = []  # frames, in order
        fields: dict[int, Any] = {}
        messages: dict[int, Any] = {}
        base = end - (1 << 64) + _FRAME_0
        while (place := self._next_place()) is not None and place < end:
            one, (numbers, values) = self._take()
            if one.source == FRAMES:
                is_later = not waiting or waiting[-1][0] < numbers[0]
                waiting += ((number, *frame) for number, frame in zip(numbers, values, strict=True))
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


def _trail_frames(
    frames: list[tuple[Any, ...]], fields: dict[int, Any], messages: dict[int, Any]
) -> Iterator[AuditFrame]:
    """Yield frames with their fields and messages, which are removed from the given dicts."""
    new, kind = tuple.__new__, AuditFrame  # half the time of calling it
    take_fields, take_message = fields.pop, messages.pop
    for frame in frames:
        number = frame[0]
        its_fields = take_fields(number, None)
        if frame[-1] is not None:
            its_fields = None  # it could not be decoded
        yield new(kind, (*frame, its_fields, take_message(number, None)))
