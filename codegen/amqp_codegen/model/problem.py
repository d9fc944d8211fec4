"""Problems as data, and positions in files: readers and passes collect problems, the command line prints them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A place in a specification file.

    Attributes:
        file: The name of the file as the user gave it.
        line: Counted from 1.
        column: Counted from 1.
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
    """A problem with the input.

    Attributes:
        rule_id: A stable kebab-case name of the kind of problem, for example ``undefined-domain``.
        message: What is wrong, one sentence without a full stop.
        position: Where, or None when it concerns no single place.
        hint: What to do about it, or an empty string.
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


class Problems:
    """A collector of problems: one object is passed to all functions that may find some."""

    def __init__(self, problems: Iterable[Problem] = ()) -> None:
        self._found = list(problems)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def add(self, problem: Problem) -> None:
        """Add a problem."""
        self._found.append(problem)

    def extend(self, problems: Iterable[Problem]) -> None:
        """Add several problems in order."""
        self._found.extend(problems)

    @property
    def has_errors(self) -> bool:
        """True if any problem is an error."""
        return any(problem.severity is Severity.ERROR for problem in self._found)


class SpecError(Exception):
    """The error for wrong input; carries every problem found, warnings too."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))
