"""Framing: protocol headers, the handshake's order, frames and heartbeats. The rules are in ``engine/framing_rules``."""

from __future__ import annotations

from ...amqp0.framing import Case, Stage, drivers_of

_SOCKET, _START, _TUNE, _OPEN = Stage.SOCKET, Stage.START, Stage.TUNE, Stage.OPEN
_CONNECTION, _CHANNEL, _QUEUE = Stage.CONNECTION, Stage.CHANNEL, Stage.QUEUE
_SMALLEST = 4096
_OVERHEAD = 8

_HEADERS = (
    Case("protocol-header/other-protocol", _SOCKET, "GET / HT", lambda wire: b"GET / HT"),
    Case(
        "protocol-header/lower-case",
        _SOCKET,
        "the header with amqp in lower case",
        lambda wire: b"amqp" + wire.amqp.PROTOCOL_HEADER[4:],
    ),
    Case(
        "protocol-header/unknown-protocol-id",
        _SOCKET,
        "the header with 9 behind its name",
        lambda wire: b"AMQP\x09" + wire.amqp.PROTOCOL_HEADER[5:],
    ),
    Case(
        "protocol-header/unknown-version",
        _SOCKET,
        "the header with the version 255-255",
        lambda wire: wire.amqp.PROTOCOL_HEADER[:6] + b"\xff\xff",
    ),
    Case(
        "protocol-header/octets-before",
        _SOCKET,
        "an empty line and the header",
        lambda wire: b"\r\n" + wire.amqp.PROTOCOL_HEADER,
    ),
    Case(
        "protocol-header/frame-instead",
        _SOCKET,
        "channel.open without a protocol header",
        lambda wire: wire.method(wire.methods.ChannelOpen()),
    ),
    Case(
        "protocol-header/in-pieces",
        _SOCKET,
        "the header octet by octet",
        lambda wire: wire.amqp.PROTOCOL_HEADER,
        in_pieces=True,
    ),
    Case("protocol-header/twice", _START, "the header once more", lambda wire: wire.amqp.PROTOCOL_HEADER),
)

_HANDSHAKE = (
    Case(
        "handshake/open-before-start-ok",
        _START,
        "connection.open",
        lambda wire: wire.method(wire.methods.ConnectionOpen(virtual_host="/"), 0),
    ),
    Case(
        "handshake/open-before-tune-ok",
        _TUNE,
        "connection.open",
        lambda wire: wire.method(wire.methods.ConnectionOpen(virtual_host="/"), 0),
    ),
    Case(
        "handshake/tune-ok-twice",
        _OPEN,
        "connection.tune-ok once more",
        lambda wire: wire.method(wire.methods.ConnectionTuneOk(0, _SMALLEST, 0), 0),
    ),
    Case(
        "handshake/content-before-open",
        _OPEN,
        "a content header and a body on channel 1",
        lambda wire: wire.header() + wire.body(),
    ),
    Case(
        "handshake/start-ok-on-channel-one",
        _START,
        "connection.start-ok on channel 1",
        lambda wire: wire.method(wire.methods.ConnectionStartOk({}, "PLAIN", b"", "en_US"), 1),
    ),
    Case(
        "handshake/wrong-frame-end",
        _START,
        "a heartbeat that ends in 00",
        lambda wire: wire.heartbeat(end=0),
    ),
    Case(
        "handshake/open-twice",
        _CONNECTION,
        "connection.open",
        lambda wire: wire.method(wire.methods.ConnectionOpen(virtual_host="/"), 0),
    ),
    Case(
        "handshake/start-ok-again",
        _CONNECTION,
        "connection.start-ok",
        lambda wire: wire.method(wire.methods.ConnectionStartOk({}, "PLAIN", b"", "en_US"), 0),
    ),
)

