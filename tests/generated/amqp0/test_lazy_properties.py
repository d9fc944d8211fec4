"""Properties decoded at the first access: the same values, and errors that surface there with their place."""

from __future__ import annotations

import copy
import pickle
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .letters import same_fields
from .packages import RABBITMQ, each_package, each_property_set
from .raw_octets import raw_headers
from .reference_codec import frame
from .values import greatest_values, properties


def lazily(amqp: Any, stream: bytes) -> Any:
    return amqp.decode_frames(stream, lazy_properties=True)[0][-1][1]


@each_property_set
@given(data=st.data())
@examples(40)
def test_the_same_values(amqp: Any, cls: Any, data: st.DataObject) -> None:
    sent = data.draw(properties(amqp, cls))
    stream = amqp.encode_frame(1, amqp.ContentHeader(sent, 77))
    header = lazily(amqp, stream)
    assert (header.class_id, header.body_size) == (cls.CLASS_ID, 77)
    assert same_fields(header.properties, sent)
    assert header.properties is header.properties
    assert amqp.encode_frame(1, header) == stream
    assert amqp.encode_frame(1, lazily(amqp, stream)) == stream
    decoder = amqp.FrameDecoder(max_frame_size=0, lazy_properties=True)
    ((_, header),) = decoder.feed(stream)
    assert same_fields(header.properties, sent)


@each_property_set
@given(data=st.data())
@examples(40)
def test_the_same_errors(amqp: Any, cls: Any, data: st.DataObject) -> None:
    # A tidy header with an octet changed behind the flags: eager decoding decides what must happen.
    payload = bytearray(data.draw(raw_headers(amqp, cls, tidy=True)))
    if len(payload) > 14:
        payload[data.draw(st.integers(14, len(payload) - 1))] ^= data.draw(st.integers(1, 255))
    before = amqp.constants.HEARTBEAT_FRAME
    stream = before + frame(2, 1, bytes(payload))
    try:
        expected: Any = amqp.decode_frames(stream)[0][-1][1].properties
    except amqp.DecodeError as error:
        expected = error
    for header in (
        lazily(amqp, stream),
        amqp.FrameDecoder(max_frame_size=0, lazy_properties=True).feed(stream)[-1][1],
    ):
        if isinstance(expected, Exception):
            for _ in range(2):  # it stays wrong
                with pytest.raises(amqp.DecodeError) as caught:
                    _ = header.properties
                assert type(caught.value) is type(expected)
                assert str(caught.value) == str(expected)
                assert caught.value.offset == expected.offset
        else:
            assert repr(header.properties) == repr(expected)


def test_offsets_are_those_of_the_stream() -> None:
    broken = frame(2, 1, struct.pack(">HHQH", 60, 0, 0, 0x8000) + b"\5abc")
    decoder = RABBITMQ.FrameDecoder(lazy_properties=True)
    assert len(decoder.feed(RABBITMQ.constants.HEARTBEAT_FRAME * 3)) == 3
    assert decoder.feed(broken[:9]) == []
    ((_, header),) = decoder.feed(broken[9:])
    with pytest.raises(RABBITMQ.errors.Truncated) as caught:
        _ = header.properties
    assert caught.value.path == "basic.properties.content_type"
    assert caught.value.offset == 3 * 8 + 7 + 14
    # The stream goes on.
    assert decoder.feed(RABBITMQ.constants.HEARTBEAT_FRAME) == [(0, RABBITMQ.Heartbeat())]


@each_package
def test_what_is_not_a_property_is_checked_at_once(amqp: Any) -> None:
    for payload in (
        struct.pack(">HHQ", 60, 0, 0),
        struct.pack(">HHQH", 60, 1, 0, 0),
        struct.pack(">HHQH", 10, 0, 0, 0),
        b"",
    ):
        with pytest.raises(amqp.DecodeError):
            amqp.decode_frames(frame(2, 1, payload), lazy_properties=True, strict=True)


@each_package
def test_properties_can_be_replaced_without_decoding(amqp: Any) -> None:
    header = lazily(amqp, frame(2, 1, struct.pack(">HHQH", 60, 0, 0, 0x8000) + b"\5abc"))
    header.properties = amqp.BasicProperties(priority=1)
    assert header == amqp.ContentHeader(amqp.BasicProperties(priority=1), 0)


@each_property_set
def test_equality_copies_and_pickles(amqp: Any, cls: Any) -> None:
    sent = amqp.ContentHeader(cls(**greatest_values(amqp, cls)), 3)
    stream = amqp.encode_frame(1, sent)
    assert lazily(amqp, stream) == sent
    for again in (
        copy.copy(lazily(amqp, stream)),
        copy.deepcopy(lazily(amqp, stream)),
        pickle.loads(pickle.dumps(lazily(amqp, stream))),
    ):
        assert again == sent


def test_a_header_can_be_shown_even_if_its_properties_are_broken() -> None:
    header = lazily(RABBITMQ, frame(2, 1, struct.pack(">HHQH", 60, 0, 9, 0x8000) + b"\5abc"))
    shown = repr(header)  # a log line or a debugger must not fail on it
    assert "broken" in shown
    assert "body_size=9" in shown


def test_the_dialect_and_limits_of_the_decoder_hold() -> None:
    nested = RABBITMQ.BasicProperties(headers={"a": {"b": {}}})
    stream = RABBITMQ.encode_frame(1, RABBITMQ.ContentHeader(nested, 0))
    ((_, header),) = RABBITMQ.FrameDecoder(lazy_properties=True, max_depth=2).feed(stream)
    with pytest.raises(RABBITMQ.errors.LimitExceeded):
        _ = header.properties
    ((_, header),) = RABBITMQ.FrameDecoder(lazy_properties=True, dialect="spec-0-8").feed(stream)
    assert header.properties == nested
