"""What ordinary clients do with RabbitMQ is no error, however odd."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from ..messages.method_script import client, deliver, publish, server
from .audited_methods import BYE, FIN, audit, ended, ready

REPLY_TO = "amq.rabbitmq.reply-to"
KEY = f"{REPLY_TO}.g1h2AA1yZXBseUA5MjQ4.YBdpXpc0sr2J=="
CLOSE, CLOSE_OK = BYE[0], BYE[1]


def consume(tag: str, queue: str = "q", **fields: Any) -> list[Any]:
    return [
        client("basic.consume", queue=queue, consumer_tag=tag, **fields),
        server("basic.consume-ok", consumer_tag=tag),
    ]


def errors(*steps: Any) -> set[str]:
    return {finding.rule_id for finding in audit([*steps]) if finding.severity == "error"}


def reply(tag: int = 1) -> list[Any]:
    return deliver(tag, consumer_tag="r", exchange="", routing_key=KEY)


def test_direct_replies_have_the_number_1() -> None:
    """Whatever else is delivered on the channel, which has numbers of its own."""
    steps = [
        *(consume("r", REPLY_TO, no_ack=True), consume("c")),
        *(reply(), reply(), deliver(1, consumer_tag="c"), reply(), deliver(2, consumer_tag="c")),
        *(client("basic.ack", delivery_tag=1), reply(), client("basic.ack", delivery_tag=2)),
    ]
    assert errors(*ready(*steps)) == set()


def test_other_deliveries_are_numbered() -> None:
    """A routing key alone makes no direct reply: it is a message of the default exchange."""
    steps = [consume("c"), *(deliver(1, consumer_tag="c", exchange="e", routing_key=KEY) for _ in range(2))]
    assert errors(*ready(*steps)) == {"delivery-tag-not-next"}


def test_close_ok_of_a_channel_after_connection_close() -> None:
    """The broker has closed the channel when it did not know of connection.close yet."""
    closed = server("channel.close", reply_code=404, reply_text="NOT_FOUND", class_id=50, method_id=10)
    declare = client("queue.declare", queue="q", passive=True)
    assert errors(*ended(declare, closed, CLOSE, client("channel.close-ok"), CLOSE_OK, FIN)) == set()


def test_other_methods_after_connection_close() -> None:
    assert errors(*ended(CLOSE, publish(), CLOSE_OK, FIN)) == {"after-close"}
