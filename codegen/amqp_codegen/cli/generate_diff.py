"""What ``amqp-codegen --diff`` prints: a unified diff of each file that would change."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ..emit.compare import UNTOUCHED, output_problem
from ..emit.run import GenerationRun
from ..support.command_line import is_coloured, one_line

# By how a line begins; the first that fits.
_STYLES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("--- ", {"bold": True}),
    ("+++ ", {"bold": True}),
    ("@@ ", {"fg": "cyan"}),
    ("-", {"fg": "red"}),
    ("+", {"fg": "green"}),
    ("", {}),
)


def print_diff(run: GenerationRun) -> None:
    """Print the differences: in colours on a terminal, where characters that do not print are escaped.

    Raises:
        SpecError: A file cannot be read.
    """
    terminal, coloured = sys.stdout is not None and sys.stdout.isatty(), is_coloured()
    for line in diff_lines(run):
        if coloured:
            style = next(style for start, style in _STYLES if line.startswith(start))
            click.secho(one_line(line), **style)
        elif terminal:
            click.echo(one_line(line))
        else:
            click.echo(line.encode("utf-8", "surrogateescape") + b"\n", nl=False)


def diff_lines(run: GenerationRun) -> Iterator[str]:
    """Yield the lines of the differences, in the order of the paths.

    Raises:
        SpecError: A file cannot be read.
    """
    for path in sorted((*run.drift.changed, *run.drift.missing, *run.drift.extra)):
        place = run.output / path
        old = "" if path in run.drift.missing else _text(place)
        new = "" if path in run.drift.extra else run.files[path]
        name = str(place)
        before = "/dev/null" if path in run.drift.missing else name
        after = "/dev/null" if path in run.drift.extra else name
        for line in difflib.unified_diff(_lines(old), _lines(new), before, after, lineterm=""):
            yield from line.split("\n")


def _lines(text: str) -> list[str]:
    """Return the lines without their ends; a missing last line end is marked as in other diffs."""
    if not text:
        return []
    *lines, last = text.split("\n")
    if last:
        lines.append(f"{last}\n\\ No newline at end of file")
    return lines


def _text(place: Path) -> str:
    try:
        return place.read_bytes().decode("utf-8", "surrogateescape")
    except (OSError, ValueError) as error:
        raise output_problem(place, "read", error, UNTOUCHED) from None
