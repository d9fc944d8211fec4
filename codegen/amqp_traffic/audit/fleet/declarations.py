"""Declarations and deletions of queues and exchanges, with the settings to compare as text."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ...variant_values import variant_value

_KEYS = ("conn_id", "channel", "frame_no", "ns")
_SETTINGS = ("passive", "durable", "exclusive", "auto_delete", "internal", "type")
COLUMNS = (*_KEYS, "kind", "name", "settings", "is_passing")


def declarations(methods: pa.Table) -> pa.Table:
    """Return the declarations and deletions in rows of ``methods`` that clients sent.

    Returns:
        ``COLUMNS``. A deletion has no settings; ``is_passing`` is true of exclusive and auto-delete objects.
    """
    rows = [row for kind in _TEXTS for row in _of_kind(kind, methods)]
    arrays = zip(*rows, strict=True) if rows else ([] for _ in COLUMNS)
    return pa.table(
        [pa.array(column, kind_of_values) for column, kind_of_values in zip(arrays, _TYPES, strict=True)],
        names=list(COLUMNS),
    )


_TYPES = (pa.string(), pa.int32(), pa.int64(), pa.int64(), pa.string(), pa.string(), pa.string(), pa.bool_())


def _of_kind(kind: str, methods: pa.Table) -> list[tuple[Any, ...]]:
    method, name = methods["method"], methods[kind]
    declares = pc.and_kleene(pc.equal(method, f"{kind}.declare"), pc.invert(methods["passive"]))
    is_one = pc.and_kleene(pc.or_kleene(declares, pc.equal(method, f"{kind}.delete")), pc.not_equal(name, ""))
    rows = methods.filter(is_one)
    if not rows.num_rows:
        return []
    columns = {column: rows[column].to_pylist() for column in (*_KEYS, *_SETTINGS, "method", kind)}
    arguments = _texts(rows["arguments"])
    declared = []
    for place, its_arguments in enumerate(arguments):
        row = {column: values[place] for column, values in columns.items()}
        settings = _TEXTS[kind](row, its_arguments) if row["method"] == f"{kind}.declare" else None
        is_passing = bool(row["exclusive"]) or bool(row["auto_delete"])
        declared.append((*(row[column] for column in _KEYS), kind, row[kind], settings, is_passing))
    return declared


def _queue(row: Mapping[str, Any], arguments: str) -> str | None:
    durable, exclusive, auto_delete = (row[name] for name in ("durable", "exclusive", "auto_delete"))
    if None in (durable, exclusive, auto_delete):
        return None
    return f"durable={durable:d} exclusive={exclusive:d} auto-delete={auto_delete:d} arguments={arguments}"


def _exchange(row: Mapping[str, Any], arguments: str) -> str | None:
    if row["type"] is None or row["durable"] is None:
        return None
    flags = f"auto-delete={row['auto_delete'] or 0:d} internal={row['internal'] or 0:d}"
    return f"type={row['type']} durable={row['durable']:d} {flags} arguments={arguments}"


_TEXTS: Mapping[str, Callable[[Mapping[str, Any], str], str | None]] = {
    "queue": _queue,
    "exchange": _exchange,
}


def _texts(column: pa.ChunkedArray) -> list[str]:
    """Return argument tables as JSON. Most declarations have one of a few tables, so the texts are cached."""
    known: dict[Any, str] = {None: "{}"}
    texts = []
    for table in column.to_pylist():
        key = None if table is None else (table["value"], table["metadata"])
        if key not in known:
            table_value = variant_value(key)  # type: ignore[arg-type]
            known[key] = json.dumps(table_value, ensure_ascii=False, separators=(",", ":"), default=_plain)
        texts.append(known[key])
    return texts


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return b64encode(value).decode()
    if isinstance(value, datetime):
        return value.isoformat(" ")
    assert isinstance(value, Decimal)
    return float(value)
