"""Framing: content headers and bodies. The rules are in ``engine/framing_rules``."""

from __future__ import annotations

from ...amqp0.framing import BODY, FramingCase, Stage, drivers_of

_CHANNEL, _QUEUE = Stage.CHANNEL, Stage.QUEUE
_CONTENT_TYPE, _HEADERS = 1 << 15, 1 << 13

_OUT_OF_ORDER = (
    FramingCase(
        "content/header-without-method",
        _CHANNEL,
        "a content header without a method",
        lambda make: make.header(),
    ),
    FramingCase(
        "content/body-without-method", _CHANNEL, "a content body without a method", lambda make: make.body()
    ),
    FramingCase(
        "content/body-without-header",
        _CHANNEL,
        "basic.publish and a content body",
        lambda make: make.publish() + make.body(),
    ),
    FramingCase(
        "content/method-instead-of-header",
        _CHANNEL,
        "basic.publish and basic.qos",
        lambda make: make.publish() + make.harmless(),
    ),
    FramingCase(
        "content/method-instead-of-body",
        _CHANNEL,
        "basic.publish, its header, half of its body and basic.qos",
        lambda make: make.publish() + make.header() + make.body(BODY[:5]) + make.harmless(),
    ),
    FramingCase(
        "content/second-header",
        _CHANNEL,
        "basic.publish and two content headers",
        lambda make: make.publish() + make.header() + make.header(),
    ),
    FramingCase(
        "content/body-too-long",
        _CHANNEL,
        "a message with a body of ten octets and nine in its header",
        lambda make: make.publish() + make.header(len(BODY) - 1) + make.body(),
    ),
    FramingCase(
        "content/body-frame-too-many",
        _CHANNEL,
        "a message and another body frame",
        lambda make: make.publish() + make.header() + make.body() + make.body(b"x"),
    ),
    FramingCase(
        "content/body-for-size-zero",
        _CHANNEL,
        "a message with a body size of zero and a body frame",
        lambda make: make.publish() + make.header(0) + make.body(),
    ),
)

_BAD_HEADERS = (
    FramingCase(
        "content/header-of-other-class",
        _CHANNEL,
        "basic.publish with a content header of class 50",
        lambda make: make.publish() + make.header(class_id=50) + make.body(),
    ),
    FramingCase(
        "content/weight-not-zero",
        _CHANNEL,
        "basic.publish with a content header of weight 1",
        lambda make: make.publish() + make.header(weight=1) + make.body(),
    ),
    FramingCase(
        "content/header-truncated",
        _CHANNEL,
        "basic.publish with a content header of twelve octets",
        lambda make: make.publish() + make.header(cut=2) + make.body(),
    ),
    FramingCase(
        "content/property-missing",
        _CHANNEL,
        "basic.publish with the flag of content-type and no property",
        lambda make: make.publish() + make.header(flags=_CONTENT_TYPE) + make.body(),
    ),
    FramingCase(
        "content/property-truncated",
        _CHANNEL,
        "basic.publish with a content-type that is said to have 127 octets",
        lambda make: make.publish() + make.header(flags=_CONTENT_TYPE, properties=b"\x7ftext") + make.body(),
    ),
    FramingCase(
        "content/octets-behind-properties",
        _CHANNEL,
        "basic.publish with two octets behind its properties",
        lambda make: make.publish() + make.header(properties=b"\0\0") + make.body(),
    ),
    FramingCase(
        "content/property-table-of-unknown-type",
        _CHANNEL,
        "basic.publish with a value of type Z in its headers",
        lambda make: (
            make.publish() + make.header(flags=_HEADERS, properties=b"\0\0\0\x07\x01xZ\0\0\0\0") + make.body()
        ),
    ),
)

_LEGAL = (
    FramingCase(
        "content/without-body",
        _QUEUE,
        "a message of no octets",
        lambda make: make.publish() + make.header(0),
        body=b"",
    ),
    FramingCase(
        "content/one-octet-frames",
        _QUEUE,
        "a message of ten octets in ten body frames",
        lambda make: make.publish() + make.header() + b"".join(make.body(bytes((octet,))) for octet in BODY),
    ),
    FramingCase(
        "content/interleaved-with-another-channel",
        _QUEUE,
        "a message with channel.open and half of a message on channel 2 between its frames",
        lambda make: (
            make.publish()
            + make.method(make.methods.ChannelOpen(), 2)
            + make.header()
            + make.publish(2)
            + make.body()
        ),
    ),
    FramingCase(
        "content/heartbeat-in-the-middle",
        _QUEUE,
        "a message with heartbeats between its frames",
        lambda make: (
            make.publish()
            + make.heartbeat()
            + make.header()
            + make.heartbeat()
            + make.body()
            + make.heartbeat()
        ),
    ),
)

CASES = (*_OUT_OF_ORDER, *_BAD_HEADERS, *_LEGAL)
DRIVERS = drivers_of(CASES)
