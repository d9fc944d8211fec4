"""Objects and arrays of VARIANT, taken apart and put together again (VariantEncoding of parquet-format)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise

OBJECT, ARRAY = 2, 3
_WIDE_COUNT = 0x100  # from here on, a count takes four octets


@dataclass(frozen=True, slots=True)
class VariantParts:
    """An object or an array.

    Attributes:
        kind: ``OBJECT`` or ``ARRAY``.
        ids: The numbers of the names of an object, in the order of its fields.
        order: The place of each field's value among the parts; of an array, that of each element.
        parts: The encoded values, in the order in which they stand.
    """

    kind: int
    ids: tuple[int, ...]
    order: tuple[int, ...]
    parts: tuple[bytes, ...]

    def joined(self, parts: Sequence[bytes]) -> bytes:
        """Return the encoded value with other parts."""
        ends = (0, *accumulate(map(len, parts)))
        width = _width(ends[-1])
        count = len(parts)
        large = count >= _WIDE_COUNT
        head = count.to_bytes(4 if large else 1, "little")
        if self.kind == OBJECT:
            id_width = _width(max(self.ids, default=0))
            first = large << 6 | id_width - 1 << 4 | width - 1 << 2 | OBJECT
            head += _numbers(self.ids, id_width)
        else:
            first = large << 4 | width - 1 << 2 | ARRAY
        starts = [ends[place] for place in self.order]
        return b"".join((bytes((first,)), head, _numbers((*starts, ends[-1]), width), *parts))


def variant_parts(value: bytes) -> VariantParts | None:
    """Take a value apart; None if it is neither an object nor an array. The value is one that a generated package wrote."""
    kind, detail = value[0] & 3, value[0] >> 2
    if kind not in (OBJECT, ARRAY):
        return None
    width = (detail & 3) + 1
    large = detail >> (4 if kind == OBJECT else 2) & 1
    position = 1 + (4 if large else 1)
    count = int.from_bytes(value[1:position], "little")
    ids: tuple[int, ...] = ()
    if kind == OBJECT:
        id_width = (detail >> 2 & 3) + 1
        ids, position = _read(value, position, count, id_width)
    offsets, position = _read(value, position, count + 1, width)
    by_place = sorted(range(count), key=offsets.__getitem__)
    bounds = (*(offsets[at] for at in by_place), offsets[-1])
    order = [0] * count
    for place, at in enumerate(by_place):
        order[at] = place
    parts = tuple(value[position + start : position + end] for start, end in pairwise(bounds))
    return VariantParts(kind, ids, tuple(order), parts)


@lru_cache(maxsize=1024)
def variant_names(metadata: bytes) -> tuple[str, ...]:
    """Return the names of the objects of a VARIANT, by their numbers."""
    width = (metadata[0] >> 6) + 1
    count = int.from_bytes(metadata[1 : 1 + width], "little")
    offsets, position = _read(metadata, 1 + width, count + 1, width)
    return tuple(metadata[position + start : position + end].decode() for start, end in pairwise(offsets))


def _read(octets: bytes, position: int, count: int, width: int) -> tuple[tuple[int, ...], int]:
    stop = position + count * width
    return (
        tuple(int.from_bytes(octets[at : at + width], "little") for at in range(position, stop, width)),
        stop,
    )


def _width(number: int) -> int:
    return (number.bit_length() + 7) // 8 or 1


def _numbers(numbers: Sequence[int], width: int) -> bytes:
    return b"".join(number.to_bytes(width, "little") for number in numbers)
