"""Cases of rules about what happens on a connection."""

from __future__ import annotations

from typing import Any

import amqp_0_8

from ..messages.method_script import client, deliver, get_ok, heartbeat, publish, server
from .audited_methods import BYE, FIN, OPEN, RST, ended, handshake, ready
from .rule_case import Case

_HEADER_0_9 = (0, b"AMQP\x01\x01\x00\x0a")
_SERVER_HEADER = (1, b"AMQP\x00\x00\x09\x01")
_NAMED = {"product": "p", "version": "1"}
_DECLARE = client("queue.declare", queue="q", durable=True)
_DECLARED = server("queue.declare-ok", queue="q", message_count=0, consumer_count=0)
_CONFIRM = [client("confirm.select"), server("confirm.select-ok")]
_TX = [client("tx.select"), server("tx.select-ok")]


def _opened(**changes: Any) -> list[Any]:
    return [*handshake(**changes), *BYE]


def _connection_close(direction: int, code: int, text: str = "text") -> Any:
    say = (client, server)[direction]
    return say("connection.close", 0, reply_code=code, reply_text=text, class_id=0, method_id=0)


def _channel_close(direction: int, code: int, class_id: int = 0, method_id: int = 0) -> Any:
    say = (client, server)[direction]
    return say("channel.close", reply_code=code, reply_text="text", class_id=class_id, method_id=method_id)


_CLOSED_CHANNEL = [_channel_close(0, 200), server("channel.close-ok")]


def _consumed(no_ack: bool = False, tag: str = "c") -> list[Any]:
    return [
        client("basic.consume", queue="q", consumer_tag=tag, no_ack=no_ack),
        server("basic.consume-ok", consumer_tag=tag),
    ]


_ACK_1 = client("basic.ack", delivery_tag=1)

NEGOTIATION = {
    "version-refused": Case([_HEADER_0_9, _SERVER_HEADER, FIN], _opened()),
    "header-of-old-spelling": Case(
        [
            (0, b"AMQP\x01\x01\x09\x01"),
            (1, amqp_0_8.encode_frame(0, amqp_0_8.methods.ConnectionStart(8, 0, {}, b"PLAIN", b"en_US"))),
            FIN,
        ],
        _opened(),
    ),
    "frame-max-too-small": Case(_opened(tune_ok={"frame_max": 4095}), _opened(tune_ok={"frame_max": 4096})),
    "tune-ok-above-tune": Case(_opened(tune_ok={"channel_max": 101}), _opened(tune_ok={"channel_max": 100})),
    "mechanism-not-offered": Case(_opened(start_ok={"mechanism": "EXTERNAL"}),
                                  _opened(start_ok={"mechanism": "AMQPLAIN"})),
    "locale-not-offered": Case(_opened(start_ok={"locale": "de_DE"}), _opened()),
    "locale-missing": Case(_opened(start={"locales": b"de_DE"}, start_ok={"locale": "de_DE"}),
                           _opened(start={"locales": b"de_DE en_US"})),
    "client-properties-missing": Case(_opened(start_ok={"client_properties": {"product": "p"}}),
                                      _opened(start_ok={"client_properties": _NAMED})),
    "server-properties-missing": Case(_opened(start={"server_properties": {}}),
                                      _opened(start={"server_properties": _NAMED})),
    "credentials-in-clear": Case(_opened(),
                                 _opened(start={"mechanisms": b"EXTERNAL"}, start_ok={"mechanism": "EXTERNAL"})),
    "guest-from-afar": Case(_opened(), _opened(start_ok={"response": b"\0jo\0secret"})),
    "login-refused": Case([*handshake()[:3], FIN],
                          [*handshake()[:3], _connection_close(1, 200), client("connection.close-ok", 0), FIN]),
    "heartbeat-disabled": Case(_opened(tune_ok={"heartbeat": 0}), _opened(tune_ok={"heartbeat": 1})),
}  # fmt: skip

