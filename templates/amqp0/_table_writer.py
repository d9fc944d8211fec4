"""The fast writer of field tables: any fault raises one of ``ENCODE_FAULTS``.

The public functions of ``table``, ``method`` and ``frames`` turn a fault into an EncodeError with a path. Encoders
check the default limits of decoders: what a package writes, it reads.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from struct import Struct
from struct import error as struct_error
from typing import Any, Final, cast

from ._native import writing
from ._table_reader import MAX_DEPTH, MAX_ELEMENTS
from ._values import (
    OCTETS,
    TIMESTAMP_RANGE,
    FieldTable,
    SelfWritingTable,
    Tagged,
    Timestamp,
    decimal_parts,
    entry_path,
    epoch_seconds,
    is_mapping,
    octets,
    pack_B,
    pack_BB,
    pack_Bb,
    pack_BH,
    pack_Bh,
    pack_BI,
    pack_Bi,
    pack_BQ,
    pack_Bq,
    pack_I,
    pack_tagged_timestamp,
    shown,
    whole_number,
)
from .dialects import DEFAULT_DIALECT, Dialect, DialectName, find_dialect
from .errors import EncodeError

EMPTY_TABLE: Final = b"\x00\x00\x00\x00"

# The most octets, and so characters, of a key.
_LONGEST_KEY: Final = 255

# What values raise that do not fit, and mappings that are broken.
ENCODE_FAULTS: Final = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
    struct_error,
)

_FLOAT: Final = Struct(">f")
_DOUBLE: Final = Struct(">d")


class TableWriter:
    """The settings of writing tables: the letter of each kind of Python value.

    Attributes:
        dialect: The letters.
        longstr: The code of the letter of ``str`` where that is a long string, else -1.
        int32: The code of the first letter of ``int`` where that is a signed 32-bit integer, else -1.
        false: The octets of ``False``, empty when the dialect has no booleans.
        true: The octets of ``True``, empty when the dialect has no booleans.
        integers: Low and high bound, letter and writer of each letter for ``int``, in the order they are tried.
        writers: Letter and writer of each exact type; subclasses are looked up with ``isinstance``.
        native: The same for the core in C; None without one.
    """

    __slots__ = ("dialect", "false", "int32", "integers", "longstr", "native", "true", "writers")

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        text = dialect.write.get("text", "")
        self.longstr = ord(text) if dialect.read.get(text) == "longstr" else -1
        integer = dialect.integers[0] if dialect.integers else ""
        self.int32 = ord(integer) if dialect.read.get(integer) == "int32" else -1
        letter = dialect.write.get("boolean", "").encode()
        self.false = letter + b"\x00" if letter else b""
        self.true = letter + b"\x01" if letter else b""
        self.integers = [
            (*_RANGES[kind], ord(letter), _WRITERS[kind])
            for letter, kind in ((letter, dialect.read[letter]) for letter in dialect.integers)
        ]
        self.writers: dict[type, tuple[int, ValueWriter]] = {int: (0, _write_integer)}
        self.writers |= {
            python_type: (ord(dialect.write[kind]), _WRITERS[dialect.read[dialect.write[kind]]])
            for python_type, kind in _KINDS.items()
            if kind in dialect.write
        }
        self.native = writing(dialect, MAX_DEPTH, MAX_ELEMENTS)


ValueWriter = Callable[[int, Any, TableWriter, int], bytes]


def table_writer(dialect: DialectName | Dialect = DEFAULT_DIALECT) -> TableWriter:
    """Return a writer for a dialect or the name of one; ValueError when there is none of that name."""
    return DEFAULT_WRITER if dialect is DEFAULT_DIALECT else TableWriter(find_dialect(dialect))


def write_table(table: FieldTable | None, tables: TableWriter, depth: int = 1) -> bytes:
    """Return the octets of a table with its length; None counts as empty.

    Raises one of ``ENCODE_FAULTS`` when something does not fit; ``encode_table`` says what and where.
    """
    if table is None:
        return EMPTY_TABLE
    if depth > MAX_DEPTH:
        raise EncodeError(f"nested deeper than {MAX_DEPTH}", code="too-deep")
    if not isinstance(table, dict):
        return _write_mapping(table, tables, depth)
    if not table:
        return EMPTY_TABLE
    parts: list[bytes] = []
    longstr = tables.longstr
    int32 = tables.int32
    true = tables.true
    for key, value in table.items():
        try:
            name = str.encode(key)
        except UnicodeEncodeError:  # surrogate escapes: octets that were not UTF-8
            name = str.encode(key, errors="surrogateescape")
        parts.append(OCTETS[len(name)])
        parts.append(name)
        if type(value) is str and longstr >= 0:
            data = value.encode()
            parts.append(pack_BI(longstr, len(data)))
            parts.append(data)
        elif type(value) is int and int32 >= 0 and -0x80000000 <= value <= 0x7FFFFFFF:
            parts.append(pack_Bi(int32, value))
        elif value is True and true:
            parts.append(true)
        else:
            parts.append(write_value(value, tables, depth))
    body = b"".join(parts)
    size = len(body)
    if size > MAX_ELEMENTS and len(table) > MAX_ELEMENTS:  # an entry has more than one octet
        raise EncodeError(f"more than {MAX_ELEMENTS} entries", code="too-many-elements")
    return pack_I(size) + body


def _write_mapping(table: Any, tables: TableWriter, depth: int) -> bytes:
    if isinstance(table, SelfWritingTable):
        raw = table.checked_octets(depth)
        return pack_I(len(raw)) + raw
    if not is_mapping(table):
        raise EncodeError(f"{shown(table)} is not a mapping")
    return write_table(dict(table), tables, depth)


def write_value(value: object, tables: TableWriter, depth: int) -> bytes:
    """Return the octets of a value with its letter."""
    found = tables.writers.get(type(value))
    if found is not None:
        return found[1](found[0], value, tables, depth)
    if isinstance(value, Tagged):
        return write_tagged(value, tables, depth)
    if isinstance(value, int) and not isinstance(value, (bool, Timestamp)):
        return _write_integer(0, int(value), tables, depth)
    return _write_by_kind(_kind(value), value, tables, depth)


def _write_by_kind(kind: str, value: Any, tables: TableWriter, depth: int) -> bytes:
    letter = tables.dialect.write.get(kind)
    if letter is None:
        raise EncodeError(
            f"the dialect {tables.dialect.name} has no letter for {type(value).__name__}",
            code="unknown-letter",
        )
    return _WRITERS[tables.dialect.read[letter]](ord(letter), value, tables, depth)


def _kind(value: Any) -> str:
    """Return which kind of Python value it is, subclasses included."""
    if is_mapping(value):
        return "table"
    for python_type, kind in _KINDS.items():
        if isinstance(value, python_type):
            return kind
    raise EncodeError(f"a field table cannot carry {type(value).__name__}")


def _write_integer(_: int, value: int, tables: TableWriter, depth: int) -> bytes:
    for low, high, letter, writer in tables.integers:
        if low <= value <= high:
            return writer(letter, value, tables, depth)
    raise EncodeError(f"{shown(value)} is beyond the integers of the dialect {tables.dialect.name}")


def write_tagged(tagged: Tagged, tables: TableWriter, depth: int) -> bytes:
    """Return the octets of a value with the letter it asks for."""
    kind = tables.dialect.read.get(tagged.letter)
    if kind is None:
        raise EncodeError(
            f"the dialect {tables.dialect.name} has no letter {shown(tagged.letter)}", code="unknown-letter"
        )
    if kind in _RANGES:
        low, high = _RANGES[kind]
        if not isinstance(whole_number(tagged.value), int) or not low <= tagged.value <= high:
            raise EncodeError(f"{shown(tagged.value)} does not fit {kind}, {low} to {high}")
    return _WRITERS[kind](ord(tagged.letter), tagged.value, tables, depth)


def _write_boolean(letter: int, value: Any, tables: TableWriter, depth: int) -> bytes:
    if value is not True and value is not False:
        raise EncodeError(f"{shown(value)} is not a bool")
    return pack_BB(letter, 1 if value else 0)


def _number(pack: Callable[[int, int], bytes]) -> ValueWriter:
    """Return the writer of a whole number after its letter."""

    def write(letter: int, value: Any, tables: TableWriter, depth: int) -> bytes:
        return pack(letter, value)

    return write


def _write_float(letter: int, value: Any, tables: TableWriter, depth: int) -> bytes:
    return OCTETS[letter] + _float_octets(_FLOAT, value, "float")


def _write_double(letter: int, value: Any, tables: TableWriter, depth: int) -> bytes:
    return OCTETS[letter] + _float_octets(_DOUBLE, value, "double")


def _float_octets(form: Struct, value: Any, kind: str) -> bytes:
    if isinstance(value, (float, int)) and not isinstance(value, bool):
        try:
            return form.pack(value)
        except (OverflowError, struct_error):
            pass
    raise EncodeError(f"{shown(value)} is not a {kind}")


def _write_decimal(letter: int, value: Any, tables: TableWriter, depth: int) -> bytes:
    scale, number = decimal_parts(value, *_RANGES["int32"])
    return pack_BB(letter, scale) + pack_Bi(0, number)[1:]


def _write_decimal_unsigned(letter: int, value: Any, tables: TableWriter, depth: int) -> bytes:
    scale, number = decimal_parts(value, *_RANGES["uint32"])
    return pack_BB(letter, scale) + pack_I(number)


def _write_shortstr(letter: int, value: Any, tables: TableWriter, depth: int) -> bytes:
    data = _text_octets(value)
    if len(data) > 255:
        raise EncodeError(
            f"{len(data)} octets are too many for a short string, which holds 255", code="too-large"
        )
    return pack_BB(letter, len(data)) + data


def _write_longstr(letter: int, value: Any, tables: TableWriter, depth: int) -> bytes:
    data = _text_octets(value)
    return pack_BI(letter, len(data)) + data


def _text_octets(value: Any) -> bytes:
    return str.encode(value) if isinstance(value, str) else octets(value)


def _write_timestamp(letter: int, value: Any, tables: TableWriter, depth: int) -> bytes:
    seconds = epoch_seconds(value)
    try:
        return pack_tagged_timestamp(letter, seconds)
    except struct_error:
        raise EncodeError(f"{shown(seconds)} is not {TIMESTAMP_RANGE}") from None


def _write_array(letter: int, value: Any, tables: TableWriter, depth: int) -> bytes:
    if depth >= MAX_DEPTH:
        raise EncodeError(f"nested deeper than {MAX_DEPTH}", code="too-deep")
    writers = tables.writers
    if not isinstance(value, (list, tuple)):
        raise EncodeError(f"{shown(value)} is not a list or a tuple")
    items = cast("Sequence[object]", value)
    parts: list[bytes] = []
    for item in items:
        found = writers.get(type(item))
        if found is None:
            parts.append(write_value(item, tables, depth + 1))
        else:
            parts.append(found[1](found[0], item, tables, depth + 1))
    body = b"".join(parts)
    size = len(body)
    if size > MAX_ELEMENTS and len(parts) > MAX_ELEMENTS:
        raise EncodeError(f"more than {MAX_ELEMENTS} items", code="too-many-elements")
    return pack_BI(letter, size) + body


def _write_table(letter: int, value: Any, tables: TableWriter, depth: int) -> bytes:
    if value is None:
        raise EncodeError("None is not a mapping")
    return OCTETS[letter] + write_table(value, tables, depth + 1)


def _write_void(letter: int, value: Any, tables: TableWriter, depth: int) -> bytes:
    if value is not None:
        raise EncodeError(f"{shown(value)} is not None, which is all that a void field holds")
    return pack_B(letter)


_WRITERS: Final[Mapping[str, ValueWriter]] = {
    "boolean": _write_boolean,
    "int8": _number(pack_Bb),
    "uint8": _number(pack_BB),
    "int16": _number(pack_Bh),
    "uint16": _number(pack_BH),
    "int32": _number(pack_Bi),
    "uint32": _number(pack_BI),
    "int64": _number(pack_Bq),
    "uint64": _number(pack_BQ),
    "float": _write_float,
    "double": _write_double,
    "decimal": _write_decimal,
    "decimal-unsigned": _write_decimal_unsigned,
    "shortstr": _write_shortstr,
    "longstr": _write_longstr,
    "bytes": _write_longstr,
    "timestamp": _write_timestamp,
    "array": _write_array,
    "table": _write_table,
    "void": _write_void,
}
_RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "int8": (-0x80, 0x7F),
    "uint8": (0, 0xFF),
    "int16": (-0x8000, 0x7FFF),
    "uint16": (0, 0xFFFF),
    "int32": (-0x80000000, 0x7FFFFFFF),
    "uint32": (0, 0xFFFFFFFF),
    "int64": (-(1 << 63), (1 << 63) - 1),
    "uint64": (0, (1 << 64) - 1),
}
# Python types by kind; int is not here because its letter depends on the value.
_KINDS: Final[Mapping[type, str]] = {
    bool: "boolean",
    str: "text",
    float: "float",
    bytes: "bytes",
    bytearray: "bytes",
    memoryview: "bytes",
    Decimal: "decimal",
    Timestamp: "timestamp",
    datetime: "timestamp",
    dict: "table",
    list: "array",
    tuple: "array",
    type(None): "void",
}
DEFAULT_WRITER: Final = TableWriter(DEFAULT_DIALECT)


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
        return fault if fault.path else EncodeError(fault.message, path, code=fault.code)
    if isinstance(fault, RecursionError):
        return EncodeError(
            "nested deeper than the stack of the interpreter has room for", path, code="too-deep"
        )
    if isinstance(fault, UnicodeEncodeError):
        return EncodeError("the text has a surrogate, which UTF-8 cannot carry", path, code="not-unicode")
    error = EncodeError(f"the value raised {type(fault).__name__}", path)
    error.__cause__ = fault
    return error


def _entry_error(table: Any, tables: TableWriter, path: str, fault: Exception, depth: int) -> EncodeError:
    if isinstance(table, SelfWritingTable) or not is_mapping(table) or depth > MAX_DEPTH:
        return unexplained(fault, path)
    for key, value in table.items():
        if not isinstance(key, str):
            return EncodeError(f"the key {shown(key)} is not a string", path)
        place = entry_path(path, key, _LONGEST_KEY)
        try:
            if len(str.encode(key, errors="surrogateescape")) > _LONGEST_KEY:
                return EncodeError(f"the key has more than {_LONGEST_KEY} octets", place, code="too-large")
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
