"""Prints problems, one line each."""

from __future__ import annotations

from collections.abc import Iterable

from ..model.problem import Problem
from .console import say


def report(problems: Iterable[Problem]) -> None:
    """Prints problems to standard error, each once, in the order they are given."""
    for line in dict.fromkeys(map(str, problems)):
        say(line, error=True)
