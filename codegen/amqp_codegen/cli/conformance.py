"""``amqp-codegen conformance URL``: check a broker against the rules of a specification."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..model.problem import SpecError
from .console import progress_line, say
from .problems import report

_SPECS = ["0-8", "0-9", "0-9-1", "0-9-1-rabbitmq", "1.0"]


@click.command("conformance")
@click.argument("url")
@click.option(
    "--spec", default="0-9-1-rabbitmq", type=click.Choice(_SPECS), help="Whose rules.", show_default=True
)
@click.option(
    "--rules", "glob", default="*", metavar="GLOB", help="Only rules whose path fits, for example 'queue.*'."
)
@click.option(
    "--format",
    "form",
    default="text",
    type=click.Choice(["text", "json", "junit", "html"]),
    help="What to write.",
    show_default=True,
)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Write the report here, not to standard output."
)
@click.option("--evidence", is_flag=True, help="Tell in the text report what was sent and received.")
@click.option(
    "--expectations",
    type=click.Path(path_type=Path),
    help="A file of known deviations [default: the one for the broker that answers].",
)
@click.option(
    "--restart-cmd", default="", metavar="COMMAND", help="Stops and starts the broker; some rules need that."
)
@click.option(
    "--second-virtual-host", default="", metavar="NAME", help="One rule needs another virtual host."
)
@click.option(
    "--workers",
    default=8,
    type=click.IntRange(1, 64),
    help="How many rules to try at once.",
    show_default=True,
)
def command(
    url: str,
    spec: str,
    glob: str,
    form: str,
    output: Path | None,
    evidence: bool,
    expectations: Path | None,
    restart_cmd: str,
    second_virtual_host: str,
    workers: int,
) -> None:
    """Check a broker against the rules of a specification.

    URL is amqp://user:password@host:port/virtual-host. Whatever is created on the broker has a name that begins
    with amqp-codegen. and is removed afterwards.

    Exit codes: 0 all as expected; 1 something is not; 2 the call is wrong, or no broker answers.
    """
    # Imported late: the help shall come at once.
    from ..conformance.check import NoBroker, Order, carry_out, prepare
    from ..conformance.reports import REPORTS
    from ..conformance.target import read_target
    from ..conformance.verdict import Result

    try:
        order = Order(
            target=read_target(url),
            spec=spec,
            glob=glob,
            expectations=expectations,
            restart_command=restart_cmd,
            second_virtual_host=second_virtual_host,
            workers=workers,
        )
        check = prepare(order)
    except SpecError as error:
        report(error.problems)
        sys.exit(2)
    except (NoBroker, ValueError) as error:
        say(f"error: {error}", error=True)
        sys.exit(2)
    done = 0
    with progress_line() as show:

        def tell(result: Result) -> None:
            nonlocal done
            done += 1
            show(f"{done}/{len(check.plan)} {result.rule.path}")

        run = carry_out(check, tell)
    text = REPORTS[form](run, evidence)
    if output:
        output.write_text(text, encoding="utf-8")
    else:
        click.echo(text, nl=False)
    sys.exit(1 if run.surprises else 0)
