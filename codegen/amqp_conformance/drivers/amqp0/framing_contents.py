"""Framing: content headers and bodies. The rules are in ``engine/framing_rules``."""

from __future__ import annotations

from ...amqp0.framing import BODY, Case, Stage, drivers_of

_CHANNEL, _QUEUE = Stage.CHANNEL, Stage.QUEUE
_CONTENT_TYPE, _HEADERS = 1 << 15, 1 << 13

_OUT_OF_ORDER = (
    Case(
        "content/header-without-method",
        _CHANNEL,
        "a content header without a method",
        lambda wire: wire.header(),
    ),
    Case(
        "content/body-without-method", _CHANNEL, "a content body without a method", lambda wire: wire.body()
    ),
    Case(
        "content/body-without-header",
        _CHANNEL,
        "basic.publish and a content body",
        lambda wire: wire.publish() + wire.body(),
    ),
    Case(
        "content/method-instead-of-header",
        _CHANNEL,
        "basic.publish and basic.qos",
        lambda wire: wire.publish() + wire.harmless(),
    ),
    Case(
        "content/method-instead-of-body",
        _CHANNEL,
        "basic.publish, its header, half of its body and basic.qos",
        lambda wire: wire.publish() + wire.header() + wire.body(BODY[:5]) + wire.harmless(),
    ),
    Case(
        "content/second-header",
        _CHANNEL,
        "basic.publish and two content headers",
        lambda wire: wire.publish() + wire.header() + wire.header(),
    ),
    Case(
        "content/body-too-long",
        _CHANNEL,
        "a message with a body of ten octets and nine in its header",
        lambda wire: wire.publish() + wire.header(len(BODY) - 1) + wire.body(),
    ),
    Case(
        "content/body-frame-too-many",
        _CHANNEL,
        "a message and another body frame",
        lambda wire: wire.publish() + wire.header() + wire.body() + wire.body(b"x"),
    ),
    Case(
        "content/body-for-size-zero",
        _CHANNEL,
        "a message with a body size of zero and a body frame",
        lambda wire: wire.publish() + wire.header(0) + wire.body(),
    ),
)

_BAD_HEADERS = (
    Case(
        "content/header-of-other-class",
        _CHANNEL,
        "basic.publish with a content header of class 50",
        lambda wire: wire.publish() + wire.header(class_id=50) + wire.body(),
    ),
    Case(
        "content/weight-not-zero",
        _CHANNEL,
        "basic.publish with a content header of weight 1",
        lambda wire: wire.publish() + wire.header(weight=1) + wire.body(),
    ),
    Case(
        "content/header-truncated",
        _CHANNEL,
        "basic.publish with a content header of twelve octets",
        lambda wire: wire.publish() + wire.header(cut=2) + wire.body(),
    ),
    Case(
        "content/property-missing",
        _CHANNEL,
        "basic.publish with the flag of content-type and no property",
        lambda wire: wire.publish() + wire.header(flags=_CONTENT_TYPE) + wire.body(),
    ),
    Case(
        "content/property-truncated",
        _CHANNEL,
        "basic.publish with a content-type that is said to have 127 octets",
        lambda wire: wire.publish() + wire.header(flags=_CONTENT_TYPE, properties=b"\x7ftext") + wire.body(),
    ),
    Case(
        "content/octets-behind-properties",
        _CHANNEL,
        "basic.publish with two octets behind its properties",
        lambda wire: wire.publish() + wire.header(properties=b"\0\0") + wire.body(),
    ),
    Case(
        "content/property-table-of-unknown-type",
        _CHANNEL,
        "basic.publish with a value of type Z in its headers",
        lambda wire: (
            wire.publish() + wire.header(flags=_HEADERS, properties=b"\0\0\0\x07\x01xZ\0\0\0\0") + wire.body()
        ),
    ),
)

_LEGAL = (
    Case(
        "content/without-body",
        _QUEUE,
        "a message of no octets",
        lambda wire: wire.publish() + wire.header(0),
        body=b"",
    ),
    Case(
        "content/one-octet-frames",
        _QUEUE,
        "a message of ten octets in ten body frames",
        lambda wire: wire.publish() + wire.header() + b"".join(wire.body(bytes((octet,))) for octet in BODY),
    ),
    Case(
        "content/interleaved-with-another-channel",
        _QUEUE,
        "a message with channel.open and half of a message on channel 2 between its frames",
        lambda wire: (
            wire.publish()
            + wire.method(wire.methods.ChannelOpen(), 2)
            + wire.header()
            + wire.publish(2)
            + wire.body()
        ),
    ),
    Case(
        "content/heartbeat-in-the-middle",
        _QUEUE,
        "a message with heartbeats between its frames",
        lambda wire: (
            wire.publish()
            + wire.heartbeat()
            + wire.header()
            + wire.heartbeat()
            + wire.body()
            + wire.heartbeat()
        ),
    ),
)

CASES = (*_OUT_OF_ORDER, *_BAD_HEADERS, *_LEGAL)
DRIVERS = drivers_of(CASES)
