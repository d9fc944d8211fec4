"""Messages through RabbitMQ: every section and kind of body. Its habits are those of version 3.10."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import amqp_1_0 as amqp
import pytest
from amqp_1_0.messaging import Accepted, AmqpSequence, AmqpValue, Data, Header, Properties
from amqp_1_0.types import (
    Byte,
    Char,
    Decimal64,
    Float,
    Int,
    Short,
    Symbol,
    Timestamp,
    UByte,
    UInt,
    ULong,
    UShort,
)

from .client import Disconnected, Ended, Session
from .neutral_values import same

pytestmark = pytest.mark.broker

VALUES = [
    None,
    True,
    UByte(255),
    UShort(65535),
    UInt(0),
    UInt(2**32 - 1),
    ULong(0),
    ULong(2**64 - 1),
    Byte(-128),
    Short(-32768),
    Int(-(2**31)),
    -(2**63),
    Float(1.5),
    -1.25,
    Char("\N{SNOWMAN}"),
    Timestamp(1_700_000_000_123),
    uuid.UUID(int=2**127 + 5),
    b"\x00\xff",
    "Gr\N{LATIN SMALL LETTER U WITH DIAERESIS}\N{LATIN SMALL LETTER SHARP S}e",
    Symbol("a-symbol"),
]


def pass_on(session: Session, queue: str, message: amqp.Message) -> amqp.Message:
    """Sends a message to a queue and fetches it again."""
    sender, receiver = session.sender(queue), session.receiver(queue)
    assert sender.disposition(sender.send(message)).state == Accepted()
    receiver.give_credit(1)
    delivery = receiver.receive()
    receiver.settle(delivery)
    return amqp.decode_message(delivery.payload)


@pytest.mark.parametrize("octets", [b"", b"\x00\xff", b"x" * 255, b"y" * 256], ids=len)
def test_data(session: Session, queue: str, octets: bytes) -> None:
    assert pass_on(session, queue, amqp.Message(body=Data(octets))).body == Data(octets)


def test_several_data(session: Session, queue: str) -> None:
    sent = [Data(b"1"), Data(b""), Data(b"3")]
    body = pass_on(session, queue, amqp.Message(body=sent)).body
    assert body == sent[::-1], "RabbitMQ gives them back in the wrong order"


def test_sequences(session: Session, queue: str) -> None:
    one = AmqpSequence([1, "two", [UInt(3), None]])
    assert pass_on(session, queue, amqp.Message(body=one)).body == one
    body = pass_on(session, queue, amqp.Message(body=[one, AmqpSequence([])])).body
    assert body == [AmqpSequence([]), one], "RabbitMQ gives them back in the wrong order"


@pytest.mark.parametrize("value", [*VALUES, Decimal64(Decimal("-1.50")), {"a": {Symbol("b"): [1]}}], ids=repr)
def test_value(session: Session, queue: str, value: Any) -> None:
    body = pass_on(session, queue, amqp.Message(body=AmqpValue(value))).body
    assert isinstance(body, AmqpValue)
    assert same(body.value, value)


def test_unknown_described_value(session: Session, queue: str) -> None:
    value = AmqpValue(amqp.Described(Symbol("com.example:thing"), 1))
    assert pass_on(session, queue, amqp.Message(body=value)).body == value


def test_header(session: Session, queue: str) -> None:
    sent = Header(durable=True, priority=9, ttl=60_000)
    header = pass_on(session, queue, amqp.Message(sent, body=Data(b""))).header
    assert header == Header(durable=True, priority=9, ttl=60_000, first_acquirer=True)


def test_properties(session: Session, queue: str) -> None:
    sent = Properties(
        message_id="m",
        user_id=b"guest",
        to="/queue/somewhere",
        subject="s",
        reply_to="r",
        correlation_id="c",
        content_type="text/plain",
        content_encoding="identity",
        absolute_expiry_time=2_000_000_000_000,
        creation_time=1_700_000_000_000,
        group_id="g",
        group_sequence=2**32 - 1,
        reply_to_group_id="rg",
    )
    properties = pass_on(session, queue, amqp.Message(properties=sent, body=Data(b""))).properties
    assert properties == sent
    assert properties is not None
    assert type(properties.content_type) is Symbol
    assert type(properties.creation_time) is Timestamp


@pytest.mark.parametrize("identity", ["", "m", b"\x00", ULong(7), uuid.UUID(int=7)], ids=repr)
def test_message_id(session: Session, queue: str, identity: Any) -> None:
    sent = Properties(message_id=identity, correlation_id=identity)
    properties = pass_on(session, queue, amqp.Message(properties=sent, body=Data(b""))).properties
    assert properties is not None
    assert same(properties.message_id, identity)
    assert same(properties.correlation_id, identity)


def test_maps(session: Session, queue: str) -> None:
    values = {repr(value): value for value in VALUES}
    annotations: dict[Symbol, amqp.Value] = {Symbol("x-one"): UInt(1), Symbol("x-two"): "two"}
    sent = amqp.Message(
        message_annotations=annotations,
        application_properties=values,
        body=Data(b"body"),
        footer={Symbol("x-foot"): "note"},
    )
    message = pass_on(session, queue, sent)
    assert message.message_annotations == annotations
    assert message.footer == sent.footer
    assert message.application_properties == values
    for name, value in message.application_properties.items():
        assert same(value, values[name])


@pytest.mark.parametrize(
    "message",
    [
        amqp.Message(delivery_annotations={Symbol("x-next"): 1}, body=Data(b"")),
        amqp.Message(body=AmqpValue(amqp.Array([Int(1)]))),
    ],
    ids=["delivery annotations", "array"],
)
def test_what_makes_it_hang_up(session: Session, queue: str, message: amqp.Message) -> None:
    """Octets that proton reads as they are meant, see ``test_proton``."""
    assert amqp.decode_message(message.encode()) == message
    with pytest.raises((Disconnected, Ended)):
        pass_on(session, queue, message)


@pytest.mark.parametrize("frame_size", [512, 4096, 100_000])
def test_large_message(connect: Callable[..., Session], queue: str, frame_size: int) -> None:
    session = connect(frame_size=frame_size)
    assert session.peer.frame_size == frame_size
    octets = bytes(range(256)) * 1500
    before = session.next_outgoing_id
    sender, receiver = session.sender(queue), session.receiver(queue)
    assert sender.disposition(sender.send(amqp.Message(body=Data(octets)))).state == Accepted()
    assert session.next_outgoing_id - before > len(octets) // frame_size
    receiver.give_credit(1)
    delivery = receiver.receive()
    assert amqp.decode_message(delivery.payload).body == Data(octets)
    assert len(receiver.transfers) > len(octets) // frame_size
    assert [transfer.more for transfer, _ in receiver.transfers][-2:] == [True, False]
    assert amqp.join_transfers(receiver.transfers).payload == delivery.payload
    receiver.settle(delivery)
    assert session.peer.close().error is None
