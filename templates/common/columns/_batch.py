"""Rows of several kinds as columns of equal length."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

# The values of one row, in the order of the columns of its kind.
Row = tuple[Any, ...]

# The columns of a kind of rows, as pairs of name and type.
Columns = tuple[tuple[str, str], ...]


class RowKind:
    """A kind of rows.

    Attributes:
        name: The name of the kind, for example ``basic.publish`` or ``transfer``.
        columns: Their columns.
        read: Reads one from octets.
    """

    __slots__ = ("columns", "name", "read")

    def __init__(self, name: str, columns: Columns, read: Callable[..., Row]) -> None:
        self.name = name
        self.columns = columns
        self.read = read


class Gathered:
    """The rows of one kind in a batch.

    Attributes:
        kind: Their kind.
        read: The function of the kind, which is called often.
        rows: The rows.
        numbers: The number of each row in the batch.
    """

    __slots__ = ("kind", "numbers", "read", "rows")

    def __init__(self, kind: RowKind) -> None:
        self.kind = kind
        self.read: Any = kind.read
        self.rows: list[Row] = []
        self.numbers: list[int] = []


class ColumnBatch:
    """A batch of rows of several kinds; ``take`` returns them as columns."""

    __slots__ = ("_kinds", "_name_column", "_schema", "gathered", "length")

    def __init__(self, kinds: Mapping[Any, RowKind], schema: Columns, name_column: str = "") -> None:
        """Start without rows.

        Args:
            kinds: The kinds of rows.
            schema: All columns, in order.
            name_column: The column for the names of the kinds, if there is one.
        """
        self._kinds = kinds
        self._schema = schema
        self._name_column = name_column
        self._start()

    def _start(self) -> None:
        self.gathered = {key: Gathered(kind) for key, kind in self._kinds.items()}
        self.length = 0

    def __len__(self) -> int:
        return self.length

    def __bool__(self) -> bool:
        """Return True, also without rows: ``if batch`` asks whether there is one."""
        return True

    def take(self) -> dict[str, list[Any]]:
        """Return the columns, and start again without rows.

        Returns:
            The values of each column, None for rows without a value. A column is left out if no row has
            a value in it.
        """
        found: dict[str, list[Any]] = {}
        for gathered in self.gathered.values():
            if gathered.rows:
                self._add_columns(gathered, found)
        self._start()
        return {name: found[name] for name, _ in self._schema if name in found}

    def _add_columns(self, gathered: Gathered, found: dict[str, list[Any]]) -> None:
        """Add the values of rows of one kind to the columns."""
        columns: list[tuple[str, Sequence[Any]]] = [
            (name, values)
            for (name, _), values in zip(gathered.kind.columns, zip(*gathered.rows, strict=True), strict=True)
        ]
        if self._name_column:
            columns.append((self._name_column, [gathered.kind.name] * len(gathered.rows)))
        for name, values in columns:
            if len(values) == self.length:
                if values.count(None) < self.length:
                    found[name] = list(values)
            elif values.count(None) < len(values):
                column = found.setdefault(name, [None] * self.length)
                for number, value in zip(gathered.numbers, values, strict=True):
                    column[number] = value
