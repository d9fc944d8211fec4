"""Framing: protocol headers, the handshake's order, frames and heartbeats. The rules are in ``engine/framing_rules``."""

from __future__ import annotations

from ...amqp0.framing import CONTENT, CaseTable, FramingCase, Stage, cases, drivers_of

# RabbitMQ agrees to no frame-max below it since 4.1.
_AGREED = 8192
_OVERHEAD = 8

_ON_SOCKET: CaseTable = {
    "protocol-header/other-protocol": ("GET / HT", lambda make: b"GET / HT"),
    "protocol-header/lower-case": (
        "the header with amqp in lower case",
        lambda make: b"amqp" + make.amqp.PROTOCOL_HEADER[4:],
    ),
    "protocol-header/unknown-protocol-id": (
        "the header with 9 behind its name",
        lambda make: b"AMQP\x09" + make.amqp.PROTOCOL_HEADER[5:],
    ),
    "protocol-header/unknown-version": (
        "the header with the version 255-255",
        lambda make: make.amqp.PROTOCOL_HEADER[:6] + b"\xff\xff",
    ),
    "protocol-header/octets-before": (
        "an empty line and the header",
        lambda make: b"\r\n" + make.amqp.PROTOCOL_HEADER,
    ),
    "protocol-header/frame-instead": (
        "channel.open without a protocol header",
        lambda make: make.method(make.methods.ChannelOpen()),
    ),
}


_BEFORE_START_OK: CaseTable = {
    "protocol-header/twice": ("the header once more", lambda make: make.amqp.PROTOCOL_HEADER),
    "handshake/open-before-start-ok": (
        "connection.open",
        lambda make: make.method(make.methods.ConnectionOpen(virtual_host="/"), 0),
    ),
    "handshake/start-ok-on-channel-one": (
        "connection.start-ok on channel 1",
        lambda make: make.method(make.methods.ConnectionStartOk({}, "PLAIN", b"", "en_US"), 1),
    ),
    "handshake/wrong-frame-end": ("a heartbeat that ends in 00", lambda make: make.heartbeat(end=0)),
}


_BEFORE_OPEN: CaseTable = {
    "handshake/tune-ok-twice": (
        "connection.tune-ok once more",
        lambda make: make.method(make.methods.ConnectionTuneOk(0, _AGREED, 0), 0),
    ),
    "handshake/content-before-open": (
        "a content header and a body on channel 1",
        lambda make: make.header() + make.body(),
    ),
    "heartbeat/before-open": ("a heartbeat", lambda make: make.heartbeat()),
}


_ON_CONNECTION: CaseTable = {
    "handshake/open-twice": (
        "connection.open",
        lambda make: make.method(make.methods.ConnectionOpen(virtual_host="/"), 0),
    ),
    "handshake/start-ok-again": (
        "connection.start-ok",
        lambda make: make.method(make.methods.ConnectionStartOk({}, "PLAIN", b"", "en_US"), 0),
    ),
    "frame-type/unknown-on-channel-zero": (
        "an empty frame of type 9 on channel 0",
        lambda make: make.frame(9, b"", 0),
    ),
    "heartbeat/not-agreed": ("a heartbeat though none were agreed on", lambda make: make.heartbeat()),
    "heartbeat/many": ("a hundred heartbeats in one piece", lambda make: make.heartbeat() * 100),
    "heartbeat/with-payload": (
        "a heartbeat with a payload of four octets",
        lambda make: make.heartbeat(payload=b"beat"),
    ),
}


