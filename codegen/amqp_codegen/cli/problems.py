"""Prints problems, one line each."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import NoReturn

from ..model.problem import Problem
from .console import say


def report(problems: Iterable[Problem]) -> None:
    """Prints problems to standard error, each once, in the order they are given."""
    for line in dict.fromkeys(map(str, problems)):
        say(line, error=True)


def refuse(rule: str, message: str) -> NoReturn:
    """Prints a problem that nothing can be done with, and ends the program with exit code 2."""
    report([Problem(rule, message)])
    sys.exit(2)
