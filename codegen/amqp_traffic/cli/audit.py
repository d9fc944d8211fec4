"""``amqp-codegen traffic audit LAKE``: report which clients violate the protocol, and what prevents a migration."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from amqp_codegen.support.command_line import (
    HintedChoice,
    Progress,
    progress_line,
    require_writable,
    verbose_option,
    write_report,
)
from amqp_codegen.support.extras import refuse_without

from .reading import lake_with_traffic, rows_of
from .refusal import refusing

if TYPE_CHECKING:
    from ..audit.finding import AuditFinding
    from ..audit.report import AuditOutcome
    from ..lake.folder import Lake

_SPECS = ("0-8", "0-9", "0-9-1", "1.0")


@click.command("audit")
@click.argument("lake", required=False)
@click.option(
    "--spec",
    "specs",
    multiple=True,
    type=HintedChoice(_SPECS),
    help="Report only connections of this AMQP version; may be repeated.",
)
@click.option(
    "--target",
    type=HintedChoice(["rabbitmq-4.3", "amqp-1.0"]),
    help="Also report what prevents a migration to this target.",
)
@click.option(
    "--fail-on",
    default="error",
    type=HintedChoice(["info", "warning", "error"]),
    help="Exit with code 1 if there is a finding of this severity or worse.",
    show_default=True,
)
@click.option(
    "--format",
    "form",
    default="text",
    type=HintedChoice(["text", "json", "sarif"]),
    help="The format of the report.",
    show_default=True,
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write the report to this file."
)
@click.option(
    "--master",
    metavar="URL",
    help="Audit on this Spark; sc://HOST is Spark Connect. By default the audit runs in local processes, or on a local "
    "Spark if the lake is large.",
)
@click.option("--list", "listing", is_flag=True, help="List all rules; needs no lake and no Spark.")
@verbose_option
def command(
    lake: str | None,
    specs: tuple[str, ...],
    target: str | None,
    fail_on: str,
    form: str,
    output: Path | None,
    master: str | None,
    listing: bool,
    verbose: bool,
) -> None:
    """Audit the captured traffic of a lake.

    LAKE is the folder or URI that `traffic ingest` wrote. The audit follows each connection frame by frame, then compares
    all connections. There is one finding for each rule, connection and channel, with its first place and its number of
    occurrences. An error breaks the protocol. A warning is legal but known to cause trouble, or deprecated. An info is
    worth knowing.

    \b
    amqp-codegen traffic audit lake
    amqp-codegen traffic audit lake --target rabbitmq-4.3 --fail-on warning
    amqp-codegen traffic audit lake --format sarif -o audit.sarif
    amqp-codegen traffic audit --list --format json

    Exit codes: 0 success; 1 there are findings of the severity of --fail-on or worse; 2 the call or the lake is wrong, or
    something that Spark needs is missing.
    """  # noqa: D301 -- click wants the character itself: these lines stay as they are
    if listing == (lake is not None):
        raise click.UsageError("Give a lake, or --list.")
    refuse_without("traffic audit", "traffic", "pyarrow", *(["pyspark"] if master else []))
    if listing:
        _list(form, output)
        return
    assert lake is not None
    # Imported late: --help must be fast, and work without the extra.
    with refusing({"TaskFailed": "spark" if master else "audit"}):
        require_writable(output)
        outcome = _audit(lake, specs, target, master, verbose)
    from ..audit.report import REPORTS
    from ..audit.rule import AuditSeverity

    write_report(REPORTS[form](outcome), output, lines=form == "text")
    sys.exit(1 if outcome.has(AuditSeverity(fail_on)) else 0)


def _list(form: str, output: Path | None) -> None:
    from ..audit.catalogue import RULES
    from ..audit.report import json_rule_list, text_rule_list

    if form == "sarif":
        raise click.UsageError("The catalogue is there as text and as json.")
    text = json_rule_list(RULES.values()) if form == "json" else text_rule_list(RULES.values())
    write_report(text, output, lines=form == "text")


def _audit(
    place: str, specs: tuple[str, ...], target: str | None, master: str | None, verbose: bool
) -> AuditOutcome:
    from ..audit.report import AuditOutcome, capture_files

    lake, targets = lake_with_traffic(place), [target] if target else []
    with rows_of(lake):
        with progress_line(verbose) as progress:
            findings = audit_findings(lake, targets, master, progress)
        files = capture_files(lake)
    wanted = [finding for finding in findings if not specs or finding.spec in specs]
    return AuditOutcome(wanted, files, target)


def audit_findings(
    lake: Lake, targets: Sequence[str], master: str | None, progress: Progress
) -> list[AuditFinding]:
    """Audit on Spark if the user asked for it or the lake is large; else in local processes."""
    from ..audit.lake_audit import audit_here, is_large

    if master is None and not is_large(lake):
        progress.stage("auditing in local processes")
        return audit_here(lake, progress, *targets)
    from ..audit.lake_audit import audit_on_spark
    from ..tasks.spark.session import make_session

    progress.stage("starting Spark")
    session = make_session(master or "local[*]")
    progress.stage("auditing on Spark")
    return audit_on_spark(session, lake, progress, *targets)
