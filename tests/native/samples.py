"""Messages of any package, for the tests of its core."""

from __future__ import annotations

from typing import Any


def message(amqp: Any) -> bytes:
    """The frames of a message of a 0-x package: method, header, body."""
    method = next(cls for cls in amqp.METHODS.values() if cls.NAME == "basic.publish")()
    properties = amqp.BasicProperties(headers={"a": 1, "b": {"c": "x"}}, delivery_mode=2, timestamp=5)
    octets: bytes = amqp.encode_message(1, method, properties, b"body")
    return octets


def transfers(amqp: Any) -> bytes:
    """Three frames of 1.0, each with a whole message."""
    made = amqp.Message(
        header=amqp.messaging.Header(durable=True, ttl=5),
        properties=amqp.messaging.Properties(message_id="a", subject="b", creation_time=5),
        application_properties={"a": 1, "b": "x"},
        body=amqp.messaging.Data(b"body"),
    )
    transfer = amqp.performatives.Transfer(handle=1, delivery_id=2, delivery_tag=b"3", settled=True)
    octets: bytes = amqp.encode_frame(1, transfer, made.encode())
    return octets * 3


def stream(amqp: Any) -> bytes:
    """A hundred times three frames of any package."""
    return (message(amqp) if hasattr(amqp, "METHODS") else transfers(amqp)) * 100
