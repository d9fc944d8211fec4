"""The tables of a lake and the views over them, as temporary views of a Spark session, classic or Connect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..schemas import TABLES, Columns, table_columns
from .folder import Lake
from .specification.columns import SPEC_TABLES
from .views import PARTITION, View, all_views

# Column types that have another name in Spark.
_TYPES: Mapping[str, str] = {
    "bool": "boolean",
    "int8": "tinyint",
    "int16": "smallint",
    "int32": "int",
    "int64": "bigint",
    "timestamp[us]": "timestamp",
}
_WORD = re.compile(r"\w+")


def spark_type(kind: str) -> str:
    """Return the Spark name of a column type: ``array<int>`` for ``list<int32>``."""
    if kind.startswith("list<"):
        return f"array<{spark_type(kind[5:-1])}>"
    if kind.startswith("map<"):
        key, _, value = kind[4:-1].partition(",")
        return f"map<{spark_type(key)},{spark_type(value)}>"
    return _TYPES.get(kind, kind)


def lake_tables() -> Mapping[str, Columns]:
    """Return every table and its columns in SQL, with ``date`` and ``capture_id``, which are folders."""
    return {table: (*PARTITION, *table_columns(table)) for table in TABLES} | SPEC_TABLES


def register(session: Any, lake: Lake) -> None:
    """Register every table and view in the session, including those without rows."""
    _register(session, lake, lake_tables(), all_views())


def register_for(session: Any, lake: Lake, query: str) -> None:
    """Register only the tables and views that a query names, as there are many; all of them for ``SHOW``."""
    words = {word.lower() for word in _WORD.findall(query)}
    if "show" in words:
        register(session, lake)
        return
    views = [view for view in all_views() if view.name in words]
    words |= {word for view in views for word in _WORD.findall(view.sql)}
    _register(
        session, lake, {name: columns for name, columns in lake_tables().items() if name in words}, views
    )


def _register(session: Any, lake: Lake, tables: Mapping[str, Columns], views: Iterable[View]) -> None:
    for table, columns in tables.items():
        table_frame(session, lake, table, columns).createOrReplaceTempView(table)
    for view in views:
        session.sql(f"CREATE OR REPLACE TEMPORARY VIEW {view.name} AS {view.sql}")


def table_frame(session: Any, lake: Lake, table: str, columns: Columns) -> Any:
    """Return a table of the lake; without rows if it has no folder.

    It is a selection: into a plain file view one could insert.
    """
    names = [f"`{name}`" for name, _ in columns]
    if not lake.has(table):
        nulls = ", ".join(f"CAST(NULL AS {spark_type(kind)}) AS `{name}`" for name, kind in columns)
        return session.sql(f"SELECT {nulls} WHERE false")
    schema = ", ".join(f"`{name}` {spark_type(kind)}" for name, kind in columns)
    return session.read.schema(schema).parquet(lake.spark_path(table)).select(*names)
