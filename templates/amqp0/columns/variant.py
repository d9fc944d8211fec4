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
"""

from .._arguments import Octets, input_octets
from .._table_errors import table_decode_error
from .._table_reader import DECODE_FAULTS, MAX_DEPTH, MAX_ELEMENTS, TableReader
from ..dialects import DEFAULT_DIALECT, Dialect, DialectName
from ..errors import DecodeError, LimitExceeded
from ._variant_reader import make_variant_reader, read_variant
from .variant_octets import Variant

__all__ = ["table_variant"]


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
    reader = make_variant_reader(dialect, lenient, max_depth, max_elements)
    try:
        return read_variant(data, position, len(data), reader)
    except DECODE_FAULTS as fault:
        raise _variant_error(data, position, reader.tables, fault) from None


def _variant_error(buffer: bytes, position: int, tables: TableReader, fault: Exception) -> DecodeError:
    """Return what is wrong with a table that cannot become a variant."""
    if isinstance(fault, LimitExceeded):
        return fault
    return table_decode_error(buffer, position, len(buffer), tables, "", fault)
