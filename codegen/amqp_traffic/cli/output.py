"""Printing to standard output: styled lines, and table rows as text, JSON lines or CSV."""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click
from amqp_codegen.support.command_line import one_line, say
from amqp_codegen.support.json_text import json_text

if TYPE_CHECKING:
    from ..show.lines import Line


# click's arguments by the style of a piece of a line.
_STYLES: dict[str, dict[str, Any]] = {
    "time": {"dim": True},
    "client": {"fg": "green"},
    "server": {"fg": "cyan"},
    "name": {"bold": True},
    "label": {"fg": "blue"},
    "size": {"dim": True},
    "note": {"fg": "yellow"},
    "problem": {"fg": "red"},
    "hex": {"fg": "magenta"},
    # Of the octets of frames; the names are those of ``amqp_codegen.api.view``.
    "offset": {"dim": True},
    "octets": {"fg": "magenta"},
    "prefix": {"fg": "magenta", "dim": True},
    "heading": {"bold": True},
    "type": {"dim": True},
    "error": {"fg": "red"},
}


def line_writer(is_terminal: bool) -> Callable[[Line], None]:
    """Return a function that writes lines to standard output.

    Args:
        is_terminal: Standard output is a terminal: each line is flushed, and coloured unless NO_COLOR is set.
    """
    out = sys.stdout
    coloured = is_terminal and not os.environ.get("NO_COLOR")

    def write(line: Line) -> None:
        texts = (one_line(text) for text, _ in line)
        if coloured:
            texts = (
                click.style(text, **_STYLES.get(style, {}))
                for text, (_, style) in zip(texts, line, strict=True)
            )
        out.write("".join(texts).rstrip() + "\n")
        if is_terminal:
            out.flush()

    return write


FORMATS = ("text", "json", "csv")

_ROWS_MEASURED_FOR_WIDTH = 1000
_MOST_COLUMN_WIDTH = 60
_NULL = "NULL"


def print_rows(form: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print rows in one of ``FORMATS``; print nothing if there are no columns.

    The values are those that JSON has: None, bool, int, float, str, lists and dicts.
    """
    if not columns:
        return
    if form == "text":
        _print_text(columns, rows)
    elif form == "json":
        _print_json(columns, rows)
    else:
        _print_csv(columns, rows)


def _print_text(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print columns side by side below a header. A value wider than its column makes its line longer."""
    cells = ([one_line(_cell(value)) for value in row] for row in rows)
    first = list(itertools.islice(cells, _ROWS_MEASURED_FOR_WIDTH))
    widths = [
        min(_MOST_COLUMN_WIDTH, max(map(len, [name, *(row[number] for row in first)])))
        for number, name in enumerate(columns)
    ]
    for row in itertools.chain([list(columns), ["-" * width for width in widths]], first, cells):
        say("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())


def _print_json(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print one object a line. Repeated column names get a number: ``count_2``."""
    names = _distinct(columns)
    for row in rows:
        click.echo(json_text(dict(zip(names, row, strict=True))))


def _print_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Print CSV by RFC 4180 but with LF line ends; null is an empty field, lists are JSON."""
    for row in itertools.chain([columns], rows):
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(
            ["" if value is None else _cell(value) for value in row]
        )
        click.echo(line.getvalue().encode(errors="backslashreplace"), nl=False)


def _cell(value: Any) -> str:
    if value is None:
        return _NULL
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _distinct(names: Iterable[str]) -> list[str]:
    distinct: dict[str, None] = {}
    for name in names:
        numbered: Iterator[str] = (f"{name}_{number}" for number in itertools.count(2))
        distinct[next(label for label in itertools.chain([name], numbered) if label not in distinct)] = None
    return list(distinct)
