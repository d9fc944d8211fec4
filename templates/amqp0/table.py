"""Field tables: mappings of short strings to values that carry a letter for their type.

Decoding gives plain Python values: int, bool, float, str (octets that are not UTF-8 stay bytes), bytes,
Decimal, Timestamp, list, dict and None. Encoding takes the same, any aware datetime, and ``Tagged`` values
that choose their letter. The dialect defines the letters, see ``dialects``.
"""

from ._native import CORE
from ._table_reader import DECODE_FAULTS, MAX_DEPTH, MAX_ELEMENTS, read_table, table_reader
from ._table_walker import Entry, RawTable, TableVisitor, TableWalker, raw_table, read_refused_table
from ._table_writer import DEFAULT_WRITER, ENCODE_FAULTS, table_encode_error, table_writer, write_table
from ._values import FieldTable, FieldValue, Octets, Tagged, Timestamp, input_octets
from .dialects import DEFAULT_DIALECT, DIALECTS, Dialect, DialectName

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
    "TableVisitor",
    "TableWalker",
    "Tagged",
    "Timestamp",
    "decode_table",
    "encode_table",
    "table_walker",
]


def encode_table(table: FieldTable, *, dialect: DialectName | Dialect = DEFAULT_DIALECT) -> bytes:
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
    tables = DEFAULT_WRITER if dialect is DEFAULT_DIALECT else table_writer(dialect)
    if tables.native is not None:
        written: bytes | None = CORE.write_table(tables.native, table)
        if written is not None:
            return written
    try:
        return write_table(table, tables)
    except ENCODE_FAULTS as fault:
        error = table_encode_error(table, tables, "", fault)
        raise error from error.__cause__


def decode_table(
    buffer: Octets,
    position: int = 0,
    *,
    dialect: DialectName | Dialect = DEFAULT_DIALECT,
    lossless: bool = False,
    lenient: bool = False,
    strict: bool = False,
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
        strict: Refuse keys that are not UTF-8; they have surrogate escapes otherwise, and are written back as they were.
        max_depth: How deep tables and arrays may nest, 1 to 200.
        max_elements: How many entries a table or array may have.

    Returns:
        The table and the position after it.

    Raises:
        DecodeError: The octets are invalid; with offset and path.
        ValueError: The dialect is unknown, or a limit is out of range.
    """
    data = buffer if type(buffer) is bytes and position >= 0 else input_octets(buffer, position)
    reader = table_reader(dialect, lenient, max_depth, max_elements, strict)
    if lossless:
        return raw_table(data, position, len(data), reader, "")
    if reader.native is not None and position <= len(data):
        found: tuple[FieldTable, int] | None = CORE.read_table(reader.native, data, position)
        if found is not None:
            return found
    try:
        return read_table(data, position, len(data), reader)
    except DECODE_FAULTS as fault:
        return read_refused_table(data, position, len(data), reader, "", fault)


def table_walker(
    buffer: bytes,
    visitor: TableVisitor,
    *,
    dialect: DialectName | Dialect = DEFAULT_DIALECT,
    lenient: bool = False,
    max_depth: int = MAX_DEPTH,
    max_elements: int = MAX_ELEMENTS,
) -> TableWalker:
    """Return a walker over the tables in some octets, to show or check them octet by octet.

    Args:
        buffer: The octets.
        visitor: Is told of every octet and every fault.
        dialect: A dialect or its name.
        lenient: Read letters that the dialect lacks as peers use them (``LENIENT_LETTERS``).
        max_depth: How deep tables and arrays may nest, 1 to 200.
        max_elements: How many entries a table or array may have.

    Raises:
        ValueError: The dialect is unknown, or a limit is out of range.
    """
    return TableWalker(buffer, table_reader(dialect, lenient, max_depth, max_elements), True, visitor)
