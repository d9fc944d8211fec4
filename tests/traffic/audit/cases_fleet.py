"""Cases of rules across messages and connections: captures of one or more connections, wrong and right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import amqp_1_0 as amqp1
from amqp_1_0.performatives import Attach, Begin, Close, Disposition, Flow, Open, Role, Transfer

from ..messages.method_script import Step, client, content, deliver, publish, server
from .audited_methods import BYE, FIN, OPEN, RST, Steps, ended, handshake, ready
from .audited_performatives import MESSAGE

_SELECT = [client("confirm.select"), server("confirm.select-ok")]


@dataclass(frozen=True)
class FleetCase:
    """Two captures.

    Attributes:
        wrong: The connections of one in which the rule finds something.
        right: Those of one in which it does not.
    """

    wrong: tuple[Steps, ...]
    right: tuple[Steps, ...]


def _one(wrong: Steps, right: Steps) -> FleetCase:
    return FleetCase((wrong,), (right,))


def _declare(**fields: Any) -> list[Any]:
    declared = server("queue.declare-ok", queue="q", message_count=0, consumer_count=0)
    return [client("queue.declare", **{"queue": "q", "durable": True, **fields}), declared]


def _exchange(kind: str) -> list[Any]:
    return [client("exchange.declare", exchange="e", type=kind, durable=True), server("exchange.declare-ok")]


def _consume(**fields: Any) -> list[Any]:
    return [
        client("basic.consume", queue="q", consumer_tag="c", **fields),
        server("basic.consume-ok", consumer_tag="c"),
    ]


def _qos(count: int) -> list[Any]:
    return [client("basic.qos", prefetch_count=count), server("basic.qos-ok")]


def _get() -> list[Any]:
    return [client("basic.get", queue="q"), server("basic.get-empty")]


def _returned(code: int) -> list[Any]:
    fields: Any = {"reply_code": code, "reply_text": "text", "exchange": "e", "routing_key": "k"}
    return [*publish(mandatory=True), *content(1, "basic.return", **fields)]


def _confirmed(count: int, seconds: float, name: str = "basic.ack") -> list[Any]:
    found: list[Any] = []
    for number in range(1, count + 1):
        found += [*publish(), seconds, server(name, delivery_tag=number)]
    return [_SELECT, found]


def _acked(count: int, seconds: float) -> list[Any]:
    found: list[Any] = []
    for number in range(1, count + 1):
        found += [*deliver(number), seconds, client("basic.ack", delivery_tag=number)]
    return [_qos(1), _consume(), found]


def _delivered(count: int, redelivered: bool) -> list[Any]:
    return [
        _consume(no_ack=True),
        [deliver(number, redelivered=redelivered) for number in range(1, count + 1)],
    ]


def _channels(count: int) -> list[Any]:
    close = client("channel.close", 2, reply_code=200, reply_text="", class_id=0, method_id=0)
    return [
        [client("channel.open", 2), server("channel.open-ok", 2), close, server("channel.close-ok", 2)]
        for _ in range(count)
    ]


def _slow_replies(count: int, seconds: float) -> list[Any]:
    declare, declared = _declare()
    return [[declare, seconds, declared] for _ in range(count)]


def _leaked(count: int, seconds: float) -> list[Any]:
    """Channels that are opened one after the other, used once and not closed; then nothing on them for a minute."""
    opened = [
        [client("channel.open", number), server("channel.open-ok", number), publish(channel=number), seconds]
        for number in range(2, 2 + count)
    ]
    return [opened, 61, publish()]


def _to_q(mode: int, queue: str = "q") -> list[Any]:
    return publish(exchange="", routing_key=queue, properties={"delivery_mode": mode})


def _given_back(released: int, accepted: int) -> Steps:
    """Deliveries of 1.0, of which the client releases or modifies some."""
    header = amqp1.PROTOCOL_HEADERS["amqp"]
    source, target = amqp1.messaging.Source(address="q"), amqp1.messaging.Target()
    windows: dict[str, Any] = {"next_outgoing_id": 0, "incoming_window": 1000, "outgoing_window": 1000}
    name: dict[str, Any] = {"name": "l", "handle": 0, "source": source, "target": target}

    def say(direction: int, performative: Any, payload: bytes = b"") -> Step:
        return direction, amqp1.encode_frame(0, performative, payload)

    steps: list[Any] = [(0, header), (1, header)]
    steps += [say(side, Open(container_id=f"c{side}")) for side in (0, 1)]
    steps += [say(0, Begin(**windows)), say(1, Begin(remote_channel=0, **windows))]
    steps += [
        say(0, Attach(role=Role.RECEIVER, **name)),
        say(1, Attach(role=Role.SENDER, initial_delivery_count=0, **name)),
    ]
    steps += [say(0, Flow(handle=0, delivery_count=0, link_credit=1000, next_incoming_id=0, **windows))]
    given_back = amqp1.messaging.Released(), amqp1.messaging.Modified(delivery_failed=True)
    states = [given_back[number % 2] for number in range(released)] + [amqp1.messaging.Accepted()] * accepted
    for number, state in enumerate(states):
        transfer = Transfer(handle=0, delivery_id=number, delivery_tag=b"%d" % number, message_format=0)
        steps += [
            say(1, transfer, MESSAGE),
            say(0, Disposition(role=Role.RECEIVER, first=number, settled=True, state=state)),
        ]
    return [*steps, say(0, Close()), say(1, Close()), FIN]


_DECLARE, _DECLARED = _declare()
_BIND, _BOUND = client("queue.bind", queue="q", exchange="e"), server("queue.bind-ok")
_SHORT = [*handshake(), *BYE]
_BROKEN = [*handshake(), RST]
_VERSIONS = [
    [*handshake(start_ok={"client_properties": {"product": "p", "version": version}}), *BYE]
    for version in ("1", "2")
]

CASES = {
    "queue-declared-differently": FleetCase((ready(_declare()), ready(_declare(arguments={"x-max-length": 1}))),
                                            (ready(_declare()), ready(_declare()))),
    "exchange-declared-differently": FleetCase((ready(_exchange("topic")), ready(_exchange("direct"))),
                                               (ready(_exchange("topic")), ready(_exchange("topic")))),
    "queue-churn": _one(ready([_declare() for _ in range(101)]), ready([_declare() for _ in range(100)])),
    "unroutable-publish": _one(ready(_returned(312)), ready(_returned(313))),
    "published-unconfirmed": _one(
        ready(publish(properties={"delivery_mode": 2})),
        ready(_SELECT, publish(properties={"delivery_mode": 2}), server("basic.ack", delivery_tag=1))),
    "confirm-missing": _one(ended(_SELECT, publish(), 11, RST), ended(_SELECT, publish(), 9, RST)),
    "confirm-refused": _one(ready(_confirmed(1, 0, "basic.nack")), ready(_confirmed(1, 0))),
    "slow-confirm": _one(ready(_confirmed(20, 1.5)), ready(_confirmed(20, 0.5))),
    "large-message": _one(ready(publish(bytes(1 << 20) + b"x", frame_max=131_072)),
                          ready(publish(bytes(1 << 20), frame_max=131_072))),
    "polling-with-get": _one(ready([_get() for _ in range(101)]), ready([_get() for _ in range(100)])),
    "prefetch-unlimited": _one(ready(_qos(0), _consume()), ready(_qos(10), _consume())),
    "no-ack-consumer": _one(ready(_consume(no_ack=True)), ready(_consume())),
    "slow-ack": _one(ready(_acked(20, 31)), ready(_acked(20, 29))),
    "requeue-loop": _one(ready(_delivered(101, redelivered=True)), ready(_delivered(101, redelivered=False))),
    "reconnect-storm": FleetCase((_BROKEN,) * 21, (_SHORT,) * 21),
    "connection-churn": FleetCase((_SHORT,) * 61, (_SHORT,) * 60),
    "channel-churn": _one(ready(_channels(101)), ready(_channels(100))),
    "channel-leak": FleetCase((ready(_leaked(21, 4)),), (ready(_leaked(20, 4)), ready(_leaked(30, 0)))),
    "release-loop": _one(_given_back(101, 100), _given_back(101, 101)),
    "transient-message": FleetCase((ready(_declare(), _to_q(1)),),
                                   (ready(_declare(), _to_q(2)), ready(_declare(queue="r", durable=False), _to_q(1, "r")))),
    "idle-connection": _one([*handshake(), 61, FIN], [*handshake(), *OPEN, 61, FIN]),
    "client-versions-differ": FleetCase((_VERSIONS[0], _VERSIONS[1]), (_VERSIONS[0], _VERSIONS[0])),
    "slow-reply": _one(ready(_slow_replies(20, 6)), ready(_slow_replies(20, 4))),
    "reply-out-of-order": _one(ready(_DECLARE, _BIND, _BOUND, _DECLARED), ready(_DECLARE, _BIND, _DECLARED, _BOUND)),
    "request-unanswered": _one(ended(_DECLARE, 6, RST), ended(_DECLARE, 4, RST)),
}  # fmt: skip
