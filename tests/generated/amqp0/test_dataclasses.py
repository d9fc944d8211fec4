"""Methods and property sets are dataclasses: fields, replace, asdict, copies, pickles, equality, patterns."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from .packages import (
    RABBITMQ,
    bare,
    each_method,
    each_package,
    method,
    methods_of,
    plain_fields,
    properties_of,
)
from .values import greatest_values, typical_values


@each_method
def test_methods(amqp: Any, cls: Any) -> None:
    values = typical_values(amqp, cls)
    check(cls, values)
    built = cls(**values)
    assert built == cls(*values.values())
    with pytest.raises(TypeError):
        cls(**values, residues=None)
    for again in (copy.copy(built), copy.deepcopy(built), pickle.loads(pickle.dumps(built))):
        assert again == built
        assert again is not built
        assert again.encode() == built.encode()


def as_plain(value: Any) -> Any:
    return (
        dataclasses.asdict(value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type)
        else value
    )


def check(cls: Any, values: dict[str, Any]) -> None:
    names = [*(field.name for field in plain_fields(cls)), "residue"]
    values = {**values, "residue": None}
    any_class: Any = cls
    assert dataclasses.is_dataclass(any_class)
    assert [field.name for field in dataclasses.fields(cls)] == names
    assert cls.__match_args__ == tuple(names)
    built = cls(**values)
    assert {name: getattr(built, name) for name in names} == values
    plain = {name: as_plain(value) for name, value in values.items()}
    assert dataclasses.asdict(built) == plain
    assert repr(built).startswith(f"{cls.__name__}(")
    assert all(f"{name}={value!r}" in repr(built) for name, value in values.items() if name != "residue")
    assert "residue" not in repr(built)
    for name, value in values.items():
        changed = dataclasses.replace(built, **{name: getattr(bare(cls), name)})
        assert getattr(changed, name) == getattr(bare(cls), name)
        assert (changed == built) is (value == getattr(bare(cls), name))
        assert getattr(built, name) == value


@each_package
def test_property_sets(amqp: Any) -> None:
    for cls in properties_of(amqp):
        values = greatest_values(amqp, cls)
        values.pop("headers", None)  # repr of a NaN and the like
        built = cls(**values)
        for again in (copy.copy(built), copy.deepcopy(built), pickle.loads(pickle.dumps(built))):
            assert again == built
        assert [field.name for field in dataclasses.fields(cls)] == [
            *(field.name for field in cls.FIELDS),
            "residue",
        ]
        assert dataclasses.replace(built) == built
        assert {**dict.fromkeys(dataclasses.asdict(built)), **values} == dataclasses.asdict(built)
        assert bare(cls) == cls(**dict.fromkeys(values))


@each_package
def test_frames(amqp: Any) -> None:
    frames = [
        amqp.Heartbeat(),
        amqp.ContentBody(b"x"),
        amqp.OtherFrame(4, b"x"),
        amqp.ContentHeader(amqp.BasicProperties(priority=1), 5),
    ]
    for frame in frames:
        for again in (copy.copy(frame), copy.deepcopy(frame), pickle.loads(pickle.dumps(frame))):
            assert again == frame
            assert type(again) is type(frame)
            assert repr(again) == repr(frame)
    assert amqp.ContentBody(b"x") != amqp.ContentBody(b"y")
    assert amqp.Heartbeat() == amqp.Heartbeat()
    assert (
        repr(amqp.ContentHeader(amqp.BasicProperties(), 5))
        == f"ContentHeader(properties={amqp.BasicProperties()!r}, body_size=5)"
    )


@each_package
def test_methods_of_different_classes_are_not_equal(amqp: Any) -> None:
    empty = [bare(cls) for cls in methods_of(amqp)]
    for number, one in enumerate(empty):
        assert one == bare(type(one))
        assert all(one != other for other in empty[number + 1 :])
        assert one != one.encode()


@each_package
def test_methods_are_not_hashable(amqp: Any) -> None:
    # They can be changed.
    for frame in (
        bare(method(amqp, "basic.ack")),
        amqp.BasicProperties(),
        amqp.ContentHeader(amqp.BasicProperties()),
    ):
        with pytest.raises(TypeError):
            hash(frame)


@each_package
def test_values_can_be_copied_and_pickled(amqp: Any) -> None:
    for value in (
        amqp.Timestamp(2**64 - 1),
        amqp.Tagged("b", 1),
        amqp.dialects.DEFAULT_DIALECT,
        amqp.SPEC,
        amqp.ReplyCode(200),
    ):
        for again in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
            assert again == value
            assert type(again) is type(value)
    assert amqp.Tagged("b", 1) != amqp.Tagged("B", 1)
    assert amqp.Tagged("b", 1) != 1
    assert repr(amqp.Tagged("b", 1)) == "Tagged('b', 1)"
    assert hash(amqp.Tagged("b", 1)) == hash(amqp.Tagged("b", 1))


def describe(frame: Any) -> str:
    methods = RABBITMQ.methods
    match frame:
        case methods.BasicDeliver(consumer_tag=tag, delivery_tag=number, redelivered=False):
            return f"{tag} {number}"
        case methods.BasicAck(number, True):
            return f"up to {number}"
        case methods.BasicAck(number):
            return f"only {number}"
        case RABBITMQ.ContentBody(payload):
            return f"{len(payload)} octets"
        case RABBITMQ.Heartbeat():
            return "heartbeat"
        case _:
            return "else"


def test_match() -> None:
    assert describe(RABBITMQ.methods.BasicDeliver("c", 5)) == "c 5"
    assert describe(RABBITMQ.methods.BasicDeliver("c", 5, True)) == "else"
    assert describe(RABBITMQ.methods.BasicAck(7, True)) == "up to 7"
    assert describe(RABBITMQ.methods.BasicAck(7)) == "only 7"
    assert describe(RABBITMQ.ContentBody(b"abc")) == "3 octets"
    assert describe(RABBITMQ.Heartbeat()) == "heartbeat"
    assert describe(RABBITMQ.methods.TxSelect()) == "else"


@each_package
def test_methods_can_be_made_with_nothing_and_filled_in(amqp: Any) -> None:
    for cls in methods_of(amqp):
        built = bare(cls)
        values = typical_values(amqp, cls)
        for name, value in values.items():
            setattr(built, name, value)
        assert built == cls(**values)
