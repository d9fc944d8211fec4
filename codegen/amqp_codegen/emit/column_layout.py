"""Columns of both families, and how they are laid out."""

from __future__ import annotations

from collections.abc import Sequence

from .python_layout import fold
from .python_text import tuple_literal

# Name and type.
Column = tuple[str, str]


def columns_definition(constant: str, columns: Sequence[Column]) -> list[str]:
    """The statement that defines the columns of a kind of rows."""
    parts = [tuple_literal(column) for column in columns]
    if not parts:
        return [f"{constant}: Final[Columns] = ()"]
    if len(parts) == 1:
        return [f"{constant}: Final[Columns] = ({parts[0]},)"]
    return fold(f"{constant}: Final[Columns] = (", parts, ")", 0, one_each=True)
