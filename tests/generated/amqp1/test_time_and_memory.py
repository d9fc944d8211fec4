"""Time and memory are linear in the octets, whatever the octets are: ratios, never seconds."""

from __future__ import annotations

import gc
import struct
import sys
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any, TypeAlias
from uuid import UUID

import pytest
from amqp_1_0.columns.variant import value_variant

from tests.growth import most_memory

from .hostile import array32, list32, map32
from .packages import BY_NAME, amqp

NO_LIMIT = 10**9
MODULUS = 2**61 - 1  # integers that differ by it have the same hash
Array, Described, Map, Symbol = amqp.Array, amqp.Described, amqp.Map, amqp.Symbol


def decode(octets: bytes) -> Any:
    try:
        return amqp.decode(octets, max_elements=NO_LIMIT)
    except amqp.DecodeError as error:
        return error


def encode(value: Any) -> Any:
    try:
        return amqp.encode(value)
    except amqp.EncodeError as error:
        return error


def transform(octets: bytes) -> Any:
    return encode(decode(octets)[0])


def decode_frames(stream: bytes) -> Any:
    try:
        return amqp.decode_frames(stream)
    except amqp.DecodeError as error:
        return error


def feed(size: int) -> Callable[[bytes], Any]:
    def call(stream: bytes) -> Any:
        decoder = amqp.FrameDecoder(max_frame_size=0)
        return [decoder.feed(stream[start : start + size]) for start in range(0, len(stream), size)]

    return call


def around(octets: bytes, levels: int) -> bytes:
    """Lists in each other around a value."""
    for _ in range(levels):
        octets = list32(1, octets)
    return octets


def keys(count: int, code: int, width: int, step: int) -> bytes:
    """A map with keys of a fixed width, and null for each."""
    entries = b"".join(
        bytes((code,)) + (number * step).to_bytes(width, "big") + b"\x40" for number in range(count)
    )
    return map32(2 * count, entries)


def strings(count: int, text: str = "k{}") -> bytes:
    texts = [text.format(number).encode() for number in range(count)]
    return map32(2 * count, b"".join(b"\xa1" + bytes((len(text),)) + text + b"\x40" for text in texts))


def arrays_as_keys(count: int, code: int) -> bytes:
    """A map whose keys are arrays of many elements without octets, each of another length."""
    entries = [
        b"\xf0" + struct.pack(">II", 5, 65536 - number) + bytes((code,)) + b"\x40" for number in range(count)
    ]
    return map32(2 * count, b"".join(entries))


def itself(count: int) -> list[Any]:
    items: list[Any] = [1] * count
    items.append(items)
    return items


BROKEN = b"\x57"
ACCEPTED = b"\0\x53\x24\xc0"
TRANSFER = amqp.encode_frame(1, BY_NAME["transfer"](handle=0), b"x" * 40)
SOURCE = BY_NAME["source"](filter={"f": Described(Symbol("x"), 1)}, capabilities=["a", "b"]).encode()

