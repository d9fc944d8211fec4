"""``amqp-codegen diff OLD NEW``: the differences between two specifications."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ..model.problem import SpecError
from ..support.command_line import output_option, print_problems, require_folder, write_report

_LEVELS = ["DOC", "BEHAVIOUR", "SOURCE", "WIRE"]


@click.command("diff")
@click.argument("old")
@click.argument("new")
@click.option(
    "--format",
    "form",
    default="text",
    type=click.Choice(["text", "markdown", "json", "html"]),
    help="What to write.",
    show_default=True,
)
@click.option(
    "--level",
    default="DOC",
    type=click.Choice(_LEVELS, case_sensitive=False),
    help="Only changes of this level and above.",
    show_default=True,
)
@click.option("--exit-code", is_flag=True, help="Exit with 1 if there is any change of that level or above.")
@click.option(
    "--old-overlay",
    "old_overlays",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A file that changes OLD; may be repeated.",
)
@click.option(
    "--new-overlay",
    "new_overlays",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A file that changes NEW; may be repeated.",
)
@output_option
def command(
    old: str,
    new: str,
    form: str,
    level: str,
    exit_code: bool,
    old_overlays: tuple[Path, ...],
    new_overlays: tuple[Path, ...],
    output: Path | None,
) -> None:
    """Print the differences between two specifications, and what each change breaks.

    OLD and NEW are files, folders or built-in names: 0-8, 0-9, 0-9-1, 0-9-1-rabbitmq, 1.0.

    \b
    WIRE       old and new peers do not understand each other's octets
    SOURCE     names or types of the generated package change
    BEHAVIOUR  octets stay the same, the duties of peers change
    DOC        only texts for people change

    \b
    amqp-codegen diff 0-9-1 mine.xml --exit-code --level WIRE    in CI
    amqp-codegen diff 0-8 0-9-1 --format html -o diff.html       to read
    amqp-codegen diff 0-9-1 1.0                                  corresponding concepts

    Exit codes: 0 success; 1 there is such a change, with --exit-code; 2 the call or the input is wrong.
    """  # noqa: D301 -- click needs the character itself to keep the lines below it
    # Imported here to keep --help fast.
    from ..api import diff, load
    from ..diff.change import Level, SpecComparison
    from ..diff.reports import REPORTS

    try:
        require_folder(output)
        difference = diff(load(old, overlays=old_overlays), load(new, overlays=new_overlays))
    except SpecError as error:
        print_problems(error.problems)
        sys.exit(2)
    if isinstance(difference, SpecComparison):
        difference = difference.at_least(Level[level.upper()])
    write_report(REPORTS[form](difference), output, lines=form == "text")
    sys.exit(1 if exit_code and difference.worst is not None else 0)
