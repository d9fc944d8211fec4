"""Traffic of client libraries in which nothing is wrong: pika, py-amqp and proton."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import amqp as py_amqp

from tests.broker.client import address
from tests.patience import PATIENCE
from tests.traffic.real_captures.amqp1_stories import proton_with_rabbitmq
from tests.traffic.real_captures.other_stories import port_of
from tests.traffic.real_captures.pika_stories import (
    all_at_once,
    consuming,
    entities,
    every_header,
    getting,
    large,
)


def of_py_amqp(mechanism: str) -> int:
    """Confirmed, got, consumed and settled, with this login; then everything is closed.

    Returns:
        The port of the client.
    """
    where = address()
    host = f"{where.host}:{where.port}"
    connection = py_amqp.Connection(
        host, where.user, where.password, login_method=mechanism, confirm_publish=True
    )
    connection.connect()
    port = port_of(connection.sock)
    with connection, connection.channel() as channel:
        queue = channel.queue_declare("", exclusive=True).queue
        for number in range(20):
            headers = {"n": number, "table": {"deep": [1.5, None, True]}}
            message = py_amqp.Message(b"%d" % number, application_headers=headers, delivery_mode=2)
            channel.basic_publish(message, "", queue)
        message = channel.basic_get(queue)
        channel.basic_ack(message.delivery_tag)
        got: list[Any] = []
        channel.basic_qos(0, 20, False)
        consumer = channel.basic_consume(queue, callback=got.append)
        while len(got) < 19:
            connection.drain_events(timeout=PATIENCE)
        channel.basic_reject(got[0].delivery_tag, requeue=False)
        channel.basic_ack(got[-1].delivery_tag, multiple=True)
        channel.basic_cancel(consumer)
    return port


# Each gets the name of its connection.
NAMED: tuple[Callable[[str], object], ...] = (
    consuming,
    all_at_once,
    getting,
    entities,
    large,
    every_header,
    proton_with_rabbitmq,
)
