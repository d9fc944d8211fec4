"""The Arrow types of columns, and Arrow arrays of Python values."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import pyarrow as pa

from ..rows import valid_text
from ..schemas import Columns, table_columns

TIMESTAMP = pa.timestamp("us", "UTC")
VARIANT_FIELDS = [
    pa.field("value", pa.binary(), nullable=False),
    pa.field("metadata", pa.binary(), nullable=False),
]
VARIANT = pa.struct(VARIANT_FIELDS)
_ROWS_AT_ONCE = 512
_EMPTY_VARIANT = (b"", b"")
# With explicit types: to infer a type, pyarrow looks for a module on disk each time.
_NO_OCTETS = pa.scalar(b"", pa.binary())
_TRUE = pa.scalar(True, pa.bool_())


@cache
def arrow_type(name: str) -> pa.DataType:
    """Return the Arrow type of a column type of ``schemas``.

    Raises:
        ValueError: There is no such type.
    """
    if name == "variant":
        return VARIANT
    if name == "timestamp[us]":
        return TIMESTAMP
    if name.startswith("list<"):
        return pa.list_(arrow_type(name[5:-1]))
    if name.startswith("map<"):
        key, value = name[4:-1].split(",")
        return pa.map_(arrow_type(key), arrow_type(value))
    return pa.type_for_alias(name)


def arrow_schema(columns: Columns) -> pa.Schema:
    """Return the Arrow schema of columns; all are nullable."""
    return pa.schema([(name, arrow_type(kind)) for name, kind in columns])


@cache
def table_schema(table: str) -> pa.Schema:
    """Return the Arrow schema of a table of traffic.

    Raises:
        KeyError: There is no such table.
    """
    return arrow_schema(table_columns(table))


def make_array(values: Sequence[Any], kind: str) -> pa.Array:
    """Return values as an array.

    Args:
        values: A value or None for each row: pairs of binaries for ``variant``, microseconds since 1970 for
            ``timestamp[us]``, pairs of key and value for a map. Surrogates in text, which Parquet cannot store, are replaced
            by ``valid_text``.
        kind: The column type, as in ``schemas``.
    """
    if kind == "variant":
        return _variants(values)
    try:
        return pa.array(values, arrow_type(kind))
    except UnicodeEncodeError:
        return pa.array(list(map(_valid, values)), arrow_type(kind))


def _valid(value: Any) -> Any:
    """Return a value with valid text: in a column, the items of a list, the keys and values of a map."""
    if isinstance(value, str):
        return valid_text(value)
    return type(value)(map(_valid, value)) if isinstance(value, (list, tuple)) else value


def columns_of(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Return the columns of rows of equal length; none if there are no rows.

    Rows are taken in groups that fit into the processor cache.
    """
    columns: list[list[Any]] = [[] for _ in rows[0]] if rows else []
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        for column, values in zip(
            columns, zip(*rows[start : start + _ROWS_AT_ONCE], strict=True), strict=True
        ):
            column.extend(values)
    return columns


def has_values(column: Sequence[Any]) -> bool:
    """True if any value of a column is not None."""
    return bool(column) and (column[0] is not None or column.count(None) < len(column))


def null_array(length: int, kind: str) -> pa.Array:
    """Return an array of nulls. The binaries of a null variant are empty, as they must not be null."""
    if kind != "variant":
        return pa.nulls(length, arrow_type(kind))
    empty = pa.repeat(_NO_OCTETS, length)
    mask = pa.repeat(_TRUE, length)
    return pa.StructArray.from_arrays([empty, empty], fields=VARIANT_FIELDS, mask=mask)


def _variants(pairs: Sequence[tuple[bytes, bytes] | None]) -> pa.StructArray:
    mask = None
    if None in pairs:
        mask = pa.array([pair is None for pair in pairs], pa.bool_())
        pairs = [_EMPTY_VARIANT if pair is None else pair for pair in pairs]
    values, metadata = zip(*pairs, strict=True) if pairs else ((), ())
    arrays = [pa.array(values, pa.binary()), pa.array(metadata, pa.binary())]
    return pa.StructArray.from_arrays(arrays, fields=VARIANT_FIELDS, mask=mask)
