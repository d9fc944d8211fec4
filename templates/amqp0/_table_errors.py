"""What is wrong with a table: where the fast reader or writer only notices a fault, this says what it is, and where."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from ._table_reader import MAX_DEPTH, TableReader, stack_exhausted
from ._table_walker import plain_table, walk_table
from ._table_writer import ENCODE_FAULTS, TableWriter, write_value
from ._texts import entry_path, shown
from ._values import SelfWritingTable, Tagged, is_mapping
from .errors import DecodeError, EncodeError, Malformed

# The most octets, and so characters, of a key.
_LONGEST_KEY: Final = 255


def table_decode_error(
    buffer: bytes, position: int, end: int, reader: TableReader, path: str, fault: Exception
) -> DecodeError:
    """Return what is wrong with a table that the fast reader refused."""
    try:
        if not isinstance(fault, RecursionError):
            walk_table(buffer, position, end, reader, 1, path, not reader.strict)
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
            entries, stop = walk_table(buffer, position, end, reader, 1, path, True)
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
