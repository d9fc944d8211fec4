"""Framing: methods, their arguments and tables, and channels. The rules are in ``engine/framing_rules``."""

from __future__ import annotations

from ...amqp0.framing import Case, Stage, drivers_of

_CONNECTION, _CHANNEL, _CLOSED = Stage.CONNECTION, Stage.CHANNEL, Stage.CLOSED

_METHODS = (
    Case("method/empty", _CHANNEL, "a method frame without a payload", lambda wire: wire.frame(1, b"")),
    Case(
        "method/three-octets",
        _CHANNEL,
        "a method frame with a payload of three octets",
        lambda wire: wire.frame(1, b"\0\x3c\0"),
    ),
    Case("method/unknown-class", _CHANNEL, "method 10 of class 999", lambda wire: wire.raw_method(999, 10)),
    Case(
        "method/unknown-method", _CHANNEL, "method 999 of class basic", lambda wire: wire.raw_method(60, 999)
    ),
    Case(
        "method/unknown-method-of-connection",
        _CONNECTION,
        "method 999 of class connection",
        lambda wire: wire.raw_method(10, 999, channel=0),
    ),
    Case(
        "method/for-clients-only",
        _CHANNEL,
        "queue.declare-ok",
        lambda wire: wire.method(wire.methods.QueueDeclareOk("amqp-codegen.none", 0, 0)),
    ),
    Case(
        "method/tune-from-the-client",
        _CONNECTION,
        "connection.tune",
        lambda wire: wire.method(wire.methods.ConnectionTune(0, 4096, 0), 0),
    ),
    Case(
        "method/truncated-arguments",
        _CHANNEL,
        "basic.qos without its last octet",
        lambda wire: wire.arguments(wire.methods.BasicQos(), cut=1),
    ),
    Case(
        "method/no-arguments", _CHANNEL, "basic.qos without arguments", lambda wire: wire.raw_method(60, 10)
    ),
    Case(
        "method/trailing-octets",
        _CHANNEL,
        "basic.qos with two more octets in its frame",
        lambda wire: wire.arguments(wire.methods.BasicQos(), more=b"\0\0"),
    ),
    Case(
        "method/missing-bits",
        _CHANNEL,
        "exchange.delete without the octet of its bits",
        lambda wire: wire.arguments(wire.methods.ExchangeDelete(exchange="amqp-codegen.none"), cut=1),
    ),
    Case(
        "method/short-string-too-long",
        _CHANNEL,
        "exchange.delete whose name is said to have 127 octets",
        lambda wire: wire.raw_method(40, 20, b"\0\0\x7fnone\0"),
    ),
    Case(
        "method/table-too-long",
        _CHANNEL,
        "queue.declare whose table is said to have 127 octets",
        lambda wire: wire.arguments(
            wire.methods.QueueDeclare(queue="amqp-codegen.none", passive=True), cut=4, more=b"\0\0\0\x7f"
        ),
    ),
)

_TABLES = (
    Case(
        "table/unknown-type",
        _CHANNEL,
        "queue.declare with a value of type Z in its table",
        lambda wire: wire.declare(b"\x01xZ\0\0\0\0"),
    ),
    Case(
        "table/name-without-value",
        _CHANNEL,
        "queue.declare with a table that ends behind a name",
        lambda wire: wire.declare(b"\x01x"),
    ),
    Case(
        "table/value-too-long",
        _CHANNEL,
        "queue.declare with a long string of 127 octets in a table of nine",
        lambda wire: wire.declare(b"\x01xS\0\0\0\x7fab"),
    ),
    Case(
        "table/name-too-long",
        _CHANNEL,
        "queue.declare with a name of 127 octets in a table of eight",
        lambda wire: wire.declare(b"\x7fxI\0\0\0\0\0"),
    ),
    Case(
        "table/name-begins-with-digit",
        _CHANNEL,
        "queue.declare with the name 1x in its table",
        lambda wire: wire.declare(b"\x021xI\0\0\0\0"),
    ),
    Case(
        "table/nested-too-long",
        _CHANNEL,
        "queue.declare with a table of 127 octets in a table of nine",
        lambda wire: wire.declare(b"\x01xF\0\0\0\x7fab"),
    ),
)

_CHANNELS = (
    Case("channel/unopened-method", _CONNECTION, "basic.qos on channel 1", lambda wire: wire.harmless()),
    Case(
        "channel/unopened-content",
        _CONNECTION,
        "a content header on channel 1",
        lambda wire: wire.header(),
    ),
    Case("channel/closed-method", _CLOSED, "basic.qos on channel 1", lambda wire: wire.harmless()),
    Case(
        "channel/opened-again",
        _CLOSED,
        "channel.open on channel 1",
        lambda wire: wire.method(wire.methods.ChannelOpen()),
        answer="channel.open-ok",
    ),
    Case(
        "channel/above-channel-max",
        _CHANNEL,
        "channel.open for channel 2, with a channel-max of 1 agreed on",
        lambda wire: wire.method(wire.methods.ChannelOpen(), 2),
        tuning={"channel_max": 1},
    ),
    Case(
        "channel/connection-method-on-channel-one",
        _CHANNEL,
        "connection.close on channel 1",
        lambda wire: wire.method(wire.methods.ConnectionClose(reply_code=200, reply_text="done"), 1),
    ),
    Case(
        "channel/channel-method-on-zero",
        _CONNECTION,
        "channel.open on channel 0",
        lambda wire: wire.method(wire.methods.ChannelOpen(), 0),
    ),
    Case(
        "channel/basic-method-on-zero", _CONNECTION, "basic.qos on channel 0", lambda wire: wire.harmless(0)
    ),
    Case(
        "channel/content-header-on-zero",
        _CONNECTION,
        "a content header on channel 0",
        lambda wire: wire.header(channel=0),
    ),
    Case(
        "channel/content-body-on-zero",
        _CONNECTION,
        "a content body on channel 0",
        lambda wire: wire.body(channel=0),
    ),
)

CASES = (*_METHODS, *_TABLES, *_CHANNELS)
DRIVERS = drivers_of(CASES)
