"""The limits of decoders: frame size, nesting, elements; and their defaults."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from .hostile import nested_arrays, nested_tables, survive_frames
from .packages import RABBITMQ, each_package, method
from .reference_codec import frame, longstr


def declare(amqp: Any, table: bytes) -> bytes:
    """A queue.declare payload with these octets as its arguments."""
    payload: bytes = method(amqp, "queue.declare")().encode()
    assert payload.endswith(bytes(4))
    return payload[:-4] + table


def outcomes(amqp: Any, table: bytes, **limits: int) -> set[Any]:
    """What the ways to decode a table do: the type of the error, or None."""
    payload = declare(amqp, table)
    header = struct.pack(">HHQH", 60, 0, 0, 0x2000) + table
    found: set[type[Any] | None] = set()
    for lossless in (False, True):
        options: dict[str, Any] = {"dialect": "rabbitmq", "lossless": lossless, "strict": True, **limits}
        for call, octets in (
            (amqp.decode_table, table),
            (amqp.decode_method, payload),
            (amqp.decode_frames, frame(1, 1, payload)),
            (amqp.FrameDecoder(max_frame_size=0, **options).feed, frame(2, 1, header)),
        ):
            try:
                call(octets, **(options if call.__name__ != "feed" else {}))
            except amqp.DecodeError as error:
                found.add(type(error))
                assert "nested deeper than" in error.message or "more than" in error.message
            else:
                found.add(None)
    lazy = amqp.FrameDecoder(max_frame_size=0, dialect="rabbitmq", lazy_properties=True, **limits).feed(
        frame(2, 1, header)
    )
    try:
        _ = lazy[0][1].properties
    except amqp.DecodeError as error:
        found.add(type(error))
    else:
        found.add(None)
    return found


@each_package
@pytest.mark.parametrize("nested", [nested_tables, nested_arrays])
def test_nesting(amqp: Any, nested: Any) -> None:
    exceeded = {amqp.errors.LimitExceeded}
    for levels in (1, 2, 63, 64):
        assert outcomes(amqp, nested(levels)) == {None}
    for levels in (65, 66, 200, 1000, 100_000):
        assert outcomes(amqp, nested(levels)) == exceeded
    for limit in (1, 2, 3, 64, 200):
        assert outcomes(amqp, nested(limit), max_depth=limit) == {None}
        assert outcomes(amqp, nested(limit + 1), max_depth=limit) == exceeded


def test_nesting_of_both_kinds() -> None:
    octets = b""
    for level in range(63):
        octets = b"A" + longstr(octets) if level % 2 else b"F" + longstr(b"\0" + octets if octets else b"")
    table = longstr(b"\0" + octets)
    assert outcomes(RABBITMQ, table) == {None}
    assert outcomes(RABBITMQ, longstr(b"\0F" + table)) == {RABBITMQ.errors.LimitExceeded}


def test_the_error_says_where_it_is_too_deep() -> None:
    with pytest.raises(RABBITMQ.errors.LimitExceeded) as caught:
        RABBITMQ.decode_table(RABBITMQ.encode_table({"a": {"b": [{"c": {}}]}}), max_depth=3)
    assert caught.value.path == "a.b[0]"
    assert "3" in caught.value.message


@each_package
def test_elements(amqp: Any) -> None:
    exceeded = {amqp.errors.LimitExceeded}
    for limit in (1, 2, 5):
        for entries in (b"\1kV", b"\0V", b"\1ktx"):
            assert outcomes(amqp, longstr(entries * limit), max_elements=limit) == {None}
            assert outcomes(amqp, longstr(entries * (limit + 1)), max_elements=limit) == exceeded
        array = longstr(b"\1kA" + longstr(b"V" * limit))
        assert outcomes(amqp, array, max_elements=limit) == {None}
        array = longstr(b"\1kA" + longstr(b"V" * (limit + 1)))
        assert outcomes(amqp, array, max_elements=limit) == exceeded


@pytest.mark.parametrize("lossless", [False, True])
def test_elements_by_default(lossless: bool) -> None:
    assert RABBITMQ.table.MAX_ELEMENTS == 65_536
    assert RABBITMQ.table.MAX_DEPTH == 64
    array = longstr(b"\1kA" + longstr(b"V" * 65_536))
    table, _ = RABBITMQ.decode_table(array, 0, dialect="rabbitmq", lossless=lossless)
    assert table["k"] == [None] * 65_536
    for number in (65_537, 1_000_000):
        array = longstr(b"\1kA" + longstr(b"V" * number))
        with pytest.raises(RABBITMQ.errors.LimitExceeded):
            RABBITMQ.decode_table(array, 0, dialect="rabbitmq", lossless=lossless)


@each_package
def test_the_elements_of_different_containers_are_counted_apart(amqp: Any) -> None:
    table = longstr(b"".join(bytes((1, key)) + b"A" + longstr(b"VVV") for key in b"abc"))
    assert outcomes(amqp, table, max_elements=3) == {None}
    assert outcomes(amqp, table, max_elements=2) == {amqp.errors.LimitExceeded}


@each_package
@pytest.mark.parametrize(
    "limits",
    [
        {"max_depth": 0},
        {"max_depth": -1},
        {"max_depth": 201},
        {"max_depth": 10**9},
        {"max_elements": 0},
        {"max_elements": -1},
    ],
    ids=str,
)
def test_limits_out_of_range(amqp: Any, limits: dict[str, int]) -> None:
    for call in (
        lambda: amqp.decode_table(b"\0\0\0\0", **limits),
        lambda: amqp.decode_method(b"", **limits),
        lambda: amqp.decode_frames(b"", **limits),
        lambda: amqp.FrameDecoder(**limits),
    ):
        with pytest.raises(ValueError) as caught:
            call()
        assert not isinstance(caught.value, amqp.CodecError)
        assert next(iter(limits)) in str(caught.value)


@each_package
def test_frame_size(amqp: Any) -> None:
    for size in (8, 9, 100, 4096):
        fits = frame(3, 1, bytes(size - 8)) if size > 8 else amqp.constants.HEARTBEAT_FRAME
        assert survive_frames(amqp, fits, max_frame_size=size) is None
        larger = frame(3, 1, bytes(size - 7))
        error = survive_frames(amqp, larger, max_frame_size=size)
        assert type(error) is amqp.errors.LimitExceeded
        assert error.offset == 3
        assert str(size) in error.message
        assert str(size + 1) in error.message


@each_package
def test_frame_size_by_default(amqp: Any) -> None:
    assert amqp.FrameDecoder().max_frame_size == amqp.constants.FRAME_MIN_SIZE == 4096
    assert len(amqp.FrameDecoder().feed(frame(3, 1, bytes(4088)))) == 1
    with pytest.raises(amqp.errors.LimitExceeded):
        amqp.FrameDecoder().feed(frame(3, 1, bytes(4089)))
    # Without a connection there is nothing to negotiate.
    assert len(amqp.decode_frames(frame(3, 1, bytes(1 << 20)))[0]) == 1


@each_package
def test_a_frame_that_is_too_large_is_refused_before_it_arrives(amqp: Any) -> None:
    for size in (4089, 2**31, 2**32 - 1):
        for kind in (1, 2, 3, 8):
            head = struct.pack(">BHI", kind, 1, size)
            decoder = amqp.FrameDecoder(strict=True)
            assert decoder.feed(head[:6]) == []
            with pytest.raises(amqp.errors.LimitExceeded) as caught:
                decoder.feed(head[6:])
            assert caught.value.offset == 3
            with pytest.raises(amqp.errors.LimitExceeded):
                amqp.decode_frames(head, max_frame_size=4096, strict=True)


@each_package
def test_the_frame_size_is_set_after_tuning(amqp: Any) -> None:
    decoder = amqp.FrameDecoder()
    decoder.max_frame_size = 131_072
    assert decoder.max_frame_size == 131_072
    body = frame(3, 1, bytes(131_064))
    assert len(decoder.feed(body)) == 1
    assert decoder.feed(body[:5000]) == []
    assert len(decoder.feed(body[5000:])) == 1
    decoder.max_frame_size = 0
    assert decoder.max_frame_size == 0
    assert len(decoder.feed(frame(3, 1, bytes(200_000)))) == 1
    decoder.max_frame_size = 8
    with pytest.raises(amqp.errors.LimitExceeded):
        decoder.feed(body)


@each_package
@pytest.mark.parametrize("size", [-1, 1, 7, -(2**40)])
def test_frame_sizes_that_no_frame_has(amqp: Any, size: int) -> None:
    decoder = amqp.FrameDecoder()
    for call in (
        lambda: amqp.FrameDecoder(max_frame_size=size),
        lambda: amqp.decode_frames(b"", max_frame_size=size),
        lambda: setattr(decoder, "max_frame_size", size),
    ):
        with pytest.raises(ValueError) as caught:
            call()
        assert not isinstance(caught.value, amqp.CodecError)
    assert decoder.max_frame_size == 4096
