"""Composites, messages and values as Python objects: fields, replace, copies, pickles, equality, patterns."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from .fields import filled, least, typical
from .packages import BY_NAME, amqp, each_composite, each_described
from .specification import COMPOSITES

Symbol, types = amqp.Symbol, amqp.types
SAMPLES: dict[str, Any] = {"map": {"key": [1]}, "binary": b"x", "list": [1, "x"], "*": {"any": None}}
COPIES = (
    copy.copy,
    copy.deepcopy,
    *(
        lambda value, protocol=protocol: pickle.loads(pickle.dumps(value, protocol))
        for protocol in range(2, 6)
    ),
)


def copies(value: Any) -> list[Any]:
    """Copies of each kind, which are like the value."""
    made = [make(value) for make in COPIES]
    for again in made:
        assert again == value
        assert type(again) is type(value)
        assert repr(again) == repr(value)
    return made


@each_composite
def test_composites(cls: Any) -> None:
    names = [field.attribute for field in cls.FIELDS]
    assert dataclasses.is_dataclass(cls)
    assert [field.name for field in dataclasses.fields(cls)] == names
    assert cls.__match_args__ == tuple(names)
    value = filled(cls)
    assert {name: getattr(value, name) for name in names} == {
        field.attribute: typical(field) for field in cls.FIELDS
    }
    assert list(dataclasses.asdict(value)) == names
    expected = ", ".join(f"{name}={getattr(value, name)!r}" for name in names)
    assert repr(value) == f"{cls.__name__}({expected})"
    assert not hasattr(value, "__dict__")
    with pytest.raises(AttributeError):
        value.no_such_field = 1


@each_described
def test_copies(cls: Any) -> None:
    for value in (cls(SAMPLES[cls.SOURCE]),) if cls.SOURCE else (filled(cls), least(cls)):
        for again in copies(value):
            assert again is not value
            assert again.encode() == value.encode()


@each_composite
def test_replace(cls: Any) -> None:
    value, empty = filled(cls), least(cls)
    assert dataclasses.replace(value) == value
    for field in cls.FIELDS:
        changed = dataclasses.replace(value, **{field.attribute: getattr(empty, field.attribute)})
        assert getattr(changed, field.attribute) == getattr(empty, field.attribute)
        assert (changed == value) is field.mandatory
        assert value == filled(cls)


def test_composites_of_different_types_are_not_equal() -> None:
    empty = [least(BY_NAME[composite.name]) for composite in COMPOSITES]
    for number, one in enumerate(empty):
        assert one == least(type(one))
        assert all(one != other for other in empty[number + 1 :])
        assert one != []


def test_composites_are_not_hashable() -> None:
    # They can be changed.
    for value in (amqp.performatives.Open("c"), amqp.messaging.Data(b""), amqp.Message(), amqp.Array([1])):
        with pytest.raises(TypeError):
            hash(value)


def test_lists_are_not_shared() -> None:
    given = ["en"]
    one, two = amqp.performatives.Open("c"), amqp.performatives.Open("c")
    one.outgoing_locales.append("en")
    assert two.outgoing_locales == amqp.performatives.Open("c").outgoing_locales == []
    three = amqp.performatives.Open("c", outgoing_locales=tuple(given))
    three.outgoing_locales.append("de")
    assert given == ["en"]


def test_positional_arguments_in_the_order_of_the_fields() -> None:
    for composite in COMPOSITES:
        cls = BY_NAME[composite.name]
        kinds = {name: parameter.kind for name, parameter in inspect.signature(cls).parameters.items()}
        values = {field.attribute: typical(field) for field in cls.FIELDS}
        by_keyword = {name: values.pop(name) for name, kind in kinds.items() if kind is kind.KEYWORD_ONLY}
        assert cls(*values.values(), **by_keyword) == filled(cls)


def test_messages_and_deliveries() -> None:
    message = amqp.Message(
        header=filled(BY_NAME["header"]),
        application_properties={"n": types.UInt(1)},
        body=[amqp.messaging.Data(b"1"), amqp.messaging.Data(b"2")],
    )
    delivery = amqp.Delivery(amqp.performatives.Transfer(0, 1, b"tag"), b"payload", 3)
    for value in (message, delivery):
        copies(value)
    properties = message.application_properties
    assert copy.copy(message).application_properties is properties
    assert copy.deepcopy(message).application_properties is not properties
    assert copy.deepcopy(message).body is not message.body
    assert dataclasses.replace(message, header=None).header is None
    assert message != dataclasses.replace(message, header=None)


@pytest.mark.parametrize(
    "value",
    [
        types.UByte(7),
        types.ULong(2**64 - 1),
        types.Byte(-5),
        types.Int(-1),
        types.Float(1.5),
        types.Char("x"),
        Symbol("s"),
        types.Timestamp(-1),
        types.Decimal32(Decimal("1.5")),
        types.Decimal128(Decimal("-0")),
        types.Decimal128("1E+6000"),
        UUID(int=1),
        amqp.Described(Symbol("x"), [1]),
        amqp.Array([1, 2]),
        amqp.Array([], "uint"),
        amqp.Array([], "list", (types.ULong(3),)),
        amqp.Array([None] * 3),
        amqp.decode(b"\xf0\x00\x00\x00\x05\x00\x00\xff\xff\x41")[0],
        amqp.messaging.AmqpValue({"a": amqp.Array([True])}),
        amqp.Map([([1], 2), (types.UInt(1), 3)]),
        amqp.performatives.Role.SENDER,
        amqp.performatives.AmqpError.NOT_FOUND,
        amqp.messaging.TerminusExpiryPolicy.NEVER,
        amqp.ProtocolHeader(3, 1, 0, 0),
        amqp.SPEC,
    ],
    ids=repr,
)
def test_values(value: Any) -> None:
    copies(value)


def test_a_deep_copy_shares_nothing_that_can_change() -> None:
    described, array = amqp.Described(Symbol("x"), [1]), amqp.Array([[1], [2]])
    assert copy.deepcopy(described).value is not described.value
    assert copy.deepcopy(array).items[0] is not array.items[0]


def test_errors_can_be_copied_and_pickled() -> None:
    with pytest.raises(amqp.DecodeError) as caught:
        amqp.decode(b"\xc0\x03\x01\xa1\x05")
    for error in (
        caught.value,
        amqp.EncodeError("message", "open.container-id"),
        amqp.errors.Truncated("message", 7, "open.container-id", ((0, None, b""),)),
    ):
        for again in (make(error) for make in COPIES):
            assert type(again) is type(error)
            assert (str(again), again.path) == (str(error), error.path)
            assert getattr(again, "offset", None) == getattr(error, "offset", None)


def describe(frame: Any) -> str:
    performatives, messaging = amqp.performatives, amqp.messaging
    match frame:
        case (channel, performatives.Open(container_id=name), b""):
            return f"{name} on {channel}"
        case (_, performatives.Disposition(first=first, state=messaging.Accepted()), _):
            return f"{first} accepted"
        case (_, performatives.Disposition(first=first, state=amqp.Described(descriptor=name)), _):
            return f"{first} {name}"
        case (_, performatives.Detach(_, True), _):
            return "closed"
        case (_, amqp.ProtocolHeader(layer="sasl"), _):
            return "login"
        case (_, None, _):
            return "alive"
        case _:
            return "else"


def test_match() -> None:
    performatives = amqp.performatives
    receiver = performatives.Role.RECEIVER
    frames = [
        (1, performatives.Open("me")),
        (0, performatives.Disposition(receiver, 5, state=amqp.messaging.Accepted())),
        (0, performatives.Disposition(receiver, 5, state=amqp.Described(Symbol("x"), 1))),
        (0, performatives.Detach(0, True)),
        (0, performatives.Detach(0)),
        (0, None),
    ]
    stream = amqp.PROTOCOL_HEADERS["sasl"] + b"".join(amqp.encode_frame(*frame) for frame in frames)
    expected = ["login", "me on 1", "5 accepted", "5 x", "closed", "else", "alive"]
    assert [describe(frame) for frame in amqp.FrameDecoder().feed(stream)] == expected