LIFE = {
    "heartbeat-late": Case(ready(121, heartbeat(0)), ready(119, heartbeat(0), heartbeat(1))),
    "heartbeat-lost": Case(ended(121, RST), ended(119, RST)),
    "unclean-close": Case(ended(FIN), ready()),
    "close-not-answered": Case(ended(_connection_close(0, 200), FIN), ready()),
    "connection-closed-with-error": Case(ended(_connection_close(1, 505), client("connection.close-ok", 0), FIN),
                                         ready()),
    "connection-forced": Case(ended(_connection_close(1, 320), client("connection.close-ok", 0), FIN),
                              ended(_connection_close(1, 200), client("connection.close-ok", 0), FIN)),
    "channel-closed-with-error": Case(ready(_DECLARE, _channel_close(1, 406, 50, 10), client("channel.close-ok")),
                                      ready(_CLOSED_CHANNEL)),
    "passive-declare-failed": Case(
        ready(
            client("queue.declare", queue="q", passive=True),
            _channel_close(1, 404, 50, 10),
            client("channel.close-ok"),
        ),
        ready(_DECLARE, _channel_close(1, 404, 50, 10), client("channel.close-ok")),
    ),
    "close-code-unknown": Case(ready(_channel_close(0, 999), server("channel.close-ok")),
                               ready(_channel_close(0, 541), server("channel.close-ok"))),
    "publish-into-close": Case(ready(_channel_close(1, 404, 60, 40), publish(), client("channel.close-ok")),
                               ready(publish(), _channel_close(1, 404, 60, 40), client("channel.close-ok"))),
    "published-while-blocked": Case(
        ready(server("connection.blocked", 0, reason="memory"), publish()),
        ready(server("connection.blocked", 0, reason="memory"), server("connection.unblocked", 0), publish())),
}  # fmt: skip

GRAMMAR = {
    "wrong-channel": Case(ready(client("queue.declare", 0, queue="q", durable=True)), ready(_DECLARE, _DECLARED)),
    "wrong-direction": Case(ready(client("queue.declare-ok", queue="q", message_count=0, consumer_count=0)),
                            ready(_DECLARE, _DECLARED)),
    "not-open": Case(ready(client("queue.declare", 7, queue="q", durable=True)), ready(_DECLARE, _DECLARED)),
    "after-close": Case(ready(_channel_close(0, 200), _DECLARE, server("channel.close-ok")),
                        ready(_DECLARE, _DECLARED, _CLOSED_CHANNEL)),
    "publish-after-close": Case(ready(_CLOSED_CHANNEL, publish()), ready(_CLOSED_CHANNEL, OPEN, publish())),
    "reply-without-request": Case(ready(_DECLARE, _DECLARED, _DECLARED),
                                  ready(_DECLARE, _DECLARED, _DECLARE, _DECLARED)),
    "out-of-order": Case([*handshake()[:4], client("connection.open", 0, virtual_host="/"), FIN],
                         [*handshake(), *BYE]),
    "channel-opened-twice": Case(ready(client("channel.open")), ready(_CLOSED_CHANNEL, OPEN)),
    "requests-pipelined": Case(ready(_DECLARE, _DECLARE, _DECLARED, _DECLARED),
                               ready(_DECLARE, _DECLARED, _DECLARE, _DECLARED)),
}  # fmt: skip

