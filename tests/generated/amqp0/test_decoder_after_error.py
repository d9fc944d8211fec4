"""What a ``FrameDecoder`` does once the stream is broken, and what its errors say."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from .packages import RABBITMQ, each_package
from .reference_codec import frame

BROKEN = frame(1, 1, b"\0\0\0\0")


@each_package
@pytest.mark.parametrize("lossless", [False, True])
def test_frames_before_the_error(amqp: Any, lossless: bool) -> None:
    heartbeat = amqp.constants.HEARTBEAT_FRAME
    before = [(0, amqp.Heartbeat()), (3, amqp.ContentBody(b"x"))]
    stream = heartbeat + frame(3, 3, b"x") + BROKEN + heartbeat
    with pytest.raises(amqp.errors.Unknown) as caught:
        amqp.decode_frames(stream, lossless=lossless, strict=True)
    assert list(caught.value.frames) == before
    assert caught.value.offset == 8 + 9 + 7
    decoder = amqp.FrameDecoder(lossless=lossless, strict=True)
    with pytest.raises(amqp.errors.Unknown) as caught:
        decoder.feed(stream)
    assert list(caught.value.frames) == before
    assert caught.value.offset == 8 + 9 + 7


@each_package
def test_the_decoder_keeps_raising(amqp: Any) -> None:
    heartbeat = amqp.constants.HEARTBEAT_FRAME
    decoder = amqp.FrameDecoder(strict=True)
    with pytest.raises(amqp.DecodeError) as first:
        decoder.feed(heartbeat + BROKEN)
    for data in (b"", heartbeat, BROKEN, bytes(100), heartbeat):
        with pytest.raises(amqp.DecodeError) as again:
            decoder.feed(data)
        assert type(again.value) is type(first.value)
        assert str(again.value) == str(first.value)
        assert again.value.offset == first.value.offset


def test_raising_again_does_not_pile_up() -> None:
    decoder = RABBITMQ.FrameDecoder(strict=True)
    depths = []
    for _ in range(50):
        with pytest.raises(RABBITMQ.DecodeError) as caught:
            decoder.feed(BROKEN)
        depth = 0
        trace = caught.value.__traceback__
        while trace is not None:
            depth += 1
            trace = trace.tb_next
        depths.append(depth)
    assert depths[-1] <= depths[1] + 2


@each_package
def test_frames_are_given_out_once(amqp: Any) -> None:
    # Those of earlier calls are not in the error, and a later call does not offer them again.
    heartbeat = amqp.constants.HEARTBEAT_FRAME
    decoder = amqp.FrameDecoder(strict=True)
    assert len(decoder.feed(heartbeat * 3)) == 3
    with pytest.raises(amqp.DecodeError) as caught:
        decoder.feed(heartbeat + BROKEN)
    assert caught.value.frames == ((0, amqp.Heartbeat()),)
    with pytest.raises(amqp.DecodeError) as caught:
        decoder.feed(b"")
    assert caught.value.frames == ()


@each_package
@pytest.mark.parametrize("step", [1, 2, 7, 8, 9, 1000])
@pytest.mark.parametrize("options", [{}, {"lossless": True}], ids=["plain", "lossless"])
def test_offsets_count_from_the_start_of_the_stream(amqp: Any, step: int, options: Any) -> None:
    heartbeat = amqp.constants.HEARTBEAT_FRAME
    stream = heartbeat * 5 + frame(3, 1, b"abc") + frame(1, 1, b"\0\x3c\0\x50" + b"\0" * 5)
    decoder = amqp.FrameDecoder(strict=True, **options)
    frames = []
    with pytest.raises(amqp.errors.Truncated) as caught:
        for start in range(0, len(stream), step):
            frames += decoder.feed(stream[start : start + step])
            assert decoder.offset <= start + step
    assert len(frames) + len(caught.value.frames) == 6
    # basic.ack, its delivery tag
    assert caught.value.offset == 5 * 8 + 11 + 7 + 4
    assert caught.value.path == "basic.ack.delivery_tag"
    assert decoder.offset <= 5 * 8 + 11


@each_package
def test_offset_counts_whole_frames(amqp: Any) -> None:
    heartbeat = amqp.constants.HEARTBEAT_FRAME
    decoder = amqp.FrameDecoder(strict=True)
    assert decoder.offset == 0
    decoder.feed(heartbeat[:5])
    assert decoder.offset == 0
    decoder.feed(heartbeat[5:] + heartbeat + heartbeat[:1])
    assert decoder.offset == 16


@each_package
def test_decode_frames_counts_from_the_start_of_the_buffer(amqp: Any) -> None:
    for position in (0, 1, 100):
        with pytest.raises(amqp.errors.Unknown) as caught:
            amqp.decode_frames(bytes(position) + BROKEN, position, strict=True)
        assert caught.value.offset == position + 7


@each_package
def test_errors_can_be_copied_and_pickled(amqp: Any) -> None:
    with pytest.raises(amqp.DecodeError) as caught:
        amqp.decode_frames(amqp.constants.HEARTBEAT_FRAME + frame(1, 1, b"\0\x3c\0\x50"), strict=True)
    error = caught.value
    for again in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert (again.message, again.offset, again.path) == (error.message, error.offset, error.path)
        assert again.frames == error.frames == ((0, amqp.Heartbeat()),)
    refused = amqp.EncodeError("what", "where")
    again = pickle.loads(pickle.dumps(refused))
    assert (str(again), again.message, again.path) == ("where: what", "what", "where")


@each_package
def test_the_family_of_errors(amqp: Any) -> None:
    errors = amqp.errors
    for kind in (errors.Truncated, errors.Malformed, errors.Unknown, errors.LimitExceeded):
        assert issubclass(kind, amqp.DecodeError)
    for kind in (amqp.EncodeError, amqp.DecodeError, amqp.ValidationError):
        assert issubclass(kind, amqp.CodecError)
    assert issubclass(amqp.CodecError, ValueError)
    assert not issubclass(amqp.EncodeError, amqp.DecodeError)
    assert str(amqp.DecodeError("what")) == "what (at octet 0)"
    assert str(amqp.EncodeError("what")) == "what"
