"""How sections query a lake: a function that runs Spark SQL, fragments that identify clients, and the time span."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..lake.folder import Lake
from ..schemas import TABLES

Row: TypeAlias = Mapping[str, Any]
# Runs a query over the tables of a lake; returns rows by column name. May be called from several threads.
Ask: TypeAlias = Callable[[str], Iterable[Row]]

# Connections that agree in these columns count as one client. Null differs from the empty text.
CLIENT_FACTS = ("product", "version", "connection_name", "user", "vhost", "client_ip", "protocol")
# An SQL expression over ``connections c``: a number for the client, the same in every query.
CLIENT = f"xxhash64({', '.join(f'coalesce(c.`{name}`, chr(0))' for name in CLIENT_FACTS)})"
# Joins the rows of another table, ``t``, with their rows of ``connections``.
OF_CONNECTION = "JOIN connections c ON c.capture_id = t.capture_id AND c.conn_id = t.conn_id"


def spark_ask(session: Any, lake: Lake) -> Ask:
    """Return a function that queries the tables of a lake with Spark; it raises ``QueryError`` if Spark cannot read them."""
    from ..lake.spark_catalog import lake_tables, table_frame
    from ..lake.spark_query import ask

    for table in TABLES:
        table_frame(session, lake, table, lake_tables()[table]).createOrReplaceTempView(table)

    def rows(query: str) -> list[Row]:
        answer = ask(session, query)
        return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]

    return rows


_SPAN = """
SELECT min(start_ns) AS first_ns, max(end_ns) AS last_ns, count(*) AS connections FROM connections
UNION ALL SELECT min(first_ns), max(last_ns), 0 FROM captures
"""


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """The time from the first packet to the last.

    Attributes:
        first_ns: The first packet, in nanoseconds since 1970.
        last_ns: The last packet, in nanoseconds since 1970.
        connections: The number of connections.
    """

    first_ns: int
    last_ns: int
    connections: int

    @property
    def seconds(self) -> float:
        """The length, never 0: rates are divided by it."""
        return max(self.last_ns - self.first_ns, 1) / 1e9

    def step(self, parts: int) -> int:
        """Return the length of one of ``parts`` equal parts, in nanoseconds."""
        return (self.last_ns - self.first_ns) // parts + 1


def time_span(ask: Ask) -> TimeSpan | None:
    """Query the time span of the lake; return None if the lake is empty."""
    rows = list(ask(_SPAN))
    firsts = [row["first_ns"] for row in rows if row["first_ns"] is not None]
    lasts = [row["last_ns"] for row in rows if row["last_ns"] is not None]
    if not firsts or not lasts:
        return None
    return TimeSpan(min(firsts), max(lasts), sum(row["connections"] for row in rows))
