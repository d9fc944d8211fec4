"""Lossless decoding of content headers: weights, flags of no property and further words of flags stay."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import RABBITMQ, each_package, each_property_set
from .raw_octets import raw_headers
from .reference_codec import frame, longstr


def decode(amqp: Any, payload: bytes) -> Any:
    return amqp.decode_frames(frame(2, 1, payload), lossless=True)[0][0][1]


def encode(amqp: Any, header: Any) -> bytes:
    return amqp.encode_frame(1, header)[7:-1]


@each_property_set
@given(data=st.data())
@examples(50)
def test_any_payload_comes_back(amqp: Any, cls: Any, data: st.DataObject) -> None:
    payload = data.draw(raw_headers(amqp, cls))
    header = decode(amqp, payload)
    assert type(header) is amqp.ContentHeader
    assert type(header.properties) is cls
    assert encode(amqp, header) == payload


def header(weight: int, words: list[int], values: bytes = b"", size: int = 5) -> bytes:
    return (
        struct.pack(">HHQ", 60, weight, size) + b"".join(struct.pack(">H", word) for word in words) + values
    )


@pytest.mark.parametrize(
    "payload",
    [
        header(1, [0]),
        header(0xFFFF, [0x8000], b"\1a"),
        header(0, [0x0002]),
        header(0, [0x0001, 0x0000]),
        header(0, [0x0001, 0x8000]),
        header(0, [0x8001, 0xFFFF, 0x0001, 0x0002], b"\1a"),
        header(0, [0xFFFD, 0x0000], b"\0" * 2 + bytes(4) + b"\1\2" + b"\0" * 4 + bytes(8) + b"\0" * 4),
    ],
    ids=["weight", "weight and property", "spare", "no more", "more", "many words", "all"],
)
def test_by_hand(payload: bytes) -> None:
    found = decode(RABBITMQ, payload)
    assert encode(RABBITMQ, found) == payload
    assert found.body_size == 5
    with pytest.raises(RABBITMQ.DecodeError):
        RABBITMQ.decode_frames(frame(2, 1, payload), strict=True)
    for again in (
        copy.copy(found),
        copy.deepcopy(found),
        pickle.loads(pickle.dumps(found)),
        dataclasses.replace(found),
        dataclasses.replace(found, properties=dataclasses.replace(found.properties)),
    ):
        assert again == found
        assert encode(RABBITMQ, again) == payload


def test_changes_are_encoded() -> None:
    found = decode(RABBITMQ, header(7, [0x9003, 0x0004], b"\1a\2"))
    assert (found.properties.content_type, found.properties.delivery_mode) == ("a", 2)
    found.properties.delivery_mode = None
    assert encode(RABBITMQ, found) == header(7, [0x8003, 0x0004], b"\1a")
    found.properties.priority = 9
    assert encode(RABBITMQ, found) == header(7, [0x8803, 0x0004], b"\1a\x09")
    found.body_size = 6
    assert encode(RABBITMQ, found) == header(7, [0x8803, 0x0004], b"\1a\x09", 6)
    found.properties.priority = 256
    with pytest.raises(RABBITMQ.EncodeError) as caught:
        encode(RABBITMQ, found)
    assert caught.value.path == "basic.properties.priority"


def test_properties_of_ones_own_in_a_decoded_header() -> None:
    found = decode(RABBITMQ, header(7, [0x9003, 0x0004], b"\1a\2"))
    found.properties = RABBITMQ.BasicProperties(priority=1)
    assert encode(RABBITMQ, found) == header(7, [0x0800], b"\1")


def test_decoded_properties_in_a_header_of_ones_own() -> None:
    found = decode(RABBITMQ, header(7, [0x9003, 0x0004], b"\1a\2"))
    fresh = RABBITMQ.ContentHeader(found.properties, 5)
    assert encode(RABBITMQ, fresh) == header(0, [0x9003, 0x0004], b"\1a\2")


def test_strings_and_tables_stay() -> None:
    table = longstr(b"\1kt\2\1kt\0")
    payload = header(0, [0xA000], b"\1\xff" + table)
    found = decode(RABBITMQ, payload)
    assert found.properties.content_type == "\udcff"
    assert found.properties.headers == {"k": False}
    assert encode(RABBITMQ, found) == payload


@each_package
def test_a_header_equals_its_plain_self(amqp: Any) -> None:
    for cls in amqp.content.PROPERTIES.values():
        plain = amqp.ContentHeader(cls(), 9)
        assert decode(amqp, encode(amqp, plain)) == plain
