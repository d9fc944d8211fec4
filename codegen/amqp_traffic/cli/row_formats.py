"""Rows of a table, printed: for people, as JSON lines, or as CSV."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click
from amqp_codegen.support.console import one_line, say

FORMATS = ("text", "json", "csv")

# So many rows tell how wide the columns are.
_LOOKED_AT = 1000
_WIDEST = 60
_NULL = "NULL"


def print_rows(form: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Prints in one of ``FORMATS``; nothing if there are no columns.

    Args:
        form: Which.
        columns: Their names.
        rows: Of values that JSON has: None, bool, int, float, str, lists and dicts.
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
    """Columns side by side, with a head. What does not fit its column makes its line longer."""
    cells = ([one_line(_cell(value)) for value in row] for row in rows)
    first = list(itertools.islice(cells, _LOOKED_AT))
    widths = [
        min(_WIDEST, max(map(len, [name, *(row[number] for row in first)])))
        for number, name in enumerate(columns)
    ]
    for row in itertools.chain([list(columns), ["-" * width for width in widths]], first, cells):
        say("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())


def _print_json(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """An object a line; of columns with one name, the later ones get a number: ``count_2``."""
    names = _distinct(columns)
    for row in rows:
        click.echo(json.dumps(dict(zip(names, row, strict=True))))


def _print_csv(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A head and a line a row, as RFC 4180 has them but for the line ends; null is nothing, lists are JSON."""
    for row in itertools.chain([columns], rows):
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(["" if each is None else _cell(each) for each in row])
        click.echo(line.getvalue().encode(errors="backslashreplace"), nl=False)


def _cell(value: Any) -> str:
    if value is None:
        return _NULL
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def _distinct(names: Iterable[str]) -> list[str]:
    found: dict[str, None] = {}
    for name in names:
        numbered: Iterator[str] = (f"{name}_{number}" for number in itertools.count(2))
        found[next(each for each in itertools.chain([name], numbered) if each not in found)] = None
    return list(found)
