"""What the profile ``rabbitmq`` says of properties and tables, against what the broker answers."""

from __future__ import annotations

import math
from typing import Any

import amqp_0_9_1_rabbitmq as amqp
import pytest

from .client import Client, Connect, Disconnected

PROPERTIES: list[dict[str, Any]] = [
    *({"delivery_mode": value} for value in (0, 1, 2, 3, 255)),
    *(
        {"expiration": value}
        for value in ("", "0", "-0", "+5", "007", "-1", " 5", "5 ", "5.0", "x", "\u0665")
    ),
    *({"expiration": value} for value in ("315360000000", "315360000001")),
    *({"user_id": value} for value in ("", "somebody else")),
    *({"headers": {key: value}} for key in ("CC", "BCC", "cc") for value in ([], ["a"], [1], "a", None, {})),
]


@pytest.mark.parametrize("properties", PROPERTIES, ids=repr)
def test_properties(client: Client, properties: dict[str, Any]) -> None:
    content = amqp.BasicProperties(**properties)
    found = amqp.validation.violations(content, "rabbitmq", user=client.address.user)
    client.call(amqp.methods.ConfirmSelect())
    publish = amqp.methods.BasicPublish(routing_key=client.declare())
    client.send_octets(amqp.encode_message(1, publish, content, b""))
    if found:
        with pytest.raises(amqp.errors.PreconditionFailedClose):
            client.expect(amqp.methods.BasicAck)
    else:
        client.expect(amqp.methods.BasicAck)


def test_the_user_of_the_connection(client: Client) -> None:
    content = amqp.BasicProperties(user_id=client.address.user)
    amqp.validate(content, "rabbitmq", user=client.address.user)
    client.call(amqp.methods.ConfirmSelect())
    publish = amqp.methods.BasicPublish(routing_key=client.declare())
    client.send_octets(amqp.encode_message(1, publish, content, b""))
    client.expect(amqp.methods.BasicAck)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_numbers_that_erlang_lacks(connect: Connect, value: float) -> None:
    client = connect()
    declare = amqp.methods.QueueDeclare(exclusive=True, arguments={"x-odd": [{"k": value}]})
    with pytest.raises(
        amqp.ValidationError, match=r"^queue\.declare\.arguments\.x-odd\[0\]\.k must be a finite"
    ):
        amqp.validate(declare, "rabbitmq")
    with pytest.raises((Disconnected, OSError, amqp.errors.InternalErrorClose)):
        client.call(declare)
    client.socket.close()  # the broker waits for no answer
