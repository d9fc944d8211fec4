"""``amqp-codegen lint [SPEC...]``: errors and oddities in specifications."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..model.problem import Problem, SpecError
from ..support.command_line import (
    HintedChoice,
    output_option,
    overlay_option,
    print_problems,
    require_writable,
    write_report,
)

if TYPE_CHECKING:
    from ..lint.silence import Silence
    from ..reader.inputs import Inputs


@click.command("lint")
@click.argument("specs", nargs=-1, metavar="[SPEC]...")
@overlay_option
@click.option(
    "--format",
    "form",
    default="text",
    type=HintedChoice(["text", "json", "github", "junit"]),
    help="What to write.",
    show_default=True,
)
@output_option
@click.option("--list", "listed", is_flag=True, help="Print the catalogue of rules instead, as text or JSON.")
def command(
    specs: tuple[str, ...], overlays: tuple[Path, ...], form: str, output: Path | None, listed: bool
) -> None:
    """Find errors and oddities in specifications.

    SPEC is a file, a folder or a built-in name; without SPEC, the targets of pyproject.toml are checked. All files
    of AMQP 1.0 are one specification, any other file is one by itself.

    \b
    amqp-codegen lint mine.xml                      report all problems
    amqp-codegen lint 0-9-1 --overlay mine.xml      with an overlay
    amqp-codegen lint --format github               annotate a pull request
    amqp-codegen lint --list                        list the rules

    A finding is silenced by <!-- lint: disable=rule-id reason --> before its element, or in pyproject.toml.

    Exit codes: 0 no findings but notes; 1 an error or a warning; 2 the call is wrong, or a file is not a
    specification.
    """  # noqa: D301 -- click needs the character itself to keep the lines below it
    # Imported here to keep --help fast.
    from ..api import lint
    from ..lint.catalogue import RULES
    from ..lint.reports import REPORTS, json_catalogue, text_catalogue

    try:
        require_writable(output)
        if listed:
            rules = RULES.values()
            text = json_catalogue(rules) if form == "json" else text_catalogue(rules)
            write_report(text, output, lines=form != "json")
            return
        silences = _silences(Path("pyproject.toml"))
        outcome = lint(*(specs or _targets(overlays)), overlays=overlays, silences=silences)
    except SpecError as error:
        print_problems(error.problems)
        sys.exit(2)
    print_problems(outcome.unread)
    write_report(REPORTS[form](outcome), output, lines=form == "text")
    if outcome.unread:
        sys.exit(2)
    sys.exit(0 if outcome.is_clean else 1)


def _targets(overlays: Sequence[Path]) -> list[Inputs]:
    """Return the specifications of the targets of ``pyproject.toml``.

    Raises:
        SpecError: There are no targets, or one is wrong.
    """
    from ..reader.inputs import Inputs
    from .targets import choose_targets

    _, targets = choose_targets((), overlays, "", "", None, "")
    return [Inputs(target.files, target.overlays) for target in targets]


def _silences(path: Path) -> list[Silence]:
    """Return the silences of a project; none if it has no such file or table.

    Each has ``rules``, a list of ids; ``files``, patterns that match file names from the right (without it, all
    files match); and a ``reason``.

    Raises:
        SpecError: The file or one of its tables is wrong; with every problem.
    """
    from ..lint.silence import silences_of
    from ..support.pyproject import NO_TARGETS, read_own_table
    from ..support.toml_table import RULE_ID, TomlTable, kind_of

    try:
        table = read_own_table(path)
    except SpecError as error:
        if [problem.rule_id for problem in error.problems] == [NO_TARGETS]:
            return []
        raise
    settings = table.values.get("lint", {})
    if not isinstance(settings, dict):
        message = f"lint of {table.name} must be a table, not {kind_of(settings)}"
        raise SpecError([*table.problems, Problem(RULE_ID, message, table.position)])
    return silences_of(TomlTable(settings, "[tool.amqp-codegen.lint]", table.position, table.problems))
