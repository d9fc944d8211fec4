"""The octets are those of pika for every 0-9-1 method and property that it knows, and it reads ours."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import examples

from .packages import DRAFT, OLDEST, RABBITMQ, method
from .peer_values import METHODS, MOMENT, any_values, property_sets, their_name, value_sets

pytest.importorskip("pika")
from pika import frame, spec

# What pika cannot decode: it makes the object without the arguments that __init__ requires.
CANNOT_DECODE = {"connection.update-secret"}
item = pytest.mark.parametrize(("key", "cls"), [pytest.param(key, cls, id=cls.NAME) for key, cls in METHODS])


def pika_name(cls: Any, field: Any) -> str:
    name = their_name(cls.NAME, field)
    return {"exchange_type": "type", "global_": "global_qos"}.get(name, name)


def theirs(key: int, cls: Any, values: dict[str, Any]) -> Any:
    """Their object with the same values; reserved fields are zero."""
    arguments = {}
    for field in cls.FIELDS:
        name = pika_name(cls, field)
        value = values.get(field.name, {"shortstr": "", "longstr": b"", "table": {}}.get(field.type, 0))
        arguments[name] = bool(value) if field.type == "bit" else value
    return spec.methods[key](**arguments)


def check(key: int, cls: Any, values: dict[str, Any]) -> None:
    ours = RABBITMQ.encode_frame(11, cls(**values))
    expected = frame.Method(11, theirs(key, cls, values)).marshal()
    assert ours == expected
    assert RABBITMQ.decode_frames(expected)[0] == RABBITMQ.decode_frames(ours)[0]
    if cls.NAME in CANNOT_DECODE:
        return
    consumed, decoded = frame.decode_frame(ours)
    assert (consumed, decoded.channel_number) == (len(ours), 11)
    for field in cls.FIELDS:
        if not field.reserved and field.name in values:
            received = getattr(decoded.method, pika_name(cls, field))
            if field.type == "longstr" and isinstance(received, str):
                received = received.encode()
            assert received == values[field.name], field.name


def test_pika_knows_every_method_of_ours() -> None:
    assert {key for key, _ in METHODS} == set(spec.methods)


@item
def test_method(key: int, cls: Any) -> None:
    for values in value_sets(cls):
        check(key, cls, values)


@given(data=st.data())
@examples(150)
def test_any_values(data: st.DataObject) -> None:
    key, cls = data.draw(st.sampled_from(METHODS))
    check(key, cls, data.draw(any_values(cls)))


def test_pika_still_cannot_decode_update_secret() -> None:
    with pytest.raises(TypeError):
        frame.decode_frame(RABBITMQ.encode_frame(0, method(RABBITMQ, "connection.update-secret")()))


@pytest.mark.parametrize("amqp", [OLDEST, DRAFT], ids=["amqp_0_8", "amqp_0_9"])
def test_access_request_of_the_older_versions(amqp: Any) -> None:
    values = {"realm": "/data", "exclusive": True, "active": True, "read": True}
    request = method(amqp, "access.request")(**values)
    # Every bit is given: in pika some of them are true by default.
    bits = {name: values.get(name, False) for name in ("exclusive", "passive", "active", "write", "read")}
    expected = frame.Method(1, spec.Access.Request(values["realm"], **bits)).marshal()
    assert amqp.encode_frame(1, request) == expected
    answer = method(amqp, "access.request-ok")(ticket=5)
    assert amqp.encode_frame(1, answer) == frame.Method(1, spec.Access.RequestOk(5)).marshal()


def test_content_headers() -> None:
    for values in property_sets():
        ours = RABBITMQ.encode_frame(2, RABBITMQ.ContentHeader(RABBITMQ.BasicProperties(**values), 77))
        named = {"cluster_id" if name == "reserved" else name: value for name, value in values.items()}
        assert ours == frame.Header(2, 77, spec.BasicProperties(**named)).marshal()
        _, decoded = frame.decode_frame(ours)
        assert decoded.body_size == 77
        for name, value in named.items():
            assert getattr(decoded.properties, name) == value


def test_bodies_and_heartbeats() -> None:
    payload = bytes(range(256))
    ours = RABBITMQ.encode_frame(3, RABBITMQ.ContentBody(payload))
    assert ours == frame.Body(3, payload).marshal()
    assert frame.decode_frame(ours)[1].fragment == payload
    assert RABBITMQ.encode_frame(0, RABBITMQ.Heartbeat()) == frame.Heartbeat().marshal()


def test_protocol_header() -> None:
    assert frame.ProtocolHeader().marshal() == RABBITMQ.PROTOCOL_HEADER


@pytest.mark.parametrize(
    "value",
    [
        0,
        1,
        -1,
        2**31 - 1,
        -(2**31),
        2**31,
        -(2**31) - 1,
        2**63 - 1,
        -(2**63),
        b"\0\xff",
        Decimal("2.25"),
        MOMENT,
    ],
)
def test_plain_values_get_the_letters_of_pika(value: Any) -> None:
    # Floats are missing: pika cannot encode them.
    ours = RABBITMQ.encode_table({"k": value})
    assert b"".join(spec.Queue.Declare(arguments={"k": value}).encode()).endswith(ours)
