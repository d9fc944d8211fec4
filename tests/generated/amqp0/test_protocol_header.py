"""The protocol header with which a broker refuses a version, at the beginning of a stream: whole, in pieces, before frames."""

from __future__ import annotations

from typing import Any

import pytest

from .packages import RABBITMQ, each_package

HEADERS = [
    b"AMQP\0\0\x09\x01",
    b"AMQP\0\0\x08\0",
    b"AMQP\x01\x01\x08\0",
    b"AMQP\x00\x01\x00\x00",
    b"AMQPAMQP",
]
OPTIONS: list[dict[str, Any]] = [{}, {"lossless": True}, {"lazy_properties": True}, {"max_frame_size": 0}]


@each_package
@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_in_pieces(amqp: Any, header: bytes, options: dict[str, Any]) -> None:
    body = amqp.ContentBody(b"xyz")
    for stream, frames in ((header, []), (header + amqp.encode_frame(1, body), [(1, body)])):
        for size in range(1, len(stream) + 1):
            decoder = amqp.FrameDecoder(**options)
            found = []
            for start in range(0, len(stream), size):
                found += decoder.feed(memoryview(stream)[start : start + size])
            assert found == [(0, amqp.ProtocolHeader(header)), *frames], size
            assert decoder.offset == len(stream)


@each_package
def test_only_at_the_beginning(amqp: Any) -> None:
    heartbeat = amqp.constants.HEARTBEAT_FRAME
    for stream, before in (
        (heartbeat + amqp.PROTOCOL_HEADER, [(0, amqp.Heartbeat())]),
        (amqp.PROTOCOL_HEADER * 2, [(0, amqp.ProtocolHeader())]),
    ):
        for size in (1, 5, 8, 16):
            decoder, found = amqp.FrameDecoder(), []
            with pytest.raises(amqp.DecodeError) as caught:
                for start in range(0, len(stream), size):
                    found += decoder.feed(stream[start : start + size])
            assert [*found, *caught.value.frames] == before
            assert caught.value.offset >= 8
            with pytest.raises(amqp.DecodeError):
                decoder.feed(b"")


@each_package
def test_what_only_begins_like_one(amqp: Any) -> None:
    for stream in (b"AMQX\0\0\x09\x01", b"A", b"AMQ", b"AMQP\0\0"):
        decoder = amqp.FrameDecoder()
        if len(stream) < 8:
            assert decoder.feed(stream) == []
        else:
            with pytest.raises(amqp.DecodeError, match="no frame type 65"):
                decoder.feed(stream)


def test_others_let_it_pass() -> None:
    header = RABBITMQ.ProtocolHeader()
    assert header.octets == RABBITMQ.PROTOCOL_HEADER
    assert RABBITMQ.ContentAssembler().add(0, header) is header
    with pytest.raises(RABBITMQ.EncodeError):
        RABBITMQ.encode_frame(0, header)
    [finding] = __import__("amqp_0_9_1_rabbitmq.grammar").grammar.Conversation(0).observe("server", header)
    assert finding.kind.name == "UNKNOWN_FRAME"
