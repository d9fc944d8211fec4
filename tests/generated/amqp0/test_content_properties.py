"""Content headers: every subset of properties is announced by its flags, written and read back."""

from __future__ import annotations

import dataclasses
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from . import reference_codec
from .letters import same_fields
from .packages import OLDEST, RABBITMQ, dialect_of, each_package, each_property_set, properties_of
from .values import NOON, greatest_values, least_values, properties, typical_values

BODY_SIZE = 2**40 + 7


def check(amqp: Any, cls: Any, values: dict[str, Any]) -> None:
    sent = amqp.ContentHeader(cls(**values), BODY_SIZE)
    payload = reference_codec.header(cls, values, dialect_of(amqp), BODY_SIZE)[0]
    frame = amqp.encode_frame(9, sent)
    assert frame == reference_codec.frame(2, 9, payload)
    ((channel, received),), position = amqp.decode_frames(frame)
    assert (channel, position) == (9, len(frame))
    assert received == sent
    assert (received.class_id, received.body_size) == (cls.CLASS_ID, BODY_SIZE)
    assert same_fields(received.properties, sent.properties)
    assert amqp.encode_frame(9, received) == frame


@each_property_set
def test_none_all_and_each_alone(amqp: Any, cls: Any) -> None:
    for values in (least_values, typical_values, greatest_values):
        every = values(amqp, cls)
        check(amqp, cls, {})
        check(amqp, cls, every)
        for name, value in every.items():
            check(amqp, cls, {name: value})
            check(amqp, cls, {other: every[other] for other in every if other != name})


@each_property_set
def test_each_pair(amqp: Any, cls: Any) -> None:
    every = typical_values(amqp, cls)
    for names in combinations(every, 2):
        check(amqp, cls, {name: every[name] for name in names})


@each_property_set
@given(data=st.data())
@examples(100)
def test_any_subset(amqp: Any, cls: Any, data: st.DataObject) -> None:
    sent = data.draw(properties(amqp, cls))
    frame = amqp.encode_frame(1, amqp.ContentHeader(sent, 0))
    received = amqp.decode_frames(frame)[0][0][1].properties
    assert same_fields(received, sent)


@each_package
def test_an_absent_property_is_none_and_a_present_zero_is_not(amqp: Any) -> None:
    for cls in properties_of(amqp):
        zeros = least_values(amqp, cls)
        for sent in (cls(), cls(**zeros)):
            header = amqp.ContentHeader(sent, 0)
            received = amqp.decode_frames(amqp.encode_frame(1, header))[0][0][1].properties
            expected = [None if sent == cls() else zeros[field.name] for field in cls.FIELDS]
            assert [getattr(received, field.name) for field in cls.FIELDS] == expected


@each_package
def test_headers_are_equal_if_all_of_them_is(amqp: Any) -> None:
    for cls in properties_of(amqp):
        header = amqp.ContentHeader(cls(), 5)
        assert header.class_id == cls.CLASS_ID
        assert (
            header
            == amqp.ContentHeader(cls(), 5)
            == dataclasses.replace(amqp.ContentHeader(cls(), 6), body_size=5)
        )
        assert header != amqp.ContentHeader(cls(), 6)
        assert header != amqp.ContentHeader(cls(), 5, 1)
        assert header != amqp.ContentHeader(typical(amqp, cls), 5) or not cls.FIELDS
        assert header != "header"


def typical(amqp: Any, cls: Any) -> Any:
    return cls(**typical_values(amqp, cls))


def test_timestamp_takes_an_aware_datetime() -> None:
    header = RABBITMQ.ContentHeader(RABBITMQ.BasicProperties(timestamp=NOON), 0)
    received = RABBITMQ.decode_frames(RABBITMQ.encode_frame(1, header))[0][0][1]
    assert received.properties.timestamp == int(NOON.timestamp())
    assert type(received.properties.timestamp) is int


def test_the_flags_by_hand() -> None:
    properties = RABBITMQ.BasicProperties(content_type="a", reserved="b", priority=3)
    payload = RABBITMQ.encode_frame(1, RABBITMQ.ContentHeader(properties, 2))[7:-1]
    assert payload.hex() == "003c0000000000000000000288040161030162"


def test_a_class_with_content_but_without_properties() -> None:
    # test.content of 0-8: the flags are there, no bit stands for anything.
    frame = OLDEST.encode_frame(1, OLDEST.ContentHeader(OLDEST.content.PROPERTIES[120](), 1))
    assert frame.hex() == "02 0001 0000000e 0078 0000 0000000000000001 0000 ce".replace(" ", "")
    assert OLDEST.decode_frames(frame)[0] == [(1, OLDEST.ContentHeader(OLDEST.content.PROPERTIES[120](), 1))]


@pytest.mark.parametrize("properties", [None, 60, "basic", b"", RABBITMQ.methods.BasicPublish()], ids=repr)
def test_what_is_not_a_property_set_is_refused(properties: Any) -> None:
    with pytest.raises(RABBITMQ.EncodeError):
        RABBITMQ.encode_frame(1, RABBITMQ.ContentHeader(properties))


def test_properties_of_another_class_are_refused() -> None:
    properties = OLDEST.content.FileProperties(filename="f")
    with pytest.raises(OLDEST.EncodeError, match=r"file\.properties do not belong to basic\.publish"):
        OLDEST.encode_message(1, OLDEST.methods.BasicPublish(), properties, b"x")
