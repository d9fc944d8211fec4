"""Prints problems, one line each."""

from __future__ import annotations

from collections.abc import Iterable

import click

from ..model.problem import Problem


def report(problems: Iterable[Problem]) -> None:
    """Prints problems to standard error, in the order of the files."""
    for problem in problems:
        click.echo(str(problem), err=True)
