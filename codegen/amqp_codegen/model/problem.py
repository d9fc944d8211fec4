"""Problems as data: readers and passes collect them, the command line prints them.

Where in a file something stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a specification file.

    Attributes:
        file: The name of the file as the user gave it.
        line: The line, counted from 1.
        column: The column, counted from 1.
    """

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Severity(Enum):
    """How bad a problem is: an error stops generation, a warning does not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with the input.

    Attributes:
        rule_id: A stable kebab-case name of the kind of problem, for example ``undefined-domain``.
        message: What is wrong, one sentence without a full stop.
        position: Where, or None when it concerns no single place.
        hint: What to do about it, or an empty string.
        severity: Whether it stops generation.
    """

    rule_id: str
    message: str
    position: Position | None = None
    hint: str = ""
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        place = f"{self.position}: " if self.position else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{place}{self.severity.value}: {self.message}{hint} [{self.rule_id}]"


class SpecError(Exception):
    """The input is wrong; carries every problem found, errors and warnings alike."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))
