"""Framing: methods, their arguments and tables, and channels. The rules are in ``engine/framing_rules``."""

from __future__ import annotations

from ...amqp0.framing import BASIC, CONNECTION, METHOD, FramingCase, Stage, drivers_of

_CONNECTION, _CHANNEL, _CLOSED = Stage.CONNECTION, Stage.CHANNEL, Stage.CLOSED

_METHODS = (
    FramingCase(
        "method/empty", _CHANNEL, "a method frame without a payload", lambda make: make.frame(METHOD, b"")
    ),
    FramingCase(
        "method/three-octets",
        _CHANNEL,
        "a method frame with a payload of three octets",
        lambda make: make.frame(METHOD, b"\0\x3c\0"),
    ),
    FramingCase(
        "method/unknown-class", _CHANNEL, "method 10 of class 999", lambda make: make.raw_method(999, 10)
    ),
    FramingCase(
        "method/unknown-method",
        _CHANNEL,
        "method 999 of class basic",
        lambda make: make.raw_method(BASIC, 999),
    ),
    FramingCase(
        "method/unknown-method-of-connection",
        _CONNECTION,
        "method 999 of class connection",
        lambda make: make.raw_method(CONNECTION, 999, channel=0),
    ),
    FramingCase(
        "method/for-clients-only",
        _CHANNEL,
        "queue.declare-ok",
        lambda make: make.method(make.methods.QueueDeclareOk("amqp-codegen.none", 0, 0)),
    ),
    FramingCase(
        "method/tune-from-the-client",
        _CONNECTION,
        "connection.tune",
        lambda make: make.method(make.methods.ConnectionTune(0, 4096, 0), 0),
    ),
    FramingCase(
        "method/truncated-arguments",
        _CHANNEL,
        "basic.qos without its last octet",
        lambda make: make.arguments(make.methods.BasicQos(), cut=1),
    ),
    FramingCase(
        "method/no-arguments",
        _CHANNEL,
        "basic.qos without arguments",
        lambda make: make.with_arguments(make.methods.BasicQos),
    ),
    FramingCase(
        "method/trailing-octets",
        _CHANNEL,
        "basic.qos with two more octets in its frame",
        lambda make: make.arguments(make.methods.BasicQos(), more=b"\0\0"),
    ),
    FramingCase(
        "method/missing-bits",
        _CHANNEL,
        "exchange.delete without the octet of its bits",
        lambda make: make.arguments(make.methods.ExchangeDelete(exchange="amqp-codegen.none"), cut=1),
    ),
    FramingCase(
        "method/short-string-too-long",
        _CHANNEL,
        "exchange.delete whose name is said to have 127 octets",
        lambda make: make.with_arguments(make.methods.ExchangeDelete, b"\0\0\x7fnone\0"),
    ),
    FramingCase(
        "method/table-too-long",
        _CHANNEL,
        "queue.declare whose table is said to have 127 octets",
        lambda make: make.arguments(
            make.methods.QueueDeclare(queue="amqp-codegen.none", passive=True), cut=4, more=b"\0\0\0\x7f"
        ),
    ),
)

_TABLES = (
    FramingCase(
        "table/unknown-type",
        _CHANNEL,
        "queue.declare with a value of type Z in its table",
        lambda make: make.declare(b"\x01xZ\0\0\0\0"),
    ),
    FramingCase(
        "table/name-without-value",
        _CHANNEL,
        "queue.declare with a table that ends behind a name",
        lambda make: make.declare(b"\x01x"),
    ),
    FramingCase(
        "table/value-too-long",
        _CHANNEL,
        "queue.declare with a long string of 127 octets in a table of nine",
        lambda make: make.declare(b"\x01xS\0\0\0\x7fab"),
    ),
    FramingCase(
        "table/name-too-long",
        _CHANNEL,
        "queue.declare with a name of 127 octets in a table of eight",
        lambda make: make.declare(b"\x7fxI\0\0\0\0\0"),
    ),
    FramingCase(
        "table/name-begins-with-digit",
        _CHANNEL,
        "queue.declare with the name 1x in its table",
        lambda make: make.declare(b"\x021xI\0\0\0\0"),
    ),
    FramingCase(
        "table/nested-too-long",
        _CHANNEL,
        "queue.declare with a table of 127 octets in a table of nine",
        lambda make: make.declare(b"\x01xF\0\0\0\x7fab"),
    ),
)

_CHANNELS = (
    FramingCase(
        "channel/unopened-method", _CONNECTION, "basic.qos on channel 1", lambda make: make.harmless()
    ),
    FramingCase(
        "channel/unopened-content",
        _CONNECTION,
        "a content header on channel 1",
        lambda make: make.header(),
    ),
    FramingCase("channel/closed-method", _CLOSED, "basic.qos on channel 1", lambda make: make.harmless()),
    FramingCase(
        "channel/opened-again",
        _CLOSED,
        "channel.open on channel 1",
        lambda make: make.method(make.methods.ChannelOpen()),
        answer="channel.open-ok",
    ),
    FramingCase(
        "channel/above-channel-max",
        _CHANNEL,
        "channel.open for channel 2, with a channel-max of 1 agreed on",
        lambda make: make.method(make.methods.ChannelOpen(), 2),
        tuning={"channel_max": 1},
    ),
    FramingCase(
        "channel/connection-method-on-channel-one",
        _CHANNEL,
        "connection.close on channel 1",
        lambda make: make.method(make.methods.ConnectionClose(reply_code=200, reply_text="done"), 1),
    ),
    FramingCase(
        "channel/channel-method-on-zero",
        _CONNECTION,
        "channel.open on channel 0",
        lambda make: make.method(make.methods.ChannelOpen(), 0),
    ),
    FramingCase(
        "channel/basic-method-on-zero", _CONNECTION, "basic.qos on channel 0", lambda make: make.harmless(0)
    ),
    FramingCase(
        "channel/content-header-on-zero",
        _CONNECTION,
        "a content header on channel 0",
        lambda make: make.header(channel=0),
    ),
    FramingCase(
        "channel/content-body-on-zero",
        _CONNECTION,
        "a content body on channel 0",
        lambda make: make.body(channel=0),
    ),
)

CASES = (*_METHODS, *_TABLES, *_CHANNELS)
DRIVERS = drivers_of(CASES)
