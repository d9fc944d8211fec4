"""``amqp-codegen diff OLD NEW``: the differences between two specifications."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..model.problem import Problem, SpecError
from ..support.command_line import HintedChoice, output_option, print_problems, require_writable, write_report

if TYPE_CHECKING:
    from ..diff.change import ConceptMap, SpecComparison

_LEVELS = ["DOC", "BEHAVIOUR", "SOURCE", "WIRE"]


@click.command("diff")
@click.argument("old", required=False)
@click.argument("new", required=False)
@click.option(
    "--format",
    "form",
    default="text",
    type=HintedChoice(["text", "markdown", "json", "html", "github", "junit"]),
    help="What to write.",
    show_default=True,
)
@click.option(
    "--level",
    default="DOC",
    type=HintedChoice(_LEVELS, case_sensitive=False),
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
@click.option(
    "--old-part", "old_parts", multiple=True, help="Another part of OLD, for AMQP 1.0; may be repeated."
)
@click.option(
    "--new-part", "new_parts", multiple=True, help="Another part of NEW, for AMQP 1.0; may be repeated."
)
@click.option(
    "--ignore",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A TOML file of changes to ignore, each with a reason; - for standard input.",
)
@click.option("--list", "listed", is_flag=True, help="Print the ids of all changes instead, as text or JSON.")
@output_option
def command(
    old: str | None,
    new: str | None,
    form: str,
    level: str,
    exit_code: bool,
    old_overlays: tuple[Path, ...],
    new_overlays: tuple[Path, ...],
    old_parts: tuple[str, ...],
    new_parts: tuple[str, ...],
    ignore: Path | None,
    listed: bool,
    output: Path | None,
) -> None:
    """Print the differences between two specifications, and what each change breaks.

    OLD and NEW are files, folders or built-in names: 0-8, 0-8-rabbitmq, 0-9, 0-9-1, 0-9-1-rabbitmq, 1.0,
    1.0-rabbitmq; a file or folder of a git revision is git:REVISION:PATH.

    \b
    WIRE       old and new peers do not understand each other's octets
    SOURCE     names or types of the generated package change
    BEHAVIOUR  octets stay the same, the duties of peers change
    DOC        only texts for people change

    \b
    amqp-codegen diff git:main:mine.xml mine.xml --exit-code --level WIRE    in CI
    amqp-codegen diff 0-8 0-9-1 --format html -o diff.html       to read
    amqp-codegen diff 0-9-1 1.0                                  corresponding concepts

    Exit codes: 0 success; 1 there is such a change, with --exit-code; 2 the call or the input is wrong.
    """  # noqa: D301 -- click needs the character itself to keep the lines below it
    # Imported here to keep --help fast.
    from ..diff.change import Level, SpecComparison
    from ..diff.classify import CATALOGUE
    from ..diff.reports import REPORTS, json_catalogue, text_catalogue

    if listed:
        catalogue = json_catalogue if form == "json" else text_catalogue
        write_report(catalogue(CATALOGUE.values()), output, lines=form != "json")
        return
    if old is None or new is None:
        raise click.UsageError(f"Missing argument '{'OLD' if old is None else 'NEW'}'.")
    try:
        require_writable(output)
        difference = _compared(((old, *old_parts), old_overlays), ((new, *new_parts), new_overlays), ignore)
    except SpecError as error:
        print_problems(error.problems)
        sys.exit(2)
    if isinstance(difference, SpecComparison):
        difference = difference.at_least(Level[level.upper()])
    write_report(REPORTS[form](difference), output, lines=form in ("text", "github"))
    sys.exit(1 if exit_code and difference.worst is not None else 0)


def _compared(
    old: tuple[Sequence[str], Sequence[Path]], new: tuple[Sequence[str], Sequence[Path]], ignore: Path | None
) -> SpecComparison | ConceptMap:
    """Compare two sides, each of specifications and overlays.

    Raises:
        SpecError: A side or the file of changes to ignore is wrong; with the problems of all of them.
    """
    from ..diff.change import SpecComparison
    from ..diff.compare import compare
    from ..diff.ignore import BAD_IGNORE, read_ignores, without_ignored
    from ..reader.inputs import gather_inputs
    from ..reader.load import Documents
    from ..resolve.specification import read_specification

    entries = read_ignores(ignore) if ignore else []
    documents = Documents()
    gathered = [gather_inputs(specs, overlays) for specs, overlays in (old, new)]
    if problems := [problem for _, wrong in gathered for problem in wrong]:
        raise SpecError(problems)
    sides = [read_specification(inputs.files, inputs.overlays, documents=documents) for inputs, _ in gathered]
    difference = compare(*sides)
    if isinstance(difference, SpecComparison):
        return without_ignored(difference, entries)
    if ignore:
        message = "--ignore is for specifications of one family: between families there are no changes"
        raise SpecError([Problem(BAD_IGNORE, message)])
    return difference
