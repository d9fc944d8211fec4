"""Values, types with descriptors, messages and errors can be copied and pickled."""

from __future__ import annotations

import copy
import pickle
from typing import Any
from uuid import UUID

import pytest

from .fields import filled, least
from .packages import amqp, each_composite

types = amqp.types
MESSAGE = amqp.Message(application_properties={"n": types.UInt(3)}, body=amqp.messaging.Data(b"x"))


def copies(value: Any) -> list[Any]:
    return [copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))]


@each_composite
def test_composites(cls: Any) -> None:
    for value in (least(cls), filled(cls)):
        for again in copies(value):
            assert type(again) is cls
            assert again == value
            assert again.encode() == value.encode()


@pytest.mark.parametrize(
    "value",
    [
        types.UInt(5),
        types.Byte(-5),
        types.Float(1.5),
        types.Char("x"),
        types.Timestamp(-1),
        types.Symbol("x"),
        types.Decimal32("1.5"),
        types.Decimal128("1E+6000"),
        UUID(int=1),
        amqp.Described(types.Symbol("x"), [types.UInt(1)]),
        amqp.Array([types.UInt(1), types.UInt(2)]),
        amqp.Array([], "list", (types.ULong(3),)),
        amqp.decode(b"\xf0\x00\x00\x00\x05\x00\x00\xff\xff\x41")[0],
        amqp.Map([(types.UInt(1), "a"), (types.ULong(1), "b")]),
        amqp.messaging.Data(b"x"),
        amqp.messaging.AmqpValue({"a": amqp.Array([True])}),
        MESSAGE,
    ],
    ids=lambda value: type(value).__name__,
)
def test_values(value: Any) -> None:
    for again in copies(value):
        assert type(again) is type(value)
        assert again == value


def test_a_deep_copy_shares_nothing_that_can_change() -> None:
    described = amqp.Described(types.Symbol("x"), [1])
    array = amqp.Array([[1], [2]])
    properties = MESSAGE.application_properties
    assert copy.deepcopy(described).value is not described.value
    assert copy.deepcopy(array).items[0] is not array.items[0]
    assert copy.deepcopy(MESSAGE).application_properties is not properties
    assert copy.copy(MESSAGE).application_properties is properties


def test_errors() -> None:
    with pytest.raises(amqp.DecodeError) as caught:
        amqp.decode(b"\xc0\x03\x01\xa1\x05")
    for again in copies(caught.value):
        assert type(again) is type(caught.value)
        assert (str(again), again.offset, again.path) == (
            str(caught.value),
            caught.value.offset,
            caught.value.path,
        )
