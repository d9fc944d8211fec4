"""Rows of methods and content headers that the fast readers refuse although they can be read.

Brokers send and forward short strings that are not UTF-8, property flags that stand for nothing, and a weight that is
not zero. What of these fits no column goes into ``misfits``. Slow: goes field by field, by ``FIELDS``. Any fault raises
one of ``DECODE_FAULTS``.
"""

from collections.abc import Sequence
from typing import Any, Final

from .._fields import FieldLayout, walk_value
from .._wire import unpack_H, unpack_HHQ
from ..errors import Malformed
from ._batch import Columns, Row
from ._misfits import MICROSECONDS, misfit_row
from ._variant_reader import VariantReader, read_variant

__all__ = ["FLAGS", "WEIGHT", "tolerant_header_row", "tolerant_method_row"]

# Names in the misfits of content headers. No property has a name with a dollar sign.
FLAGS: Final = "$flags"
WEIGHT: Final = "$weight"

_BITS_PER_OCTET: Final = 8
# Flags in a word; the lowest bit says that another word follows (0-9-1 document, section 4.2.6.1).
_FLAGS_PER_WORD: Final = 15
_HIGHEST_FLAG: Final = 0x8000
_CONTINUED: Final = 1


class _RowParts:
    """The values of a row, and what fits no column.

    Attributes:
        values: The values of the columns, in order.
        others: The values without a column, by name.
    """

    __slots__ = ("_columns", "others", "values")

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self.values: list[Any] = []
        self.others: dict[str, Any] = {}

    def add(self, value: Any) -> None:
        """Add the value of the next column; one of moments has microseconds."""
        is_moment = self._columns[len(self.values)][1] == "timestamp[us]" and value is not None
        self.values.append(value * MICROSECONDS if is_moment else value)

    def add_text(self, octets: bytes) -> None:
        """Add a short string; if it is not UTF-8, its octets are a misfit."""
        try:
            text = octets.decode()
        except UnicodeDecodeError:
            text = octets.decode(errors="backslashreplace")
            self.others[self._columns[len(self.values)][0]] = octets
        self.values.append(text)

    def row(self) -> Row:
        """Return the row."""
        return misfit_row(self._columns, (*self.values, None), self.others)


def tolerant_method_row(
    fields: Sequence[FieldLayout], columns: Columns, buffer: bytes, tables: VariantReader
) -> Row:
    """Read the payload of a method with these fields and columns."""
    parts = _RowParts(columns)
    position, index, end = 4, 0, len(buffer)
    while index < len(fields):
        field = fields[index]
        if field.type == "bit":
            index += _read_bits(fields, index, buffer[position], parts)
            position += 1
        else:
            position = _read_field(field, buffer, position, end, tables, parts)
            index += 1
    if position != end:
        raise Malformed("arguments and payload end differently")
    return parts.row()


def _read_bits(fields: Sequence[FieldLayout], first: int, octet: int, parts: _RowParts) -> int:
    """Read the bits that share an octet; return how many these are."""
    spare = octet
    count = 0
    for field in fields[first : first + _BITS_PER_OCTET]:
        if field.type != "bit":
            break
        if not field.reserved:
            parts.add(bool(octet >> count & 1))
            spare &= ~(1 << count)
        count += 1
    if spare:
        parts.others[f"bits of {fields[first].name}"] = spare
    return count


def _read_field(
    field: FieldLayout, buffer: bytes, position: int, end: int, tables: VariantReader, parts: _RowParts
) -> int:
    """Read a field that is not a bit; return the position after it."""
    kind = str(field.type)  # of all versions, one of which has more types than the others
    if kind == "shortstr":
        stop = position + 1 + buffer[position]
        octets = buffer[position + 1 : stop]
        if field.reserved:
            parts.others[field.name] = octets
        else:
            parts.add_text(octets)
        return stop
    value: Any
    if kind == "table":
        value, position = read_variant(buffer, position, end, tables)
    else:
        value, position = walk_value(field.type, buffer, position, end, tables.tables, "", True)
    if kind == "content":
        if field.reserved:
            parts.others |= {f"{field.name}_kind": value.kind, field.name: value.data}
        else:
            parts.add(value.kind)
            parts.add(value.data)
    elif field.reserved:
        parts.others[field.name] = value
    else:
        parts.add(value)
    return position


def tolerant_header_row(
    fields: Sequence[FieldLayout], columns: Columns, buffer: bytes, tables: VariantReader
) -> Row:
    """Read the payload of a content header with these properties and columns."""
    class_id, weight, body_size = unpack_HHQ(buffer, 0)
    parts = _RowParts(columns)
    parts.add(class_id)
    parts.add(body_size)
    parts.others[WEIGHT] = weight
    words, position = _read_flags(buffer, 12)
    known = [0] * len(words)
    end = len(buffer)
    for index, field in enumerate(fields):
        word, place = divmod(index, _FLAGS_PER_WORD)
        flag = _HIGHEST_FLAG >> place
        if word >= len(words) or not words[word] & flag:
            parts.add(False if field.type == "bit" else None)
        elif field.type == "bit":  # the value is the flag
            parts.add(True)
            known[word] |= flag
        else:
            position = _read_field(field, buffer, position, end, tables, parts)
            known[word] |= flag
    if position != end:
        raise Malformed("properties and payload end differently")
    if words != _continued(known):
        parts.others[FLAGS] = words
    return parts.row()


def _read_flags(buffer: bytes, position: int) -> tuple[list[int], int]:
    """Read the words of property flags; return them and the position after them."""
    words: list[int] = []
    while not words or words[-1] & _CONTINUED:
        words.append(unpack_H(buffer, position)[0])
        position += 2
    return words, position


def _continued(words: list[int]) -> list[int]:
    """Return the words that these flags need: each but the last one says that another one follows."""
    count = max([1, *(number for number, word in enumerate(words, 1) if word)])
    return [word | _CONTINUED for word in words[: count - 1]] + [words[count - 1]]
