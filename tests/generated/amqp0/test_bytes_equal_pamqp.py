"""The octets are those of pamqp for every 0-9-1 method and property that it knows, and it reads ours."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import RABBITMQ, STANDARD, bare, plain_fields
from .peer_values import METHODS as ALL_METHODS
from .peer_values import PROPERTIES, TABLE, any_values, property_sets, their_name, value_sets

pytest.importorskip("pamqp")
from pamqp import body, commands, frame, header, heartbeat

# It warns of basic.recover-async whenever it makes one.
pytestmark = pytest.mark.filterwarnings("ignore:This command is deprecated")
# What pamqp cannot do.
CANNOT = {
    # Its default for the reserved field is "0", and it refuses to marshal any other value, even the empty
    # string that the specification asks for.
    "channel.open": "writes '0' in the reserved field",
    "channel.open-ok": "writes '0' in the reserved field",
}
# The class access, which RabbitMQ's codec has, is not in pamqp.
METHODS = [(key, cls) for key, cls in ALL_METHODS if not cls.NAME.startswith("access.")]
every_method = pytest.mark.parametrize(
    ("key", "cls"), [pytest.param(key, cls, id=cls.NAME) for key, cls in METHODS if cls.NAME not in CANNOT]
)


def theirs(key: int, cls: Any, values: dict[str, Any]) -> Any:
    """Their object with the same values; reserved fields are zero."""
    arguments = {}
    for field in cls.FIELDS:
        value = values.get(field.name, "" if field.type in ("shortstr", "longstr") else 0)
        if field.type == "bit":
            value = bool(value)
        if field.type == "longstr" and isinstance(value, bytes):
            value = value.decode()
        if field.type == "table":
            value = values.get(field.name, {})
        arguments[their_name(cls.NAME, field)] = value
    return commands.INDEX_MAPPING[key](**arguments)


def check(key: int, cls: Any, values: dict[str, Any]) -> None:
    ours = RABBITMQ.encode_frame(11, cls(**values))
    expected = frame.marshal(theirs(key, cls, values), 11)
    assert ours == expected
    standard = STANDARD.METHODS.get(key)
    if standard and plain_fields(standard) == plain_fields(cls):
        assert ours == STANDARD.encode_frame(11, standard(**values))
    assert RABBITMQ.decode_frames(expected)[0] == RABBITMQ.decode_frames(ours)[0]
    consumed, channel, decoded = frame.unmarshal(ours)
    assert (consumed, channel) == (len(ours), 11)
    for field in cls.FIELDS:
        if not field.reserved and field.name in values:
            received = getattr(decoded, their_name(cls.NAME, field))
            if field.type == "longstr":
                received = received.encode() if isinstance(received, str) else received
            assert received == values[field.name], field.name


def test_pamqp_knows_every_method_of_ours() -> None:
    assert {key for key, _ in METHODS} == set(commands.INDEX_MAPPING)


@every_method
def test_method(key: int, cls: Any) -> None:
    for values in value_sets(cls):
        check(key, cls, values)


@given(data=st.data())
@examples(150)
def test_any_values(data: st.DataObject) -> None:
    key, cls = data.draw(st.sampled_from([item for item in METHODS if item[1].NAME not in CANNOT]))
    check(key, cls, data.draw(any_values(cls)))


@pytest.mark.parametrize("name", sorted(CANNOT))
def test_what_pamqp_cannot_write_it_can_read(name: str) -> None:
    key, cls = next(item for item in METHODS if name == item[1].NAME)
    ours = RABBITMQ.encode_frame(1, bare(cls))
    assert type(frame.unmarshal(ours)[2]) is commands.INDEX_MAPPING[key]


def test_content_headers() -> None:
    for values in property_sets():
        ours = RABBITMQ.encode_frame(2, RABBITMQ.ContentHeader(RABBITMQ.BasicProperties(**values), 77))
        named = {"message_type" if name == "type" else name: value for name, value in values.items()}
        if "timestamp" in named:
            named["timestamp"] = datetime.fromtimestamp(named["timestamp"], UTC)
        if "reserved" in named:
            # pamqp takes nothing but an empty string for it, and leaves out whatever is empty.
            continue
        expected = header.ContentHeader(0, 77, commands.Basic.Properties(**named))
        assert ours == frame.marshal(expected, 2)
        decoded = frame.unmarshal(ours)[2]
        assert decoded.body_size == 77
        for name, value in named.items():
            assert getattr(decoded.properties, name) == value


def test_bodies_and_heartbeats() -> None:
    payload = bytes(range(256))
    ours = RABBITMQ.encode_frame(3, RABBITMQ.ContentBody(payload))
    assert ours == frame.marshal(body.ContentBody(payload), 3)
    assert frame.unmarshal(ours)[2].value == payload
    assert RABBITMQ.encode_frame(0, RABBITMQ.Heartbeat()) == frame.marshal(heartbeat.Heartbeat(), 0)


@pytest.mark.parametrize(
    ("letter", "value"),
    [
        *[("b", value) for value in (0, 1, -1, 127, -128)],
        *[("s", value) for value in (128, -129, 2**15 - 1, -(2**15))],
        *[("u", value) for value in (2**15, 2**16 - 1)],
        *[("I", value) for value in (2**16, -(2**15) - 1, 2**31 - 1, -(2**31))],
        *[("i", value) for value in (2**31, 2**32 - 1)],
        *[("l", value) for value in (2**32, -(2**31) - 1, 2**63 - 1, -(2**63))],
        ("f", 0.5),
        ("x", bytearray(b"\0\xff")),
        ("D", Decimal("1234567.89")),
        ("D", Decimal("5E+3")),
    ],
)
def test_letters_that_pamqp_picks_itself(letter: str, value: Any) -> None:
    ours = RABBITMQ.encode_table({"k": RABBITMQ.Tagged(letter, value)})
    assert ours[6:7] == letter.encode()
    assert commands.Queue.Declare(arguments={"k": value}).marshal().endswith(ours)
    assert RABBITMQ.decode_table(ours) == ({"k": value}, len(ours))


def test_the_table_that_both_write_alike() -> None:
    decoded, _ = RABBITMQ.decode_table(RABBITMQ.encode_table(TABLE))
    decoded["moment"] = decoded["moment"].datetime
    assert decoded == TABLE
    assert PROPERTIES["headers"] is TABLE
