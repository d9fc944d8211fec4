"""The octets of VARIANT values: the building blocks.

VARIANT is the type of Spark and Parquet for values that have no schema (VariantEncoding of parquet-format). A
value has a header octet, whose two lowest bits tell scalars, short strings, objects and arrays apart. The names
of the fields of all objects in a variant stand beside the value, in its metadata, and objects refer to them by
number. Integers are little-endian.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter
from struct import Struct
from typing import Any, Final

from ..errors import LimitExceeded

__all__ = [
    "BINARY",
    "DECIMALS",
    "DOUBLE",
    "EMPTY_ARRAY",
    "EMPTY_METADATA",
    "EMPTY_OBJECT",
    "FALSE",
    "FIRST_SECOND",
    "FLOAT",
    "INT16",
    "INT32",
    "INT64",
    "INT8",
    "LAST_SECOND",
    "MAX_OCTETS",
    "NULL",
    "SHORT_STRINGS",
    "STRING",
    "TIMESTAMP",
    "TRUE",
    "Layouts",
    "Names",
    "ObjectLayout",
    "Variant",
    "array",
    "binary",
    "decimal",
    "finished",
    "integer",
    "is_text",
    "metadata",
    "tagged",
    "text",
    "timestamp",
]

# A value and its metadata, in the order of the fields of Spark's Arrow type for VARIANT.
Variant = tuple[bytes, bytes]

# The names of fields in one variant, with their numbers.
Names = dict[bytes, int]

# The largest value and metadata that readers of VARIANT accept: 16 MiB each in Spark.
MAX_OCTETS: Final = 0xFFFFFF

NULL: Final = b"\x00"
TRUE: Final = b"\x04"
FALSE: Final = b"\x08"
INT8: Final = b"\x0c"
INT16: Final = b"\x10"
INT32: Final = b"\x14"
INT64: Final = b"\x18"
DOUBLE: Final = b"\x1c"
TIMESTAMP: Final = b"\x30"
FLOAT: Final = b"\x38"
BINARY: Final = b"\x3c"
STRING: Final = b"\x40"
EMPTY_OBJECT: Final = b"\x02\x00\x00"
EMPTY_ARRAY: Final = b"\x03\x00\x00"
EMPTY_METADATA: Final = b"\x01\x00\x00"

# Strings of up to 63 octets have their length in the header.
SHORT_STRINGS: Final = tuple(bytes((size << 2 | 1,)) for size in range(64))

# Each width of decimals: header, octets, the greatest scale, and the first number with too many digits.
DECIMALS: Final = ((b"\x20", 4, 9, 10**9), (b"\x24", 8, 18, 10**18), (b"\x28", 16, 38, 10**38))

# The first and the last second of the years 1 to 9999, the range of SQL, counted from 1970.
FIRST_SECOND: Final = -62_135_596_800
LAST_SECOND: Final = 253_402_300_799

# Begins the names in objects that represent a value of a type that VARIANT lacks.
_TAG: Final = b"$"

# The most sets of names that are remembered, and the most names in one of them.
_MAX_REMEMBERED: Final = 1024
_MAX_NAMES: Final = 64

_pack_size: Final = Struct("<I").pack


def metadata(names: Sequence[bytes]) -> bytes:
    """Return the metadata with these names; their numbers are their places."""
    ends = _ends(names)
    width = _width(max(ends[-1], len(names)))
    head = bytes((width - 1 << 6 | 1,)) + len(names).to_bytes(width, "little")
    return b"".join((head, _numbers(ends, width), *names))


def text(octets: bytes) -> bytes:
    """Return a string; the octets must be UTF-8."""
    size = len(octets)
    return (SHORT_STRINGS[size] if size < 64 else STRING + _pack_size(size)) + octets


def binary(octets: bytes) -> bytes:
    """Octets."""
    return BINARY + _pack_size(len(octets)) + octets


def integer(value: int) -> bytes:
    """Return an int64, or a decimal where that is too narrow; at most 38 digits."""
    if -0x8000000000000000 <= value <= 0x7FFFFFFFFFFFFFFF:
        return INT64 + value.to_bytes(8, "little", signed=True)
    return decimal(value, 0)


def decimal(significand: int, scale: int, widths: Sequence[tuple[bytes, int, int, int]] = DECIMALS) -> bytes:
    """Return a decimal of the narrowest width that holds it; no octets when none does.

    Args:
        significand: The number without its point.
        scale: The number of digits after the point, 0 to 255.
        widths: The widths of ``DECIMALS`` that are allowed.
    """
    for header, size, digits, limit in widths:
        if scale <= digits and -limit < significand < limit:
            return header + bytes((scale,)) + significand.to_bytes(size, "little", signed=True)
    return b""


def timestamp(value: int, per_second: int) -> bytes:
    """Return a timestamp in microseconds; no octets if it is out of SQL's range.

    Args:
        value: Counted from 1970-01-01 UTC.
        per_second: The units of the value in a second: 1 or 1000.
    """
    if not FIRST_SECOND <= value // per_second <= LAST_SECOND:
        return b""
    return TIMESTAMP + (value * (1_000_000 // per_second)).to_bytes(8, "little", signed=True)


def array(items: Sequence[bytes]) -> bytes:
    """Return an array of values."""
    ends = _ends(items)
    width = _width(ends[-1])
    count, large = _count(len(items))
    return b"".join((bytes((large << 4 | width - 1 << 2 | 3,)), count, _numbers(ends, width), *items))


def tagged(tag: bytes, value: bytes, names: Names) -> bytes:
    """Return an object of one field: a value of a type that VARIANT lacks, named after that type."""
    number = names.setdefault(tag, len(names))
    if number < 0x100 and len(value) < 0x100:
        return bytes((2, 1, number, 0, len(value))) + value
    return ObjectLayout((tag,)).nested((value,), names)


def is_text(octets: bytes) -> bool:
    """Return whether octets are UTF-8."""
    try:
        octets.decode()
    except UnicodeDecodeError:
        return False
    return True


def finished(value: bytes, metadata: bytes) -> Variant:
    """Return a value with its metadata; LimitExceeded if one of them is larger than readers accept."""
    if len(value) > MAX_OCTETS or len(metadata) > MAX_OCTETS:
        size = max(len(value), len(metadata))
        raise LimitExceeded(
            f"a VARIANT of {size} octets exceeds the maximum of {MAX_OCTETS}", code="too-large"
        )
    return value, metadata


class ObjectLayout:
    """The layout of all objects with certain keys.

    The fields of an object are listed in the order of their names. Their values may be anywhere: they stay in
    the order in which they were given.

    Attributes:
        keys: The names of the fields, in the order of the values; all different.
        metadata: The metadata of a variant with no other names.
    """

    __slots__ = ("_head", "_heads", "_last", "_order", "_pick", "keys", "metadata")

    def __init__(self, keys: tuple[bytes, ...]) -> None:
        self.keys = keys
        self.metadata = metadata(keys)
        self._order = sorted(range(len(keys)), key=keys.__getitem__)
        # Picks the starts of the values in the order of names, then the end of the last value.
        self._pick: Any = itemgetter(*self._order, len(keys))
        self._heads = _heads(self._order)
        self._head = self._heads[0]
        # Of the last nested object: the next one usually has the same numbers for its keys.
        self._last = (self._order, self._heads)

    def alone(self, values: Sequence[bytes]) -> bytes:
        """Return an object that is a whole variant, or the only one with names in it."""
        if not values:
            return EMPTY_OBJECT
        ends = _ends(values)
        if ends[-1] < 0x100:
            return self._head + bytes(self._pick(ends)) + b"".join(values)
        return self._octets(self._heads, ends, values)

    def nested(self, values: Sequence[bytes], names: Names) -> bytes:
        """Return an object among others of a variant; its names are added to ``names``."""
        if not values:
            return EMPTY_OBJECT
        keys = self.keys
        numbers = [names.setdefault(keys[place], len(names)) for place in self._order]
        last, heads = self._last
        if numbers != last:
            heads = _heads(numbers)
            self._last = (numbers, heads)
        return self._octets(heads, _ends(values), values)

    def _octets(self, heads: tuple[bytes, ...], ends: list[int], values: Sequence[bytes]) -> bytes:
        width = _width(ends[-1])
        return heads[width - 1] + _numbers(self._pick(ends), width) + b"".join(values)


class Layouts:
    """A cache of layouts, because messages of one kind usually have the same names; its size is limited.

    Attributes:
        objects: How objects with certain keys are laid out.
        tagged: The same for objects that stand for values of types that VARIANT lacks.
        names: The metadata with certain names.
    """

    __slots__ = ("names", "objects", "tagged")

    def __init__(self) -> None:
        self.objects: dict[tuple[bytes, ...], ObjectLayout] = {}
        self.tagged: dict[tuple[bytes, ...], ObjectLayout] = {}
        self.names: dict[tuple[bytes, ...], bytes] = {}

    def new_object(self, keys: Sequence[bytes]) -> ObjectLayout | None:
        """Return the layout of an object with new keys; None if no object can have them."""
        if len(set(keys)) != len(keys) or any(key.startswith(_TAG) or not is_text(key) for key in keys):
            return None
        layout = ObjectLayout(tuple(keys))
        _remember(self.objects, layout.keys, layout)
        return layout

    def tagged_object(self, keys: tuple[bytes, ...]) -> ObjectLayout:
        """Return the layout of an object whose first key is a tag."""
        found = self.tagged.get(keys)
        if found is None:
            found = ObjectLayout(keys)
            _remember(self.tagged, keys, found)
        return found

    def metadata_of(self, names: Names) -> bytes:
        """Return the metadata with these names."""
        key = tuple(names)
        found = self.names.get(key)
        if found is None:
            found = metadata(key)
            _remember(self.names, key, found)
        return found


def _remember(found: dict[tuple[bytes, ...], Any], names: tuple[bytes, ...], value: Any) -> None:
    if len(names) <= _MAX_NAMES:
        if len(found) >= _MAX_REMEMBERED:
            found.clear()
        found[names] = value


def _heads(numbers: list[int]) -> tuple[bytes, ...]:
    """Return the first octets of an object, by the numbers of its fields: for offsets of one to four octets each."""
    count, large = _count(len(numbers))
    width = _width(max(numbers, default=0))
    fields = count + _numbers(numbers, width)
    first = large << 6 | width - 1 << 4 | 2
    return tuple([bytes((first | size << 2,)) + fields for size in range(4)])


def _ends(parts: Sequence[bytes]) -> list[int]:
    """Return where each part ends when the parts are joined, from the start of the first one."""
    end = 0
    ends = [0]
    for part in parts:
        end += len(part)
        ends.append(end)
    return ends


def _width(number: int) -> int:
    """Return how many octets a number takes."""
    return (number.bit_length() + 7) // 8 or 1


def _count(number: int) -> tuple[bytes, int]:
    """Return a number of elements, and whether it takes four octets."""
    return (bytes((number,)), 0) if number < 0x100 else (_pack_size(number), 1)


def _numbers(numbers: Iterable[int], width: int) -> bytes:
    if width == 1:
        return bytes(numbers)
    return b"".join([number.to_bytes(width, "little") for number in numbers])
