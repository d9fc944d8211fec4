"""``amqp-codegen traffic sql LAKE QUERY``: query the tables of a lake."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
from amqp_codegen.support.command_line import HintedChoice, progress_line, refuse_input
from amqp_codegen.support.extras import refuse_without

from .output import FORMATS, print_rows
from .reading import any_lake
from .refusal import refusing

if TYPE_CHECKING:
    from ..lake.folder import Lake

_RELATIONS = ("relation", "kind", "column", "type", "about")


@click.command("sql")
@click.argument("lake")
@click.argument("query", required=False)
@click.option(
    "--format",
    "form",
    default="text",
    type=HintedChoice(FORMATS),
    help="The format of the rows: a table, one JSON object a line, or CSV.",
    show_default=True,
)
@click.option(
    "--master", default="local[*]", help="Where Spark runs; sc://HOST is Spark Connect.", show_default=True
)
@click.option(
    "--list", "listing", is_flag=True, help="List all tables and views with their columns; needs no Spark."
)
def command(lake: str, query: str | None, form: str, master: str, listing: bool) -> None:
    """Query the tables of a lake with Spark SQL.

    LAKE is the folder or URI that `traffic ingest` wrote. QUERY is one statement; `-` reads it from standard input.
    Timestamps are printed in UTC, octets in hexadecimal.

    \b
    amqp-codegen traffic sql lake "select * from v_clients"
    amqp-codegen traffic sql lake "select queue, count(*) from v_queue_declare group by queue"
    amqp-codegen traffic sql lake - --format csv < query.sql
    amqp-codegen traffic sql lake --list

    Exit codes: 0 success; 2 the call, the lake or the query is wrong, or something that Spark needs is missing.
    """  # noqa: D301 -- click wants the character itself: these lines stay as they are
    if listing == (query is not None):
        raise click.UsageError("Give a query, or --list.")
    if query == "-":
        query = sys.stdin.read()
    if query is not None and not query.strip():
        raise click.UsageError("The query is empty.")
    refuse_without("traffic sql", "traffic", "pyarrow", *([] if listing else ["pyspark"]))
    # Imported late: --help must be fast, and work without the extra.
    with refusing():
        opened = any_lake(lake)
        if query is None:
            print_rows(form, _RELATIONS, _relations())
        else:
            _answer(opened, query, form, master)


def _answer(lake: Lake, query: str, form: str, master: str) -> None:
    """Start Spark, run the query and print its rows."""
    from ..lake.spark_catalog import register_for
    from ..lake.spark_query import QueryError, ask, query_errors
    from ..tasks.spark.session import make_session, stage_progress

    try:
        with progress_line() as show:
            show.stage("starting Spark")
            session = make_session(master)
            with query_errors(), stage_progress(session, show):
                register_for(session, lake, query)
                answer = ask(session, query)
                rows = _begun(answer.rows)
        print_rows(form, answer.columns, rows)
    except QueryError as error:
        name = error.condition.lower().replace("_", "-").replace(".", "-")
        refuse_input(f"sql-{name}" if name else "sql", str(error))


def _begun(rows: Iterator[Any]) -> Iterator[Any]:
    """Return the rows, with the first one fetched already: that is when Spark does its work."""
    first = list(next(((row,) for row in rows), ()))
    return (row for part in (first, rows) for row in part)


def _relations() -> Iterator[tuple[Any, ...]]:
    """Yield a row for each column of each table and view."""
    from ..lake.spark_catalog import lake_tables, spark_type
    from ..lake.views import all_views

    for table, columns in lake_tables().items():
        for name, kind in columns:
            yield table, "table", name, spark_type(kind), None
    for view in all_views():
        for name in view.columns:
            yield view.name, "view", name, None, view.doc