CHANNELS = {
    "tx-without-select": Case(ready(client("tx.commit"), server("tx.commit-ok")),
                              ready(_TX, client("tx.commit"), server("tx.commit-ok"))),
    "tx-and-confirm": Case(ready(_TX, _CONFIRM), ready(_TX)),
    "flow-ignored": Case(
        ready(server("channel.flow", active=False), client("channel.flow-ok", active=False), publish()),
        ready(server("channel.flow", active=False), publish(), client("channel.flow-ok", active=False))),
    "return-without-mandatory": Case(
        ready(
            publish(),
            publish_returned := [
                server("basic.return", reply_code=312, reply_text="NO_ROUTE", exchange="e", routing_key="k"),
                (1, publish()[1][1]),
                (1, publish()[2][1]),
            ],
        ),
        ready(publish(mandatory=True), publish_returned),
    ),
    "consumer-tag-in-use": Case(ready(_consumed(), client("basic.consume", queue="q", consumer_tag="c")),
                                ready(_consumed(), _consumed(tag="d"))),
    "cancel-unknown-consumer": Case(
        ready(client("basic.cancel", consumer_tag="x"), server("basic.cancel-ok", consumer_tag="x")),
        ready(
            _consumed(),
            client("basic.cancel", consumer_tag="c"),
            deliver(1),
            server("basic.cancel-ok", consumer_tag="c"),
        ),
    ),
    "deliver-to-nobody": Case(
        ready(_consumed(tag="d"), deliver(1)),
        ready(
            _consumed(),
            client("basic.cancel", consumer_tag="c"),
            deliver(1),
            server("basic.cancel-ok", consumer_tag="c"),
        ),
    ),
    "consumer-cancelled": Case(
        ready(_consumed(), server("basic.cancel", consumer_tag="c", no_wait=True)),
        ready(_consumed(), client("basic.cancel", consumer_tag="c"), server("basic.cancel-ok", consumer_tag="c"))),
    "queue-name-missing": Case(
        ready(
            client("basic.consume", queue="", consumer_tag="c"), server("basic.consume-ok", consumer_tag="c")
        ),
        ready(
            client("queue.declare", queue="", exclusive=True),
            _DECLARED,
            client("basic.consume", queue="", consumer_tag="c"),
            server("basic.consume-ok", consumer_tag="c"),
        ),
    ),
}  # fmt: skip

_TWO_CHANNELS = [_consumed(), deliver(1), client("channel.open", 2), server("channel.open-ok", 2)]

SETTLEMENT = {
    "ack-unknown-tag": Case(ready(_consumed(), deliver(1), client("basic.ack", delivery_tag=2)),
                            ready(_consumed(), deliver(1), _ACK_1)),
    "ack-on-other-channel": Case(ready(_TWO_CHANNELS, client("basic.ack", 2, delivery_tag=1)),
                                 ready(_TWO_CHANNELS, _ACK_1)),
    "ack-settled-tag": Case(ready(_consumed(), deliver(1), _ACK_1, _ACK_1),
                            ready(_consumed(), deliver(1), deliver(2), _ACK_1, client("basic.ack", delivery_tag=2))),
    "ack-not-wanted": Case(ready(_consumed(no_ack=True), deliver(1), _ACK_1), ready(_consumed(), deliver(1), _ACK_1)),
    "delivery-tag-not-next": Case(ready(_consumed(), deliver(1), deliver(1)),
                                  ready(_consumed(), deliver(1), client("basic.get", queue="q"), get_ok(2))),
    "confirm-without-select": Case(ready(publish(), server("basic.ack", delivery_tag=1)),
                                   ready(_CONFIRM, publish(), server("basic.ack", delivery_tag=1))),
    "confirm-unknown-tag": Case(
        ready(_CONFIRM, publish(), server("basic.ack", delivery_tag=2)),
        ready(_CONFIRM, publish(), publish(), server("basic.ack", delivery_tag=2, multiple=True))),
    "confirm-repeated": Case(
        ready(_CONFIRM, publish(), server("basic.ack", delivery_tag=1), server("basic.nack", delivery_tag=1)),
        ready(
            _CONFIRM,
            publish(),
            publish(),
            server("basic.nack", delivery_tag=1),
            server("basic.ack", delivery_tag=2),
        ),
    ),
}  # fmt: skip

CASES = {**NEGOTIATION, **LIFE, **GRAMMAR, **CHANNELS, **SETTLEMENT}
