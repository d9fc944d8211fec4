"""The fast reader of field tables: any fault raises one of ``DECODE_FAULTS``.

It only detects that the octets are invalid: the public functions of ``table`` and ``frames`` then let
``_table_walker`` read them again to report what is wrong and where.
"""

from collections.abc import Callable, Mapping
from decimal import Decimal
from struct import Struct
from struct import error as struct_error
from typing import Any, Final

from ._native import reading
from ._values import (
    Timestamp,
    unpack_b,
    unpack_H,
    unpack_h,
    unpack_I,
    unpack_i,
    unpack_Q,
    unpack_q,
    unpack_timestamp,
)
from .dialects import DEFAULT_DIALECT, LENIENT_LETTERS, Dialect, DialectName, find_dialect
from .errors import LimitExceeded, Malformed, Unknown

MAX_DEPTH: Final = 64
MAX_ELEMENTS: Final = 65_536
# Deeper than this, reading could exhaust the stack of the interpreter.
_DEPTH_CEILING: Final = 200

# RecursionError: the caller has left too little of the interpreter's stack for the nesting of the tables.
DECODE_FAULTS: Final = (IndexError, KeyError, ValueError, OverflowError, RecursionError, struct_error)


def stack_exhausted(position: int, path: str) -> LimitExceeded:
    """Return the error of tables nested deeper than the interpreter's stack has room for."""
    return LimitExceeded(
        "nested deeper than the stack of the interpreter has room for", position, path, code="too-deep"
    )


class TableReader:
    """The settings of reading tables: a decoder for each letter, and limits.

    Attributes:
        dialect: The letters.
        lenient: Whether letters that the dialect lacks are read as peers use them (``LENIENT_LETTERS``).
        strict: Whether short strings that are not UTF-8 are refused. The fast reader refuses them always: who reads again
            decides.
        kinds: Letter to kind of value.
        decoders: By letter code.
        longstr: The code of S where it is a long string, else -1; read without a call.
        int32: The code of I where it is a signed 32-bit integer, else -1; read without a call.
        max_depth: How deep tables and arrays may nest, 1 to 200.
            A level takes at most three frames of Python's stack, and the calls around all levels 30: 222 free
            frames suffice for the default. LimitExceeded tells that the stack above leaves too few.
        max_elements: How many entries one table or array may have.
        native: The same for the core in C; None without one.
    """

    __slots__ = (
        "decoders",
        "dialect",
        "int32",
        "kinds",
        "lenient",
        "longstr",
        "max_depth",
        "max_elements",
        "native",
        "strict",
    )

    def __init__(
        self, dialect: Dialect, lenient: bool, max_depth: int, max_elements: int, strict: bool = False
    ) -> None:
        if not 1 <= max_depth <= _DEPTH_CEILING:
            raise ValueError(f"max_depth must be 1 to {_DEPTH_CEILING}, not {max_depth}")
        if max_elements < 1:
            raise ValueError(f"max_elements must be at least 1, not {max_elements}")
        self.dialect = dialect
        self.lenient = lenient
        self.strict = strict
        self.max_depth = max_depth
        self.max_elements = max_elements
        self.kinds = {**(LENIENT_LETTERS if lenient else {}), **dialect.read}
        self.decoders: list[ValueDecoder] = [_read_unknown] * 256
        for letter, kind in self.kinds.items():
            self.decoders[ord(letter)] = DECODERS[kind]
        self.longstr = ord("S") if self.kinds.get("S") == "longstr" else -1
        self.int32 = ord("I") if self.kinds.get("I") == "int32" else -1
        self.native = reading(self.kinds, max_depth, max_elements)

    def __repr__(self) -> str:
        return f"<TableReader of {self.dialect!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return TableReader, (self.dialect, self.lenient, self.max_depth, self.max_elements, self.strict)


ValueDecoder = Callable[[bytes, int, int, TableReader, int], tuple[Any, int]]


def table_reader(
    dialect: DialectName | Dialect = DEFAULT_DIALECT,
    lenient: bool = False,
    max_depth: int = MAX_DEPTH,
    max_elements: int = MAX_ELEMENTS,
    strict: bool = False,
) -> TableReader:
    """Return a reader for a dialect.

    Args:
        dialect: A dialect or its name.
        lenient: Read letters that the dialect lacks as peers use them (``LENIENT_LETTERS``).
        max_depth: How deep tables and arrays may nest, 1 to 200.
        max_elements: How many entries one table or array may have.
        strict: Refuse short strings that are not UTF-8.

    Raises:
        ValueError: The dialect is unknown, or a limit is out of range.
    """
    is_default = max_depth == MAX_DEPTH and max_elements == MAX_ELEMENTS and not (lenient or strict)
    if is_default and dialect is DEFAULT_DIALECT:
        return DEFAULT_READER
    return TableReader(find_dialect(dialect), lenient, max_depth, max_elements, strict)


