"""The exact reader of field tables: goes entry by entry, checks everything, and loses nothing, but is slow.

It says what is wrong with octets that the fast reader refused, and reads without loss, for ``RawTable``. A visitor can
see every octet.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple, Protocol, Self

from ._table_reader import DECODERS, DEFAULT_READER, TableReader, stack_exhausted
from ._values import FIELD_OCTETS, FieldValue, SelfWritingTable, Tagged, octets, shown, unpack_I
from .errors import DecodeError, EncodeError, LimitExceeded, Malformed, Truncated, Unknown

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
        """Walk a table, its length first.

        Args:
            position: Where the length of the table is.
            end: Where the enclosing field, table or array ends.
            depth: 1 for a table that is a field.
            path: The path of the table, for errors; empty for that of a value whose caller knows it.

        Returns:
            The entries and the position after the table.
        """
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


class RawTable(SelfWritingTable):
    """A table that keeps its octets: letters, widths, order, duplicate keys, strings that are not UTF-8.

    It is a read-only mapping of the plain values (of duplicate keys the last); encoding it gives the same
    octets again. To change something, make a ``dict`` of it.
    """

    __slots__ = ("_is_checked", "_plain", "_raw", "_reader")

    def __init__(self, raw: bytes = b"", reader: TableReader = DEFAULT_READER) -> None:
        self._raw = octets(raw)
        self._reader = reader
        self._is_checked = False
        self._plain: dict[str, FieldValue] | None = None  # made when first needed

    @classmethod
    def of_valid(cls, octets: bytes, reader: TableReader) -> Self:
        """Return a table of octets that a walk has found valid: they are not checked again when they are encoded."""
        table = cls(octets, reader)
        table._is_checked = True
        return table

    @property
    def raw(self) -> bytes:
        """The octets of the entries, without the length before them."""
        return self._raw

    @property
    def entries(self) -> list[Entry]:
        """The entries as they stand on the wire, nested tables as lists of entries."""
        return self._walk(1)

    def _walk(self, depth: int) -> list[Entry]:
        data = len(self._raw).to_bytes(4, "big") + self._raw
        try:
            return TableWalker(data, self._reader, True).table(0, len(data), depth, "")[0]
        except RecursionError:
            raise stack_exhausted(0, "") from None

    def checked_octets(self, depth: int) -> bytes:
        """Return the octets of the entries, checked at this depth of nesting; EncodeError if they are invalid.

        Those that a decoder has read are valid as an outermost table, by its letters and limits.
        """
        if depth > 1 or not self._is_checked:
            try:
                self._walk(depth)
            except DecodeError as error:
                raise EncodeError(
                    f"the octets of the RawTable are not a table: {str(error).lstrip('.')}"
                ) from None
            self._is_checked = True
        return self._raw

    def to_dict(self) -> dict[str, FieldValue]:
        """Return the plain values, in a dictionary of their own."""
        return dict(self._values())

    def _values(self) -> dict[str, FieldValue]:
        if self._plain is None:
            entries = self.entries
            try:
                self._plain = plain_table(entries, self._reader)
            except RecursionError:
                raise stack_exhausted(0, "") from None
        return self._plain

    def __getitem__(self, key: str) -> FieldValue:
        return self._values()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RawTable):
            return self._raw == other._raw
        return self._values() == other

    def __hash__(self) -> int:
        return hash(self._raw)

    def __repr__(self) -> str:
        try:
            return f"RawTable({self._values()!r})"
        except DecodeError:
            return f"RawTable(raw={shown(self._raw)})"


def raw_table(buffer: bytes, position: int, end: int, reader: TableReader, path: str) -> tuple[RawTable, int]:
    """Check a table and keep its octets; see ``decode_table``."""
    try:
        stop = TableWalker(buffer, reader, True).table(position, end, 1, path)[1]
    except RecursionError:
        raise stack_exhausted(position, path) from None
    return RawTable.of_valid(buffer[position + 4 : stop], reader), stop


def table_decode_error(
    buffer: bytes, position: int, end: int, reader: TableReader, path: str, fault: Exception
) -> DecodeError:
    """Return what is wrong with a table that the fast reader refused."""
    try:
        if not isinstance(fault, RecursionError):
            TableWalker(buffer, reader, not reader.strict).table(position, end, 1, path)
    except DecodeError as error:
        return error
    except RecursionError as error:
        fault = error
    if isinstance(fault, RecursionError):
        return stack_exhausted(position, path)
    return unexplained_decode_error(fault, position, path)


def read_refused_table(
    buffer: bytes, position: int, end: int, reader: TableReader, path: str, fault: Exception
) -> tuple[dict[str, Any], int]:
    """Read a table that the fast reader refused: keys that are not UTF-8 have surrogate escapes, unless it is to be strict.

    Raises:
        DecodeError: The octets are invalid; with offset and path.
    """
    if isinstance(fault, UnicodeDecodeError) and not reader.strict:
        try:
            entries, stop = TableWalker(buffer, reader, True).table(position, end, 1, path)
            return plain_table(entries, reader), stop
        except DecodeError as error:
            raise error from None
        except RecursionError:
            raise stack_exhausted(position, path) from None
    raise table_decode_error(buffer, position, end, reader, path, fault) from None


def unexplained_decode_error(fault: Exception, position: int, path: str = "") -> Malformed:
    """Return the error for a fault that the walkers do not explain."""
    if isinstance(fault, DecodeError):
        return Malformed(fault.message, position, path, code=fault.code)
    return Malformed("the octets cannot be decoded", position, path)
