"""From numbers, which mean something in one part of a capture, to the names and numbers that tables have."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ..lake.arrow_types import TIMESTAMP, columns_of, has_values, make_array, null_array, table_schema
from ..schemas import table_columns
from .staging import CONNECTION

_FRAME_NUMBERS = ("frame_no", "request_frame_no", "reply_frame_no")
# Columns that follow from others.
_MOMENTS = {"ts": "ns", "first_ts": "first_ns", "start_ts": "start_ns"}


@dataclass(frozen=True, slots=True)
class Numbering:
    """What the numbers of a part of a capture stand for.

    Attributes:
        conn_ids: The names of connections, by number; None for one whose rows are left out, as are those of numbers
            that are not here.
        dates: The UTC date on which each of them began, like ``2026-11-21``.
        date: That of the capture, for rows that are not of a connection.
        frames_before: How many frames of each connection there are in earlier parts; all 0 if it is empty.
        file_no: The number of the file, or of the first of several.
        packets_before: For each of these files, the number of the packet before its first one, as packets are counted
            in this part. It is negative where the part begins within a file.
        offsets_before: How many octets of the streams of each connection come before those of this part, by direction;
            all 0 if it is empty.
    """

    conn_ids: Sequence[str | None]
    dates: Sequence[str]
    date: str
    frames_before: Sequence[int] = ()
    file_no: int = 0
    packets_before: Sequence[int] = (0,)
    offsets_before: Sequence[tuple[int, int]] = ()


def number(table: str, staged: pa.RecordBatch, numbering: Numbering) -> dict[str, pa.Table]:
    """Make final rows of what ``stage`` gave.

    Args:
        table: Which table it is.
        staged: The rows.
        numbering: What their numbers mean.

    Returns:
        Tables by date, with all columns of the schema; sorted by conn_id and frame number. conn_id, and what else is
        repeated a lot, is a dictionary array.
    """
    ranks, conn_ids, dates = _rank(staged.column(CONNECTION), numbering)
    if ranks.null_count:
        known = pc.is_valid(ranks)
        staged, ranks = staged.filter(known), ranks.filter(known)
    columns = dict(zip(staged.schema.names, staged.columns, strict=True))
    if numbering.frames_before:
        before = _bases(columns[CONNECTION], numbering.frames_before)
        columns["frame_no"] = pc.add(columns["frame_no"], before)
    if numbering.offsets_before:
        client, server = (
            _bases(columns[CONNECTION], [it[side] for it in numbering.offsets_before]) for side in (0, 1)
        )
        before = pc.if_else(pc.equal(columns["dir"], 0), client, server)
        columns["stream_off"] = pc.add(columns["stream_off"], before)
    columns[CONNECTION] = ranks
    batch = pa.RecordBatch.from_pydict(columns)
    batch = _sort(batch)
    return {date: _finish(table, part, conn_ids, numbering) for date, part in _by_date(batch, dates)}


def rows_to_arrow(table: str, rows: Iterable[Sequence[Any]], numbering: Numbering) -> dict[str, pa.Table]:
    """Make final rows of tuples.

    Args:
        table: Which table it is.
        rows: Their values are in the order of the columns: in the place of conn_id is the number of the connection,
            if it is about one; variants are pairs of octets; moments are microseconds since 1970. The value of a
            column that follows from another one does not matter.
        numbering: What their numbers mean.

    Returns:
        Tables by date, with all columns of the schema, in the order of the rows.
    """
    rows = list(rows)
    names = [name for name, _ in table_columns(table)]
    if "conn_id" not in names:
        return {numbering.date: _make_table(table, rows, numbering)} if rows else {}
    place = names.index("conn_id")
    numbers = {row[place] for row in rows}
    dates = {it: _date_of(table, it, numbering) for it in numbers if it is None or _is_known(it, numbering)}
    found = {}
    for date in sorted(set(dates.values())):
        theirs = rows
        if len(dates) < len(numbers) or {*dates.values()} != {date}:
            theirs = [row for row in rows if dates.get(row[place]) == date]
        found[date] = _make_table(table, theirs, numbering)
    return found


def _date_of(table: str, connection: int | None, numbering: Numbering) -> str:
    if connection is None or table == "quarantine":
        return numbering.date
    return numbering.dates[connection]


def _make_table(table: str, rows: Sequence[Sequence[Any]], numbering: Numbering) -> pa.Table:
    """Rows of connections that are known."""
    schema = table_schema(table)
    values = dict(zip(schema.names, columns_of(rows), strict=True))
    arrays: dict[str, pa.Array] = {}
    for name, kind in table_columns(table):
        if name == "conn_id":
            arrays[name] = _conn_ids(values[name], numbering)
        elif name not in _MOMENTS and has_values(values[name]):
            arrays[name] = make_array(values[name], kind)
    if numbering.frames_before and "conn_id" in values:
        before = _bases(pa.array(values["conn_id"], pa.int32()), numbering.frames_before)
        arrays |= {name: pc.add(arrays[name], before) for name in _FRAME_NUMBERS if name in arrays}
    return _complete(table, arrays, len(rows))


def _conn_ids(connections: Sequence[int | None], numbering: Numbering) -> pa.DictionaryArray:
    numbers = pa.array(connections, pa.int32())
    unique = pc.unique(numbers).drop_null()
    names = pa.array([numbering.conn_ids[it] for it in unique.to_pylist()], pa.string())
    return pa.DictionaryArray.from_arrays(pc.index_in(numbers, unique), names)


def _is_known(connection: int, numbering: Numbering) -> bool:
    return connection < len(numbering.conn_ids) and numbering.conn_ids[connection] is not None


def _rank(connections: pa.Array, numbering: Numbering) -> tuple[pa.Array, pa.Array, list[str]]:
    """The place of each connection among those of the rows, in the order of their names; null if it is left out.

    Returns:
        Places; names by place; dates by place.
    """
    there = [it for it in pc.unique(connections).to_pylist() if _is_known(it, numbering)]
    there.sort(key=lambda it: numbering.conn_ids[it] or "")
    ranks = pc.index_in(connections, pa.array(there, pa.int32()))
    names = pa.array([numbering.conn_ids[it] for it in there], pa.string())
    return ranks, names, [numbering.dates[it] for it in there]


def _bases(connections: pa.Array, before: Sequence[int]) -> pa.Array:
    """What comes before the part of each connection, by its number."""
    unique = pc.unique(connections).drop_null()
    bases = pa.array([before[it] for it in unique.to_pylist()], pa.int64())
    return bases.take(pc.index_in(connections, unique))


def _sort(batch: pa.RecordBatch) -> pa.RecordBatch:
    """By connection and frame number, whatever order the rows are in."""
    order = _combined(batch)
    if not _is_sorted(order):
        batch = batch.take(pc.sort_indices(order))
    return batch


def _combined(batch: pa.RecordBatch) -> pa.Array:
    """Numbers in the order of connection and frame number."""
    ranks = pc.shift_left(batch.column(CONNECTION).cast(pa.int64()), 40)
    return pc.add(ranks, batch.column("frame_no"))


def _is_sorted(numbers: pa.Array) -> bool:
    if len(numbers) < 2:
        return True
    return bool(pc.all(pc.less_equal(numbers.slice(0, len(numbers) - 1), numbers.slice(1))).as_py())


def _by_date(batch: pa.RecordBatch, dates: list[str]) -> Iterable[tuple[str, pa.RecordBatch]]:
    """The rows of each date.

    Args:
        batch: The rows.
        dates: The date of each connection.
    """
    different = sorted(set(dates))
    if len(different) == 1:
        yield different[0], batch
        return
    for date in different:
        theirs = pa.array([place for place, each in enumerate(dates) if each == date], pa.int32())
        yield date, batch.filter(pc.is_in(batch.column(CONNECTION), theirs))


def _finish(table: str, batch: pa.RecordBatch, conn_ids: pa.Array, numbering: Numbering) -> pa.Table:
    """All columns of the table."""
    arrays: dict[str, pa.Array] = dict(zip(batch.schema.names, batch.columns, strict=True))
    arrays["conn_id"] = pa.DictionaryArray.from_arrays(arrays[CONNECTION], conn_ids)
    if "pkt_no" in arrays:
        arrays["file_no"], arrays["pkt_no"] = _files(arrays["pkt_no"], numbering)
    return _complete(table, arrays, batch.num_rows)


def _complete(table: str, arrays: dict[str, pa.Array], length: int) -> pa.Table:
    """All columns of the table: moments follow from others; what else is not there is null, and shares memory."""
    columns = table_columns(table)
    arrays |= {name: _moments(arrays[_MOMENTS[name]]) for name, _ in columns if _MOMENTS.get(name) in arrays}
    nulls = {
        kind: null_array(length, kind) for kind in {kind for name, kind in columns if name not in arrays}
    }
    return pa.table({name: arrays[name] if name in arrays else nulls[kind] for name, kind in columns})


def _files(packets: pa.Array, numbering: Numbering) -> tuple[pa.Array, pa.Array]:
    """The file of each packet, and its number in that."""
    before = list(numbering.packets_before)
    if len(before) == 1:
        files = pa.repeat(pa.scalar(0, pa.int32()), len(packets))
    else:
        # A ring may have thousands of files; the rows are from a few.
        ends = pc.min_max(packets).as_py()
        first, last = (bisect_left(before, ends[which] or 0) for which in ("min", "max"))
        files = pa.repeat(pa.scalar(first - 1, pa.int32()), len(packets))
        for each in before[first:last]:
            files = pc.add(files, pc.greater(packets, each).cast(pa.int32()))
    bases = pa.array(before, pa.int64()).take(files)
    return pc.add(files, pa.scalar(numbering.file_no, pa.int32())), pc.subtract(packets, bases)


def _moments(ns: pa.Array) -> pa.Array:
    """Nanoseconds as moments; 0 stands for unknown."""
    known = pc.if_else(pc.equal(ns, 0), pa.scalar(None, pa.int64()), ns)
    return pc.divide(known, 1000).cast(TIMESTAMP)
