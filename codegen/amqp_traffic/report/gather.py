"""How sections get their data: a query in Spark's SQL, and its rows. What is many is added up before it comes here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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
    """Asks Spark.

    Args:
        session: Its session.
        lake: The tables.

    The function raises QueryError: Spark cannot read the tables.
    """
    from ..lake.spark_catalog import lake_tables, table_frame
    from ..lake.spark_query import ask

    for table in TABLES:
        table_frame(session, lake, table, lake_tables()[table]).createOrReplaceTempView(table)

    def rows(query: str) -> list[Row]:
        answer = ask(session, query)
        return [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]

    return rows
