"""The exact reader of field tables: goes entry by entry, checks everything, and loses nothing, but is slow.

It says what is wrong with octets that the fast reader refused, and reads without loss.
"""

from typing import Any, Final, NamedTuple

from ._table_reader import DECODERS, TableReader
from ._values import Tagged
from ._wire import unpack_I
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
    "timestamp": 8,
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


def walk_length(buffer: bytes, position: int, end: int, width: int, what: str, path: str) -> tuple[int, int]:
    """Read a length of one or four octets and check it against ``end``.

    Returns:
        Where the octets that it counts start and stop.
    """
    start = position + width
    if start > end:
        raise Truncated(f"the length of the {what} is cut off", position, path)
    size = buffer[position] if width == 1 else unpack_I(buffer, position)[0]
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
    start, stop = walk_length(buffer, position, end, 4, "table", path)
    if depth > tables.max_depth:
        raise LimitExceeded(f"nested deeper than {tables.max_depth}", position, path, code="too-deep")
    entries: list[Entry] = []
    position = start
    while position < stop:
        if len(entries) == tables.max_elements:
            raise LimitExceeded(
                f"more than {tables.max_elements} entries", position, path, code="too-many-elements"
            )
        key_start, key_stop = walk_length(buffer, position, stop, 1, "key", path)
        key = buffer[key_start:key_stop]
        try:
            name = key.decode(errors="surrogateescape" if keep else "strict")
        except UnicodeDecodeError as error:
            raise Malformed(
                f"the key {key!r} is not UTF-8", key_start + error.start, path, code="not-unicode"
            ) from None
        try:
            value, position = walk_value(buffer, key_stop, stop, tables, depth, "", keep)
        except DecodeError as error:
            raise _within(f"{path}.{name}" if path or depth > 1 else name, error) from None
        entries.append(Entry(key, value))
    return entries, position


def _within(path: str, error: DecodeError) -> DecodeError:
    """Return the error of a value with the path of the value; paths are only made when they are needed."""
    return error.at(error.offset, path + error.path)


def walk_value(
    buffer: bytes, position: int, end: int, tables: TableReader, depth: int, path: str, keep: bool
) -> tuple[Tagged, int]:
    """Walk a letter and the value it announces; see ``walk_table``."""
    if position >= end:
        raise Truncated("the letter of the value is missing", position, path)
    letter = chr(buffer[position])
    kind = tables.kinds.get(letter)
    if kind is None:
        raise Unknown(
            f"the dialect {tables.dialect.name} has no letter {letter!r}",
            position,
            path,
            code="unknown-letter",
        )
    position += 1
    if kind == "table":
        entries, position = walk_table(buffer, position, end, tables, depth + 1, path, keep)
        return Tagged(letter, entries), position
    if kind == "array":
        return _walk_array(letter, buffer, position, end, tables, depth + 1, path, keep)
    if kind in ("longstr", "bytes", "shortstr"):
        start, stop = walk_length(buffer, position, end, 1 if kind == "shortstr" else 4, "string", path)
        return Tagged(letter, buffer[start:stop]), stop
    stop = position + _SIZES[kind]
    if stop > end:
        raise Truncated(
            f"the value needs {_SIZES[kind]} octets, but only {end - position} are left", position, path
        )
    return Tagged(letter, DECODERS[kind](buffer, position, end, tables, depth)[0]), stop


def _walk_array(
    letter: str,
    buffer: bytes,
    position: int,
    end: int,
    tables: TableReader,
    depth: int,
    path: str,
    keep: bool,
) -> tuple[Tagged, int]:
    start, stop = walk_length(buffer, position, end, 4, "array", path)
    if depth > tables.max_depth:
        raise LimitExceeded(f"nested deeper than {tables.max_depth}", position, path, code="too-deep")
    items: list[Tagged] = []
    position = start
    while position < stop:
        if len(items) == tables.max_elements:
            raise LimitExceeded(
                f"more than {tables.max_elements} items", position, path, code="too-many-elements"
            )
        try:
            item, position = walk_value(buffer, position, stop, tables, depth, "", keep)
        except DecodeError as error:
            raise _within(f"{path}[{len(items)}]", error) from None
        items.append(item)
    return Tagged(letter, items), position


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
