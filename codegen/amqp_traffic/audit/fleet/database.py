"""The facts of a capture in a temporary SQLite database, which moves to a file when it is large, and its queries."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from itertools import groupby
from typing import Any, TypeAlias

import pyarrow as pa

from ..finding import Evidences
from . import declarations
from .facts import READ
from .queries import BY_CHANNEL, COUNTED, DECLARATIONS, FLEET_COLUMNS, QUERIES

# A finding: a row of a query, or several that are one finding, with the ``CONNECTION`` columns of its connection.
FleetRow: TypeAlias = "dict[str, Any]"

CONNECTION = ("start_ns", "protocol", "package", "product", "version", "user", "client_ip", "client_port")

_CHANNEL = ("conn_id", "channel")
_TABLES: Mapping[str, tuple[str, ...]] = {
    "connections": READ["connections"],
    "used": ("conn_id",),
    "counts": (*_CHANNEL, "occurrences", "first", "what", "text"),
    "sizes": (*_CHANNEL, "most"),
    "waits": (*_CHANNEL, "ms", "occurrences", "what"),
    "unconfirmed": (*_CHANNEL, "frame_no", "first_ns"),
    "unanswered": (*_CHANNEL, "request_frame_no", "request_ns", "name"),
    "channels": (*_CHANNEL, "opened_ns", "closed_ns", "consumed_ns", "opened_by", "used_ns"),
    "churn": ("conn_id", "frame_no", "ns", "method"),
    "declarations": declarations.COLUMNS,
}
# For the tables that queries look up row by row.
_INDEXES = (
    "CREATE INDEX connections_by_id ON connections (conn_id)",
    "CREATE INDEX declarations_by_name ON declarations (kind, name)",
    "CREATE INDEX connections_by_product ON connections (product, version)",
    "CREATE INDEX counted_by_what ON counted (what, conn_id, channel)",
    "CREATE INDEX by_channel_by_id ON by_channel (conn_id, channel)",
    "CREATE INDEX sizes_by_channel ON sizes (conn_id, channel)",
    "CREATE INDEX waits_by_channel ON waits (what, conn_id, channel)",
)


def ask_fleet(facts: Iterable[tuple[str, pa.Table]]) -> list[FleetRow]:
    """Return what the rules across a fleet find in a capture.

    Args:
        facts: The facts of all parts of its tables.
    """
    with closing(sqlite3.connect("")) as database:
        database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
        for table, columns in _TABLES.items():
            database.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
        for table, rows in facts:
            _insert(database, table, rows)
        for statement in (COUNTED, BY_CHANNEL, *_INDEXES):
            database.execute(statement)
        selected = ", ".join(
            [*(f"x.{name}" for name in FLEET_COLUMNS[1:]), *(f"c.{name}" for name in CONNECTION)]
        )
        found: list[FleetRow] = []
        names = *FLEET_COLUMNS, *CONNECTION
        for rule_id, query in QUERIES.items():
            joined = f"""SELECT '{rule_id}', {selected}
                FROM ({query}) x LEFT JOIN connections c ON c.conn_id = x.conn_id"""
            rows = [dict(zip(names, row, strict=True)) for row in database.execute(joined)]
            found += _merged(rows)
        return found


def _merged(rows: list[FleetRow]) -> Iterator[FleetRow]:
    """Yield the findings that the rows of a query make up, each with all evidence."""
    rows.sort(key=_place)
    for _, of_one in groupby(rows, _subject):
        first, *others = of_one
        evidences = Evidences()
        for row in (first, *others):
            evidences.add(row["evidence"] or "", row["occurrences"])
        yield {**first, "occurrences": evidences.occurrences, "evidence": str(evidences)}


def _subject(row: FleetRow) -> tuple[Any, ...]:
    """Return what a finding is about."""
    frame_no = row["frame_no"] if row["rule_id"] in DECLARATIONS else None
    return row["conn_id"], row["channel"], frame_no


def _place(row: FleetRow) -> tuple[Any, ...]:
    numbers = (-1 if row[name] is None else row[name] for name in ("channel", "frame_no"))
    return row["conn_id"], *numbers, row["evidence"] or ""


def _insert(database: sqlite3.Connection, table: str, rows: pa.Table) -> None:
    columns = _TABLES[table]
    marks = ", ".join("?" * len(columns))
    values = zip(*(rows[name].to_pylist() for name in columns), strict=True)
    database.executemany(f"INSERT INTO {table} VALUES ({marks})", values)
