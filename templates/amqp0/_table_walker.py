"""The exact reader of field tables: goes entry by entry, checks everything, and loses nothing, but is slow.

It says what is wrong with octets that the fast reader refused, and reads without loss. A visitor can see every octet.
"""

from typing import Any, Final, NamedTuple, Protocol

from ._table_reader import DECODERS, TableReader
from ._values import Tagged
from ._wire import FIELD_OCTETS, unpack_I
from .errors import DecodeError, LimitExceeded, Malformed, Truncated, Unknown

# Octets of each kind of fixed size.
_SIZES: Final = {
    "boolean": 1,
    "int8": 1,
    "uint8": 1,
    "int16": 2,
    "uint16": 2,
    "int32": 4,
    "uint32": 4,
    "int64": 8,
    "uint64": 8,
    "float": 4,
    "double": 8,
    "decimal": 5,
    "decimal-unsigned": 5,
    "timestamp": FIELD_OCTETS["timestamp"],
    "void": 0,
}


class Entry(NamedTuple):
    """One entry of a table, as on the wire.

    Attributes:
        key: The octets of the key.
        value: The value with its letter; tables are lists of entries, arrays lists of ``Tagged``.
    """

    key: bytes
    value: Tagged


class TableVisitor(Protocol):
    """Is told of all octets of a table in their order, and of faults, after which the walk goes on."""

    def begin(self, position: int) -> None:
        """Take the beginning of an entry of a table or an item of an array."""

    def length(self, start: int, stop: int, size: int, end: int) -> None:
        """Take a length. Where ``size`` goes beyond ``end``, what it counts ends there."""

    def key(self, start: int, stop: int) -> None:
        """Take the key of an entry, without its length."""

    def letter(self, position: int) -> None:
        """Take the letter of a value."""

    def content(self, start: int, stop: int, value: Any) -> None:
        """Take a value that is neither table nor array, without its letter and its length."""

    def lost(self, error: DecodeError, stop: int) -> None:
        """Take an error, due to which what follows is left out up to ``stop``."""

    def leave(self, position: int) -> None:
        """Take the end of the innermost entry or item."""


def walk_length(
    buffer: bytes,
    position: int,
    end: int,
    width: int,
    what: str,
    path: str,
    visitor: TableVisitor | None = None,
) -> tuple[int, int]:
    """Read a length of one or four octets and check it against ``end``.

    Returns:
        Where the octets that it counts start and stop.
    """
    start = position + width
    if start > end:
        raise Truncated(f"the length of the {what} is cut off", position, path)
    size = buffer[position] if width == 1 else unpack_I(buffer, position)[0]
    if visitor is not None:
        visitor.length(position, start, size, end)
        return start, min(start + size, end)
    if start + size > end:
        raise Truncated(f"the {what} has {size} octets, but only {end - start} are left", position, path)
    return start, start + size


def walk_table(
    buffer: bytes, position: int, end: int, tables: TableReader, depth: int, path: str, keep: bool
) -> tuple[list[Entry], int]:
    """Walk a table, its length first.

    Args:
        buffer: The octets.
        position: Where the length of the table is.
        end: Where the enclosing field, table or array ends.
        tables: Letters and limits.
        depth: 1 for a table that is a field.
        path: The path of the table, for errors; empty for that of a value whose caller knows it.
        keep: Accept keys that are not UTF-8.

    Returns:
        The entries and the position after the table.

    Raises:
        DecodeError: The octets are invalid; with offset and path.
    """
    return TableWalker(buffer, tables, keep).table(position, end, depth, path)


