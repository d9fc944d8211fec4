"""Columns of both families, and how they are laid out."""

from __future__ import annotations

from collections.abc import Sequence

from .python_text import tuple_literal, tuple_source

# Name and type.
Column = tuple[str, str]


def columns_literal(columns: Sequence[Column]) -> str:
    """The columns of a kind of rows."""
    return tuple_source([tuple_literal(column) for column in columns])
