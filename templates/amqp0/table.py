"""Field tables: mappings of short strings to values that carry a letter for their type.

Decoding gives plain Python values: int, bool, float, str (octets that are not UTF-8 stay bytes), bytes,
Decimal, Timestamp, list, dict and None. Encoding takes the same, any aware datetime, and ``Tagged`` values
that choose their letter. The dialect defines the letters, see ``dialects``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from .dialects import DEFAULT_DIALECT, DIALECTS, Dialect, DialectName
from .errors import DecodeError, EncodeError, Malformed
from .table_reader import (
    DECODE_FAULTS,
    DEFAULT_READER,
    MAX_DEPTH,
    MAX_ELEMENTS,
    TableReader,
    read_table,
    stack_exhausted,
    table_reader,
)
from .table_walker import Entry, plain_table, walk_table
from .table_writer import ENCODE_FAULTS, TableWriter, table_writer, write_table, write_value
from .values import (
    FieldTable,
    FieldValue,
    Octets,
    SelfWritingTable,
    Tagged,
    Timestamp,
    input_octets,
    is_mapping,
    octets,
    shown,
)

__all__ = [
    "DEFAULT_DIALECT",
    "DIALECTS",
    "MAX_DEPTH",
    "MAX_ELEMENTS",
    "Dialect",
    "Entry",
    "FieldTable",
    "FieldValue",
    "RawTable",
    "Tagged",
    "Timestamp",
    "decode_table",
    "encode_table",
]


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
            return walk_table(data, 0, len(data), self._reader, depth, "", True)[0]
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


def encode_table(table: FieldTable, dialect: DialectName | Dialect = DEFAULT_DIALECT) -> bytes:
    """Encode a table: four octets of length and the entries.

    Args:
        table: The entries; keys of at most 255 octets.
        dialect: A dialect or its name.

    Returns:
        The octets.

    Raises:
        EncodeError: A key or value does not fit the dialect; its ``path`` names it.
        ValueError: There is no dialect of that name.
    """
    tables = table_writer(dialect)
    try:
        return write_table(table, tables)
    except ENCODE_FAULTS as fault:
        error = table_encode_error(table, tables, "", fault)
        raise error from error.__cause__


def decode_table(
    buffer: Octets,
    position: int = 0,
    dialect: DialectName | Dialect = DEFAULT_DIALECT,
    lossless: bool = False,
    *,
    lenient: bool = False,
    max_depth: int = MAX_DEPTH,
    max_elements: int = MAX_ELEMENTS,
) -> tuple[FieldTable, int]:
    """Decode a table.

    Args:
        buffer: The octets; ``bytes`` are read in place, anything else bytes-like is copied first.
        position: Where the four octets of its length are.
        dialect: A dialect or its name.
        lossless: Return a ``RawTable``, which encodes to the same octets.
        lenient: Read letters that the dialect lacks as peers use them (``LENIENT_LETTERS``).
        max_depth: How deep tables and arrays may nest, 1 to 200.
        max_elements: How many entries a table or array may have.

    Returns:
        The table and the position after it.

    Raises:
        DecodeError: The octets are invalid; with offset and path.
        ValueError: The dialect is unknown, or a limit is out of range.
    """
    data = input_octets(buffer, position)
    reader = table_reader(dialect, lenient, max_depth, max_elements)
    if lossless:
        return raw_table(data, position, len(data), reader, "")
    try:
        return read_table(data, position, len(data), reader)
    except DECODE_FAULTS as fault:
        raise table_decode_error(data, position, len(data), reader, "", fault) from None


def raw_table(buffer: bytes, position: int, end: int, reader: TableReader, path: str) -> tuple[RawTable, int]:
    """Check a table and keep its octets; see ``decode_table``."""
    try:
        stop = walk_table(buffer, position, end, reader, 1, path, True)[1]
    except RecursionError:
        raise stack_exhausted(position, path) from None
    table = RawTable(buffer[position + 4 : stop], reader)
    table._is_checked = True  # pyright: ignore[reportPrivateUsage]
    return table, stop


def table_decode_error(
    buffer: bytes, position: int, end: int, reader: TableReader, path: str, fault: Exception
) -> DecodeError:
    """Return what is wrong with a table that the fast reader refused."""
    try:
        if not isinstance(fault, RecursionError):
            walk_table(buffer, position, end, reader, 1, path, False)
    except DecodeError as error:
        return error
    except RecursionError as error:
        fault = error
    if isinstance(fault, RecursionError):
        return stack_exhausted(position, path)
    return Malformed(fault_message(fault), position, path)


def fault_message(fault: Exception) -> str:
    """Return the message of a fault that the walkers do not explain."""
    return fault.message if isinstance(fault, DecodeError) else "the octets cannot be decoded"


def table_encode_error(table: Any, tables: TableWriter, path: str, fault: Exception) -> EncodeError:
    """Return what is wrong with a table that the fast writer refused: its first entry that cannot be written.

    A fault that no value explains, such as an error in a mapping of the caller, is the ``__cause__`` of the result.
    """
    try:
        return _entry_error(table, tables, path, fault, 1)
    except ENCODE_FAULTS as again:
        return unexplained(again, path)


def unexplained(fault: Exception, path: str) -> EncodeError:
    """Return the EncodeError for any fault; one that is not ours becomes its ``__cause__``."""
    if isinstance(fault, EncodeError):
        return fault if fault.path else EncodeError(fault.message, path)
    if isinstance(fault, RecursionError):
        return EncodeError("nested deeper than the stack of the interpreter has room for", path)
    if isinstance(fault, UnicodeEncodeError):
        return EncodeError("the text has a surrogate, which UTF-8 cannot carry", path)
    error = EncodeError(f"the value raised {type(fault).__name__}", path)
    error.__cause__ = fault
    return error


def _entry_error(table: Any, tables: TableWriter, path: str, fault: Exception, depth: int) -> EncodeError:
    if isinstance(table, SelfWritingTable) or not is_mapping(table) or depth > MAX_DEPTH:
        return unexplained(fault, path)
    for key, value in table.items():
        if not isinstance(key, str):
            return EncodeError(f"the key {shown(key)} is not a string", path)
        place = f"{path}.{key}" if path else key
        try:
            if len(str.encode(key)) > 255:
                return EncodeError("the key has more than 255 octets", place)
            write_value(value, tables, depth)
        except ENCODE_FAULTS as error:
            return _value_error(value, tables, place, error, depth)
    return unexplained(fault, path)


def _value_error(value: Any, tables: TableWriter, path: str, fault: Exception, depth: int) -> EncodeError:
    if isinstance(value, Tagged):
        value = value.value
    if isinstance(value, Mapping):
        return _entry_error(value, tables, path, fault, depth + 1)
    if isinstance(value, (list, tuple)) and depth < MAX_DEPTH:
        for index, item in enumerate(cast("Sequence[Any]", value)):
            try:
                write_value(item, tables, depth + 1)
            except ENCODE_FAULTS as error:
                return _value_error(item, tables, f"{path}[{index}]", error, depth + 1)
    return unexplained(fault, path)