_FRAMES = (
    Case(
        "frame-end/wrong", _CHANNEL, "basic.qos that ends in CD", lambda wire: wire.harmless()[:-1] + b"\xcd"
    ),
    Case("frame-end/missing", _CHANNEL, "basic.qos without its CE", lambda wire: wire.harmless()[:-1]),
    Case(
        "frame-end/wrong-in-heartbeat",
        _CHANNEL,
        "a heartbeat that ends in 00",
        lambda wire: wire.heartbeat(end=0),
    ),
    Case(
        "frame-end/wrong-in-body",
        _CHANNEL,
        "a message whose body frame ends in 00",
        lambda wire: wire.publish() + wire.header() + wire.body()[:-1] + b"\0",
    ),
    Case("frame-type/zero", _CHANNEL, "a frame of type 0", lambda wire: b"\0" + wire.harmless()[1:]),
    Case("frame-type/four", _CHANNEL, "a frame of type 4", lambda wire: b"\4" + wire.harmless()[1:]),
    Case("frame-type/nine", _CHANNEL, "a frame of type 9", lambda wire: b"\x09" + wire.harmless()[1:]),
    Case("frame-type/largest", _CHANNEL, "a frame of type 255", lambda wire: b"\xff" + wire.harmless()[1:]),
    Case(
        "frame-type/unknown-on-channel-zero",
        _CONNECTION,
        "an empty frame of type 9 on channel 0",
        lambda wire: wire.frame(9, b"", 0),
    ),
    Case(
        "frame-size/one-less",
        _CHANNEL,
        "a message whose body frame has a size one too small",
        lambda wire: wire.publish() + wire.header() + wire.frame(3, b"0123456789", size=9),
    ),
    Case(
        "frame-size/one-more",
        _CHANNEL,
        "a message whose body frame has a size one too large",
        lambda wire: wire.publish() + wire.header(11) + wire.frame(3, b"0123456789", size=11),
    ),
    Case(
        "frame-size/body-above-frame-max",
        _CHANNEL,
        "a message in a body frame of 4097 octets, with 4096 agreed on",
        lambda wire: (
            wire.publish()
            + wire.header(wire.frame_max - _OVERHEAD + 1)
            + wire.body(bytes(wire.frame_max - _OVERHEAD + 1))
        ),
        tuning={"frame_max": _SMALLEST},
    ),
    Case(
        "frame-size/method-above-frame-max",
        _CHANNEL,
        "queue.declare with a table of 5000 octets, with frames of 4096 agreed on",
        lambda wire: wire.declare(b"\x01xS" + (4994).to_bytes(4, "big") + b"x" * 4994),
        tuning={"frame_max": _SMALLEST},
    ),
    Case(
        "frame-size/largest-number",
        _CHANNEL,
        "the first seven octets of a body frame with the size 4294967295",
        lambda wire: wire.publish() + wire.header() + wire.frame(3, b"", size=0xFFFFFFFF)[:-1],
        tuning={"frame_max": _SMALLEST},
    ),
    Case(
        "frame-size/exactly-frame-max",
        _QUEUE,
        "a message in a body frame of 4096 octets, with 4096 agreed on",
        lambda wire: (
            wire.publish()
            + wire.header(wire.frame_max - _OVERHEAD)
            + wire.body(b"x" * (wire.frame_max - _OVERHEAD))
        ),
        tuning={"frame_max": _SMALLEST},
        body=b"x" * (_SMALLEST - _OVERHEAD),
    ),
    Case(
        "frame-size/octet-by-octet",
        _CHANNEL,
        "basic.qos octet by octet",
        lambda wire: wire.harmless(),
        in_pieces=True,
    ),
    Case(
        "frame-size/many-in-one-piece",
        _CHANNEL,
        "basic.qos a hundred times in one piece",
        lambda wire: wire.harmless() * 100,
    ),
)

_HEARTBEATS = (
    Case(
        "heartbeat/not-agreed",
        _CONNECTION,
        "a heartbeat though none were agreed on",
        lambda wire: wire.heartbeat(),
    ),
    Case("heartbeat/before-open", _OPEN, "a heartbeat", lambda wire: wire.heartbeat()),
    Case(
        "heartbeat/many",
        _CONNECTION,
        "a hundred heartbeats in one piece",
        lambda wire: wire.heartbeat() * 100,
    ),
    Case("heartbeat/on-channel-one", _CHANNEL, "a heartbeat on channel 1", lambda wire: wire.heartbeat(1)),
    Case(
        "heartbeat/with-payload",
        _CONNECTION,
        "a heartbeat with a payload of four octets",
        lambda wire: wire.heartbeat(payload=b"beat"),
    ),
    Case(
        "heartbeat/client-falls-silent",
        _CONNECTION,
        "nothing, with heartbeats each second agreed on",
        lambda wire: b"",
        tuning={"heartbeat": 1},
        quiet=True,
        slow=True,
    ),
)

CASES = (*_HEADERS, *_HANDSHAKE, *_FRAMES, *_HEARTBEATS)
DRIVERS = drivers_of(CASES)