# What is made of a number, what is done with it, and the number; see ``test_growth``.
Case: TypeAlias = tuple[Callable[[int], Any], Callable[[Any], Any], int]
CASES: dict[str, Case] = {
    "a list": (lambda n: list32(n, b"\x55\1" * n), decode, 40_000),
    "a list, broken": (lambda n: list32(n, b"\x55\1" * (n - 1) + BROKEN), decode, 20_000),
    "a list deep down, broken": (lambda n: around(list32(n, b"\x40" * (n - 1) + BROKEN), 60), decode, 20_000),
    "a list of lists": (lambda n: list32(n, b"\xc0\2\1\x40" * n), decode, 20_000),
    "a list of empty lists, broken": (lambda n: list32(n, b"\x45" * (n - 1) + BROKEN), decode, 20_000),
    "a list of arrays without octets": (lambda n: list32(n, array32(65536, b"\x41") * n), transform, 10_000),
    "a map": (strings, decode, 5_000),
    "a map, broken": (lambda n: strings(n)[:-1] + BROKEN, decode, 10_000),
    "a map deep down, broken": (lambda n: around(strings(n)[:-1] + BROKEN, 60), decode, 10_000),
    "a map of one key": (lambda n: map32(2 * n, b"\xa1\1a\x40" * n), decode, 20_000),
    "a map of long keys, broken": (lambda n: strings(n, "k" * 200 + "{}")[:-1] + BROKEN, decode, 5_000),
    "keys of the same hash: uuid": (lambda n: keys(n, 0x98, 16, MODULUS), decode, 10_000),
    "keys of the same hash: uuid, broken": (lambda n: keys(n, 0x98, 16, MODULUS)[:-1] + BROKEN, decode, 5_000),
    "keys of the same hash: decimal": (lambda n: keys(n, 0x94, 16, MODULUS), decode, 10_000),
    "keys that share their last bits": (lambda n: keys(n, 0x80, 8, 2**40), decode, 10_000),
    "keys that are lists": (lambda n: map32(2 * n, b"".join(list32(1, struct.pack(">Bq", 0x81, k)) + b"\x40" for k in range(n))), decode, 5_000),
    "keys that are arrays": (lambda n: arrays_as_keys(n, 0x41), transform, 5_000),
    "keys that are arrays, broken": (lambda n: arrays_as_keys(n, 0x41)[:-1] + BROKEN, decode, 5_000),
    "an array": (lambda n: array32(n, b"\x55" + b"\1" * n), decode, 40_000),
    "an array, broken": (lambda n: array32(n, b"\x56" + b"\1" * (n - 1) + b"\2"), decode, 20_000),
    "an array of known values": (lambda n: array32(n, ACCEPTED + b"\1\0" * n), decode, 10_000),
    "an array of known values, broken": (lambda n: array32(n, ACCEPTED + b"\1\0" * (n - 1) + b"\1\1"), decode, 5_000),
    "composites, broken": (lambda n: list32(n + 1, SOURCE * n + BROKEN), decode, 1_000),
    "a string, broken": (lambda n: b"\xb1" + struct.pack(">I", n) + b"a" * (n - 1) + b"\xff", decode, 400_000),
    "a symbol, broken": (lambda n: b"\xb3" + struct.pack(">I", n) + b"a" * (n - 1) + b"\xff", decode, 400_000),
    "different symbols": (lambda n: list32(n, b"".join(b"\xa3\6%06d" % k for k in range(n))), decode, 20_000),
    "descriptors": (lambda n: list32(n, b"\0\xa3\1x\x40" * n), decode, 10_000),
    "frames": (lambda n: TRANSFER * n, decode_frames, 5_000),
    "frames, the last one broken": (lambda n: TRANSFER * n + b"\0\0\0\7\2\0\0\0", decode_frames, 5_000),
    "frames octet by octet": (lambda n: TRANSFER * n, feed(1), 1_000),
    "one frame in small pieces": (lambda n: amqp.encode_frame(1, BY_NAME["transfer"](handle=0), bytes(n)), feed(64), 1_000_000),
    "encoding a list": (lambda n: [1] * n, encode, 16_000),
    "encoding a list, late fault": (lambda n: [1] * n + [object()], encode, 16_000),
    "encoding a list in itself": (itself, encode, 1_000),
    "encoding a map, late fault": (lambda n: {**{f"k{k}": k for k in range(n)}, "x": object()}, encode, 8_000),
    "encoding pairs": (lambda n: Map([(k, k) for k in range(n)]), encode, 8_000),
    "encoding pairs, the last twice": (lambda n: Map([*((k, k) for k in range(n)), (0, 0)]), encode, 8_000),
    "encoding an array": (lambda n: Array([300] * n), encode, 16_000),
    "encoding an array, late fault": (lambda n: Array([*[1] * n, "x"]), encode, 16_000),
    "encoding arrays in arrays, late fault": (lambda n: Array([Array([*[1] * n, "x"])]), encode, 16_000),
    "encoding digits": (lambda n: Decimal("9" * n), encode, 20_000),
    "encoding a huge number": (lambda n: [1 << n], encode, 4_000_000),
    "encoding uuids as keys": (lambda n: Map([(UUID(int=k * MODULUS), None) for k in range(n)]), encode, 5_000),
}  # fmt: skip


