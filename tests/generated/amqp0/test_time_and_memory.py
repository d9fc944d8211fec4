"""Time grows with the input and no faster, and memory is bounded by what was received, not by what it claims."""

from __future__ import annotations

import struct
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any, TypeAlias

import pytest

from tests.growth import most_memory

from .hostile import nested_arrays, nested_tables
from .packages import RABBITMQ, bare, method
from .reference_codec import frame, longstr

NO_LIMIT = 10**9


def declare(table: bytes) -> bytes:
    payload: bytes = method(RABBITMQ, "queue.declare")().encode()
    return payload[:-4] + table


def decode_table(lossless: bool, **limits: int) -> Callable[[bytes], Any]:
    def decode(octets: bytes) -> Any:
        try:
            return RABBITMQ.decode_table(octets, 0, dialect="rabbitmq", lossless=lossless, **limits)
        except RABBITMQ.DecodeError as error:
            return error

    return decode


def decode_frames(stream: bytes) -> Any:
    try:
        return RABBITMQ.decode_frames(stream)
    except RABBITMQ.DecodeError as error:
        return error


def feed(size: int) -> Callable[[bytes], Any]:
    def decode(stream: bytes) -> Any:
        decoder = RABBITMQ.FrameDecoder(max_frame_size=0)
        return [decoder.feed(stream[start : start + size]) for start in range(0, len(stream), size)]

    return decode


def read_raw_table(octets: bytes) -> Any:
    table = RABBITMQ.decode_table(octets, lossless=True, max_elements=NO_LIMIT)[0]
    return dict(table), list(table.items()), [table[key] for key in table], len(table), table.to_dict()


def encode_table(table: Any) -> Any:
    try:
        return RABBITMQ.encode_table(table)
    except RABBITMQ.EncodeError as error:
        return error


def broken_at_the_end(levels: int) -> Callable[[int], bytes]:
    """Entries in a table deep down, under long keys, with an unknown letter after the last of them."""

    def make(number: int) -> bytes:
        octets = b"\0V" * number + b"\0?"
        for _ in range(levels):
            octets = b"\xff" + b"k" * 255 + b"F" + longstr(octets)
        return longstr(octets)

    return make


def many_bodies(body: bytes) -> Any:
    publish = method(RABBITMQ, "basic.publish")()
    return RABBITMQ.encode_message(1, publish, None, body, max_frame_size=64)


def header_with_words(number: int) -> bytes:
    return frame(2, 1, struct.pack(">HHQ", 60, 0, 0) + b"\0\1" * number + b"\0\0")


def keys(number: int) -> bytes:
    table: bytes = RABBITMQ.encode_table({f"k{key}": key for key in range(number)})
    return table


# What is made of a number, what is done with it, and the number; see ``test_growth``.
Case: TypeAlias = tuple[Callable[[int], Any], Callable[[Any], Any], int]
FREE = {"max_elements": NO_LIMIT}
CASES: dict[str, Case] = {
    "void array": (lambda n: longstr(b"\0A" + longstr(b"V" * n)), decode_table(False, **FREE), 40_000),
    "void array, lossless": (lambda n: longstr(b"\0A" + longstr(b"V" * n)), decode_table(True, **FREE), 10_000),
    "void array, limited": (lambda n: longstr(b"\0A" + longstr(b"V" * n)), decode_table(False, max_elements=10),
                            40_000),
    "one key": (lambda n: longstr(b"\1kV" * n), decode_table(False, **FREE), 20_000),
    "many keys": (keys, decode_table(False, **FREE), 10_000),
    "many keys, lossless": (keys, decode_table(True, **FREE), 4_000),
    "raw table as a mapping": (keys, read_raw_table, 4_000),
    "empty tables": (lambda n: longstr(b"\0A" + longstr(b"F\0\0\0\0" * n)), decode_table(False, **FREE), 15_000),
    "nested tables": (nested_tables, decode_table(False), 30_000),
    "nested arrays": (nested_arrays, decode_table(False), 30_000),
    "nested tables, lossless": (nested_tables, decode_table(True), 30_000),
    "late fault, flat": (broken_at_the_end(0), decode_table(False, **FREE), 8_000),
    "late fault, deep": (broken_at_the_end(60), decode_table(False, **FREE), 4_000),
    "heartbeats": (lambda n: RABBITMQ.constants.HEARTBEAT_FRAME * n, decode_frames, 10_000),
    "methods": (lambda n: frame(1, 1, bare(method(RABBITMQ, "basic.ack")).encode()) * n, decode_frames, 5_000),
    "broken frames": (lambda n: frame(3, 1, b"") * n + frame(9, 1, b""), decode_frames, 8_000),
    "octet by octet": (lambda n: frame(3, 1, bytes(n)), feed(1), 20_000),
    "small pieces": (lambda n: frame(3, 1, bytes(n)), feed(50), 1_500_000),
    "frames across pieces": (lambda n: frame(3, 1, bytes(90)) * n, feed(97), 6_000),
    "words of flags": (header_with_words, decode_frames, 20_000),
    "bodies": (bytes, many_bodies, 1_000_000),
    "encoding many keys": (lambda n: {f"k{key}": key for key in range(n)}, encode_table, 10_000),
    "encoding, late fault": (lambda n: {**{f"k{key}": key for key in range(n)}, "x": object()}, encode_table, 10_000),
    "encoding a long array": (lambda n: {"a": list(range(n))}, encode_table, 16_000),
    "encoding digits": (lambda n: {"d": Decimal("9" * n)}, encode_table, 20_000),
    "encoding a raw table": (lambda n: RABBITMQ.decode_table(keys(n), lossless=True)[0], encode_table, 10_000),
}  # fmt: skip


