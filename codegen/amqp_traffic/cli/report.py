"""``amqp-codegen traffic report LAKE -o report.html``: write what captured traffic shows as one HTML page."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import click
from amqp_codegen.support.command_line import (
    Progress,
    progress_line,
    require_writable,
    say,
    verbose_option,
    write_report,
)
from amqp_codegen.support.extras import refuse_without
from amqp_codegen.support.wording import counted

from .audit import audit_findings
from .reading import lake_with_traffic, rows_of
from .refusal import refusing

if TYPE_CHECKING:
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
    "--master",
    metavar="URL",
    help="Audit on this Spark; sc://HOST is Spark Connect. By default the audit runs in local processes, or on a local "
    "Spark if the lake is large. Nothing else needs Spark.",
)
@verbose_option
def command(lake: str, output: Path, title: str, audited: bool, master: str | None, verbose: bool) -> None:
    """Write a report on the traffic of a lake: one HTML page that needs no network.

    LAKE is the folder or URI that `traffic ingest` wrote.

    \b
    amqp-codegen traffic report lake -o report.html
    amqp-codegen traffic report lake -o report.html --no-audit

    Exit codes: 0 success; 2 the call or the lake is wrong, or a required package is missing.
    """  # noqa: D301 -- click wants the character itself: these lines stay as they are
    # Imported late: --help must be fast, and work without the extras.
    refuse_without("traffic report", "report", "pyarrow", "vl_convert", *(["pyspark"] if master else []))
    from ..report.page import report_page
    from ..report.vega import library_script

    with refusing({"TaskFailed": "audit", "NothingToReport": "empty-lake"}):
        require_writable(output)
        opened = lake_with_traffic(lake)
        with rows_of(opened), progress_line(verbose) as progress, ThreadPoolExecutor(1) as pool:
            script = pool.submit(library_script)
            contents = _gather(opened, master, audited, progress)
            progress.stage("writing the page")
            page = report_page(contents, title, script.result())
        write_report(page, output, lines=False)
    clients, connections = len(contents.clients), contents.span.connections
    say(f"{output}: {counted(clients, 'client')}, {counted(connections, 'connection')}")


def _gather(lake: Lake, master: str | None, audited: bool, progress: Progress) -> ReportContents:
    """Read the lake, and audit it meanwhile if wanted."""
    from ..audit.rule import TARGETS
    from ..report.contents import gather_contents

    if not audited:
        progress.stage("reading the lake")
        return gather_contents(lake, None)
    # The audit runs in other processes: together they take little longer than one of them.
    with ThreadPoolExecutor(1) as pool:
        auditing = pool.submit(audit_findings, lake, TARGETS, master, progress)
        return gather_contents(lake, auditing.result)
