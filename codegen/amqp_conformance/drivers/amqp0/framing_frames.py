"""Framing: protocol headers, the handshake's order, frames and heartbeats. The rules are in ``engine/framing_rules``."""

from __future__ import annotations

from ...amqp0.framing import CONTENT, FramingCase, Stage, drivers_of

_SOCKET, _START, _TUNE, _OPEN = Stage.SOCKET, Stage.START, Stage.TUNE, Stage.OPEN
_CONNECTION, _CHANNEL, _QUEUE = Stage.CONNECTION, Stage.CHANNEL, Stage.QUEUE
_SMALLEST = 4096
_OVERHEAD = 8

_HEADERS = (
    FramingCase("protocol-header/other-protocol", _SOCKET, "GET / HT", lambda make: b"GET / HT"),
    FramingCase(
        "protocol-header/lower-case",
        _SOCKET,
        "the header with amqp in lower case",
        lambda make: b"amqp" + make.amqp.PROTOCOL_HEADER[4:],
    ),
    FramingCase(
        "protocol-header/unknown-protocol-id",
        _SOCKET,
        "the header with 9 behind its name",
        lambda make: b"AMQP\x09" + make.amqp.PROTOCOL_HEADER[5:],
    ),
    FramingCase(
        "protocol-header/unknown-version",
        _SOCKET,
        "the header with the version 255-255",
        lambda make: make.amqp.PROTOCOL_HEADER[:6] + b"\xff\xff",
    ),
    FramingCase(
        "protocol-header/octets-before",
        _SOCKET,
        "an empty line and the header",
        lambda make: b"\r\n" + make.amqp.PROTOCOL_HEADER,
    ),
    FramingCase(
        "protocol-header/frame-instead",
        _SOCKET,
        "channel.open without a protocol header",
        lambda make: make.method(make.methods.ChannelOpen()),
    ),
    FramingCase(
        "protocol-header/in-pieces",
        _SOCKET,
        "the header octet by octet",
        lambda make: make.amqp.PROTOCOL_HEADER,
        in_pieces=True,
    ),
    FramingCase(
        "protocol-header/twice", _START, "the header once more", lambda make: make.amqp.PROTOCOL_HEADER
    ),
)

_HANDSHAKE = (
    FramingCase(
        "handshake/open-before-start-ok",
        _START,
        "connection.open",
        lambda make: make.method(make.methods.ConnectionOpen(virtual_host="/"), 0),
    ),
    FramingCase(
        "handshake/open-before-tune-ok",
        _TUNE,
        "connection.open",
        lambda make: make.method(make.methods.ConnectionOpen(virtual_host="/"), 0),
    ),
    FramingCase(
        "handshake/tune-ok-twice",
        _OPEN,
        "connection.tune-ok once more",
        lambda make: make.method(make.methods.ConnectionTuneOk(0, _SMALLEST, 0), 0),
    ),
    FramingCase(
        "handshake/content-before-open",
        _OPEN,
        "a content header and a body on channel 1",
        lambda make: make.header() + make.body(),
    ),
    FramingCase(
        "handshake/start-ok-on-channel-one",
        _START,
        "connection.start-ok on channel 1",
        lambda make: make.method(make.methods.ConnectionStartOk({}, "PLAIN", b"", "en_US"), 1),
    ),
    FramingCase(
        "handshake/wrong-frame-end",
        _START,
        "a heartbeat that ends in 00",
        lambda make: make.heartbeat(end=0),
    ),
    FramingCase(
        "handshake/open-twice",
        _CONNECTION,
        "connection.open",
        lambda make: make.method(make.methods.ConnectionOpen(virtual_host="/"), 0),
    ),
    FramingCase(
        "handshake/start-ok-again",
        _CONNECTION,
        "connection.start-ok",
        lambda make: make.method(make.methods.ConnectionStartOk({}, "PLAIN", b"", "en_US"), 0),
    ),
)

