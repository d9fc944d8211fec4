"""A stream of frames decodes to the same, whatever pieces it arrives in."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import RABBITMQ, each_package, methods_of
from .values import any_stream, chunks, typical_values


def encode(amqp: Any, frames: list[tuple[int, Any]]) -> bytes:
    return b"".join(amqp.encode_frame(channel, frame) for channel, frame in frames)


def reencoded(amqp: Any, frames: list[tuple[int, Any]]) -> bytes:
    """Compared in place of the frames where NaN may occur, which is not equal to itself."""
    return encode(amqp, frames)


@each_package
@given(data=st.data())
@examples(60)
def test_any_chunking(amqp: Any, data: st.DataObject) -> None:
    stream = encode(amqp, data.draw(any_stream(amqp)))
    whole, position = amqp.decode_frames(stream)
    assert position == len(stream)
    assert reencoded(amqp, whole) == stream
    decoder = amqp.FrameDecoder(max_frame_size=0)
    pieces = [frame for piece in data.draw(chunks(stream)) for frame in decoder.feed(piece)]
    assert reencoded(amqp, pieces) == stream
    assert decoder.offset == len(stream)


@each_package
def test_one_octet_at_a_time(amqp: Any) -> None:
    frames = [
        (number, cls(**typical_values(amqp, cls))) for number, cls in enumerate(methods_of(amqp), start=1)
    ]
    stream = encode(amqp, frames)
    decoder = amqp.FrameDecoder()
    received = []
    ends = []
    for offset in range(len(stream)):
        got = decoder.feed(stream[offset : offset + 1])
        assert len(got) <= 1
        if got:
            received += got
            ends.append(offset + 1)
    assert received == frames
    # Each frame came out with its last octet, not earlier and not later.
    total = 0
    expected = []
    for channel, frame in frames:
        total += len(amqp.encode_frame(channel, frame))
        expected.append(total)
    assert ends == expected


@each_package
def test_half_a_frame_is_no_error(amqp: Any) -> None:
    stream = amqp.encode_frame(1, amqp.ContentBody(b"abc")) + amqp.encode_frame(0, amqp.Heartbeat())
    first = len(stream) - 8
    for end in range(len(stream) + 1):
        frames, position = amqp.decode_frames(stream[:end])
        assert position == (0 if end < first else first if end < len(stream) else end)
        assert len(frames) == (0 if end < first else 1 if end < len(stream) else 2)


@each_package
def test_decode_frames_starts_anywhere(amqp: Any) -> None:
    heartbeat = amqp.constants.HEARTBEAT_FRAME
    body = amqp.encode_frame(7, amqp.ContentBody(b"x"))
    buffer = b"rubbish" + body + heartbeat
    assert amqp.decode_frames(buffer, 7) == (
        [(7, amqp.ContentBody(b"x")), (0, amqp.Heartbeat())],
        len(buffer),
    )
    assert amqp.decode_frames(buffer, 7 + len(body)) == ([(0, amqp.Heartbeat())], len(buffer))
    assert amqp.decode_frames(buffer, len(buffer)) == ([], len(buffer))


def test_empty_pieces_and_other_buffers() -> None:
    decoder = RABBITMQ.FrameDecoder()
    stream = RABBITMQ.encode_frame(0, RABBITMQ.Heartbeat())
    assert decoder.feed(b"") == []
    assert decoder.feed(bytearray(stream[:3])) == []
    assert decoder.feed(b"") == []
    assert decoder.feed(memoryview(stream)[3:]) == [(0, RABBITMQ.Heartbeat())]
    assert decoder.feed(memoryview(stream + stream)) == [(0, RABBITMQ.Heartbeat())] * 2


def test_the_decoder_does_not_keep_the_callers_buffer() -> None:
    decoder = RABBITMQ.FrameDecoder()
    stream = RABBITMQ.encode_frame(1, RABBITMQ.ContentBody(b"payload"))
    buffer = bytearray(stream[:10])
    assert decoder.feed(buffer) == []
    buffer[:] = bytes(10)
    ((_, body),) = decoder.feed(stream[10:])
    assert body.payload == b"payload"
    assert type(body.payload) is bytes
