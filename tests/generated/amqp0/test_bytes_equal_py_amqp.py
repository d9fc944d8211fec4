"""The octets are those of py-amqp's serializer for the argument list of every 0-9-1 method, and it reads ours."""

from __future__ import annotations

from typing import Any

import pytest

from .packages import RABBITMQ
from .peer_values import METHODS, PROPERTIES, property_sets, value_sets

pytest.importorskip("amqp")
from amqp.basic_message import Message
from amqp.serialization import dumps, loads

# py-amqp has no classes for methods: a format string and a list of values are its method.
FORMATS = {
    "bit": "b",
    "octet": "o",
    "short": "B",
    "long": "l",
    "longlong": "L",
    "shortstr": "s",
    "longstr": "S",
    "table": "F",
}
ZEROS: dict[str, Any] = {"shortstr": "", "longstr": "", "table": {}, "bit": False}


def naive(value: Any) -> Any:
    """py-amqp decodes timestamps as naive datetimes in UTC."""
    if isinstance(value, dict):
        return {key: naive(item) for key, item in value.items()}
    return value.replace(tzinfo=None) if hasattr(value, "tzinfo") else value


@pytest.mark.parametrize(("key", "cls"), [pytest.param(key, cls, id=cls.NAME) for key, cls in METHODS])
def test_method(key: int, cls: Any) -> None:
    for values in value_sets(cls):
        payload = cls(**values).encode()
        code = "".join(FORMATS[field.type] for field in cls.FIELDS)
        given = [values.get(field.name, ZEROS.get(field.type, 0)) for field in cls.FIELDS]
        given = [value.decode() if isinstance(value, bytes) else value for value in given]
        assert payload == key.to_bytes(4, "big") + dumps(code, given)
        assert loads(code, payload, 4) == ([naive(value) for value in given], len(payload))


def test_content_properties() -> None:
    for values in property_sets():
        named = {
            {"headers": "application_headers", "reserved": "cluster_id"}.get(name, name): value
            for name, value in values.items()
        }
        frame = RABBITMQ.encode_frame(1, RABBITMQ.ContentHeader(RABBITMQ.BasicProperties(**values), 5))
        message = Message("", **named)
        assert frame[7 + 12 : -1] == message._serialize_properties()
        received = Message()
        received.inbound_header(frame[7:-1])
        assert received.body_size == 5
        assert received.properties == naive(named)
    assert set(PROPERTIES) == {field.name for field in RABBITMQ.BasicProperties.FIELDS}