def map_in_key(key: bytes) -> bytes:
    return map32(4, key + b"\x40\x41\x40")


def list_of_map_in_key(key: bytes) -> bytes:
    return map32(2, list32(1, key) + b"\x40")


def error_in_key(key: bytes) -> bytes:
    """A known type in a key, with a map whose key is the next one."""
    return map32(2, b"\0\x53\x1d" + list32(3, b"\xa3\1e\x40" + map32(2, key + b"\x40")) + b"\x40")


def descriptor(octets: bytes) -> bytes:
    return b"\0" + octets + b"\x40"


def variant(octets: bytes) -> Any:
    try:
        return value_variant(octets)
    except amqp.DecodeError as error:
        return error


def calls(call: Callable[[bytes], Any], octets: bytes) -> int:
    """How many functions are called, of Python and of C."""
    count = 0

    def profile(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        call(octets)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("call", [decode, variant])
@pytest.mark.parametrize("last", [b"\x40", BROKEN])
@pytest.mark.parametrize(
    ("around_key", "levels"),
    [(map_in_key, 15), (list_of_map_in_key, 7), (descriptor, 15), (error_in_key, 5)],
    ids=["maps", "lists", "descriptors", "known types"],
)
def test_four_times_the_depth_of_keys_takes_four_times_as_long(
    around_key: Callable[[bytes], bytes], levels: int, last: bytes, call: Callable[[bytes], Any]
) -> None:
    # Not in seconds: so deep and no deeper values may nest, which takes little time in any case.
    once, four_times = b"\x40", b"\x40"
    for _ in range(levels):
        once = around_key(once)
    for _ in range(4 * levels):
        four_times = around_key(four_times)
    call(once)  # what is made once, and kept
    if last == BROKEN:
        once, four_times = once[:-1] + BROKEN, four_times[:-1] + BROKEN
    assert calls(call, four_times) <= 8 * calls(call, once)


peak = partial(most_memory, (amqp.CodecError,))


@pytest.mark.parametrize("size", [2**31 - 1, 2**31, 2**32 - 1])
def test_claimed_sizes_and_counts_are_not_allocated(size: int) -> None:
    claim = struct.pack(">I", size)
    values = [bytes((code,)) + claim + bytes(20) for code in (0xB0, 0xB1, 0xB3, 0xD0, 0xD1, 0xF0)]
    values += [
        bytes((code,)) + struct.pack(">I", 25) + claim + element + bytes(20)
        for code in (0xD0, 0xD1, 0xF0)
        for element in (b"\x40", b"\x41", b"\x45", b"\x50")
    ]
    values += [array32(1, b"\0\x53\x10" + octets) for octets in values]
    for octets in values:
        assert peak(lambda octets=octets: amqp.decode(octets)) < 50_000
        assert peak(lambda octets=octets: amqp.decode(octets, max_elements=NO_LIMIT)) < 50_000
    head = claim + b"\2\0\0\0"
    assert peak(lambda: amqp.decode_frames(head + bytes(100))) < 50_000
    assert peak(lambda: amqp.FrameDecoder(max_frame_size=0).feed(head + bytes(100))) < 50_000


@pytest.mark.parametrize("code", [0x40, 0x41, 0x42, 0x43, 0x44, 0x45])
def test_elements_without_octets_take_no_memory(code: int) -> None:
    octets = array32(65536, bytes((code,)))
    assert peak(lambda: amqp.decode(octets)) < 5_000
    assert peak(lambda: amqp.encode(amqp.decode(octets)[0])) < 5_000
    assert peak(lambda: repr(amqp.decode(octets)[0])) < 5_000
    described = array32(65536, b"\0\xa3\1x" + bytes((code,)))
    assert peak(lambda: transform(described)) < 10_000
    huge = array32(2**32 - 1, bytes((code,)))
    # Limits of one's own take some memory for each level of depth, with C more than without; elements take none.
    one = array32(1, bytes((code,)))
    of_limits = peak(lambda: amqp.decode(one, max_elements=NO_LIMIT * 10))
    assert peak(lambda: amqp.decode(huge, max_elements=NO_LIMIT * 10)) < of_limits + 500 < 6_500
    assert len(amqp.decode(huge, max_elements=NO_LIMIT * 10)[0]) == 2**32 - 1


BIG: dict[str, bytes] = {
    "nulls": list32(15_000, b"\x40" * 15_000),
    "empty lists": list32(15_000, b"\x45" * 15_000),
    "small lists": list32(5_000, b"\xc0\1\0" * 5_000),
    "maps": list32(5_000, b"\xc1\1\0" * 5_000),
    "arrays": list32(2_500, b"\xe0\2\xff\x41" * 2_500),
    "uints": array32(15_000, b"\x52" + b"\xff" * 15_000),
    "pairs": keys(5_000, 0x60, 2, 1),
    "arrays as keys": arrays_as_keys(2_000, 0x41),
    "known values": array32(5_000, ACCEPTED + b"\1\0" * 5_000),
    "nested": around(b"\x40", 60),
}


@pytest.mark.parametrize("name", BIG)
def test_a_lot_of_small_things(name: str) -> None:
    # A Python object is up to two hundred times as large as the octet that asks for it, and that is all.
    octets = BIG[name]
    assert not isinstance(decode(octets), Exception)
    assert peak(lambda: decode(octets)) < 200 * len(octets) + 10_000
    # An error has the call stack with it, which is as deep as the values are.
    assert peak(lambda: decode(octets[:-1] + b"\xff")) < 200 * len(octets) + 400_000
    assert peak(lambda: transform(octets)) < 400 * len(octets) + 20_000


def test_symbols_that_are_kept_are_few() -> None:
    def decode_symbols() -> None:
        for start in range(0, 50_000, 1_000):
            amqp.decode(list32(1_000, b"".join(b"\xa3\x78%0120d" % (start + k) for k in range(1_000))))

    decode_symbols()
    gc.collect()
    assert peak(decode_symbols) < 1_500_000


def test_a_refused_stream_keeps_nothing() -> None:
    decoder = amqp.FrameDecoder(max_frame_size=0)
    with pytest.raises(amqp.DecodeError):
        decoder.feed(b"\0\0\0\7\2\0\0\0")

    def refuse() -> None:
        for _ in range(100):
            with pytest.raises(amqp.DecodeError):
                decoder.feed(bytes(1_000_000))

    assert peak(refuse) < 2_500_000


def test_half_a_frame_is_kept_once() -> None:
    stream = amqp.encode_frame(1, BY_NAME["transfer"](handle=0), bytes(4_000_000))[:-1]
    decoder = amqp.FrameDecoder(max_frame_size=0)

    def fill() -> None:
        for start in range(0, len(stream), 100_000):
            assert decoder.feed(stream[start : start + 100_000]) == []

    assert peak(fill) < 12_000_000


@pytest.mark.parametrize(
    "key", ["k" * 10_000, Symbol("k" * 10_000), b"k" * 10_000, [["k" * 100] * 100], 10**18]
)
def test_paths_are_bounded(key: Any) -> None:
    value: Any = object()
    octets = BROKEN
    for _ in range(60):
        value = Map([(key, value)])
        octets = map32(2, amqp.encode(key) + octets)
    for error in (encode(value), decode(octets)):
        assert isinstance(error, amqp.CodecError)
        assert 60 * 5 < len(error.path) < 60 * 60
