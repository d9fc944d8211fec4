"""More ways to break rules of 0-x than the case of each rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import amqp_0_8

from ..messages.method_script import client, content, deliver, get_ok, header, heartbeat, publish, server
from .audited_methods import BYE, FIN, OPEN, RST, Steps, ended, flat, frame, handshake, method, ready

DECLARED = server("queue.declare-ok", queue="q", message_count=0, consumer_count=0)
DECLARE = [client("queue.declare", queue="q", durable=True), DECLARED]
_CLOSE = client("connection.close", 0, reply_code=200, reply_text="bye", class_id=0, method_id=0)
_CHANNEL_CLOSE = client("channel.close", reply_code=200, reply_text="done", class_id=0, method_id=0)
_CHANNEL_CLOSED = [_CHANNEL_CLOSE, server("channel.close-ok")]
PUBLISH = client("basic.publish", exchange="", routing_key="k")
CONSUME = [client("basic.consume", queue="q", consumer_tag="c"), server("basic.consume-ok", consumer_tag="c")]
_GOT = [client("basic.get", queue="q"), *get_ok(1)]
ACK = client("basic.ack", delivery_tag=1)
_MULTIPLE = client("basic.ack", delivery_tag=2, multiple=True)
_VERSION = (1, b"AMQP\x00\x00\x09\x01")


def _closed_by_the_server(code: int, channel: int = 0) -> list[Any]:
    name = "channel" if channel else "connection"
    fields: dict[str, Any] = {"reply_code": code, "reply_text": "text", "class_id": 0, "method_id": 0}
    return [server(f"{name}.close", channel, **fields), client(f"{name}.close-ok", channel)]


def _fatal(*steps: Any, code: int = 501) -> Steps:
    """The server answers with connection.close."""
    return ended(*steps, _closed_by_the_server(code), FIN)


def _refused(*steps: Any) -> Steps:
    """The server answers with channel.close."""
    return ready(*steps, _closed_by_the_server(406, 1))


def _table(octets: bytes) -> Any:
    return method(50, 10, b"\0\0\1q\2" + len(octets).to_bytes(4, "big") + octets)


def content_header(size: int = 0, class_id: int = 60, rest: bytes = b"\0\0") -> Any:
    return frame(2, 1, class_id.to_bytes(2, "big") + b"\0\0" + size.to_bytes(8, "big") + rest)


def body_frame(octets: bytes) -> Any:
    return frame(3, 1, octets)


def of_0_8(*steps: Any) -> Steps:
    start = amqp_0_8.methods.ConnectionStart(8, 0, {"product": "p", "version": "1"}, b"PLAIN", b"en_US")
    limits: dict[str, Any] = {"channel_max": 100, "frame_max": 131_072, "heartbeat": 60}
    properties = {"product": "tests", "version": "1"}
    old: dict[str, Any] = {"package": "amqp_0_8"}
    return [
        header("amqp_0_8"),
        (1, amqp_0_8.encode_frame(0, start)),
        client("connection.start-ok", 0, **old, client_properties=properties, mechanism="PLAIN",
               response=b"\0guest\0secret", locale="en_US"),
        server("connection.tune", 0, **old, **limits),
        client("connection.tune-ok", 0, **old, **limits),
        client("connection.open", 0, **old, virtual_host="/"),
        server("connection.open-ok", 0, **old),
        client("channel.open", **old),
        server("channel.open-ok", **old),
        *flat(steps),
        client("connection.close", 0, **old, reply_code=200, reply_text="bye", class_id=0, method_id=0),
        server("connection.close-ok", 0, **old),
        FIN,
    ]  # fmt: skip


def talk_0_8(ticket: int = 0) -> list[Any]:
    """A queue is declared, and a message of it got and settled."""
    old: dict[str, Any] = {"package": "amqp_0_8"}
    return [
        client("queue.declare", **old, ticket=ticket, queue="q", durable=True),
        server("queue.declare-ok", **old, queue="q", message_count=0, consumer_count=0),
        publish(**old, ticket=ticket),
        client("basic.consume", **old, ticket=ticket, queue="q", consumer_tag="c"),
        server("basic.consume-ok", **old, consumer_tag="c"),
        deliver(1, **old),
        client("basic.ack", **old, delivery_tag=1),
    ]


_BEGIN = handshake()[:2]
_START_OK = handshake()[2]
_TUNE, _TUNE_OK = handshake()[3:5]

# What is done, and the rules of which one names it.
WRONG: Mapping[str, tuple[Steps, str]] = {
    "a header in small letters": ([(0, b"amqp\x00\x00\x09\x01"), _VERSION, FIN], "version-refused"),
    "no header": ([_START_OK, _VERSION, FIN], "version-refused"),
    "open before start-ok": ([*_BEGIN, client("connection.open", 0, virtual_host="/"), FIN], "out-of-order"),
    "tune-ok before tune": ([*_BEGIN, _TUNE_OK, FIN], "out-of-order reply-without-request"),
    "secure-ok without secure": ([*_BEGIN, client("connection.secure-ok", 0, response=b"x"), FIN],
                                 "out-of-order reply-without-request"),
    "a channel before open": ([*handshake()[:5], OPEN[0], FIN], "not-open"),
    "a message before start-ok": ([*_BEGIN, *publish(), FIN], "not-open"),
    "start-ok twice": (_fatal(_START_OK, code=504), "out-of-order reply-without-request"),
    "tune-ok twice": (_fatal(_TUNE_OK, code=504), "out-of-order reply-without-request"),
    "open twice": (_fatal(client("connection.open", 0, virtual_host="/"), code=504), "out-of-order"),
    "larger frames than offered": ([*handshake(tune_ok={"frame_max": 1 << 20}), FIN], "tune-ok-above-tune"),
    "a long virtual host": ([*handshake(opening={"virtual_host": "v" * 200}), *BYE],
                            "assert-broken assert-broken-tolerated"),
    "neither product nor version": ([*handshake(start_ok={"client_properties": {"capabilities": {}}}), *BYE],
                                    "client-properties-missing"),
    "a virtual host that is not there": ([*handshake()[:6], *_closed_by_the_server(530), FIN],
                                         "connection-closed-with-error"),
    "reserved fields of open": (
        [*handshake()[:5], method(10, 40, b"\x01/\x04caps\x01", channel=0), *handshake()[6:], *BYE], "reserved-not-zero"
    ),
    "a heartbeat of type 4": (_fatal(frame(4, 0, b"")), "frame-type"),
    "octets that are not a frame": (_fatal((0, b"GET / HTTP/1.1\r\n\r\n\xce")), "frame-end frame-type"),
    "a large method": (
        [*handshake(tune_ok={"frame_max": 4096}), *OPEN, client("queue.declare", queue="q", arguments={"x": "x" * 5000}),
         *_closed_by_the_server(501), FIN],
        "frame-above-max",
    ),
    "half a frame": (ended((0, frame(1, 1, bytes(100))[1][:20]), FIN), "unclean-close"),
    "a method of three octets": (_fatal(frame(1, 1, b"\0\x5a\0")), "arguments-truncated arguments-undecodable"),
    "a method of none": (_fatal(frame(1, 1, b"")), "arguments-truncated arguments-undecodable"),
    "a header of ten octets": (_fatal(PUBLISH, frame(2, 1, b"\0\x3c" + bytes(8))), "arguments-truncated"),
    "a heartbeat before tune": ([*_BEGIN, heartbeat(0), *handshake()[2:], *BYE], "not-open heartbeat-not-agreed"),
    "one octet too many for channel.open": (_fatal(method(20, 10, b"\0\xff", channel=2)), "arguments-trailing"),
    "a method of class 200": (ended(method(200, 10), RST), "unknown-method"),
    "a reserved shortstr": ([*handshake(), method(20, 10, b"\x03oob"), OPEN[1], *BYE], "reserved-not-zero"),
    "connection.close on channel 1": (_fatal(client("connection.close", 1, reply_code=200, reply_text="",
        class_id=0, method_id=0), code=503), "wrong-channel"),
    "queue.declare on channel 0": (_fatal(client("queue.declare", 0, queue="q", durable=True), code=504), "wrong-channel"),
    "a body on channel 0": (_fatal(frame(3, 0, b"lost"), code=505), "content-unexpected wrong-channel"),
    "more channels than agreed": (
        [*handshake(tune_ok={"channel_max": 1}), *OPEN, client("channel.open", 2), *_closed_by_the_server(530), FIN],
        "channel-above-max"),
    "between close and close-ok": (
        ready(_CHANNEL_CLOSE, client("queue.declare", queue="q", durable=True), server("channel.close-ok")), "after-close"
    ),
    "a channel that the client closed": (_fatal(_CHANNEL_CLOSED, DECLARE[0], code=504), "after-close not-open"),
    "a message to a channel that the server closed": (_fatal(_closed_by_the_server(404, 1), publish(), code=504),
                                                      "publish-after-close"),
    "channel.close twice": (ready(_CHANNEL_CLOSE, *_CHANNEL_CLOSED), "after-close"),
    "connection.close twice": (ended(_CLOSE, _CLOSE, server("connection.close-ok", 0), FIN), "after-close"),
    "a channel after connection.close": (
        ended(_CLOSE, client("queue.declare", queue="q", durable=True), server("connection.close-ok", 0), FIN), "after-close"
    ),
    "opened again though the server's close is unanswered": (
        ended(_closed_by_the_server(404, 1)[0], OPEN[0], _closed_by_the_server(504), FIN),
        "channel-opened-twice after-close out-of-order"),
    "channel.close-ok of nothing": (_fatal(client("channel.close-ok"), code=503), "reply-without-request"),
    "connection.close-ok of nothing": (_fatal(client("connection.close-ok", 0), heartbeat(1), DECLARE[0], code=504),
                                       "reply-without-request"),
    "channel.flow-ok of nothing": (_fatal(client("channel.flow-ok", active=True), code=503),
                                   "reply-without-request out-of-order"),
    "basic.cancel-ok of nothing": (_fatal(client("basic.cancel-ok", consumer_tag="x"), code=503), "reply-without-request"),
    "sends declare-ok": (_fatal(client("queue.declare-ok", queue="q", message_count=0, consumer_count=0), code=503),
                         "wrong-direction"),
    "sends deliver": (
        _fatal(content(0, "basic.deliver", consumer_tag="c", exchange="", routing_key="k", delivery_tag=1), code=503),
        "wrong-direction"),
    "sends start": (_fatal((0, _BEGIN[1][1]), code=504), "wrong-direction"),
    "sends tune": (_fatal((0, _TUNE[1]), code=504), "wrong-direction"),
    "sends get-empty": (_fatal(client("basic.get-empty"), code=503), "wrong-direction"),
    "resets": (ended(RST), "unclean-close"),
    "no close-ok": (ended(_closed_by_the_server(540)[0], FIN), "close-not-answered"),
    "a body out of nowhere": (_fatal(body_frame(b"x"), code=505), "content-unexpected"),
    "a body without a header": (_fatal(PUBLISH, body_frame(b"x"), code=505), "content-unexpected content-missing"),
    "a method instead of a body": (_fatal(PUBLISH, content_header(10), body_frame(b"123"), PUBLISH, code=505), "content-missing"),
    "a header twice": (_fatal(PUBLISH, content_header(10), content_header(10), code=505), "content-unexpected content-missing"),
    "a header of class 61": (_fatal(PUBLISH, content_header(class_id=61), code=505),
                             "content-other-class unknown-method"),
    "a body though none was announced": (_fatal(PUBLISH, content_header(0), body_frame(b"1"), code=505),
                                         "content-too-long content-unexpected"),
    "one more body": (_fatal(PUBLISH, content_header(1), body_frame(b"1"), body_frame(b"2"), code=505),
                      "content-too-long content-unexpected"),
    "closes within a body": (ready(PUBLISH, content_header(10), body_frame(b"123")), "content-missing"),
    "closes after publish": (ready(PUBLISH), "content-missing"),
    "content of queue.declare": (_fatal(DECLARE, content_header(), code=505), "content-unexpected"),
    "content on another channel": (
        _fatal(client("channel.open", 2), server("channel.open-ok", 2), PUBLISH,
               frame(2, 2, b"\0\x3c" + bytes(12)), code=505),
        "content-unexpected",
    ),
    "a flag of no property": (ready(PUBLISH, content_header(rest=b"\0\2")), "spare-bits-set"),
    "properties that end too soon": (_fatal(PUBLISH, content_header(rest=b"\x80\0"), code=541), "arguments-truncated"),
    "octets behind the properties": (_fatal(PUBLISH, content_header(rest=bytes(4)), code=541), "arguments-trailing"),
    "a content-type that is not UTF-8": (ready(PUBLISH, content_header(rest=b"\x80\0\3\xff\xfe\xfd")), "text-not-utf8"),
    "ack of tag 0": (_refused(_GOT, client("basic.ack", delivery_tag=0)), "delivery-tag-zero"),
    "ack of what was got with no-ack": (_refused(client("basic.get", queue="q", no_ack=True), get_ok(1), ACK),
                                        "ack-not-wanted"),
    "ack of what was got on another channel": (
        ready(_GOT, client("channel.open", 2), server("channel.open-ok", 2), client("basic.ack", 2, delivery_tag=1),
              _closed_by_the_server(406, 2)),
        "ack-on-other-channel",
    ),
    "ack of many, and there are none": (_refused(client("basic.ack", delivery_tag=5, multiple=True)), "ack-unknown-tag"),
    "ack of many twice": (_refused(_GOT, client("basic.get", queue="q"), get_ok(2), _MULTIPLE, _MULTIPLE), "ack-settled-tag"),
    "ack after reject": (_refused(_GOT, client("basic.reject", delivery_tag=1, requeue=False), ACK),
                         "ack-settled-tag"),
    "nack twice": (_refused(_GOT, [client("basic.nack", delivery_tag=1)] * 2), "ack-settled-tag"),
    "ack after the channel was opened again": (_refused(_GOT, _CHANNEL_CLOSED, OPEN, ACK), "ack-unknown-tag"),
    "reject of nothing": (_refused(client("basic.reject", delivery_tag=99)), "ack-unknown-tag"),
    "nack of nothing": (_refused(client("basic.nack", delivery_tag=99)), "ack-unknown-tag"),
    "rollback without select": (_refused(client("tx.rollback")), "tx-without-select"),
    "tx after confirm": (_refused(client("confirm.select"), server("confirm.select-ok"), client("tx.select")),
                         "tx-and-confirm"),
    "a long name of a queue": (ready(client("queue.declare", queue="q" * 128), DECLARED), "assert-broken-tolerated"),
    "a name of an exchange with other characters": (
        ready(client("exchange.declare", exchange="e <*>", type="direct"), server("exchange.declare-ok")),
        "assert-broken-tolerated"),
    "a long name of an exchange": (
        ready(client("exchange.declare", exchange="e" * 128, type="direct"), server("exchange.declare-ok")),
        "assert-broken-tolerated"),
    "a reserved name of an exchange": (_refused(client("exchange.declare", exchange="amq.mine", type="direct")),
                                       "reserved-name"),
    "the queue of another": (ready(CONSUME[0], _closed_by_the_server(405, 1)), "channel-closed-with-error"),
    "access.request of 0-8": (ready(method(30, 10, b"\5/data\x1d"), method(30, 11, b"\0\1", direction=1)),
                              "access-request unknown-method"),
    "a shortstr beyond the end": (_fatal(method(50, 10, b"\0\0\xffshort")), "arguments-truncated"),
    "a table beyond the frame": (_fatal(method(50, 10, b"\0\0\1q\2\0\0\3\xe8\1kt\1")),
                                 "arguments-truncated arguments-undecodable"),
    "a table beyond its table": (ended(_table(b"\1kF\0\0\0\x64\1it\1"), RST),
                                 "arguments-truncated arguments-undecodable"),
    "an array beyond its table": (ended(_table(b"\1kA\0\0\0\x64t\1"), RST),
                                  "arguments-truncated arguments-undecodable"),
    "a text beyond its table": (ended(_table(b"\1kS\0\0\0\x64short"), RST),
                                "arguments-truncated arguments-undecodable"),
    "a key without octets": (ready(_table(b"\0t\1"), DECLARED), "table-key"),
    "0-8: not open": (of_0_8(client("queue.declare", 9, "amqp_0_8", queue="q", durable=True)), "not-open"),
    "0-8: opened twice": (of_0_8(client("channel.open", 1, "amqp_0_8")), "channel-opened-twice"),
    "0-8: a method of the server": (
        of_0_8(client("queue.declare-ok", 1, "amqp_0_8", queue="q", message_count=0, consumer_count=0)), "wrong-direction"
    ),
    "0-8: a body out of nowhere": (of_0_8(body_frame(b"x")), "content-unexpected"),
    "0-8: queue.unbind of 0-9-1": (of_0_8(method(50, 50, b"\0\0\1q\0\0" + bytes(4))), "unknown-method"),
    "0-8: arguments that end too soon": (of_0_8(method(60, 10, bytes(6))), "arguments-truncated"),
    "0-8: access.request": (
        of_0_8(client("access.request", 1, "amqp_0_8", realm="/data", read=True, write=True, active=True),
                server("access.request-ok", 1, "amqp_0_8", ticket=7), talk_0_8(7)),
        "access-request",
    ),
    "0-8: commit without select": (of_0_8(client("tx.commit", 1, "amqp_0_8")), "tx-without-select"),
}  # fmt: skip
