"""From columns of Arrow to what stands for rows in trails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from .frame_columns import NAME_COLUMNS, fields_by_name, source_columns

# Arrow makes an object of its own for each value before it makes one of Python.
_FORMATS: Mapping[str, Literal["b", "h", "i", "q"]] = {"int8": "b", "int16": "h", "int32": "i", "int64": "q"}


def quick_list(column: pa.Array) -> list[Any]:
    """The values of a column, numbers taken straight from where they are."""
    form = _FORMATS.get(str(column.type))
    if form is None or column.null_count:
        return _with_nulls(column, form)
    if not len(column):
        return []
    octets = memoryview(column.buffers()[1]).cast("B")
    size = column.type.bit_width // 8
    numbers: list[Any] = (
        octets[column.offset * size : (column.offset + len(column)) * size].cast(form).tolist()
    )
    return numbers


def _with_nulls(column: pa.Array, form: str | None) -> list[Any]:
    length = len(column)
    if column.null_count == length:
        return [None] * length
    if form is not None:
        found = quick_list(column.fill_null(0))
        for place in quick_list(pc.indices_nonzero(column.is_null()).cast(pa.int64())):
            found[place] = None
        return found
    if pa.types.is_string(column.type):
        encoded = column.dictionary_encode()
        texts = [*encoded.dictionary.to_pylist(), None]
        places = quick_list(encoded.indices.fill_null(len(texts) - 1))
        return [texts[place] for place in places]
    if pa.types.is_boolean(column.type):
        return [_BOOLEANS[place] for place in quick_list(column.cast(pa.int8()).fill_null(2))]
    return list(column.to_pylist())


_BOOLEANS = (False, True, None)


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
        lists = (quick_list(columns[name]) if name in columns else nulls for name in names)
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
        return quick_list(column.cast(pa.timestamp("us", kind.tz)).cast(pa.int64()))
    if not pa.types.is_struct(kind):
        return quick_list(column)
    if column.null_count == len(column):
        return [None] * len(column)
    there = column.is_valid().to_pylist()
    pairs = zip(column.field("value").to_pylist(), column.field("metadata").to_pylist(), strict=True)
    return [pair if valid else None for pair, valid in zip(pairs, there, strict=True)]
