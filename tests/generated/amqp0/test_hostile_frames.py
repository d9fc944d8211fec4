"""Frames that lie about their size, end, type or payload."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from .hostile import survive_frames
from .packages import OLDEST, RABBITMQ, STANDARD, each_package, methods_of
from .reference_codec import frame


def refuse(amqp: Any, stream: bytes, **options: Any) -> Any:
    error = survive_frames(amqp, stream, strict=True, **options)
    assert error is not None
    return error


@each_package
@pytest.mark.parametrize("size", range(4))
def test_a_method_frame_too_short_for_a_method(amqp: Any, size: int) -> None:
    # Behind it stands a whole method frame: its octets must not be read as the indices.
    behind = frame(1, 1, methods_of(amqp)[0]().encode())
    for payload in (bytes(size), b"\0\x0a\0\x32"[:size], b"\xff" * size):
        error = refuse(amqp, frame(1, 1, payload) + behind)
        assert type(error) is amqp.errors.Truncated
        assert error.offset == 7
        error = refuse(amqp, frame(1, 1, payload) + behind, lossless=True)
        assert type(error) is amqp.errors.Truncated


@each_package
@pytest.mark.parametrize("size", range(14))
def test_a_header_frame_too_short_for_a_header(amqp: Any, size: int) -> None:
    payload = b"\0\x3c\0\0" + bytes(10)
    for options in ({}, {"lossless": True}, {"lazy_properties": True}):
        for behind in (b"", bytes(20), frame(2, 1, payload)):
            error = refuse(amqp, frame(2, 1, payload[:size]) + behind, **options)
            assert type(error) is amqp.errors.Truncated
            assert error.offset == 7


@each_package
@pytest.mark.parametrize("end", [0, 0xCD, 0xCF, 0xFF])
def test_a_wrong_end(amqp: Any, end: int) -> None:
    for kind, payload in ((1, methods_of(amqp)[0]().encode()), (3, b"body"), (8, b""), (3, b"")):
        for options in ({}, {"lossless": True}, {"lazy_properties": True}):
            error = refuse(amqp, frame(kind, 1, payload, end), **options)
            assert type(error) is amqp.errors.Malformed
            assert error.offset == 7 + len(payload)
            assert f"{end:#04x}" in error.message


@each_package
def test_unknown_frame_types(amqp: Any) -> None:
    named = {1, 2, 3, 8} | ({4, 5, 6, 7} if amqp.SPEC.version in ("0-8", "0-8-rabbitmq", "0-9") else set())
    for kind in range(256):
        for options in ({}, {"lossless": True}, {"lazy_properties": True}):
            stream = frame(kind, 1, b"")
            if kind not in named:
                error = refuse(amqp, stream, **options)
                assert type(error) is amqp.errors.Unknown
                assert str(kind) in error.message
                assert error.offset == 0
            elif kind > 3:
                assert survive_frames(amqp, stream, **options) is None


@each_package
def test_a_heartbeat_with_a_payload(amqp: Any) -> None:
    for options in ({}, {"lossless": True}):
        error = refuse(amqp, frame(8, 0, b"x"), **options)
        assert type(error) is amqp.errors.Malformed
        assert "heartbeat" in error.message


@each_package
def test_unknown_methods(amqp: Any) -> None:
    for class_id in (*range(0, 130, 10), 85, 61, 65535):
        for method_id in (0, 1, 9, 12, 22, 255, 65535):
            if class_id << 16 | method_id in amqp.METHODS:
                continue
            payload = struct.pack(">HH", class_id, method_id)
            for options in ({}, {"lossless": True}):
                error = refuse(amqp, frame(1, 1, payload + bytes(8)), **options)
                assert type(error) is amqp.errors.Unknown
                assert str(method_id) in error.message
                assert str(class_id) in error.message
                assert error.offset == 7


def test_the_same_octets_in_different_versions() -> None:
    # (10, 60) is connection.close in 0-8, connection.blocked with RabbitMQ, and nothing in 0-9-1.
    close = OLDEST.methods.ConnectionClose(320, "bye", 10, 40).encode()
    assert close[:4] == b"\0\x0a\0\x3c"
    assert OLDEST.decode_method(close).reply_code == 320
    with pytest.raises(STANDARD.errors.Unknown):
        STANDARD.decode_method(close)
    with pytest.raises(RABBITMQ.errors.Malformed) as caught:
        RABBITMQ.decode_method(close)
    assert caught.value.path == "connection.blocked"
    blocked = RABBITMQ.methods.ConnectionBlocked("low on memory").encode()
    with pytest.raises(OLDEST.errors.Truncated) as cut:
        OLDEST.decode_method(blocked)
    assert cut.value.path.startswith("connection.close.")
    # (10, 61) is close-ok in 0-8 and unblocked with RabbitMQ: the same octets, another meaning.
    assert type(OLDEST.decode_method(b"\0\x0a\0\x3d")) is OLDEST.methods.ConnectionCloseOk
    assert type(RABBITMQ.decode_method(b"\0\x0a\0\x3d")) is RABBITMQ.methods.ConnectionUnblocked
    # (10, 50) is redirect in 0-8 and close later.
    assert OLDEST.METHODS[10 << 16 | 50] is OLDEST.methods.ConnectionRedirect
    assert STANDARD.METHODS[10 << 16 | 50] is STANDARD.methods.ConnectionClose


@each_package
def test_headers_of_classes_without_content(amqp: Any) -> None:
    for class_id in {0, 10, 20, 50, 61, 65535} - set(amqp.content.PROPERTIES):
        for options in ({}, {"lossless": True}, {"lazy_properties": True}):
            error = refuse(amqp, frame(2, 1, struct.pack(">HHQH", class_id, 0, 0, 0)), **options)
            assert type(error) is amqp.errors.Unknown
            assert str(class_id) in error.message


@each_package
def test_weights_and_flags_of_no_property(amqp: Any) -> None:
    for cls in amqp.content.PROPERTIES.values():
        error = refuse(amqp, frame(2, 1, struct.pack(">HHQH", cls.CLASS_ID, 1, 0, 0)))
        assert type(error) is amqp.errors.Malformed
        assert "weight" in error.message
        for bit in range(len(cls.FIELDS), 15):
            error = refuse(amqp, frame(2, 1, struct.pack(">HHQH", cls.CLASS_ID, 0, 0, 0x8000 >> bit)))
            assert type(error) is amqp.errors.Unknown
            assert error.path == cls.NAME
        # Another word of flags: missing, empty, with flags.
        error = refuse(amqp, frame(2, 1, struct.pack(">HHQH", cls.CLASS_ID, 0, 0, 1)))
        assert isinstance(error, (amqp.errors.Truncated, amqp.errors.Unknown))
        for word in (0, 0x8000):
            error = refuse(amqp, frame(2, 1, struct.pack(">HHQHH", cls.CLASS_ID, 0, 0, 1, word)))
            assert type(error) is amqp.errors.Unknown
            assert error.path == cls.NAME
        # Words that never end.
        error = refuse(amqp, frame(2, 1, struct.pack(">HHQ", cls.CLASS_ID, 0, 0) + b"\xff\xff" * 5000))
        assert isinstance(error, (amqp.errors.Truncated, amqp.errors.Unknown))


@each_package
def test_sizes_that_do_not_arrive(amqp: Any) -> None:
    for size in (1, 8, 4096, 2**31 - 1, 2**31, 2**32 - 1):
        stream = struct.pack(">BHI", 3, 1, size) + b"some"[: size - 1]
        assert amqp.decode_frames(stream) == ([], 0)
        decoder = amqp.FrameDecoder(max_frame_size=0)
        assert decoder.feed(stream) == []


@each_package
def test_everything_else_is_an_error_of_the_caller(amqp: Any) -> None:
    heartbeat = amqp.constants.HEARTBEAT_FRAME
    for wrong in (None, 5, 10**9, "text", [1, 2], object()):
        for call in (
            lambda wrong=wrong: amqp.decode_frames(wrong),
            lambda wrong=wrong: amqp.decode_method(wrong),
            lambda wrong=wrong: amqp.decode_table(wrong),
            lambda wrong=wrong: amqp.FrameDecoder().feed(wrong),
        ):
            with pytest.raises(TypeError):
                call()
    for position in (-1, -8, -(2**40)):
        for decode in (amqp.decode_frames, amqp.decode_table):
            with pytest.raises(ValueError) as caught:
                decode(heartbeat, position)
            assert not isinstance(caught.value, amqp.CodecError)
    for position in (8, 9, 2**40):
        assert amqp.decode_frames(heartbeat, position) == ([], position)
        with pytest.raises(amqp.errors.Truncated):
            amqp.decode_table(heartbeat, position)


def test_a_decoder_survives_a_wrong_argument() -> None:
    decoder = RABBITMQ.FrameDecoder()
    heartbeat = RABBITMQ.constants.HEARTBEAT_FRAME
    assert decoder.feed(heartbeat[:3]) == []
    with pytest.raises(TypeError):
        decoder.feed("text")
    assert decoder.feed(heartbeat[3:]) == [(0, RABBITMQ.Heartbeat())]
