"""Streams that nobody vouches for: cut short, changed, with sizes that lie; the same error whatever the pieces."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.many_cases import in_one_test
from tests.sampling import examples

from .encoding_cases import CASES
from .fields import filled, least
from .hostile import check_error, survive_frames, vectors
from .packages import BY_NAME, amqp

HUGE = (2**31 - 1, 2**31, 2**32 - 1)
Open, Begin, Attach, Transfer = (BY_NAME[name] for name in ("open", "begin", "attach", "transfer"))

FRAMES = [
    amqp.PROTOCOL_HEADERS["sasl"],
    amqp.encode_frame(0, filled(BY_NAME["sasl-mechanisms"])),
    amqp.encode_frame(0, least(BY_NAME["sasl-outcome"])),
    amqp.PROTOCOL_HEADERS["amqp"],
    amqp.encode_frame(0, Open(container_id="c", properties={"k": [1, "x"]})),
    amqp.encode_frame(0, None),
    amqp.encode_frame(7, Begin(next_outgoing_id=0, incoming_window=1, outgoing_window=1)),
    amqp.encode_frame(7, filled(Attach)),
    amqp.encode_frame(7, Transfer(handle=0, delivery_id=1, delivery_tag=b"t"), b"payload"),
    bytes.fromhex("0000001303000000deadbeef005310c0020140"),  # no container-id
]
STREAM = b"".join(FRAMES[:-1])


def frame(body: bytes, kind: int = 0, words: int = 2, channel: int = 0) -> bytes:
    return struct.pack(">IBBH", 4 * words + len(body), words, kind, channel) + bytes(4 * words - 8) + body


def test_every_prefix_is_just_not_enough() -> None:
    whole = amqp.decode_frames(STREAM)[0]
    assert len(whole) == len(FRAMES) - 1
    starts = [sum(map(len, FRAMES[:number])) for number in range(len(FRAMES))]
    for end in range(len(STREAM) + 1):
        frames, position = amqp.decode_frames(STREAM[:end])
        complete = max(number for number, start in enumerate(starts) if start <= end)
        assert position == starts[complete]
        assert frames == whole[:complete]
        decoder = amqp.FrameDecoder()
        assert decoder.feed(STREAM[:end]) == whole[:complete]
        assert decoder.feed(STREAM[end:]) == whole[complete:]
        assert decoder.offset == len(STREAM)


@pytest.mark.parametrize("number", range(len(FRAMES)))
def test_every_octet_of_every_frame(number: int) -> None:
    octets, after = FRAMES[number], amqp.encode_frame(1, None)
    for place, octet in enumerate(octets):
        for other in {0x00, 0x01, 0x40, 0x45, 0xFF, (octet + 1) & 255, (octet - 1) & 255, octet ^ 0x80} - {
            octet
        }:
            survive_frames(octets[:place] + bytes((other,)) + octets[place + 1 :] + after)


@pytest.mark.parametrize("number", range(len(FRAMES)))
def test_sizes_that_lie(number: int) -> None:
    octets = FRAMES[number]
    if octets.startswith(b"AMQP"):
        return
    for size in {*range(12), len(octets) - 1, len(octets) + 1, 511, 512, 513, *HUGE}:
        lie = struct.pack(">I", size) + octets[4:]
        error = survive_frames(lie + bytes(20), max_frame_size=512)
        if size < 8:
            assert type(error) is amqp.errors.Malformed
            assert error.offset == 0
            assert str(size) in error.message
        if size > 512:
            assert type(error) is amqp.errors.LimitExceeded
            assert (error.offset, error.path) == (0, "")
            with pytest.raises(amqp.errors.LimitExceeded):  # as soon as it can be told
                amqp.FrameDecoder(max_frame_size=512).feed(lie[:8])


@in_one_test("words", {words: words for words in range(256)})
def test_offsets_of_bodies(words: int) -> None:
    for number in (1, 4, 5, 8):
        octets = FRAMES[number]
        error = survive_frames(octets[:4] + bytes((words,)) + octets[5:] + octets)
        if words < 2 or 4 * words > len(octets):
            assert type(error) is amqp.errors.Malformed
            assert error.offset == 4


@in_one_test("kind", {kind: kind for kind in range(2, 256)})
def test_unknown_types(kind: int) -> None:
    for octets in (FRAMES[1], FRAMES[4], FRAMES[5]):
        error = survive_frames(octets[:5] + bytes((kind,)) + octets[6:])
        assert type(error) is amqp.errors.Unknown
        assert error.offset == 5
        assert str(kind) in error.message


@pytest.mark.parametrize("kind", [0, 1])
def test_bodies_of_every_value(kind: int) -> None:
    """Only a described value with the descriptor of a performative is the body of a frame."""
    for _, *forms in CASES:
        for form in forms:
            if len(form) < 400:
                error = survive_frames(frame(bytes.fromhex(form), kind))
                assert type(error) in (amqp.errors.Malformed, amqp.errors.Unknown)
                assert error.offset == 8


@pytest.mark.parametrize("kind", [0, 1])
@in_one_test("name, octets", {name: (name, octets) for name, octets in vectors().items()})
def test_bodies_of_every_type(kind: int, name: str, octets: bytes) -> None:
    error = survive_frames(frame(octets, kind))
    provides = BY_NAME[name.removesuffix(", least")].PROVIDES
    if ("sasl-frame" if kind else "frame") in provides:
        assert error is None
        for end in range(len(octets)):
            cut = survive_frames(frame(octets[:end], kind) + octets)
            assert cut is not None or (not end and not kind)
    else:
        assert type(error) is amqp.errors.Unknown
        assert (error.offset, error.path) == (8, "")


DESCRIPTORS: list[Any] = [
    b"\x40",
    b"\x41",
    b"\x50\x10",
    b"\x52\x10",
    b"\x54\x10",
    b"\x55\x10",
    b"\x70\x00\x00\x00\x10",
    b"\x81\x00\x00\x00\x00\x00\x00\x00\x10",
    b"\xa0\x0eamqp:open:list",
    b"\xa1\x0eamqp:open:list",
    b"\xa3\x0eamqp:OPEN:list",
    b"\x45",
    b"\xc0\x03\x01\x53\x10",
    b"\xe0\x03\x01\x53\x10",
    b"\x00\x53\x10\x53\x10",
    b"\x53\x70",
    b"\x80\x00\x00\x00\x01\x00\x00\x00\x10",
]


@pytest.mark.parametrize("descriptor", DESCRIPTORS, ids=bytes.hex)
def test_descriptors_of_nothing(descriptor: bytes) -> None:
    body = b"\0" + descriptor + bytes.fromhex("c00401a10163")
    for kind in (0, 1):
        error = survive_frames(frame(body, kind))
        assert error is not None
        assert error.offset >= 8


def test_the_error_tells_the_place_in_the_stream() -> None:
    error = survive_frames(b"".join(FRAMES))
    assert type(error) is amqp.errors.Malformed
    assert (error.offset, error.path) == (len(STREAM) + 18, "open.container-id")
    decoder = amqp.FrameDecoder()
    frames = decoder.feed(STREAM[:100])
    frames += refused(decoder, STREAM[100:] + FRAMES[-1]).frames
    assert frames == amqp.decode_frames(STREAM)[0]


def refused(decoder: Any, octets: bytes) -> Any:
    with pytest.raises(amqp.DecodeError) as caught:
        decoder.feed(octets)
    return caught.value


def test_a_stream_stays_refused() -> None:
    decoder = amqp.FrameDecoder()
    first = refused(decoder, STREAM + b"\0\0\0\x07\x02\0\0\0")
    assert first.offset == len(STREAM)
    for octets in (b"", STREAM, b"\xff" * 1000):
        again = refused(decoder, octets)
        check_error(again, len(STREAM) + 8)
        assert (type(again), str(again)) == (type(first), str(first))
    assert decoder.offset <= len(STREAM)


@given(stream=st.binary(max_size=60))
@examples(200)
def test_random_streams(stream: bytes) -> None:
    survive_frames(stream)


@given(body=st.binary(max_size=40), kind=st.integers(0, 2), words=st.integers(0, 4), data=st.data())
@examples(300)
def test_random_bodies(body: bytes, kind: int, words: int, data: st.DataObject) -> None:
    start = data.draw(
        st.sampled_from([b"", b"\0", b"\0\x53", b"\0\x53\x10", b"\0\x53\x14\xc0", b"\0\x53\x40\xc0"])
    )
    body = bytes(max(0, 4 * words - 8)) + start + body
    stream = struct.pack(">IBBH", 8 + len(body), words, kind, 0) + body
    survive_frames(stream + amqp.encode_frame(0, None))
