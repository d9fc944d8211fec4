"""How sections get their data: queries in Spark's SQL about the clients of a lake, and the time it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..lake.folder import Lake
from ..schemas import TABLES

Row: TypeAlias = Mapping[str, Any]
# A query over the tables of a lake, to rows by the names of their columns. May be called from several threads.
Ask: TypeAlias = Callable[[str], Iterable[Row]]

# Who is one client: the connections that say the same of themselves, and come from one address. Null is no text.
CLIENT_FACTS = ("product", "version", "connection_name", "user", "vhost", "client_ip", "protocol")
# A number for a client, the same in every query, in terms of ``connections c``.
CLIENT = f"xxhash64({', '.join(f'coalesce(c.`{name}`, chr(0))' for name in CLIENT_FACTS)})"
# The row of ``connections`` that a row of another table, ``t``, belongs to.
OF_CONNECTION = "JOIN connections c ON c.capture_id = t.capture_id AND c.conn_id = t.conn_id"


def spark_ask(session: Any, lake: Lake) -> Ask:
    """Return a function that queries the tables of a lake with Spark.

    Args:
        session: Spark's session.
        lake: The lake.

    The function raises ``QueryError`` if Spark cannot read the tables.
    """
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
        first_ns: Nanoseconds since 1970.
        last_ns: The same.
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
        """Return the length of one of so many parts, in nanoseconds."""
        return (self.last_ns - self.first_ns) // parts + 1


def time_span(ask: Ask) -> TimeSpan | None:
    """Return the time of the lake; None if the lake is empty."""
    rows = list(ask(_SPAN))
    firsts = [row["first_ns"] for row in rows if row["first_ns"] is not None]
    lasts = [row["last_ns"] for row in rows if row["last_ns"] is not None]
    if not firsts or not lasts:
        return None
    return TimeSpan(min(firsts), max(lasts), sum(row["connections"] for row in rows))
