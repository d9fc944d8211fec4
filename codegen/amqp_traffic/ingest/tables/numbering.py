"""Final tables: numbers that are valid in one share of a capture become the names and numbers of tables."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...lake.arrow_types import TIMESTAMP, columns_of, has_values, make_array, null_array, table_schema
from ...schemas import table_columns
from .staging import CONNECTION

# Tables with a row for a frame.
_BY_FRAME = ("frames", "methods", "performatives")
# Timestamp columns, and the columns of nanoseconds that they are computed from.
MOMENTS = {"ts": "ns", "first_ts": "first_ns", "start_ts": "start_ns"}


@dataclass(frozen=True, slots=True)
class Numbering:
    """The meaning of the numbers of a share of a capture.

    Attributes:
        conn_ids: The names of connections, by number. Rows of a connection whose number is not here are left out.
        dates: The UTC date on which each of them began, like ``2026-11-21``.
        date: The date of the capture, for rows without a connection.
        packets_before: For each file, the number of packets in earlier files.
    """

    conn_ids: Mapping[int, str]
    dates: Mapping[int, str]
    date: str
    packets_before: Sequence[int] = (0,)


def number(table: str, staged: pa.RecordBatch, numbering: Numbering) -> dict[str, pa.Table]:
    """Return the final rows of what ``stage`` returned for a table.

    Returns:
        Tables by date, with all columns of the schema; rows of single frames are sorted by conn_id and frame number. Columns of
        repeated values, such as conn_id, are dictionary arrays.
    """
    ranks, conn_ids, dates = _rank(staged.column(CONNECTION), numbering)
    if ranks.null_count:
        known = pc.is_valid(ranks)
        staged, ranks = staged.filter(known), ranks.filter(known)
    columns = dict(zip(staged.schema.names, staged.columns, strict=True))
    columns[CONNECTION] = ranks
    batch = pa.RecordBatch.from_pydict(columns)
    if table in _BY_FRAME:
        batch = _sort(batch)
    return {date: _finish(table, part, conn_ids, numbering) for date, part in _by_date(batch, dates)}


def rows_to_arrow(table: str, rows: Iterable[Sequence[Any]], numbering: Numbering) -> dict[str, pa.Table]:
    """Return the final rows of tuples.

    Args:
        table: The name of the table.
        rows: Values in the order of the columns. Instead of conn_id they have the number of the connection or None;
            a variant is a pair of binaries, a timestamp is in microseconds since 1970. Values of columns that are computed
            from others are ignored.
        numbering: The meaning of the numbers.

    Returns:
        Tables by date, with all columns of the schema, in the order of the rows.
    """
    rows = list(rows)
    names = [name for name, _ in table_columns(table)]
    if "conn_id" not in names:
        return {numbering.date: _make_table(table, rows, numbering)} if rows else {}
    place = names.index("conn_id")
    numbers = {row[place] for row in rows}
    dates = {
        connection: _date_of(table, connection, numbering)
        for connection in numbers
        if connection is None or _is_known(connection, numbering)
    }
    tables = {}
    for date in sorted(set(dates.values())):
        dated_rows = rows
        if len(dates) < len(numbers) or {*dates.values()} != {date}:
            dated_rows = [row for row in rows if dates.get(row[place]) == date]
        tables[date] = _make_table(table, dated_rows, numbering)
    return tables


def _date_of(table: str, connection: int | None, numbering: Numbering) -> str:
    if connection is None or table == "quarantine":
        return numbering.date
    return numbering.dates[connection]


def _make_table(table: str, rows: Sequence[Sequence[Any]], numbering: Numbering) -> pa.Table:
    """Return the rows of known connections as a table."""
    schema = table_schema(table)
    values = dict(zip(schema.names, columns_of(rows), strict=True))
    arrays: dict[str, pa.Array] = {}
    for name, kind in table_columns(table):
        if name == "conn_id":
            arrays[name] = _conn_ids(values[name], numbering)
        elif name not in MOMENTS and has_values(values[name]):
            arrays[name] = make_array(values[name], kind)
    return _complete(table, arrays, len(rows))


def _conn_ids(connections: Sequence[int | None], numbering: Numbering) -> pa.DictionaryArray:
    numbers = pa.array(connections, pa.int32())
    unique = pc.unique(numbers).drop_null()
    names = pa.array([numbering.conn_ids[connection] for connection in unique.to_pylist()], pa.string())
    return pa.DictionaryArray.from_arrays(pc.index_in(numbers, unique), names)


def _is_known(connection: int, numbering: Numbering) -> bool:
    return connection in numbering.conn_ids


def _rank(connections: pa.Array, numbering: Numbering) -> tuple[pa.Array, pa.Array, list[str]]:
    """Rank the connections of the rows by name; a connection that is left out has no rank (null).

    Returns:
        The rank of each row; names by rank; dates by rank.
    """
    ranked = [number for number in pc.unique(connections).to_pylist() if _is_known(number, numbering)]
    ranked.sort(key=lambda number: numbering.conn_ids[number])
    ranks = pc.index_in(connections, pa.array(ranked, pa.int32()))
    names = pa.array([numbering.conn_ids[number] for number in ranked], pa.string())
    return ranks, names, [numbering.dates[number] for number in ranked]


def _sort(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Sort rows by connection and frame number."""
    ranks = pc.shift_left(batch.column(CONNECTION).cast(pa.int64()), 40)
    order = pc.add(ranks, batch.column("frame_no"))  # both in one number
    if not _is_sorted(order):
        batch = batch.take(pc.sort_indices(order))
    return batch