class TableWalker:
    """A walker over the tables in some octets. Without a visitor, every method raises ``DecodeError`` at the first fault.

    Attributes:
        keep: Accept keys that are not UTF-8.
    """

    __slots__ = ("buffer", "keep", "tables", "visitor")

    def __init__(
        self, buffer: bytes, tables: TableReader, keep: bool, visitor: TableVisitor | None = None
    ) -> None:
        self.buffer = buffer
        self.tables = tables
        self.keep = keep
        self.visitor = visitor

    def table(self, position: int, end: int, depth: int, path: str) -> tuple[list[Entry], int]:
        """Walk a table; see ``walk_table``."""
        try:
            return self._elements("table", position, end, depth, path)
        except DecodeError as error:
            if path or depth > 1:
                raise
            raise error.at(error.offset, error.path.removeprefix(".")) from None

    def value(self, position: int, end: int, depth: int) -> tuple[Tagged, int]:
        """Walk a letter and the value it announces, at this depth of nesting."""
        if position >= end:
            raise Truncated("the letter of the value is missing", position)
        if self.visitor is not None:
            self.visitor.letter(position)
        letter = chr(self.buffer[position])
        kind = self.tables.kinds.get(letter)
        if kind is None:
            raise Unknown(
                f"the dialect {self.tables.dialect.name} has no letter {letter!r}",
                position,
                code="unknown-letter",
            )
        start = position + 1
        size = _SIZES.get(kind)
        if size is not None:
            stop = start + size
            if stop > end:
                raise Truncated(f"the value needs {size} octets, but only {end - start} are left", start)
            value = DECODERS[kind](self.buffer, start, end, self.tables, depth)[0]
        elif kind in ("table", "array"):
            elements, stop = self._elements(kind, start, end, depth + 1, "")
            return Tagged(letter, elements), stop
        else:
            width = 1 if kind == "shortstr" else 4
            start, stop = walk_length(self.buffer, start, end, width, "string", "", self.visitor)
            value = self.buffer[start:stop]
        if self.visitor is not None:
            self.visitor.content(start, stop, value)
        return Tagged(letter, value), stop

    def _elements(self, kind: str, position: int, end: int, depth: int, path: str) -> tuple[list[Any], int]:
        """Walk the entries of a table, or the items of an array."""
        visitor, tables = self.visitor, self.tables
        start, stop = walk_length(self.buffer, position, end, 4, kind, path, visitor)
        elements: list[Any] = []
        if depth > tables.max_depth:
            too_deep = LimitExceeded(
                f"nested deeper than {tables.max_depth}", position, path, code="too-deep"
            )
            return elements, self._leave_out(too_deep, stop)
        is_table = kind == "table"
        position = start
        while position < stop:
            if len(elements) == tables.max_elements:
                what = "entries" if is_table else "items"
                too_many = LimitExceeded(
                    f"more than {tables.max_elements} {what}", position, path, code="too-many-elements"
                )
                return elements, self._leave_out(too_many, stop)
            if visitor is not None:
                visitor.begin(position)
            name = None
            try:
                if is_table:
                    key, name, position = self._key(position, stop)
                    value, position = self.value(position, stop, depth)
                    elements.append(Entry(key, value))
                else:
                    value, position = self.value(position, stop, depth)
                    elements.append(value)
            except DecodeError as error:
                place = f"[{len(elements)}]" if not is_table else "" if name is None else f".{name}"
                position = self._leave_out(_within(path + place, error), stop)
            if visitor is not None:
                visitor.leave(position)
        return elements, position

    def _key(self, position: int, end: int) -> tuple[bytes, str, int]:
        """Return a key, its octets as a text, and the position after it."""
        start = position + 1
        stop = start + self.buffer[position]
        if stop > end or self.visitor is not None:
            start, stop = walk_length(self.buffer, position, end, 1, "key", "", self.visitor)
        key = self.buffer[start:stop]
        if self.visitor is not None:
            self.visitor.key(start, stop)
        try:
            return key, key.decode(errors="surrogateescape" if self.keep else "strict"), stop
        except UnicodeDecodeError as error:
            raise Malformed(
                f"the key {key!r} is not UTF-8", start + error.start, code="not-unicode"
            ) from None

    def _leave_out(self, error: DecodeError, stop: int) -> int:
        """Raise an error; or tell it to the visitor, and go on at ``stop``."""
        if self.visitor is None:
            raise error from None
        self.visitor.lost(error, stop)
        return stop


def _within(path: str, error: DecodeError) -> DecodeError:
    """Return the error of a value with the path of the value; paths are only made when they are needed."""
    return error.at(error.offset, path + error.path)


def plain_table(entries: list[Entry], tables: TableReader) -> dict[str, Any]:
    """Return the plain values of walked entries; keys that are not UTF-8 have surrogate escapes."""
    return {entry.key.decode(errors="surrogateescape"): plain(entry.value, tables) for entry in entries}


def plain(value: Tagged, tables: TableReader) -> Any:
    """Return the plain Python value that the fast reader gives for a walked one."""
    kind = tables.kinds[value.letter]
    if kind == "table":
        return plain_table(value.value, tables)
    if kind == "array":
        return [plain(item, tables) for item in value.value]
    if kind in ("longstr", "shortstr"):
        try:
            return value.value.decode()
        except UnicodeDecodeError:
            return value.value
    return value.value