_ON_CHANNEL: CaseTable = {
    "frame-end/wrong": ("basic.qos that ends in CD", lambda make: make.harmless()[:-1] + b"\xcd"),
    "frame-end/missing": ("basic.qos without its CE", lambda make: make.harmless()[:-1]),
    "frame-end/wrong-in-heartbeat": ("a heartbeat that ends in 00", lambda make: make.heartbeat(end=0)),
    "frame-end/wrong-in-body": (
        "a message whose body frame ends in 00",
        lambda make: make.publish() + make.header() + make.body()[:-1] + b"\0",
    ),
    "frame-type/zero": ("a frame of type 0", lambda make: b"\0" + make.harmless()[1:]),
    "frame-type/four": ("a frame of type 4", lambda make: b"\4" + make.harmless()[1:]),
    "frame-type/nine": ("a frame of type 9", lambda make: b"\x09" + make.harmless()[1:]),
    "frame-type/largest": ("a frame of type 255", lambda make: b"\xff" + make.harmless()[1:]),
    "frame-size/one-less": (
        "a message whose body frame has a size one too small",
        lambda make: make.publish() + make.header() + make.frame(CONTENT, b"0123456789", size=9),
    ),
    "frame-size/one-more": (
        "a message whose body frame has a size one too large",
        lambda make: make.publish() + make.header(11) + make.frame(CONTENT, b"0123456789", size=11),
    ),
    "frame-size/many-in-one-piece": (
        "basic.qos a hundred times in one piece",
        lambda make: make.harmless() * 100,
    ),
    "heartbeat/on-channel-one": ("a heartbeat on channel 1", lambda make: make.heartbeat(1)),
}

_OTHERS = (
    FramingCase(
        "protocol-header/in-pieces",
        Stage.SOCKET,
        "the header octet by octet",
        lambda make: make.amqp.PROTOCOL_HEADER,
        in_pieces=True,
    ),
    FramingCase(
        "handshake/open-before-tune-ok",
        Stage.TUNE,
        "connection.open",
        lambda make: make.method(make.methods.ConnectionOpen(virtual_host="/"), 0),
    ),
    FramingCase(
        "frame-size/body-above-frame-max",
        Stage.CHANNEL,
        "a message in a body frame of 8193 octets, with 8192 agreed on",
        lambda make: (
            make.publish()
            + make.header(make.frame_max - _OVERHEAD + 1)
            + make.body(bytes(make.frame_max - _OVERHEAD + 1))
        ),
        tuning={"frame_max": _AGREED},
    ),
    FramingCase(
        "frame-size/method-above-frame-max",
        Stage.CHANNEL,
        "queue.declare with a table of 9000 octets, with frames of 8192 agreed on",
        lambda make: make.declare(b"\x01xS" + (8994).to_bytes(4, "big") + b"x" * 8994),
        tuning={"frame_max": _AGREED},
    ),
    FramingCase(
        "frame-size/largest-number",
        Stage.CHANNEL,
        "the first seven octets of a body frame with the size 4294967295",
        lambda make: make.publish() + make.header() + make.frame(CONTENT, b"", size=0xFFFFFFFF)[:-1],
        tuning={"frame_max": _AGREED},
    ),
    FramingCase(
        "frame-size/exactly-frame-max",
        Stage.QUEUE,
        "a message in a body frame of 8192 octets, with 8192 agreed on",
        lambda make: (
            make.publish()
            + make.header(make.frame_max - _OVERHEAD)
            + make.body(b"x" * (make.frame_max - _OVERHEAD))
        ),
        tuning={"frame_max": _AGREED},
        body=b"x" * (_AGREED - _OVERHEAD),
    ),
    FramingCase(
        "frame-size/octet-by-octet",
        Stage.CHANNEL,
        "basic.qos octet by octet",
        lambda make: make.harmless(),
        in_pieces=True,
    ),
    FramingCase(
        "heartbeat/client-falls-silent",
        Stage.CONNECTION,
        "nothing, with heartbeats each second agreed on",
        lambda make: b"",
        tuning={"heartbeat": 1},
        quiet=True,
        slow=True,
    ),
)

CASES = (
    *cases(Stage.SOCKET, _ON_SOCKET),
    *cases(Stage.START, _BEFORE_START_OK),
    *cases(Stage.OPEN, _BEFORE_OPEN),
    *cases(Stage.CONNECTION, _ON_CONNECTION),
    *cases(Stage.CHANNEL, _ON_CHANNEL),
    *_OTHERS,
)
DRIVERS = drivers_of(CASES)
