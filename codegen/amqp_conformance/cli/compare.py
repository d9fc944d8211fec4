"""``amqp-codegen conformance compare A.json B.json``: runs side by side."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from amqp_codegen.model.problem import SpecError
from amqp_codegen.support.command_line import (
    HintedChoice,
    output_option,
    print_problems,
    require_writable,
    write_report,
)

_FILE = click.Path(path_type=Path)


@click.command("compare")
@click.argument("first", type=_FILE)
@click.argument("others", nargs=-1, required=True, type=_FILE)
@click.option(
    "--format",
    "form",
    default="text",
    type=HintedChoice(["text", "html"]),
    help="What to write.",
    show_default=True,
)
@click.option("--exit-code", is_flag=True, help="Exit with 1 if the verdicts on a rule differ.")
@output_option
def command(first: Path, others: tuple[Path, ...], form: str, exit_code: bool, output: Path | None) -> None:
    """Put runs side by side: two versions of a broker, or several brokers.

    FIRST and OTHERS are JSON reports of runs, as conformance --format json writes them.

    Exit codes: 0 they are compared; 1 verdicts differ, with --exit-code; 2 the call or a file is wrong.
    """
    # Imported late: the help must come at once.
    from ..reports.comparison import compare, comparison_text
    from ..reports.html import comparison_page
    from ..reports.saved_run import load_run

    try:
        require_writable(output)
        comparison = compare([load_run(file) for file in (first, *others)])
    except SpecError as error:
        print_problems(error.problems)
        sys.exit(2)
    text = comparison_page(comparison) if form == "html" else comparison_text(comparison)
    write_report(text, output, lines=form == "text")
    sys.exit(1 if exit_code and comparison.different else 0)
