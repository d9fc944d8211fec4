"""Where in a file something stands."""

from __future__ import annotations

from dataclasses import dataclass


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
