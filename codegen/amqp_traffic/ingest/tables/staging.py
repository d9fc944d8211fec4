"""Staged tables: what ``Decoding`` returns as Arrow, still with numbers of connections. ``numbering`` makes them final.

Conversion is by column. Values that repeat in many rows are dictionary encoded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from ...decode.decoded import OK, UNDECODED, Decoded, RowsOfKind, Run, Undecoded
from ...lake.arrow_types import columns_of, has_values, make_array, null_array
from ...recipes import FRAMES, NOTHING, ColumnSource, Recipe
from ...schemas import frame_recipe, table_columns

# The column of staged tables instead of conn_id.
CONNECTION = "connection"

_Value = TypeVar("_Value")

_CONTENT_HEADER = 2  # the frame type
# The fields of a ``Span``, in its order.
_SPAN_COLUMNS = (
    ("stream_off", "int64"),
    ("size", "int64"),
    ("type", "int16"),
    ("channel", "int32"),
    ("pkt_no", "int64"),
    ("pkt_off", "int64"),
    ("ns", "int64"),
)


def stage(decoded: Decoded) -> dict[str, pa.RecordBatch]:
    """Return decoded frames as Arrow.

    Returns:
        Batches of the tables frames, methods and performatives by name, without empty ones. Columns are those of the
        table, except: ``connection``, a number, instead of conn_id; numbers of frames and packets are those of
        this share of the capture; columns without values and computed ones are missing. Rows of frames are in order,
        those of the other two are not.
    """
    if not decoded.spans:
        return {}
    staged = {"frames": _stage_frames(decoded)}
    in_frames = _staged_names(FRAMES)
    for table, kinds, undecoded in (
        ("methods", decoded.methods, decoded.undecoded_methods),
        ("performatives", decoded.performatives, decoded.undecoded_performatives),
    ):
        if kinds or undecoded:
            names = {
                name: in_frames[source]
                for source, name in _staged_names(frame_recipe(table)).items()
                if source in in_frames
            }
            keys = staged["frames"].select(list(names.values())).rename_columns(list(names))
            staged[table] = _stage_rows(keys, dict(table_columns(table)), kinds, undecoded)
    return staged


def _staged_names(recipe: Recipe) -> dict[ColumnSource, str]:
    """Return the names of staged columns by what they come from."""
    return {
        source: CONNECTION if name == "conn_id" else name for name, _, source in recipe if source != NOTHING
    }


def _stage_frames(decoded: Decoded) -> pa.RecordBatch:
    arrays = _expand_runs(decoded.runs)
    for (name, kind), values in zip(_SPAN_COLUMNS, columns_of(decoded.spans), strict=True):
        arrays[name] = make_array(values, kind)
    kinds, numbers = _number(decoded.kinds)
    key = pa.array([kind.key for kind in kinds], pa.int64()).take(numbers)
    is_header = pc.equal(arrays["type"], _CONTENT_HEADER)
    arrays["class_id"] = pc.shift_right(key, 16).cast(pa.int32())
    method_id = pc.bit_wise_and(key, 0xFFFF).cast(pa.int32())
    arrays["method_id"] = pc.if_else(is_header, pa.scalar(None, pa.int32()), method_id)
    arrays["name"] = _repeated(numbers, [kind.name for kind in kinds])
    return pa.RecordBatch.from_pydict(arrays | _stage_errors(decoded))


def _expand_runs(runs: list[Run]) -> dict[str, pa.Array]:
    """Return connection, direction and number of each frame."""
    connections, directions, firsts, counts = (
        pa.array(column, pa.int64()) for column in zip(*runs, strict=True)
    )
    ends = pc.cumulative_sum(counts)
    length = ends[-1].as_py()
    expand = pc.run_end_decode
    starts = pc.subtract(ends, counts)
    frame_no = pc.add(
        expand(pa.RunEndEncodedArray.from_arrays(ends, pc.subtract(firsts, starts))),
        pa.array(range(length), pa.int64()),
    )
    return {
        CONNECTION: expand(pa.RunEndEncodedArray.from_arrays(ends, connections.cast(pa.int32()))),
        "dir": expand(pa.RunEndEncodedArray.from_arrays(ends, directions.cast(pa.int8()))),
        "frame_no": frame_no,
    }


def _stage_errors(decoded: Decoded) -> dict[str, pa.Array]:
    """Return the status and the error of each frame."""
    length = len(decoded.spans)
    good = pa.repeat(pa.scalar(0, pa.int32()), length)
    if not decoded.errors:
        none = pa.nulls(length, pa.int32())
        return {"status": _repeated(good, [OK]), "err": _repeated(none, [])}
    reasons = [decoded.errors.get(place) for place in range(length)]
    distinct, numbers = _number(reasons)
    texts = [None if reason is None else reason.value for reason in distinct]
    statuses = [OK if reason is None else UNDECODED for reason in distinct]
    return {"status": _repeated(numbers, statuses), "err": _repeated(numbers, texts)}


def _number(values: Sequence[_Value]) -> tuple[list[_Value], pa.Array]:
    """Return the distinct values, and for each value its place among them."""
    numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
    return list(numbers), pa.array(list(map(numbers.__getitem__, values)), pa.int32())


def _repeated(numbers: pa.Array, texts: Sequence[str | None]) -> pa.DictionaryArray:
    """Return few texts, repeated by number, as a dictionary array."""
    distinct = list(dict.fromkeys(text for text in texts if text is not None))
    places = pa.array([None if text is None else distinct.index(text) for text in texts], pa.int32())
    return pa.DictionaryArray.from_arrays(places.take(numbers), pa.array(distinct, pa.string()))


def _stage_rows(
    keys: pa.RecordBatch,
    types: dict[str, str],
    kinds: list[RowsOfKind],
    undecoded: list[Undecoded],
) -> pa.RecordBatch:
    """Return rows of all kinds, one kind after the other.

    Args:
        keys: The columns of all frames that the table has, too.
        types: The types of all columns of the table.
        kinds: The rows.
        undecoded: What could not be decoded. It becomes rows after all others.
    """
    frames = [frame for kind in kinds for frame in kind.frames]
    length = len(frames) + len(undecoded)
    columns = _Columns(types, length)
    start = 0
    for kind in kinds:
        for (name, _), values in zip(kind.columns, columns_of(kind.rows), strict=True):
            columns.add(name, start, values)
        if kind.payload_sizes:
            columns.add("payload_size", start, kind.payload_sizes)
        start += len(kind.rows)
    if undecoded:
        undecoded_frames, _, raw = zip(*undecoded, strict=True)
        columns.add("raw", start, raw)
        frames += undecoded_frames
    row_keys = keys.take(pa.array(frames, pa.int32()))
    arrays = dict(zip(row_keys.schema.names, row_keys.columns, strict=True))
    return pa.RecordBatch.from_pydict(arrays | columns.finish())


class _Columns:
    """Columns that are filled in parts, from the first row on. Gaps between the parts are null."""

    def __init__(self, types: dict[str, str], length: int) -> None:
        self._types = types
        self._length = length
        self._parts: dict[str, list[pa.Array]] = {}
        self._ends: dict[str, int] = {}

    def add(self, name: str, start: int, values: Sequence[Any]) -> None:
        """Add values to a column, from row ``start`` on."""
        if has_values(values):
            self._fill(name, start)
            self._parts[name].append(make_array(values, self._types[name]))
            self._ends[name] = start + len(values)

    def finish(self) -> dict[str, pa.Array]:
        """Return the columns with values."""
        for name in self._parts:
            self._fill(name, self._length)
        return {name: pa.concat_arrays(parts) for name, parts in self._parts.items()}

    def _fill(self, name: str, end: int) -> None:
        missing = end - self._ends.get(name, 0)
        parts = self._parts.setdefault(name, [])
        if missing:
            parts.append(null_array(missing, self._types[name]))