def _is_sorted(numbers: pa.Array) -> bool:
    if len(numbers) < 2:
        return True
    return bool(pc.all(pc.less_equal(numbers.slice(0, len(numbers) - 1), numbers.slice(1))).as_py())


def _by_date(batch: pa.RecordBatch, dates: list[str]) -> Iterable[tuple[str, pa.RecordBatch]]:
    """Yield the rows of each date; ``dates`` is by rank of connections."""
    different = sorted(set(dates))
    if len(different) == 1:
        yield different[0], batch
        return
    for date in different:
        ranks = pa.array([rank for rank, began in enumerate(dates) if began == date], pa.int32())
        yield date, batch.filter(pc.is_in(batch.column(CONNECTION), ranks))


def _finish(table: str, batch: pa.RecordBatch, conn_ids: pa.Array, numbering: Numbering) -> pa.Table:
    """Return the final table of ranked rows."""
    arrays: dict[str, pa.Array] = dict(zip(batch.schema.names, batch.columns, strict=True))
    arrays["conn_id"] = pa.DictionaryArray.from_arrays(arrays[CONNECTION], conn_ids)
    if "pkt_no" in arrays:
        arrays["file_no"], arrays["pkt_no"] = _files(arrays["pkt_no"], numbering)
    return _complete(table, arrays, batch.num_rows)


def _complete(table: str, arrays: dict[str, pa.Array], length: int) -> pa.Table:
    """Return a table with all columns: timestamps are computed, missing columns are null and share memory."""
    columns = table_columns(table)
    arrays |= {name: _moments(arrays[MOMENTS[name]]) for name, _ in columns if MOMENTS.get(name) in arrays}
    nulls = {
        kind: null_array(length, kind) for kind in {kind for name, kind in columns if name not in arrays}
    }
    return pa.table({name: arrays[name] if name in arrays else nulls[kind] for name, kind in columns})


def _files(packets: pa.Array, numbering: Numbering) -> tuple[pa.Array, pa.Array]:
    """Return the file of each packet, and its number in the file."""
    before = list(numbering.packets_before)
    if len(before) == 1:
        files = pa.repeat(pa.scalar(0, pa.int32()), len(packets))
    else:
        # A ring may have thousands of files, but the rows are from a few.
        ends = pc.min_max(packets).as_py()
        first, last = (bisect_left(before, ends[end] or 0) for end in ("min", "max"))
        files = pa.repeat(pa.scalar(first - 1, pa.int32()), len(packets))
        for boundary in before[first:last]:
            files = pc.add(files, pc.greater(packets, boundary).cast(pa.int32()))
    bases = pa.array(before, pa.int64()).take(files)
    return files, pc.subtract(packets, bases)


def _moments(ns: pa.Array) -> pa.Array:
    """Return nanoseconds as timestamps; 0 becomes null."""
    known = pc.if_else(pc.equal(ns, 0), pa.scalar(None, pa.int64()), ns)
    return pc.divide(known, 1000).cast(TIMESTAMP)
