"""Rows as tuples, made and read by column names of the schema instead of positions.

Text from the wire, and names of files, as valid UTF-8 for columns, whatever the octets.

Octets that are not UTF-8 become escapes, as Python's ``backslashreplace`` writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

from .recipes import ColumnSource, Recipe
from .schemas import Columns


def decode_text(octets: bytes) -> str:
    """Return octets as text."""
    return octets.decode("utf-8", "backslashreplace")


def valid_text(text: str) -> str:
    """Return text without surrogates: those that stand for octets become escapes of the octets."""
    try:
        return decode_text(text.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()


RowMaker: TypeAlias = Callable[[Sequence[Any]], "tuple[Any, ...]"]


def column_index(columns: Columns, name: str) -> int:
    """Return the index of a column in rows of these columns.

    Raises:
        ValueError: There is no such column.
    """
    return [column for column, _ in columns].index(name)


def recipe_maker(recipe: Recipe, places: Mapping[ColumnSource, int]) -> RowMaker:
    """Return a function that makes rows of a recipe from values, each of which has its place; ``NOTHING`` has one, too.

    It takes little longer than a literal tuple of all columns would.

    Raises:
        ValueError: There is no value for a column.
    """
    absent = [column.name for column in recipe if column.source not in places]
    if absent:
        raise ValueError(f"no values for these columns: {', '.join(absent)}")
    return itemgetter(*(places[column.source] for column in recipe))


def row_of(columns: Columns) -> Callable[[Mapping[str, Any]], tuple[Any, ...]]:
    """Return a function that makes rows of all columns from a mapping of names to values; others are None.

    For tables with few rows: ``recipe_maker`` takes a quarter of the time.
    """
    names = tuple(name for name, _ in columns)
    known = frozenset(names)

    def make(values: Mapping[str, Any]) -> tuple[Any, ...]:
        if not values.keys() <= known:
            raise ValueError(f"no columns: {', '.join(sorted(values.keys() - known))}")
        return tuple(map(values.get, names))

    return make
