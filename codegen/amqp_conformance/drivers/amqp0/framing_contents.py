"""Framing: content headers and bodies. The rules are in ``engine/framing_rules``."""

from __future__ import annotations

from ...amqp0.framing import BODY, CaseTable, FramingCase, Stage, cases, drivers_of

_CONTENT_TYPE, _HEADERS = 1 << 15, 1 << 13

_ON_CHANNEL: CaseTable = {
    "content/header-without-method": ("a content header without a method", lambda make: make.header()),
    "content/body-without-method": ("a content body without a method", lambda make: make.body()),
    "content/body-without-header": (
        "basic.publish and a content body",
        lambda make: make.publish() + make.body(),
    ),
    "content/method-instead-of-header": (
        "basic.publish and basic.qos",
        lambda make: make.publish() + make.harmless(),
    ),
    "content/method-instead-of-body": (
        "basic.publish, its header, half of its body and basic.qos",
        lambda make: make.publish() + make.header() + make.body(BODY[:5]) + make.harmless(),
    ),
    "content/second-header": (
        "basic.publish and two content headers",
        lambda make: make.publish() + make.header() + make.header(),
    ),
    "content/body-too-long": (
        "a message with a body of ten octets and nine in its header",
        lambda make: make.publish() + make.header(len(BODY) - 1) + make.body(),
    ),
    "content/body-frame-too-many": (
        "a message and another body frame",
        lambda make: make.publish() + make.header() + make.body() + make.body(b"x"),
    ),
    "content/body-for-size-zero": (
        "a message with a body size of zero and a body frame",
        lambda make: make.publish() + make.header(0) + make.body(),
    ),
    "content/header-of-other-class": (
        "basic.publish with a content header of class 50",
        lambda make: make.publish() + make.header(class_id=50) + make.body(),
    ),
    "content/weight-not-zero": (
        "basic.publish with a content header of weight 1",
        lambda make: make.publish() + make.header(weight=1) + make.body(),
    ),
    "content/header-truncated": (
        "basic.publish with a content header of twelve octets",
        lambda make: make.publish() + make.header(cut=2) + make.body(),
    ),
    "content/property-missing": (
        "basic.publish with the flag of content-type and no property",
        lambda make: make.publish() + make.header(flags=_CONTENT_TYPE) + make.body(),
    ),
    "content/property-truncated": (
        "basic.publish with a content-type that is said to have 127 octets",
        lambda make: make.publish() + make.header(flags=_CONTENT_TYPE, properties=b"\x7ftext") + make.body(),
    ),
    "content/octets-behind-properties": (
        "basic.publish with two octets behind its properties",
        lambda make: make.publish() + make.header(properties=b"\0\0") + make.body(),
    ),
    "content/property-table-of-unknown-type": (
        "basic.publish with a value of type Z in its headers",
        lambda make: (
            make.publish() + make.header(flags=_HEADERS, properties=b"\0\0\0\x07\x01xZ\0\0\0\0") + make.body()
        ),
    ),
}


_WITH_QUEUE: CaseTable = {
    "content/one-octet-frames": (
        "a message of ten octets in ten body frames",
        lambda make: make.publish() + make.header() + b"".join(make.body(bytes((octet,))) for octet in BODY),
    ),
    "content/interleaved-with-another-channel": (
        "a message with channel.open and half of a message on channel 2 between its frames",
        lambda make: (
            make.publish()
            + make.method(make.methods.ChannelOpen(), 2)
            + make.header()
            + make.publish(2)
            + make.body()
        ),
    ),
    "content/heartbeat-in-the-middle": (
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
}

_OTHERS = (
    FramingCase(
        "content/without-body",
        Stage.QUEUE,
        "a message of no octets",
        lambda make: make.publish() + make.header(0),
        body=b"",
    ),
)

CASES = (*cases(Stage.CHANNEL, _ON_CHANNEL), *cases(Stage.QUEUE, _WITH_QUEUE), *_OTHERS)
DRIVERS = drivers_of(CASES)
