"""Connections of 0-x that are odd, and within the rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import amqp_0_9_1_rabbitmq

from ..messages.method_script import client, deliver, get_ok, header, heartbeat, publish, server
from .audited_methods import BYE, FIN, Steps, ended, flat, handshake, ready
from .cases_ways import ACK, CONSUME, DECLARE, DECLARED, PUBLISH, body_frame, content_header, of_0_8, talk_0_8

_EXCHANGE = [
    client("exchange.declare", exchange="e", type="topic", durable=True),
    server("exchange.declare-ok"),
]
_ARGUMENTS = {
    "x-message-ttl": 60_000, "x-expires": 60_000, "x-max-length": 10, "x-max-length-bytes": 1000, "x-max-priority": 3,
    "x-overflow": "reject-publish", "x-dead-letter-exchange": "", "x-dead-letter-routing-key": "nowhere",
    "x-single-active-consumer": True, "of my own": {"any": [1, 2.5]},
}  # fmt: skip
_AMQPLAIN = amqp_0_9_1_rabbitmq.encode_table({"LOGIN": "guest", "PASSWORD": "secret"})[4:]


def _together(*steps: Any) -> Any:
    """Frames of the client in one packet."""
    return 0, b"".join(octets for _, octets in flat(steps))


RIGHT: Mapping[str, Steps] = {
    "close with a code of its own": ended(
        client("connection.close", 0, reply_code=320, reply_text="\N{SNOWMAN}", class_id=0, method_id=0),
        server("connection.close-ok", 0), FIN),
    "channels of any number": [
        *handshake(),
        *(step for number in (100, 1, 50) for step in (client("channel.open", number), server("channel.open-ok", number))),
        *BYE,
    ],
    "channel.flow on": ready(client("channel.flow", active=True), server("channel.flow-ok", active=True)),
    "contents of channels mixed": ready(
        client("channel.open", 2), server("channel.open-ok", 2),
        [step for both in zip(publish(b"one"), publish(b"two", 2), strict=True) for step in both]),
    "body octet by octet": ready(PUBLISH, content_header(3), *map(body_frame, (b"a", b"b", b"c"))),
    "body frames without octets": ready(PUBLISH, content_header(2), *map(body_frame, (b"", b"a", b"", b"", b"b"))),
    "body frames of any size": ready(PUBLISH, content_header(60_003), *map(body_frame, (b"x", bytes(60_000), b"xx"))),
    "every property": ready(
        publish(
            properties={
                "content_type": "text/plain", "content_encoding": "x", "headers": {"k": "v"}, "delivery_mode": 1,
                "priority": 9, "correlation_id": "ü", "reply_to": "r", "expiration": "60000", "message_id": "x" * 255,
                "timestamp": 0, "type": "", "user_id": "guest", "app_id": "\N{SNOWMAN}",
            }
        )
    ),
    "longest names": ready(
        client("queue.declare", queue="q" * 127, durable=True), server("queue.declare-ok", queue="q" * 127),
        client("exchange.declare", exchange="e" * 127, type="direct"), _EXCHANGE[1],
        client("queue.bind", queue="q" * 127, exchange="e" * 127, routing_key="k" * 255), server("queue.bind-ok"),
        client("basic.consume", queue="q" * 127, consumer_tag="c" * 255), server("basic.consume-ok", consumer_tag="c" * 255),
        publish(exchange="e" * 127, routing_key="k" * 255), deliver(1, consumer_tag="c" * 255), ACK,
    ),
    "a routing key of any characters": ready(publish(routing_key="# * <ü> \x00\x7f")),
    "never waits": ready(client("exchange.declare", exchange="g", type="fanout", no_wait=True),
                         client("queue.declare", queue="q", durable=True, no_wait=True),
                         client("queue.bind", queue="q", exchange="g", no_wait=True),
                         client("confirm.select", nowait=True),
                         client("basic.consume", queue="q", consumer_tag="c", no_ack=True, no_wait=True),
                         client("basic.cancel", consumer_tag="c", no_wait=True),
                         client("queue.purge", queue="q", no_wait=True),
                         client("exchange.bind", destination="g", source="amq.fanout", no_wait=True),
                         client("exchange.unbind", destination="g", source="amq.fanout", no_wait=True),
                         client("queue.delete", queue="q", no_wait=True),
                         client("exchange.delete", exchange="g", no_wait=True)),
    "declares again": ready(DECLARE, _EXCHANGE, DECLARE, _EXCHANGE, client("queue.declare", queue="q", passive=True),
                            DECLARED, client("exchange.declare", exchange="e", type="topic", passive=True),
                            _EXCHANGE[1]),
    "acks out of order": ready(CONSUME, [deliver(tag) for tag in range(1, 6)], client("basic.ack", delivery_tag=5),
                               client("basic.reject", delivery_tag=3), client("basic.nack", delivery_tag=4),
                               client("basic.ack", delivery_tag=1), client("basic.ack", delivery_tag=2)),
    "acks across a gap": ready(CONSUME, [deliver(tag) for tag in range(1, 6)], client("basic.ack", delivery_tag=2),
                               client("basic.ack", delivery_tag=5, multiple=True)),
    "acks all with tag 0": ready(CONSUME, deliver(1), deliver(2), client("basic.ack", delivery_tag=0, multiple=True)),
    "selects twice": ready([client("confirm.select"), server("confirm.select-ok")] * 2),
    "only heartbeats": [*handshake(), *(step for _ in range(4) for step in (30, heartbeat(0), heartbeat(1))), *BYE],
    "closed while deliveries come": ready(CONSUME, deliver(1), deliver(2)),
    "AMQPLAIN": [*handshake(start_ok={"mechanism": "AMQPLAIN", "response": _AMQPLAIN}), *BYE],
    "all in one packet": ready(
        _together(client("queue.declare", queue="q", durable=True, no_wait=True), publish() * 100,
                  client("basic.get", queue="q", no_ack=True)),
        get_ok(1),
    ),
    "heartbeats between the frames of a message": ready(
        heartbeat(0), heartbeat(0), [step for part in publish() for step in (part, heartbeat(0))]),
    "many channels at once": [
        *handshake(),
        *(client("channel.open", number) for number in range(1, 61)),
        *(server("channel.open-ok", number) for number in range(1, 61)),
        *(step for number in range(1, 61) for step in publish(b"x", number)),
        *(client("channel.close", number, reply_code=200, reply_text="done", class_id=0, method_id=0) for number in range(1, 61)),
        *(server("channel.close-ok", number) for number in range(1, 61)),
        *BYE,
    ],
    "deletes what is not there": ready(
        client("queue.unbind", queue="q", exchange="e", routing_key="never"), server("queue.unbind-ok"),
        client("queue.delete", queue="q"), server("queue.delete-ok", message_count=0),
        client("exchange.delete", exchange="e"), server("exchange.delete-ok"),
        client("basic.cancel", consumer_tag="nobody"), server("basic.cancel-ok", consumer_tag="nobody")),
    "bindings of exchanges": ready(
        DECLARE, _EXCHANGE, client("exchange.declare", exchange="f", type="headers", durable=True, internal=True), _EXCHANGE[1],
        client("exchange.bind", destination="f", source="e", routing_key="#"), server("exchange.bind-ok"),
        client("queue.bind", queue="q", exchange="f", arguments={"x-match": "any", "n": 1}), server("queue.bind-ok"),
        publish(properties={"headers": {"n": 1}}),
    ),
    "arguments of a queue": ready(client("queue.declare", queue="r", durable=True, arguments=_ARGUMENTS), DECLARED),
    "a quorum queue": ready(client("queue.declare", queue="s", durable=True, arguments={"x-queue-type": "quorum"}),
                            DECLARED),
    "replies to a pseudo queue": ready(client("basic.consume", queue="amq.rabbitmq.reply-to", no_ack=True),
                                       server("basic.consume-ok", consumer_tag="c"),
                                       publish(properties={"reply_to": "amq.rabbitmq.reply-to"}),
                                       publish(routing_key="amq.rabbitmq.reply-to.g1h2"), deliver(1)),
    "consumers side by side": ready(
        client("basic.qos", prefetch_count=1), server("basic.qos-ok"), CONSUME,
        client("basic.consume", queue="q", no_ack=True), server("basic.consume-ok", consumer_tag="amq.ctag-1"),
        deliver(1, consumer_tag="amq.ctag-1"), deliver(2), client("basic.ack", delivery_tag=2),
        deliver(3, consumer_tag="amq.ctag-1"), deliver(4), client("basic.ack", delivery_tag=4)),
    "0-8: the header of its text": [(0, b"AMQP\1\1\x09\1"), *of_0_8(talk_0_8())[1:]],
    "0-9, answered in 0-9-1": [header("amqp_0_9"), *ready(DECLARE, publish())[1:]],
}  # fmt: skip