def read_table(
    buffer: bytes, position: int, end: int, tables: TableReader, depth: int = 1
) -> tuple[dict[str, Any], int]:
    """Read a table and return it with the position after it.

    If the length of a table is wrong, the position does not match what encloses the table; that is what
    callers check; nothing here is sized by a length that was not checked.
    """
    (size,) = unpack_I(buffer, position)
    position += 4
    stop = position + size
    if stop > end or depth > tables.max_depth:
        raise Malformed("table")
    table: dict[str, Any] = {}
    decoders = tables.decoders
    longstr = tables.longstr
    int32 = tables.int32
    count = 0
    while position < stop:
        count += 1
        start = position + 1
        position = start + buffer[position]
        key = buffer[start:position].decode()
        letter = buffer[position]
        if letter == longstr:
            start = position + 5
            (size,) = unpack_I(buffer, position + 1)
            position = start + size
            data = buffer[start:position]
            try:
                table[key] = data.decode()
            except UnicodeDecodeError:
                table[key] = data
        elif letter == int32:
            (table[key],) = unpack_i(buffer, position + 1)
            position += 5
        else:
            table[key], position = decoders[letter](buffer, position + 1, stop, tables, depth)
    if position != stop or count > tables.max_elements:
        raise Malformed("table")
    return table, position


def read_array(
    buffer: bytes, position: int, end: int, tables: TableReader, depth: int
) -> tuple[list[Any], int]:
    """Read an array and return it with the position after it; see ``read_table``."""
    (size,) = unpack_I(buffer, position)
    position += 4
    stop = position + size
    if stop > end or depth >= tables.max_depth:
        raise Malformed("array")
    items: list[Any] = []
    decoders = tables.decoders
    while position < stop:
        item, position = decoders[buffer[position]](buffer, position + 1, stop, tables, depth + 1)
        items.append(item)
    if position != stop or len(items) > tables.max_elements:
        raise Malformed("array")
    return items, position


def _read_unknown(buffer: bytes, position: int, end: int, tables: TableReader, depth: int) -> tuple[Any, int]:
    raise Unknown("letter", code="unknown-letter")


def _read_boolean(buffer: bytes, position: int, end: int, tables: TableReader, depth: int) -> tuple[Any, int]:
    return buffer[position] != 0, position + 1


def _read_uint8(buffer: bytes, position: int, end: int, tables: TableReader, depth: int) -> tuple[Any, int]:
    return buffer[position], position + 1


def _number(unpack: Callable[[bytes, int], tuple[Any, ...]], size: int) -> ValueDecoder:
    """Return the decoder of a number of that many octets."""

    def read(buffer: bytes, position: int, end: int, tables: TableReader, depth: int) -> tuple[Any, int]:
        return unpack(buffer, position)[0], position + size

    return read


def _read_decimal(buffer: bytes, position: int, end: int, tables: TableReader, depth: int) -> tuple[Any, int]:
    return Decimal(f"{unpack_i(buffer, position + 1)[0]}E-{buffer[position]}"), position + 5


def _read_decimal_unsigned(
    buffer: bytes, position: int, end: int, tables: TableReader, depth: int
) -> tuple[Any, int]:
    return Decimal(f"{unpack_I(buffer, position + 1)[0]}E-{buffer[position]}"), position + 5


def _read_shortstr(
    buffer: bytes, position: int, end: int, tables: TableReader, depth: int
) -> tuple[Any, int]:
    stop = position + 1 + buffer[position]
    return _text_or_octets(buffer[position + 1 : stop]), stop


def _read_longstr(buffer: bytes, position: int, end: int, tables: TableReader, depth: int) -> tuple[Any, int]:
    stop = position + 4 + unpack_I(buffer, position)[0]
    return _text_or_octets(buffer[position + 4 : stop]), stop


def _read_bytes(buffer: bytes, position: int, end: int, tables: TableReader, depth: int) -> tuple[Any, int]:
    stop = position + 4 + unpack_I(buffer, position)[0]
    return buffer[position + 4 : stop], stop


def _read_timestamp(
    buffer: bytes, position: int, end: int, tables: TableReader, depth: int
) -> tuple[Any, int]:
    return Timestamp(unpack_timestamp(buffer, position)[0]), position + 8


def _read_table(buffer: bytes, position: int, end: int, tables: TableReader, depth: int) -> tuple[Any, int]:
    return read_table(buffer, position, end, tables, depth + 1)


def _read_void(buffer: bytes, position: int, end: int, tables: TableReader, depth: int) -> tuple[Any, int]:
    return None, position


def _text_or_octets(data: bytes) -> str | bytes:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


DECODERS: Final[Mapping[str, ValueDecoder]] = {
    "boolean": _read_boolean,
    "int8": _number(unpack_b, 1),
    "uint8": _read_uint8,
    "int16": _number(unpack_h, 2),
    "uint16": _number(unpack_H, 2),
    "int32": _number(unpack_i, 4),
    "uint32": _number(unpack_I, 4),
    "int64": _number(unpack_q, 8),
    "uint64": _number(unpack_Q, 8),
    "float": _number(Struct(">f").unpack_from, 4),
    "double": _number(Struct(">d").unpack_from, 8),
    "decimal": _read_decimal,
    "decimal-unsigned": _read_decimal_unsigned,
    "shortstr": _read_shortstr,
    "longstr": _read_longstr,
    "bytes": _read_bytes,
    "timestamp": _read_timestamp,
    "array": read_array,
    "table": _read_table,
    "void": _read_void,
}
DEFAULT_READER: Final = TableReader(DEFAULT_DIALECT, False, MAX_DEPTH, MAX_ELEMENTS)
