"""A reader of VARIANT values that generated packages wrote, which makes Python values of them.

The layout is VariantEncoding of parquet-format; integers are little-endian.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import Any

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_unpack_float = struct.Struct("<f").unpack
_unpack_double = struct.Struct("<d").unpack

# The two lowest bits of the header of a value.
_SHORT_STRING, _OBJECT, _ARRAY = 1, 2, 3
# The types, in the other bits, of values that begin with their size.
_BINARY, _STRING = 15, 16


def variant_value(variant: tuple[bytes, bytes]) -> Any:
    """Return the Python value of a pair of value and metadata.

    Returns:
        None, bool, int, float, ``Decimal``, ``bytes``, ``str``, an aware ``datetime`` (UTC), or a list or dict of such
        values. Types that VARIANT lacks stay objects, such as ``{"$longstr": b"..."}``.

    Raises:
        ValueError: No generated package wrote this.
    """
    value, metadata = variant
    try:
        return _read(value, 0, len(value), _names(metadata))
    except (IndexError, KeyError, ValueError, struct.error, OverflowError, RecursionError) as fault:
        raise ValueError(f"a VARIANT cannot be read: {fault}") from None


@lru_cache(maxsize=256)
def repeated_variant_value(variant: tuple[bytes, bytes]) -> Any:
    """Return ``variant_value`` of what connections repeat, such as properties and addresses. Nobody may change it."""
    return variant_value(variant)


def variant_field(variant: tuple[bytes, bytes], name: str) -> tuple[bytes, bytes] | None:
    """Return a field of an object as a VARIANT of its own; None if it has no such field, or is not an object.

    Raises:
        ValueError: No generated package wrote this.
    """
    value, metadata = variant
    try:
        if value[0] & 3 != _OBJECT:
            return None
        starts, end = _fields(value, 1, value[0] >> 2, _names(metadata))
        start = starts.get(name)
        if start is None:
            return None
        return value[start : min((at for at in starts.values() if at > start), default=end)], metadata
    except (IndexError, ValueError) as fault:
        raise ValueError(f"a VARIANT cannot be read: {fault}") from None


def _names(metadata: bytes) -> list[str]:
    width = (metadata[0] >> 6) + 1
    count = int.from_bytes(metadata[1 : 1 + width], "little")
    offsets, position = _numbers(metadata, 1 + width, count + 1, width)
    return [metadata[position + start : position + end].decode() for start, end in pairwise(offsets)]


def _numbers(octets: bytes, position: int, count: int, width: int) -> tuple[list[int], int]:
    stop = position + count * width
    if stop > len(octets):
        raise ValueError("it ends too soon")
    return [int.from_bytes(octets[at : at + width], "little") for at in range(position, stop, width)], stop


def _read(octets: bytes, position: int, end: int, names: list[str]) -> Any:
    """Return the value between two positions. Parts of a value follow each other, so each octet is read once."""
    if position >= end:
        raise ValueError("a part of it is empty")
    basic, detail = octets[position] & 3, octets[position] >> 2
    position += 1
    if basic == _SHORT_STRING:
        return _run(octets, position, detail, end).decode()
    if basic == _OBJECT:
        starts, stop = _fields(octets, position, detail, names)
        bounds = pairwise((*starts.values(), _within(stop, end)))
        return {name: _read(octets, *bound, names) for name, bound in zip(starts, bounds, strict=True)}
    if basic == _ARRAY:
        large, width = detail >> 2, (detail & 3) + 1
        (count,), position = _numbers(octets, position, 1, 4 if large else 1)
        offsets, position = _numbers(octets, position, count + 1, width)
        _within(position + offsets[-1], end)
        return [_read(octets, position + start, position + stop, names) for start, stop in pairwise(offsets)]
    if detail in (_BINARY, _STRING):
        (size,), position = _numbers(octets, position, 1, 4)
        data = _run(octets, position, size, end)
        return data if detail == _BINARY else data.decode()
    size, convert = _SCALARS[detail]
    return convert(_run(octets, position, size, end))


def _run(octets: bytes, position: int, size: int, end: int) -> bytes:
    return octets[position : _within(position + size, end)]


def _within(position: int, end: int) -> int:
    if position > end:
        raise ValueError("a part of it ends behind it")
    return position


def _fields(octets: bytes, position: int, detail: int, names: list[str]) -> tuple[dict[str, int], int]:
    """Return where the fields of an object begin, in the order of their positions, and where the last one ends."""
    large, id_width, width = detail >> 4, (detail >> 2 & 3) + 1, (detail & 3) + 1
    (count,), position = _numbers(octets, position, 1, 4 if large else 1)
    ids, position = _numbers(octets, position, count, id_width)
    offsets, position = _numbers(octets, position, count + 1, width)
    order = sorted(range(count), key=offsets.__getitem__)
    starts = {names[ids[at]]: position + offsets[at] for at in order}
    if len(starts) < count:
        raise ValueError("it has a name twice")
    return starts, position + offsets[-1]


def _integer(data: bytes) -> int:
    return int.from_bytes(data, "little", signed=True)


def _decimal(data: bytes) -> Decimal:
    significand = _integer(data[1:])
    digits = tuple(int(digit) for digit in str(abs(significand)))
    return Decimal((significand < 0, digits, -data[0]))  # exact, whatever the context's precision


def _timestamp(data: bytes) -> datetime:
    return _EPOCH + timedelta(microseconds=_integer(data))


# By type: number of octets, and how they are converted.
_SCALARS: dict[int, tuple[int, Callable[[bytes], Any]]] = {
    0: (0, lambda data: None),
    1: (0, lambda data: True),
    2: (0, lambda data: False),
    3: (1, _integer),
    4: (2, _integer),
    5: (4, _integer),
    6: (8, _integer),
    7: (8, lambda data: _unpack_double(data)[0]),
    8: (5, _decimal),
    9: (9, _decimal),
    10: (17, _decimal),
    12: (8, _timestamp),
    14: (4, lambda data: _unpack_float(data)[0]),
}
