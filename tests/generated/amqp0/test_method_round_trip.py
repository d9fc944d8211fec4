"""Every method encodes to what the specification's layout says and decodes to itself."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from . import reference_codec
from .letters import same_fields
from .packages import (
    DRAFT,
    STANDARD,
    bare,
    dialect_of,
    each_method,
    each_package,
    method,
    methods_of,
    required_of,
)
from .values import NOON, any_method, greatest_values, least_values, typical_values


def check(amqp: Any, cls: Any, values: dict[str, Any]) -> None:
    sent = cls(**values)
    payload = sent.encode()
    assert payload == reference_codec.method(cls, values, dialect_of(amqp))[0]
    received = amqp.decode_method(payload)
    assert same_fields(sent, received)
    assert sent == received
    assert received.encode() == payload
    frame = amqp.encode_frame(3, sent)
    assert frame == reference_codec.frame(1, 3, payload)
    assert amqp.decode_frames(frame) == ([(3, sent)], len(frame))


@each_method
def test_round_trip(amqp: Any, cls: Any) -> None:
    # What is given back to the queue unless it is said otherwise, and where a connection leads; see wire.toml.
    keeps = cls.NAME in ("basic.nack", "basic.reject", "file.reject")
    defaults = {"requeue": True} if keeps else {"virtual_host": "/"} if cls.NAME == "connection.open" else {}
    zeros = {name: type(value)() for name, value in defaults.items()}
    assert bare(cls) == cls(**least_values(amqp, cls) | defaults)
    typical = typical_values(amqp, cls)
    check(amqp, cls, least_values(amqp, cls))
    check(amqp, cls, greatest_values(amqp, cls))
    check(amqp, cls, typical)
    for name, value in typical.items():
        check(amqp, cls, {**dict.fromkeys(required_of(cls), 0), **zeros, name: value or True})


@each_package
@given(data=st.data())
@examples(150)
def test_any_values(amqp: Any, data: st.DataObject) -> None:
    sent = data.draw(any_method(amqp))
    payload = sent.encode()
    assert same_fields(amqp.decode_method(payload), sent)
    assert amqp.decode_method(payload).encode() == payload


@each_package
def test_bytearray_and_memoryview_are_read_like_bytes(amqp: Any) -> None:
    for cls in methods_of(amqp):
        sent = cls(**typical_values(amqp, cls))
        payload = sent.encode()
        assert amqp.decode_method(bytearray(payload)) == amqp.decode_method(memoryview(payload)) == sent


def test_decoded_strings_do_not_keep_the_buffer() -> None:
    buffer = bytearray(method(STANDARD, "connection.secure")(b"challenge").encode())
    received = STANDARD.decode_method(buffer)
    buffer[:] = bytes(len(buffer))
    assert type(received.challenge) is bytes
    assert received.challenge == b"challenge"


def test_bit_order() -> None:
    declare = method(STANDARD, "queue.declare")(durable=True, no_wait=True)
    # class, method, ticket, empty name, bits 2 and 5, empty table
    assert declare.encode().hex() == "0032000a" + "0000" + "00" + "12" + "00000000"


def test_an_argument_that_is_left_out_is_not_shared() -> None:
    declare = method(STANDARD, "queue.declare")
    declare().arguments["x"] = 1
    assert declare().arguments == {}


@pytest.mark.parametrize("name", ["timestamp", "expiration"])
def test_timestamp_field_takes_an_aware_datetime(name: str) -> None:
    transfer = method(DRAFT, "message.transfer")
    received = DRAFT.decode_method(transfer(**{name: NOON}).encode())
    assert getattr(received, name) == int(NOON.timestamp())
    assert type(getattr(received, name)) is int
