"""Framing: methods, their arguments and tables, and channels. The rules are in ``engine/framing_rules``."""

from __future__ import annotations

from ...amqp0.framing import BASIC, CONNECTION, METHOD, CaseTable, FramingCase, Stage, cases, drivers_of

_ON_CHANNEL: CaseTable = {
    "method/empty": ("a method frame without a payload", lambda make: make.frame(METHOD, b"")),
    "method/three-octets": (
        "a method frame with a payload of three octets",
        lambda make: make.frame(METHOD, b"\0\x3c\0"),
    ),
    "method/unknown-class": ("method 10 of class 999", lambda make: make.raw_method(999, 10)),
    "method/unknown-method": ("method 999 of class basic", lambda make: make.raw_method(BASIC, 999)),
    "method/for-clients-only": (
        "queue.declare-ok",
        lambda make: make.method(make.methods.QueueDeclareOk("amqp-codegen.none", 0, 0)),
    ),
    "method/truncated-arguments": (
        "basic.qos without its last octet",
        lambda make: make.arguments(make.methods.BasicQos(), cut=1),
    ),
    "method/no-arguments": (
        "basic.qos without arguments",
        lambda make: make.with_arguments(make.methods.BasicQos),
    ),
    "method/trailing-octets": (
        "basic.qos with two more octets in its frame",
        lambda make: make.arguments(make.methods.BasicQos(), more=b"\0\0"),
    ),
    "method/missing-bits": (
        "exchange.delete without the octet of its bits",
        lambda make: make.arguments(make.methods.ExchangeDelete(exchange="amqp-codegen.none"), cut=1),
    ),
    "method/short-string-too-long": (
        "exchange.delete whose name is said to have 127 octets",
        lambda make: make.with_arguments(make.methods.ExchangeDelete, b"\0\0\x7fnone\0"),
    ),
    "method/table-too-long": (
        "queue.declare whose table is said to have 127 octets",
        lambda make: make.arguments(
            make.methods.QueueDeclare(queue="amqp-codegen.none", passive=True), cut=4, more=b"\0\0\0\x7f"
        ),
    ),
    "table/unknown-type": (
        "queue.declare with a value of type Z in its table",
        lambda make: make.declare(b"\x01xZ\0\0\0\0"),
    ),
    "table/name-without-value": (
        "queue.declare with a table that ends behind a name",
        lambda make: make.declare(b"\x01x"),
    ),
    "table/value-too-long": (
        "queue.declare with a long string of 127 octets in a table of nine",
        lambda make: make.declare(b"\x01xS\0\0\0\x7fab"),
    ),
    "table/name-too-long": (
        "queue.declare with a name of 127 octets in a table of eight",
        lambda make: make.declare(b"\x7fxI\0\0\0\0\0"),
    ),
    "table/name-begins-with-digit": (
        "queue.declare with the name 1x in its table",
        lambda make: make.declare(b"\x021xI\0\0\0\0"),
    ),
    "table/nested-too-long": (
        "queue.declare with a table of 127 octets in a table of nine",
        lambda make: make.declare(b"\x01xF\0\0\0\x7fab"),
    ),
    "channel/connection-method-on-channel-one": (
        "connection.close on channel 1",
        lambda make: make.method(make.methods.ConnectionClose(reply_code=200, reply_text="done"), 1),
    ),
}


_ON_CONNECTION: CaseTable = {
    "method/unknown-method-of-connection": (
        "method 999 of class connection",
        lambda make: make.raw_method(CONNECTION, 999, channel=0),
    ),
    "method/tune-from-the-client": (
        "connection.tune",
        lambda make: make.method(make.methods.ConnectionTune(0, 4096, 0), 0),
    ),
    "channel/unopened-method": ("basic.qos on channel 1", lambda make: make.harmless()),
    "channel/unopened-content": ("a content header on channel 1", lambda make: make.header()),
    "channel/channel-method-on-zero": (
        "channel.open on channel 0",
        lambda make: make.method(make.methods.ChannelOpen(), 0),
    ),
    "channel/basic-method-on-zero": ("basic.qos on channel 0", lambda make: make.harmless(0)),
    "channel/content-header-on-zero": ("a content header on channel 0", lambda make: make.header(channel=0)),
    "channel/content-body-on-zero": ("a content body on channel 0", lambda make: make.body(channel=0)),
}

_OTHERS = (
    FramingCase(
        "channel/closed-method", Stage.CLOSED, "basic.qos on channel 1", lambda make: make.harmless()
    ),
    FramingCase(
        "channel/opened-again",
        Stage.CLOSED,
        "channel.open on channel 1",
        lambda make: make.method(make.methods.ChannelOpen()),
        answer="channel.open-ok",
    ),
    FramingCase(
        "channel/above-channel-max",
        Stage.CHANNEL,
        "channel.open for channel 2, with a channel-max of 1 agreed on",
        lambda make: make.method(make.methods.ChannelOpen(), 2),
        tuning={"channel_max": 1},
    ),
)

CASES = (*cases(Stage.CHANNEL, _ON_CHANNEL), *cases(Stage.CONNECTION, _ON_CONNECTION), *_OTHERS)
DRIVERS = drivers_of(CASES)
