"""Printing of table rows as text, JSON lines or CSV."""

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
        click.echo(json.dumps(dict(zip(names, row, strict=True))))


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
        distinct[next(each for each in itertools.chain([name], numbered) if each not in distinct)] = None
    return list(distinct)
