"""Field tables as VARIANT: typed values that Spark and Parquet read, made directly from the octets of AMQP.

Nothing is lost. A value for which VARIANT has a type becomes that type:

- boolean, float, double, decimal, bytes, array and void: boolean, float, double, decimal, binary, array and null.
- int8, int16, int32 and int64: an integer of the same width.
- uint8, uint16 and uint32: an integer of twice the width. uint64: int64, or a decimal where that is too narrow.
- longstr and shortstr: string.
- timestamp: timestamp, if it is in the years 1 to 9999.
- table: object. Readers see its fields ordered by name; inside, the values stay in the order of the entries.

The rest becomes an object of one field, whose name starts with a dollar sign:

- ``$longstr`` and ``$shortstr``: the octets of a string that is not UTF-8.
- ``$decimal``: an array of scale and significand, for a number with more than 38 digits after the point.
- ``$timestamp``: the seconds since 1970, for a moment after the year 9999.
- ``$table``: an array of arrays of key and value, for a table with a key that occurs twice, that is not UTF-8 (then
  it is octets), or that starts with a dollar sign itself. So a table that was sent is never mistaken for one of these.

``read_variant`` accepts the same octets as the fast reader of tables, and also keys that are not UTF-8. Any fault
raises one of ``DECODE_FAULTS``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from .._native import CORE
from .._table_reader import DECODE_FAULTS, DEFAULT_READER, MAX_DEPTH, MAX_ELEMENTS, TableReader, table_reader
from .._table_walker import table_decode_error
from .._values import PER_SECOND, Octets, input_octets, unpack_I, unpack_i, unpack_Q, unpack_timestamp
from ..dialects import DEFAULT_DIALECT, Dialect, DialectName
from ..errors import LimitExceeded, Malformed, Unknown
from .variant_octets import (
    DOUBLE,
    FALSE,
    FLOAT,
    INT8,
    INT16,
    INT32,
    INT64,
    NULL,
    SHORT_STRINGS,
    TRUE,
    Layouts,
    Names,
    ObjectLayout,
    Variant,
    array,
    binary,
    decimal,
    finished,
    integer,
    is_text,
    tagged,
    text,
    timestamp,
)

__all__ = ["VariantReader", "make_variant_reader", "read_variant", "table_variant"]


def table_variant(
    buffer: Octets,
    position: int = 0,
    *,
    dialect: DialectName | Dialect = DEFAULT_DIALECT,
    lenient: bool = False,
    max_depth: int = MAX_DEPTH,
    max_elements: int = MAX_ELEMENTS,
) -> tuple[Variant, int]:
    """Turn a field table into a VARIANT.

    Args:
        buffer: The octets; ``bytes`` are read in place, anything else bytes-like is copied first.
        position: Where the four octets of its length are.
        dialect: A dialect or its name.
        lenient: Read letters that the dialect lacks as peers use them (``LENIENT_LETTERS``).
        max_depth: How deep tables and arrays may nest, 1 to 200.
        max_elements: How many entries a table or array may have.

    Returns:
        The octets of the value and of its metadata, as a pair, and the position after the table.

    Raises:
        DecodeError: The octets are invalid; with offset and path.
        ValueError: The dialect is unknown, or a limit is out of range.
    """
    data = input_octets(buffer, position)
    reader = make_variant_reader(
        dialect=dialect, lenient=lenient, max_depth=max_depth, max_elements=max_elements
    )
    try:
        return read_variant(data, position, len(data), reader)
    except LimitExceeded as error:
        raise error from None
    except DECODE_FAULTS as fault:
        raise table_decode_error(data, position, len(data), reader.tables, "", fault) from None


class VariantReader:
    """The settings of reading tables: a reader for each letter, and limits.

    Attributes:
        tables: Letters and limits.
        readers: By letter code.
        layouts: The layouts used before.
    """

    __slots__ = ("layouts", "readers", "tables")

    def __init__(self, tables: TableReader) -> None:
        self.tables = tables
        self.readers: list[_ValueReader] = [_read_unknown] * 256
        for letter, kind in tables.kinds.items():
            self.readers[ord(letter)] = _READERS[kind]
        self.layouts = Layouts()


# (buffer, position, end, reader, depth, names) -> (octets of the value, position after it)
_ValueReader = Callable[[bytes, int, int, VariantReader, int, Names], tuple[bytes, int]]


def make_variant_reader(
    *,
    dialect: DialectName | Dialect = DEFAULT_DIALECT,
    lenient: bool = False,
    max_depth: int = MAX_DEPTH,
    max_elements: int = MAX_ELEMENTS,
) -> VariantReader:
    """Return a reader for a dialect; the arguments are those of ``table_reader``."""
    tables = table_reader(dialect, lenient, max_depth, max_elements)
    return _DEFAULT_READER if tables is DEFAULT_READER else VariantReader(tables)


def read_variant(buffer: bytes, position: int, end: int, reader: VariantReader) -> tuple[Variant, int]:
    """Read a table and return it with the position after it; see ``read_table``."""
    native = reader.tables.native
    if native is not None:
        found: tuple[Variant, int] | None = CORE.read_table_variant(native, buffer, position, end)
        if found is not None:
            return found
    keys: list[bytes] = []
    values: list[bytes] = []
    names: Names = {}
    position = _read_entries(buffer, position, end, reader, 1, names, keys, values)
    layouts = reader.layouts
    layout = layouts.objects.get(tuple(keys)) or layouts.new_object(keys)
    if layout is not None and not names:  # its own keys are the only names
        return finished(layout.alone(values), layout.metadata), position
    value = _table_octets(layout, keys, values, names)
    return finished(value, layouts.metadata_of(names)), position


def _read_entries(
    buffer: bytes,
    position: int,
    end: int,
    reader: VariantReader,
    depth: int,
    names: Names,
    keys: list[bytes],
    values: list[bytes],
) -> int:
    """Read the entries of a table into ``keys`` and ``values``; return the position after it."""
    (size,) = unpack_I(buffer, position)
    position += 4
    stop = position + size
    tables = reader.tables
    if stop > end or depth > tables.max_depth:
        raise Malformed("table")
    readers = reader.readers
    longstr = tables.longstr
    int32 = tables.int32
    while position < stop:
        start = position + 1
        position = start + buffer[position]
        keys.append(buffer[start:position])
        letter = buffer[position]
        if letter == longstr:
            start = position + 5
            (size,) = unpack_I(buffer, position + 1)
            position = start + size
            data = buffer[start:position]
            if size < 64 and data.isascii():
                values.append(SHORT_STRINGS[size] + data)
            else:
                values.append(_string(data, b"$longstr", names))
        elif letter == int32:
            values.append(INT32 + buffer[position + 4 : position : -1])
            position += 5
        else:
            value, position = readers[letter](buffer, position + 1, stop, reader, depth, names)
            values.append(value)
    if position != stop or len(keys) > tables.max_elements:
        raise Malformed("table")
    return position


def _table_octets(layout: ObjectLayout | None, keys: list[bytes], values: list[bytes], names: Names) -> bytes:
    """Return the octets of a table: an object, or an array of its entries when its keys do not allow that."""
    if layout is not None:
        return layout.nested(values, names)
    entries = [
        array((text(key) if is_text(key) else binary(key), value))
        for key, value in zip(keys, values, strict=True)
    ]
    return tagged(b"$table", array(entries), names)


def _string(data: bytes, tag: bytes, names: Names) -> bytes:
    return text(data) if is_text(data) else tagged(tag, binary(data), names)


def _read_unknown(
    buffer: bytes, position: int, end: int, reader: VariantReader, depth: int, names: Names
) -> tuple[bytes, int]:
    raise Unknown("letter", code="unknown-letter")


def _read_boolean(
    buffer: bytes, position: int, end: int, reader: VariantReader, depth: int, names: Names
) -> tuple[bytes, int]:
    return TRUE if buffer[position] else FALSE, position + 1


def _reversed(header: bytes, size: int, padding: int = 0) -> _ValueReader:
    """Return the reader of a number: AMQP is big-endian, VARIANT little-endian and sometimes wider.

    A slice that the end of the buffer cuts is detected by the position after it.
    """
    last = size - 1
    zeros = bytes(padding)

    def read(
        buffer: bytes, position: int, end: int, reader: VariantReader, depth: int, names: Names
    ) -> tuple[bytes, int]:
        return header + buffer[position + last : position - 1 : -1] + zeros, position + size

    return read


def _read_uint64(
    buffer: bytes, position: int, end: int, reader: VariantReader, depth: int, names: Names
) -> tuple[bytes, int]:
    return integer(unpack_Q(buffer, position)[0]), position + 8


def _read_decimal(
    buffer: bytes, position: int, end: int, reader: VariantReader, depth: int, names: Names
) -> tuple[bytes, int]:
    return _decimal(unpack_i(buffer, position + 1)[0], buffer[position], names), position + 5


def _read_decimal_unsigned(
    buffer: bytes, position: int, end: int, reader: VariantReader, depth: int, names: Names
) -> tuple[bytes, int]:
    return _decimal(unpack_I(buffer, position + 1)[0], buffer[position], names), position + 5


def _decimal(significand: int, scale: int, names: Names) -> bytes:
    value = decimal(significand, scale)
    return value or tagged(b"$decimal", array((integer(scale), integer(significand))), names)


def _read_shortstr(
    buffer: bytes, position: int, end: int, reader: VariantReader, depth: int, names: Names
) -> tuple[bytes, int]:
    stop = position + 1 + buffer[position]
    return _string(buffer[position + 1 : stop], b"$shortstr", names), stop


def _read_longstr(
    buffer: bytes, position: int, end: int, reader: VariantReader, depth: int, names: Names
) -> tuple[bytes, int]:
    stop = position + 4 + unpack_I(buffer, position)[0]
    return _string(buffer[position + 4 : stop], b"$longstr", names), stop


def _read_bytes(
    buffer: bytes, position: int, end: int, reader: VariantReader, depth: int, names: Names
) -> tuple[bytes, int]:
    stop = position + 4 + unpack_I(buffer, position)[0]
    return binary(buffer[position + 4 : stop]), stop


def _read_timestamp(
    buffer: bytes, position: int, end: int, reader: VariantReader, depth: int, names: Names
) -> tuple[bytes, int]:
    (seconds,) = unpack_timestamp(buffer, position)
    value = timestamp(seconds, PER_SECOND)
    return value or tagged(b"$timestamp", integer(seconds), names), position + 8


def _read_array(
    buffer: bytes, position: int, end: int, reader: VariantReader, depth: int, names: Names
) -> tuple[bytes, int]:
    (size,) = unpack_I(buffer, position)
    position += 4
    stop = position + size
    tables = reader.tables
    if stop > end or depth >= tables.max_depth:
        raise Malformed("array")
    items: list[bytes] = []
    readers = reader.readers
    while position < stop:
        item, position = readers[buffer[position]](buffer, position + 1, stop, reader, depth + 1, names)
        items.append(item)
    if position != stop or len(items) > tables.max_elements:
        raise Malformed("array")
    return array(items), position


def _read_table(
    buffer: bytes, position: int, end: int, reader: VariantReader, depth: int, names: Names
) -> tuple[bytes, int]:
    keys: list[bytes] = []
    values: list[bytes] = []
    position = _read_entries(buffer, position, end, reader, depth + 1, names, keys, values)
    layout = reader.layouts.objects.get(tuple(keys)) or reader.layouts.new_object(keys)
    return _table_octets(layout, keys, values, names), position


def _read_void(
    buffer: bytes, position: int, end: int, reader: VariantReader, depth: int, names: Names
) -> tuple[bytes, int]:
    return NULL, position


_READERS: Final[Mapping[str, _ValueReader]] = {
    "boolean": _read_boolean,
    "int8": _reversed(INT8, 1),
    "uint8": _reversed(INT16, 1, 1),
    "int16": _reversed(INT16, 2),
    "uint16": _reversed(INT32, 2, 2),
    "int32": _reversed(INT32, 4),
    "uint32": _reversed(INT64, 4, 4),
    "int64": _reversed(INT64, 8),
    "uint64": _read_uint64,
    "float": _reversed(FLOAT, 4),
    "double": _reversed(DOUBLE, 8),
    "decimal": _read_decimal,
    "decimal-unsigned": _read_decimal_unsigned,
    "shortstr": _read_shortstr,
    "longstr": _read_longstr,
    "bytes": _read_bytes,
    "timestamp": _read_timestamp,
    "array": _read_array,
    "table": _read_table,
    "void": _read_void,
}
_DEFAULT_READER: Final = VariantReader(DEFAULT_READER)