_FRAMES = (
    FramingCase(
        "frame-end/wrong", _CHANNEL, "basic.qos that ends in CD", lambda make: make.harmless()[:-1] + b"\xcd"
    ),
    FramingCase("frame-end/missing", _CHANNEL, "basic.qos without its CE", lambda make: make.harmless()[:-1]),
    FramingCase(
        "frame-end/wrong-in-heartbeat",
        _CHANNEL,
        "a heartbeat that ends in 00",
        lambda make: make.heartbeat(end=0),
    ),
    FramingCase(
        "frame-end/wrong-in-body",
        _CHANNEL,
        "a message whose body frame ends in 00",
        lambda make: make.publish() + make.header() + make.body()[:-1] + b"\0",
    ),
    FramingCase("frame-type/zero", _CHANNEL, "a frame of type 0", lambda make: b"\0" + make.harmless()[1:]),
    FramingCase("frame-type/four", _CHANNEL, "a frame of type 4", lambda make: b"\4" + make.harmless()[1:]),
    FramingCase("frame-type/nine", _CHANNEL, "a frame of type 9", lambda make: b"\x09" + make.harmless()[1:]),
    FramingCase(
        "frame-type/largest", _CHANNEL, "a frame of type 255", lambda make: b"\xff" + make.harmless()[1:]
    ),
    FramingCase(
        "frame-type/unknown-on-channel-zero",
        _CONNECTION,
        "an empty frame of type 9 on channel 0",
        lambda make: make.frame(9, b"", 0),
    ),
    FramingCase(
        "frame-size/one-less",
        _CHANNEL,
        "a message whose body frame has a size one too small",
        lambda make: make.publish() + make.header() + make.frame(CONTENT, b"0123456789", size=9),
    ),
    FramingCase(
        "frame-size/one-more",
        _CHANNEL,
        "a message whose body frame has a size one too large",
        lambda make: make.publish() + make.header(11) + make.frame(CONTENT, b"0123456789", size=11),
    ),
    FramingCase(
        "frame-size/body-above-frame-max",
        _CHANNEL,
        "a message in a body frame of 4097 octets, with 4096 agreed on",
        lambda make: (
            make.publish()
            + make.header(make.frame_max - _OVERHEAD + 1)
            + make.body(bytes(make.frame_max - _OVERHEAD + 1))
        ),
        tuning={"frame_max": _SMALLEST},
    ),
    FramingCase(
        "frame-size/method-above-frame-max",
        _CHANNEL,
        "queue.declare with a table of 5000 octets, with frames of 4096 agreed on",
        lambda make: make.declare(b"\x01xS" + (4994).to_bytes(4, "big") + b"x" * 4994),
        tuning={"frame_max": _SMALLEST},
    ),
    FramingCase(
        "frame-size/largest-number",
        _CHANNEL,
        "the first seven octets of a body frame with the size 4294967295",
        lambda make: make.publish() + make.header() + make.frame(CONTENT, b"", size=0xFFFFFFFF)[:-1],
        tuning={"frame_max": _SMALLEST},
    ),
    FramingCase(
        "frame-size/exactly-frame-max",
        _QUEUE,
        "a message in a body frame of 4096 octets, with 4096 agreed on",
        lambda make: (
            make.publish()
            + make.header(make.frame_max - _OVERHEAD)
            + make.body(b"x" * (make.frame_max - _OVERHEAD))
        ),
        tuning={"frame_max": _SMALLEST},
        body=b"x" * (_SMALLEST - _OVERHEAD),
    ),
    FramingCase(
        "frame-size/octet-by-octet",
        _CHANNEL,
        "basic.qos octet by octet",
        lambda make: make.harmless(),
        in_pieces=True,
    ),
    FramingCase(
        "frame-size/many-in-one-piece",
        _CHANNEL,
        "basic.qos a hundred times in one piece",
        lambda make: make.harmless() * 100,
    ),
)

_HEARTBEATS = (
    FramingCase(
        "heartbeat/not-agreed",
        _CONNECTION,
        "a heartbeat though none were agreed on",
        lambda make: make.heartbeat(),
    ),
    FramingCase("heartbeat/before-open", _OPEN, "a heartbeat", lambda make: make.heartbeat()),
    FramingCase(
        "heartbeat/many",
        _CONNECTION,
        "a hundred heartbeats in one piece",
        lambda make: make.heartbeat() * 100,
    ),
    FramingCase(
        "heartbeat/on-channel-one", _CHANNEL, "a heartbeat on channel 1", lambda make: make.heartbeat(1)
    ),
    FramingCase(
        "heartbeat/with-payload",
        _CONNECTION,
        "a heartbeat with a payload of four octets",
        lambda make: make.heartbeat(payload=b"beat"),
    ),
    FramingCase(
        "heartbeat/client-falls-silent",
        _CONNECTION,
        "nothing, with heartbeats each second agreed on",
        lambda make: b"",
        tuning={"heartbeat": 1},
        quiet=True,
        slow=True,
    ),
)

CASES = (*_HEADERS, *_HANDSHAKE, *_FRAMES, *_HEARTBEATS)
DRIVERS = drivers_of(CASES)
