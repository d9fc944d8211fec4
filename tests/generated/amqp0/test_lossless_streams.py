"""Lossless decoding of whole streams: encoding the frames gives the stream again."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import DRAFT, OLDEST, each_package
from .raw_octets import raw_streams
from .values import chunks


@each_package
@given(data=st.data())
@examples(50)
def test_any_stream_comes_back(amqp: Any, data: st.DataObject) -> None:
    stream = data.draw(raw_streams(amqp))
    frames, position = amqp.decode_frames(stream, lossless=True)
    assert position == len(stream)
    assert b"".join(amqp.encode_frame(channel, frame) for channel, frame in frames) == stream
    decoder = amqp.FrameDecoder(max_frame_size=0, lossless=True)
    pieces = [item for piece in data.draw(chunks(stream)) for item in decoder.feed(piece)]
    assert b"".join(amqp.encode_frame(channel, frame) for channel, frame in pieces) == stream


@each_package
@given(data=st.data())
@examples(30)
def test_lossless_frames_are_their_payloads(amqp: Any, data: st.DataObject) -> None:
    stream = data.draw(raw_streams(amqp))
    for _, frame in amqp.decode_frames(stream, lossless=True)[0]:
        if isinstance(frame, amqp.methods.MethodBase):
            payload = frame.encode()
            assert amqp.decode_method(payload, lossless=True).encode() == payload


def test_frames_that_are_only_named_stay_as_they_are() -> None:
    for amqp in (OLDEST, DRAFT):
        for kind in (4, 5, 6, 7):
            stream = bytes((kind, 0, 9, 0, 0, 0, 3)) + b"abc\xce"
            for lossless in (False, True):
                frames, _ = amqp.decode_frames(stream, lossless=lossless)
                assert frames == [(9, amqp.OtherFrame(kind, b"abc"))]
                assert amqp.encode_frame(*frames[0]) == stream
                assert amqp.FrameDecoder(lossless=lossless).feed(stream) == frames


@each_package
def test_a_heartbeat_on_another_channel(amqp: Any) -> None:
    stream = b"\x08\0\5\0\0\0\0\xce"
    frames, _ = amqp.decode_frames(stream, lossless=True)
    assert frames == [(5, amqp.Heartbeat())]
    assert amqp.encode_frame(*frames[0]) == stream
