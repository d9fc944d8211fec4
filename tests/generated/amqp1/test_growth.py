"""Work grows with the octets and no faster, whatever they are: a fitted exponent, of lines and of time."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, islice

import pytest

from tests.growth import LARGEST_EXPONENT, line_exponent, time_exponent

from .hostile import array32, list32, map32
from .packages import amqp
from .test_time_and_memory import (  # fmt: skip
    BROKEN,
    Case,
    decode,
    decode_frames,
    descriptor,
    encode,
    error_in_key,
    feed,
    list_of_map_in_key,
    map_in_key,
    variant,
)
from .test_time_and_memory import CASES as TIMED

# So many are quickly counted, and enough to tell the square from the line; of single octets it takes more.
LINES = 40
# The number of levels that fit into the default depth, three times doubled.
LEVELS = 7
EMPTY = amqp.encode_frame(0, None)


def nested(around: Callable[[bytes], bytes], innermost: bytes = b"\x40") -> Callable[[int], bytes]:
    def make(levels: int) -> bytes:
        octets = innermost
        for _ in range(levels):
            octets = around(octets)
        return octets

    return make


def broken(make: Callable[[int], bytes]) -> Callable[[int], bytes]:
    return lambda levels: make(levels)[:-1] + BROKEN


def wide_keys(number: int) -> bytes:
    """A map with maps as keys, each of another content, side by side."""
    keys = islice((map32(2, b"\x71%s\x40" % key.to_bytes(4, "big")) for key in count()), number)
    return map32(2 * number, b"".join(key + b"\x40" for key in keys))


def decode_lossless(octets: bytes) -> object:
    found = amqp.decode(octets, lossless=True, max_elements=10**9)[0]
    assert amqp.encode(found) == octets
    return found


COUNTED: dict[str, Case] = {
    **{name: (make, call, max(LINES, size // 1000)) for name, (make, call, size) in TIMED.items()},
    # The first hundred have fewer digits than the next ones.
    "keys of the same hash: decimal": (*TIMED["keys of the same hash: decimal"][:2], 4 * LINES),
    # The core in C reads up to fifty keys that are numbers, without a line of Python.
    "keys that share their last bits": (*TIMED["keys that share their last bits"][:2], 4 * LINES),
    "depth of lists": (nested(lambda inner: list32(1, inner)), decode, LEVELS),
    "depth of arrays": (nested(lambda inner: array32(1, inner), b"\x40"), decode, LEVELS),
    "depth of keys": (nested(map_in_key), decode, LEVELS),
    "depth of keys, broken": (broken(nested(map_in_key)), decode, LEVELS),
    "depth of keys, VARIANT": (nested(map_in_key), variant, LEVELS),
    "depth of keys, VARIANT, broken": (broken(nested(map_in_key)), variant, LEVELS),
    "depth of lists in keys": (nested(list_of_map_in_key), decode, LEVELS // 2),
    "depth of lists in keys, broken": (broken(nested(list_of_map_in_key)), decode, LEVELS // 2),
    "depth of descriptors": (nested(descriptor), decode, LEVELS),
    "depth of descriptors, broken": (broken(nested(descriptor)), decode, LEVELS),
    "depth of known types in keys": (nested(error_in_key), decode, LEVELS // 3),
    "depth of known types in keys, broken": (broken(nested(error_in_key)), decode, LEVELS // 3),
    "deep keys side by side, broken": (
        lambda n: list32(n + 1, nested(map_in_key)(58) * n + BROKEN),
        decode,
        2,
    ),
    "maps as keys side by side": (wide_keys, decode, LINES),
    "maps as keys side by side, broken": (broken(wide_keys), decode, LINES),
    "a list, lossless": (lambda n: list32(n, b"\x71\0\0\0\1" * n), decode_lossless, LINES),
    "maps as keys side by side, lossless": (wide_keys, decode_lossless, LINES),
    "depth of keys, lossless": (nested(map_in_key), decode_lossless, LEVELS),
    "counts without octets": (lambda n: list32(n, array32(65536, b"\x41") * n), decode, LINES),
    "empty frames": (lambda n: EMPTY * n, decode_frames, LINES),
    "empty frames, octet by octet": (lambda n: EMPTY * n, feed(1), LINES),
    "encoding nested maps as keys": (lambda n: decode(nested(map_in_key)(n))[0], encode, LEVELS),
}


@pytest.mark.parametrize("name", COUNTED)
def test_lines_grow_with_the_input(name: str) -> None:
    assert line_exponent(*COUNTED[name]) <= LARGEST_EXPONENT


@pytest.mark.full
@pytest.mark.parametrize("name", TIMED)
def test_time_grows_with_the_input(name: str) -> None:
    make, call, size = TIMED[name]
    assert time_exponent(make, call, size // 32) <= LARGEST_EXPONENT
