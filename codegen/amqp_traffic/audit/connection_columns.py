"""The columns that the audit reads of each table of a lake, and how they become Python values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
from amqp_codegen.support.resources import load_module

from ..schemas import PACKAGE1, PACKAGES0, Columns, table_columns

# The tables, in the order in which rows about the same frame come.
SOURCES = ("connections", "quarantine", "frames", "methods", "performatives", "messages")
CONNECTIONS, QUARANTINE, FRAMES, METHODS, PERFORMATIVES, MESSAGES = range(len(SOURCES))
# The column that names the kind of a row, in tables where that decides which other columns have values.
NAME_COLUMNS = {"methods": "method", "performatives": "performative"}
# The frame number of rows that are not about a frame; they come first.
BEFORE_FRAMES = {"connections": -2, "quarantine": -1}
# The place and the numbers of a frame, in the order of ``AuditFrame``.
FRAME_COLUMNS = (
    "dir",
    "stream_off",
    "file_no",
    "pkt_no",
    "pkt_off",
    "ns",
    "type",
    "channel",
    "size",
    "class_id",
    "method_id",
)
_FRAME = (*FRAME_COLUMNS, "name", "err")
_MESSAGE = (
    "kind",
    "exchange",
    "routing_key",
    "headers",
    "delivery_mode",
    "priority",
    "expiration",
    "timestamp",
    "type",
    "user_id",
    "app_id",
    "cluster_id",
    "misfits",
    "durable",
    "ttl",
    "body_kind",
    "body_size",
    "body_seen",
    "body_frames",
    "complete",
)
# Columns that no rule needs, and secrets.
_NOT_CONNECTION = ("conn_id", "start_ts", "client_properties", "server_properties")
_SECRETS = ("response", "challenge", "new_secret", "initial_response", "additional_data")
_PACKAGES = {
    "methods": tuple((package, "MethodColumns") for package in PACKAGES0),
    "performatives": ((PACKAGE1, "PerformativeColumns"),),
}
# The classes of 0-x whose methods the audit reads.
_CLASSES = ("access", "basic", "channel", "confirm", "connection", "exchange", "queue", "tx")


@cache
def source_columns(source: str) -> Columns:
    """Return the columns that the audit reads of a table, without the key of the frame."""
    columns = dict(table_columns(source))
    if source == "connections":
        names: tuple[str, ...] = tuple(name for name in columns if name not in _NOT_CONNECTION)
    elif source == "frames":
        names = _FRAME
    elif source == "messages":
        names = _MESSAGE
    elif source in NAME_COLUMNS:
        names = _field_names(source)
    else:
        names = tuple(name for name in columns if name != "conn_id")
    return tuple((name, columns[name]) for name in names)


@cache
def fields_by_name(source: str) -> dict[str, tuple[str, ...]]:
    """Return the columns that each method or performative has in any version, by its name.

    Args:
        source: ``methods`` or ``performatives``.
    """
    columns_of: dict[str, dict[str, None]] = {}
    for package, rows in _PACKAGES[source]:
        for gathered in getattr(load_module(package, "columns"), rows)().gathered.values():
            layout = gathered.kind
            if source == "performatives" or layout.name.partition(".")[0] in _CLASSES:
                names = (name for name, _ in layout.columns if name not in _SECRETS)
                columns_of.setdefault(layout.name, {}).update(dict.fromkeys(names))
    if source == "performatives":
        for names_of_one in columns_of.values():
            names_of_one["payload_size"] = None
    return {name: tuple(columns) for name, columns in columns_of.items()}


def _field_names(source: str) -> tuple[str, ...]:
    used = {name for names in fields_by_name(source).values() for name in names}
    return (NAME_COLUMNS[source], *(name for name, _ in table_columns(source) if name in used))


# --- Values ---

# Arrow makes an object of its own for each value before the Python object. Numbers are read from the buffer instead.
_FORMATS: Mapping[str, Literal["b", "h", "i", "q"]] = {"int8": "b", "int16": "h", "int32": "i", "int64": "q"}


def quick_list(column: pa.Array) -> list[Any]:
    """Return the values of a column; numbers are read from its buffer."""
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
        values = quick_list(column.fill_null(0))
        for place in quick_list(pc.indices_nonzero(column.is_null()).cast(pa.int64())):
            values[place] = None
        return values
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
    """Return the values of each row of a table: for frames a tuple in the order of ``AuditFrame``, otherwise a dict.

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
    """Return rows of methods or performatives. Each name is read by itself, because it has few of the columns."""
    values: list[Any] = [None] * len(next(iter(columns.values())))
    if NAME_COLUMNS[source] not in columns:
        return values
    kinds = columns[NAME_COLUMNS[source]].dictionary_encode()
    for number, kind in enumerate(kinds.dictionary.to_pylist()):
        names = fields_by_name(source).get(kind)
        if names is None:
            continue
        places = pc.indices_nonzero(pc.equal(kinds.indices, number))
        its_columns = {name: columns[name].take(places) for name in names if name in columns}
        for place, value in zip(places.to_pylist(), _dicts(its_columns, names, len(places)), strict=True):
            values[place] = value
    return values


def _dicts(columns: Mapping[str, pa.Array], names: Sequence[str], length: int) -> list[dict[str, Any]]:
    nulls = [None] * length
    lists = [_plain(columns[name]) if name in columns else nulls for name in names]
    return [dict(zip(names, row, strict=True)) for row in zip(*lists, strict=True)]


def _plain(column: pa.Array) -> list[Any]:
    """Return the values of a column: timestamps in microseconds, variants as pairs of octets."""
    kind = column.type
    if pa.types.is_timestamp(kind):
        return quick_list(column.cast(pa.timestamp("us", kind.tz)).cast(pa.int64()))
    if not pa.types.is_struct(kind):
        return quick_list(column)
    if column.null_count == len(column):
        return [None] * len(column)
    is_valid = column.is_valid().to_pylist()
    pairs = zip(column.field("value").to_pylist(), column.field("metadata").to_pylist(), strict=True)
    return [pair if valid else None for pair, valid in zip(pairs, is_valid, strict=True)]
