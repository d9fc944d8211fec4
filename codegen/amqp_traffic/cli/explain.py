"""``amqp-codegen traffic explain FINDING``: show what a finding is about, and the conversation around it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from amqp_codegen.support.command_line import progress_line, refuse_input
from amqp_codegen.support.extras import refuse_without

from .keylog import keylog_option, read_key_log
from .output import line_writer
from .reading import lake_with_traffic, rows_of
from .refusal import refusing

if TYPE_CHECKING:
    from ..audit.finding import AuditFinding
    from ..lake.folder import Lake

_LAKE_MARKER = "_lake.json"


@click.command("explain")
@click.argument("finding")
@click.argument("lake", required=False)
@click.option(
    "--findings",
    "report_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The JSON report that has the finding, - for standard input; without it, the lake is audited again.",
)
@click.option(
    "--captures",
    "captures",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    metavar="PLACE",
    help="The folder of the captures, or the capture itself; may be repeated. By default captures are searched in the "
    "current folder and beside the lake.",
)
@keylog_option
@click.option(
    "--context",
    default=5,
    type=click.IntRange(0, 10_000),
    metavar="N",
    help="The number of frames shown before and after the finding.",
    show_default=True,
)
@click.option("--all-channels", is_flag=True, help="Show frames of all channels, not only the finding's.")
@click.option("-v", "--verbose", is_flag=True, help="Show every field of all these frames, with its octets.")
@click.option("--bodies", is_flag=True, help="Show message bodies, not only their sizes.")
@click.option(
    "--master",
    default="local[*]",
    help="Where Spark runs, if it is needed; sc://HOST is Spark Connect.",
    show_default=True,
)
def command(
    finding: str,
    lake: str | None,
    report_file: Path | None,
    captures: tuple[Path, ...],
    keylog: Path | None,
    context: int,
    all_channels: bool,
    verbose: bool,
    bodies: bool,
    master: str,
) -> None:
    """Explain a finding of the audit: the rule, the client, and the conversation around it with its octets.

    FINDING is the id that `traffic audit` prints, or the beginning of an id. LAKE is the lake that was audited; by default
    the only lake in the current folder. Frames are read from the capture if it is still there, and else from the tables of
    the lake. Passwords are never shown.

    \b
    amqp-codegen traffic explain 0b1d3f5e7a92
    amqp-codegen traffic explain 0b1d3f5e7a92 lake --context 20 --all-channels
    amqp-codegen traffic explain 0b1d lake --findings audit.json --captures /var/captures

    Spark is needed only for large lakes, and not with --findings.

    Exit codes: 0 success; 2 the call, the finding, the lake or the capture is wrong, or a required package is missing.
    """  # noqa: D301 -- click wants the character itself: these lines stay as they are
    refuse_without("traffic explain", "traffic", "pyarrow")
    # Imported late: --help must be fast, and work without the extra.
    with refusing(hints={"SparkUnavailable": " (--findings FILE needs no Spark)"}):
        from ..explain.explanation import ExplainOptions, explain
        from ..explain.search import find_in_report, require_id

        wanted = require_id(finding)
        opened = lake_with_traffic(lake if lake is not None else _only_lake())
        key_log = read_key_log("traffic explain", keylog)
        options = ExplainOptions(context, all_channels, verbose, bodies, captures, key_log)
        with rows_of(opened):
            if report_file is not None:
                chosen = find_in_report(report_file, wanted)
            else:
                chosen = _audited(opened, wanted, master)
            explain(opened, chosen, options, line_writer(_is_terminal()))


def _only_lake() -> str:
    """Return the current folder if it is a lake, else the only lake in it."""
    if Path(_LAKE_MARKER).is_file():
        return "."
    lakes = sorted(str(mark.parent) for mark in Path().glob(f"*/{_LAKE_MARKER}"))
    if len(lakes) == 1:
        return lakes[0]
    what = "there is no lake in this folder" if not lakes else f"there are several lakes: {', '.join(lakes)}"
    refuse_input("no-lake", f"{what}; name the one that was audited: traffic explain FINDING LAKE")


def _audited(lake: Lake, wanted: str, master: str) -> AuditFinding:
    """Audit the lake again and return the finding."""
    from ..explain.search import find_in_lake

    with progress_line() as show:

        def on_spark() -> list[AuditFinding]:
            from ..audit.lake_audit import audit_on_spark
            from ..audit.rule import TARGETS
            from ..tasks.spark.session import make_session

            return audit_on_spark(make_session(master), lake, show, *TARGETS)

        return find_in_lake(lake, wanted, on_spark, show)


def _is_terminal() -> bool:
    return sys.stdout.isatty()
