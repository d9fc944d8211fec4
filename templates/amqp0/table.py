"""Field tables: mappings of short strings to values that carry a letter for their type.

Decoding gives plain Python values: int, bool, float, str (octets that are not UTF-8 stay bytes), bytes,
Decimal, Timestamp, list, dict and None. Encoding takes the same, any aware datetime, and ``Tagged`` values
that choose their letter. The dialect defines the letters, see ``dialects``.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from ._wire import OCTETS
from .dialects import DEFAULT_DIALECT, DIALECTS, Dialect, DialectName
from .errors import DecodeError, EncodeError, Malformed
from .table_reader import (
    DECODE_FAULTS,
    DEFAULT_READER,
    MAX_DEPTH,
    MAX_ELEMENTS,
    TableReader,
    read_table,
    table_reader,
)
from .table_walker import Entry, plain, walk_table
from .table_writer import ENCODE_FAULTS, TableWriter, table_writer, write_table, write_value
from .values import FieldTable, FieldValue, Octets, Tagged, Timestamp, input_octets, is_mapping

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


class RawTable(Mapping[str, FieldValue]):
    """A table that keeps its octets: letters, widths, order, duplicate keys, strings that are not UTF-8.

    It is a read-only mapping of the plain values (of duplicate keys the last); encoding it gives the same
    octets again. To change something, make a ``dict`` of it.

    Attributes:
        raw: The octets of the entries, without the length before them.
    """

    __slots__ = ("_plain", "_reader", "raw")

    def __init__(self, raw: bytes = b"", reader: TableReader = DEFAULT_READER) -> None:
        self.raw = raw
        self._reader = reader
        self._plain: dict[str, FieldValue] | None = None  # made when first needed

    @property
    def entries(self) -> list[Entry]:
        """The entries as they stand on the wire, nested tables as lists of entries."""
        data = len(self.raw).to_bytes(4, "big") + self.raw
        return walk_table(data, 0, len(data), self._reader, 1, "", True)[0]

    def to_dict(self) -> dict[str, FieldValue]:
        """Return the plain values, in a dictionary of their own."""
        return dict(self._values())

    def _values(self) -> dict[str, FieldValue]:
        if self._plain is None:
            self._plain = {
                entry.key.decode(errors="surrogateescape"): plain(entry.value, self._reader)
                for entry in self.entries
            }
        return self._plain

    def __getitem__(self, key: str) -> FieldValue:
        return self._values()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RawTable):
            return self.raw == other.raw
        return self._values() == other

    def __hash__(self) -> int:
        return hash(self.raw)

    def __repr__(self) -> str:
        return f"RawTable({self._values()!r})"


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
        raise table_encode_error(table, tables, "", fault) from None


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
        lenient: Read letters that the dialect lacks as the rabbitmq dialect does.
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
    stop = walk_table(buffer, position, end, reader, 1, path, True)[1]
    return RawTable(buffer[position + 4 : stop], reader), stop


def table_decode_error(
    buffer: bytes, position: int, end: int, reader: TableReader, path: str, fault: Exception
) -> DecodeError:
    """Return what is wrong with a table that the fast reader refused."""
    try:
        walk_table(buffer, position, end, reader, 1, path, False)
    except DecodeError as error:
        return error
    return Malformed(fault_message(fault), position, path)


def fault_message(fault: Exception) -> str:
    """Return the message of a fault that the walkers do not explain."""
    return fault.message if isinstance(fault, DecodeError) else f"{fault} ({type(fault).__name__})"


def table_encode_error(
    table: Any, tables: TableWriter, path: str, fault: Exception, depth: int = 1
) -> EncodeError:
    """Return what is wrong with a table that the fast writer refused: its first entry that cannot be written."""
    if not is_mapping(table) or depth > MAX_DEPTH:
        return EncodeError(_reason(fault), path)
    for key, value in table.items():
        place = f"{path}.{key}" if path else str(key)
        try:
            OCTETS[len(key.encode())]
        except ENCODE_FAULTS as error:
            reason = "the key has more than 255 octets" if isinstance(error, IndexError) else _reason(error)
            return EncodeError(reason, place)
        try:
            write_value(value, tables, depth)
        except ENCODE_FAULTS as error:
            return _value_encode_error(value, tables, place, error, depth)
    return EncodeError(_reason(fault), path)


def _value_encode_error(
    value: Any, tables: TableWriter, path: str, fault: Exception, depth: int
) -> EncodeError:
    if isinstance(value, Tagged):
        value = value.value
    if isinstance(value, Mapping):
        return table_encode_error(value, tables, path, fault, depth + 1)
    if isinstance(value, (list, tuple)) and depth < MAX_DEPTH:
        for index, item in enumerate(cast("Sequence[Any]", value)):
            try:
                write_value(item, tables, depth + 1)
            except ENCODE_FAULTS as error:
                return _value_encode_error(item, tables, f"{path}[{index}]", error, depth + 1)
    return EncodeError(_reason(fault), path)


def _reason(fault: Exception) -> str:
    if isinstance(fault, EncodeError):
        return fault.message
    return f"{fault} ({type(fault).__name__})"
