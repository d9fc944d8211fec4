"""Cases of rules about what RabbitMQ knows of arguments, what is deprecated, and what stands in the way of a migration."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import amqp_0_8
import amqp_0_9
import amqp_1_0
from amqp_0_9_1_rabbitmq._values import Timestamp
from amqp_1_0.messaging import Source, Target
from amqp_1_0.performatives import Attach, Begin, Close, Open, Role
from amqp_1_0.types import Described, Symbol

from ..messages.method_script import client, deliver, header, publish, server
from .audited_methods import BYE, FIN, OPEN, Steps, handshake, ready
from .rule_case import Case

_OLD = "amqp_0_9"
_DECLARED = server("queue.declare-ok", queue="q", message_count=0, consumer_count=0)
_TX = [client("tx.select"), server("tx.select-ok")]
_QOS_OK = server("basic.qos-ok")


def _declare(**fields: Any) -> Steps:
    return ready(client("queue.declare", **{"queue": "q", "durable": True, **fields}), _DECLARED)


def _argument(name: str, value: Any) -> Steps:
    return _declare(arguments={name: value})


def _quorum(name: str, value: Any) -> Steps:
    return _declare(arguments={"x-queue-type": "quorum", name: value})


def _qos(**fields: Any) -> Steps:
    return ready(client("basic.qos", **fields), _QOS_OK)


def _exchange(**fields: Any) -> Steps:
    return ready(
        client("exchange.declare", exchange="e", type="topic", **fields), server("exchange.declare-ok")
    )


def _consume(**fields: Any) -> Steps:
    return ready(
        client("basic.consume", queue="q", consumer_tag="c", **fields),
        server("basic.consume-ok", consumer_tag="c"),
    )


_START_0_9 = (
    1,
    amqp_0_9.encode_frame(
        0, amqp_0_9.methods.ConnectionStart(0, 9, {"product": "p", "version": "1"}, b"PLAIN", b"en_US")
    ),
)
_START_0_8 = (
    1,
    amqp_0_8.encode_frame(
        0, amqp_0_8.methods.ConnectionStart(8, 0, {"product": "p", "version": "1"}, b"PLAIN", b"en_US")
    ),
)
_ACCESS = (0, amqp_0_8.encode_frame(1, amqp_0_8.methods.AccessRequest("/data", active=True)))
_BEGUN_0_8 = [header("amqp_0_8"), _START_0_8]

# The broker of these cases is a RabbitMQ that does not know what came with 4.3.
ARGUMENTS = {
    "argument-refused": Case(_argument("x-max-priority", 256), _argument("x-max-priority", 255)),
    "argument-ignored": Case(_quorum("x-delayed-retry-type", "all"), _quorum("x-delivery-limit", 5)),
    "argument-unknown": Case(_argument("x-max-lenght", 5), _argument("of-my-own", 5)),
    "argument-newly-refused": Case(_argument("x-consumer-timeout", 5), _quorum("x-consumer-timeout", 5), "rabbitmq-4.3"),
}  # fmt: skip

DEPRECATED = {
    "transient-queue": Case(_declare(durable=False), _declare(durable=False, exclusive=True)),
    "global-qos": Case(_qos(prefetch_count=1, global_=True), _qos(prefetch_count=1)),
    "queue-mode": Case(_argument("x-queue-mode", "lazy"), _argument("x-queue-type", "classic")),
    "queue-master-locator": Case(_argument("x-queue-master-locator", "min-masters"),
                                 _argument("x-queue-leader-locator", "balanced")),
    "queue-version-1": Case(_argument("x-queue-version", 1), _argument("x-queue-version", 2)),
    "cancel-on-ha-failover": Case(_consume(arguments={"x-cancel-on-ha-failover": True}),
                                  _consume(arguments={"x-priority": 1})),
    "mirrored-queue": Case(_argument("x-ha-policy", "all"), _argument("x-max-length", 1)),
    "recover-without-requeue": Case(ready(client("basic.recover", requeue=False), server("basic.recover-ok")),
                                    ready(client("basic.recover", requeue=True), server("basic.recover-ok"))),
    "recover-async": Case(ready(client("basic.recover-async", requeue=True)),
                          ready(client("basic.recover", requeue=True), server("basic.recover-ok"))),
    "immediate-publish": Case(ready(publish(immediate=True)), ready(publish(mandatory=True))),
    "prefetch-size": Case(_qos(prefetch_size=1), _qos(prefetch_size=0)),
    "client-flow": Case(ready(client("channel.flow", active=False), server("channel.flow-ok", active=False)),
                        ready(client("channel.flow", active=True), server("channel.flow-ok", active=True))),
    "access-request": Case([*_BEGUN_0_8, _ACCESS, FIN], [*_BEGUN_0_8, FIN]),
    "auto-delete-exchange": Case(_exchange(auto_delete=True), _exchange(durable=True)),
    "no-local": Case(_consume(no_local=True), _consume(no_ack=True)),
    "transactions": Case(ready(_TX), ready(client("confirm.select"), server("confirm.select-ok"))),
    "old-version": Case([header(_OLD), _START_0_9, FIN], ready()),
}  # fmt: skip


def _to_4_3(wrong: Steps, right: Steps) -> Case:
    return Case(wrong, right, "rabbitmq-4.3")


def _to_1_0(wrong: Steps, right: Steps | None = None) -> Case:
    return Case(wrong, right or ready(publish()), "amqp-1.0")


def _with(**properties: Any) -> Steps:
    return ready(publish(properties=properties))


def _headers(value: Any) -> Steps:
    return _with(headers={"h": value})


_CONSUMED = [
    client("basic.consume", queue="q", consumer_tag="c"),
    server("basic.consume-ok", consumer_tag="c"),
    deliver(1),
]


def _attached(address: str) -> Steps:
    """A client of 1.0 that is a sender to an address."""
    target = Target(address)
    return _attaches(
        Attach("l", 0, Role.SENDER, target=target, initial_delivery_count=0), Attach("l", 0, Role.RECEIVER)
    )


def _filtered(**filters: Any) -> Steps:
    """A client of 1.0 that is a receiver with filters."""
    source = Source("/queues/q", filter=filters)
    return _attaches(
        Attach("l", 0, Role.RECEIVER, source=source),
        Attach("l", 0, Role.SENDER, source=source, initial_delivery_count=0),
    )


def _attaches(attach: Attach, answer: Attach) -> Steps:
    windows: Any = {"next_outgoing_id": 0, "incoming_window": 9, "outgoing_window": 9}
    said = [
        (0, amqp_1_0.PROTOCOL_HEADERS["amqp"]),
        (1, amqp_1_0.PROTOCOL_HEADERS["amqp"]),
        *_said(Open("container")),
        (0, amqp_1_0.encode_frame(0, Begin(**windows))),
        (1, amqp_1_0.encode_frame(0, Begin(remote_channel=0, **windows))),
        (0, amqp_1_0.encode_frame(0, attach)),
        (1, amqp_1_0.encode_frame(0, answer)),
        *_said(Close()),
    ]
    return [*said, FIN]


def _said(performative: Any) -> Steps:
    """By both sides."""
    return [(side, amqp_1_0.encode_frame(0, performative)) for side in (0, 1)]


MIGRATION = {
    "frame-max-below-8192": _to_4_3([*handshake(tune_ok={"frame_max": 8191}), *OPEN, *BYE],
                                    [*handshake(tune_ok={"frame_max": 8192}), *OPEN, *BYE]),
    "message-above-16-mib": _to_4_3(ready(publish(bytes(16 * 1024 * 1024 + 1), frame_max=131_072)),
                                    ready(publish(b"x"))),
    "x-death-published": _to_4_3(_with(headers={"x-death": [{"count": 1}]}),
                                 _with(headers={"h": {"x-death": 1}, "x-first-death-queue": "q"})),
    "address-of-version-1": _to_4_3(_attached("/topic/orders"), _attached("/exchanges/amq.topic/orders")),
    "filter-not-described": _to_4_3(_filtered(first="offset"),
                                    _filtered(first=Described(Symbol("first"), "offset"), none=None)),
    "transactions-have-no-counterpart": _to_1_0(ready(_TX)),
    "recover-has-no-counterpart": _to_1_0(ready(client("basic.recover", requeue=True), server("basic.recover-ok"))),
    "nack-multiple-is-a-range": _to_1_0(ready(_CONSUMED, client("basic.ack", delivery_tag=1, multiple=True)),
                                        ready(_CONSUMED, client("basic.ack", delivery_tag=1))),
    "get-becomes-credit": _to_1_0(ready(client("basic.get", queue="q"), server("basic.get-empty")), ready(_CONSUMED)),
    "topology-becomes-management": _to_1_0(_declare()),
    "flow-becomes-credit": _to_1_0(
        ready(client("channel.flow", active=True), server("channel.flow-ok", active=True))),
    "mandatory-becomes-outcome": _to_1_0(ready(publish(mandatory=True))),
    "confirm-becomes-settlement": _to_1_0(ready(client("confirm.select"), server("confirm.select-ok"))),
    "secret-by-management": _to_1_0(
        ready(
            client("connection.update-secret", 0, new_secret=b"s", reason="r"),
            server("connection.update-secret-ok", 0),
        )
    ),
    "header-nested": _to_1_0(_headers([1]), _headers("text")),
    "header-decimal": _to_1_0(_headers(Decimal("1.5")), _headers(1.5)),
    "header-timestamp": _to_1_0(_headers(Timestamp(1)), _headers(1)),
    "timestamp-becomes-milliseconds": _to_1_0(_with(timestamp=1)),
    "expiration-becomes-ttl": _to_1_0(_with(expiration="1")),
    "user-id-becomes-binary": _to_1_0(_with(user_id="guest")),
    "app-id-has-no-counterpart": _to_1_0(_with(app_id="a")),
    "type-has-no-counterpart": _to_1_0(_with(type="t")),
    "cluster-id-has-no-counterpart": _to_1_0(_with(reserved="c")),
}  # fmt: skip

CASES = {**ARGUMENTS, **DEPRECATED, **MIGRATION}