peak = partial(most_memory, (RABBITMQ.CodecError, MemoryError))
CLAIMS = [2**31 - 1, 2**31, 2**32 - 1]


@pytest.mark.parametrize("size", CLAIMS)
@pytest.mark.parametrize("lossless", [False, True])
def test_claimed_sizes_are_not_allocated(size: int, lossless: bool) -> None:
    claim = size.to_bytes(4, "big")
    options = {"lossless": lossless}
    payloads = [
        b"\0\x0a\0\x14" + claim,  # connection.secure, its longstr
        declare(claim),
        declare(longstr(b"\1kS" + claim)),
        declare(longstr(b"\1kA" + claim)),
        declare(longstr(b"\1kF" + claim)),
        declare(longstr(b"\1kx" + claim)),
    ]
    for payload in payloads:
        with pytest.raises(RABBITMQ.errors.Truncated):
            RABBITMQ.decode_method(payload, **options)
        assert peak(lambda payload=payload: RABBITMQ.decode_method(payload, **options)) < 50_000
    head = b"\3\0\1" + claim
    assert peak(lambda: RABBITMQ.decode_frames(head + bytes(100), **options)) < 50_000
    decoder = RABBITMQ.FrameDecoder(max_frame_size=0, **options)
    assert peak(lambda: decoder.feed(head + bytes(100))) < 50_000
    header = frame(2, 1, struct.pack(">HHQH", 60, 0, 2**64 - 1, 0))
    assert peak(lambda: RABBITMQ.decode_frames(header, **options)) < 50_000


@pytest.mark.parametrize("lossless", [False, True])
@pytest.mark.parametrize(
    "octets",
    [
        longstr(b"\0A" + longstr(b"V" * 40_000)),
        longstr(b"\0A" + longstr(b"t\1" * 20_000)),
        longstr(b"\0V" * 20_000),
        longstr(b"\0A" + longstr(b"F\0\0\0\0" * 8_000)),
        nested_tables(30_000),
    ],
    ids=["voids", "booleans", "entries", "tables", "nested"],
)
def test_a_lot_of_small_things(octets: bytes, lossless: bool) -> None:
    # A Python object is some sixty times as large as the octet that asks for it, and that is all.
    call = decode_table(lossless, max_elements=5_000)
    assert isinstance(call(octets), RABBITMQ.errors.LimitExceeded)
    assert peak(lambda: call(octets)) < 100 * len(octets)


def test_a_refused_stream_keeps_nothing() -> None:
    decoder = RABBITMQ.FrameDecoder(max_frame_size=0)

    def fill() -> None:
        decoder.feed(frame(3, 1, b"")[:-1] + b"x")

    with pytest.raises(RABBITMQ.DecodeError):
        fill()
    assert peak(lambda: refuse_often(decoder)) < 2_000_000


def refuse_often(decoder: Any) -> None:
    for _ in range(100):
        refused(decoder)


def refused(decoder: Any) -> None:
    with pytest.raises(RABBITMQ.DecodeError):
        decoder.feed(bytes(1_000_000))


def test_half_a_frame_is_kept_once() -> None:
    decoder = RABBITMQ.FrameDecoder(max_frame_size=0)
    stream = frame(3, 1, bytes(4_000_000))[:-1]

    def fill() -> None:
        for start in range(0, len(stream), 100_000):
            decoder.feed(stream[start : start + 100_000])

    assert peak(fill) < 12_000_000


def test_the_path_of_an_error_is_bounded() -> None:
    octets = broken_at_the_end(62)(1)
    error = decode_table(False)(octets)
    assert isinstance(error, RABBITMQ.errors.Unknown)
    assert error.path.count("k" * 255) == 62
    assert len(str(error)) < 64 * 260
