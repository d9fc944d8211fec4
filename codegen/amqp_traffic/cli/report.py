"""``amqp-codegen traffic report LAKE -o report.html``: write what captured traffic shows as one HTML page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from amqp_codegen.model.problem import SpecError
from amqp_codegen.support.command_line import (
    Progress,
    print_problems,
    progress_line,
    refuse_input,
    require_writable,
    say,
    verbose_option,
    write_report,
)
from amqp_codegen.support.extras import refuse_without
from amqp_codegen.support.wording import counted

if TYPE_CHECKING:
    from ..audit.finding import AuditFinding
    from ..lake.folder import Lake
    from ..report.contents import ReportContents


@click.command("report")
@click.argument("lake")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The HTML file to write.",
)
@click.option("--title", default="AMQP traffic", help="The heading of the page.", show_default=True)
@click.option(
    "--audit/--no-audit",
    "audited",
    default=True,
    help="Audit the lake for the findings and the migration sheets, or leave them out.",
    show_default=True,
)
@click.option(
    "--master", default="local[*]", help="Where Spark runs; sc://HOST is Spark Connect.", show_default=True
)
@verbose_option
def command(lake: str, output: Path, title: str, audited: bool, master: str, verbose: bool) -> None:
    """Write a report on the traffic of a lake: one HTML page that needs no network.

    LAKE is the folder or URI that `traffic ingest` wrote.

    \b
    amqp-codegen traffic report lake -o report.html
    amqp-codegen traffic report lake -o report.html --no-audit

    Exit codes: 0 success; 2 the call or the lake is wrong, or a required package is missing.
    """  # noqa: D301 -- click wants the character itself: these lines stay as they are
    # Imported late: --help must be fast, and work without the extras.
    refuse_without("traffic report", "report", "pyarrow", "pyspark", "vl_convert")
    from ..report.page import report_page
    from ..report.vega import library_script

    with _problems():
        require_writable(output)
        opened = _lake(lake)
        with progress_line(verbose) as progress, ThreadPoolExecutor(1) as pool:
            script = pool.submit(library_script)
            contents = _gather(opened, master, audited, progress)
            progress.stage("writing the page")
            page = report_page(contents, title, script.result())
        write_report(page, output, lines=False)
    clients, connections = len(contents.clients), contents.span.connections
    say(f"{output}: {counted(clients, 'client')}, {counted(connections, 'connection')}")


def _lake(place: str) -> Lake:
    """Open a lake that has traffic, and finish a commit that was interrupted."""
    from ..lake.folder import open_traffic

    return open_traffic(place)


def _gather(lake: Lake, master: str, audited: bool, progress: Progress) -> ReportContents:
    """Start Spark, audit if wanted, and query the lake."""
    from ..report.contents import gather_contents
    from ..report.queries import spark_ask
    from ..tasks.spark.session import make_session, stage_progress

    # The audit loads Python and the queries load Java: together they take little longer than one of them.
    with ThreadPoolExecutor(2) as pool:
        starting = pool.submit(make_session, master)
        auditing = pool.submit(_findings, starting, lake, master, progress) if audited else None
        progress.stage("starting Spark, and auditing the lake" if audited else "starting Spark")
        session = starting.result()
        progress.stage("querying the lake")
        with stage_progress(session, progress):
            findings = None if auditing is None else chain.from_iterable(one.result() for one in (auditing,))
            return gather_contents(spark_ask(session, lake), findings)


def _findings(
    starting: Future[Any], lake: Lake, master: str, show: Callable[[str], None]
) -> list[AuditFinding]:
    """Return the findings for all targets; audit in local processes if the lake is not large and Spark is local."""
    from ..audit.lake_audit import audit_here, is_large
    from ..audit.rules.rule import TARGETS

    if master.startswith("local") and not is_large(lake):
        return audit_here(lake, show, *TARGETS)
    from ..audit.spark_audit import audit_on_spark

    return audit_on_spark(starting.result(), lake, show, *TARGETS)


@contextmanager
def _problems() -> Iterator[None]:
    """End the program with one line on an expected error."""
    from ..lake.folder import LakeError
    from ..lake.spark_query import QueryError
    from ..report.contents import NothingToReport
    from ..tasks.runner import TaskFailed
    from ..tasks.spark.requirements import SparkUnavailable

    try:
        yield
    except SpecError as error:
        print_problems(error.problems)
        sys.exit(2)
    except SparkUnavailable as error:
        refuse_input("no-spark", str(error))
    except LakeError as error:
        refuse_input("no-lake", str(error))
    except NothingToReport:
        refuse_input(
            "empty-lake", "there is no traffic in this lake; amqp-codegen traffic ingest puts some there"
        )
    except (QueryError, TaskFailed) as error:
        refuse_input("spark", str(error))
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        refuse_input("io", f"{name}{error.strerror or error}")
