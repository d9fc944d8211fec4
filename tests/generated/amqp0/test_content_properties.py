"""Content headers: every subset of properties is announced by its flags, written and read back."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from . import reference_codec
from .letters import same_fields
from .packages import OLDEST, RABBITMQ, dialect_of, each_package, each_property_set, properties_of
from .values import NOON, examples, greatest_values, least_values, properties, typical_values

BODY_SIZE = 2**40 + 7


def check(amqp: Any, cls: Any, values: dict[str, Any]) -> None:
    sent = amqp.ContentHeader(cls.CLASS_ID, BODY_SIZE, cls(**values))
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
    frame = amqp.encode_frame(1, amqp.ContentHeader(cls.CLASS_ID, 0, sent))
    received = amqp.decode_frames(frame)[0][0][1].properties
    assert same_fields(received, sent)


@each_package
def test_an_absent_property_is_none_and_a_present_zero_is_not(amqp: Any) -> None:
    for cls in properties_of(amqp):
        zeros = least_values(amqp, cls)
        for sent in (cls(), cls(**zeros)):
            header = amqp.ContentHeader(cls.CLASS_ID, 0, sent)
            received = amqp.decode_frames(amqp.encode_frame(1, header))[0][0][1].properties
            expected = [None if sent == cls() else zeros[field.name] for field in cls.FIELDS]
            assert [getattr(received, field.name) for field in cls.FIELDS] == expected


@each_package
def test_a_header_without_properties_has_an_empty_set(amqp: Any) -> None:
    for cls in properties_of(amqp):
        header = amqp.ContentHeader(cls.CLASS_ID, 5)
        assert header.properties == cls()
        assert header == amqp.ContentHeader(cls.CLASS_ID, 5, cls())
        assert header != amqp.ContentHeader(cls.CLASS_ID, 6)
        assert header != amqp.ContentHeader(cls.CLASS_ID, 5, typical(amqp, cls)) or not cls.FIELDS
        assert header != "header"


def typical(amqp: Any, cls: Any) -> Any:
    return cls(**typical_values(amqp, cls))


def test_timestamp_takes_an_aware_datetime() -> None:
    header = RABBITMQ.ContentHeader(60, 0, RABBITMQ.BasicProperties(timestamp=NOON))
    received = RABBITMQ.decode_frames(RABBITMQ.encode_frame(1, header))[0][0][1]
    assert received.properties.timestamp == int(NOON.timestamp())
    assert type(received.properties.timestamp) is int


def test_the_flags_by_hand() -> None:
    properties = RABBITMQ.BasicProperties(content_type="a", reserved="b", priority=3)
    payload = RABBITMQ.encode_frame(1, RABBITMQ.ContentHeader(60, 2, properties))[7:-1]
    assert payload.hex() == "003c" "0000" "0000000000000002" "8804" "0161" "03" "0162"


def test_a_class_with_content_but_without_properties() -> None:
    # test.content of 0-8: the flags are there, no bit stands for anything.
    frame = OLDEST.encode_frame(1, OLDEST.ContentHeader(120, 1))
    assert frame.hex() == "02 0001 0000000e 0078 0000 0000000000000001 0000 ce".replace(" ", "")
    assert OLDEST.decode_frames(frame)[0] == [(1, OLDEST.ContentHeader(120, 1))]


@pytest.mark.parametrize("class_id", [0, 10, 50, 61, 65535])
def test_a_class_without_content_has_no_header(class_id: int) -> None:
    with pytest.raises(RABBITMQ.EncodeError):
        RABBITMQ.encode_frame(1, RABBITMQ.ContentHeader(class_id))


def test_properties_of_another_class_are_refused() -> None:
    header = OLDEST.ContentHeader(60, 0, OLDEST.content.FileProperties(filename="f"))
    with pytest.raises(OLDEST.EncodeError):
        OLDEST.encode_frame(1, header)
