"""Cases of rules about single frames, what is in them, and content."""

from __future__ import annotations

from ..messages.method_script import Step, client, heartbeat, publish, server
from .audited_methods import BYE, OPEN, ended, frame, handshake, method, ready
from .rule_case import Case

_DECLARE = bytes([0, 50, 0, 10])
_ACK = [server("basic.ack", delivery_tag=1)]


def _declare(
    name: bytes = b"q", flags: int = 2, table: bytes = b"", ticket: int = 0, rest: bytes = b""
) -> Step:
    arguments = ticket.to_bytes(2, "big") + bytes([len(name)]) + name + bytes([flags])
    return method(50, 10, arguments + len(table).to_bytes(4, "big") + table + rest)


_DECLARED = server("queue.declare-ok", queue="q", message_count=0, consumer_count=0)


def _header(class_id: int = 60, weight: int = 0, size: int = 0, flags: int = 0, rest: bytes = b"") -> Step:
    parts = (class_id, 2), (weight, 2), (size, 8), (flags, 2)
    return frame(2, 1, b"".join(number.to_bytes(octets, "big") for number, octets in parts) + rest)


def _nested(levels: int) -> bytes:
    """A table in tables, without the length."""
    table = b""
    for _ in range(levels):
        table = b"\x01kF" + len(table).to_bytes(4, "big") + table
    return table


_PUBLISH = client("basic.publish", exchange="", routing_key="k")


def _tuned(*steps: Step, **tune_ok: int) -> list[object]:
    return [*handshake(tune_ok=tune_ok), *OPEN, *steps, *BYE]


def _properties(**values: object) -> list[Step]:
    return publish(properties=values)


FRAMES = {
    "frame-end": Case(ended(frame(8, 0, b"", end=0)), ready(frame(8, 0, b""))),
    "frame-type": Case(ended(frame(9, 0, b"")), ready(heartbeat(0))),
    "frame-above-max": Case(_tuned(*publish(b"x" * 5000, frame_max=8192), frame_max=4096),
                            _tuned(*publish(b"x" * 5000, frame_max=4096), frame_max=4096)),
    "channel-above-max": Case(_tuned(client("channel.open", 9), server("channel.open-ok", 9), channel_max=8),
                              _tuned(client("channel.open", 8), server("channel.open-ok", 8), channel_max=8)),
    "heartbeat-on-channel": Case(ready(frame(8, 1, b"")), ready(frame(8, 0, b""))),
    "heartbeat-with-payload": Case(ready(frame(8, 0, b"x")), ready(frame(8, 0, b""))),
    "heartbeat-not-agreed": Case(_tuned(heartbeat(0), heartbeat=0), _tuned(heartbeat(0), heartbeat=10)),
    "body-frame-empty": Case(ready(_PUBLISH, _header(size=3), frame(3, 1, b""), frame(3, 1, b"abc")),
                             ready(_PUBLISH, _header(size=0))),
    "body-frame-short": Case(ready(publish(b"x" * 9000, frame_max=4096)),
                             ready(publish(b"x" * 9000, frame_max=131_072))),
}  # fmt: skip

ARGUMENTS = {
    "unknown-method": Case(ready(method(60, 250)), ready(method(60, 10, bytes(7)), server("basic.qos-ok"))),
    "arguments-truncated": Case(ready(method(60, 10, bytes(6))),
                                ready(method(60, 10, bytes(7)), server("basic.qos-ok"))),
    "arguments-trailing": Case(ready(method(60, 10, bytes(8))),
                               ready(method(60, 10, bytes(7)), server("basic.qos-ok"))),
    "text-not-utf8": Case(ready(_declare(b"\xff\xfe")), ready(_declare("ü".encode()), _DECLARED)),
    "table-type-unknown": Case(ready(_declare(table=b"\x01k?\x00")), ready(_declare(table=b"\x01kt\x00"), _DECLARED)),
    "arguments-undecodable": Case(ready(_PUBLISH, _header(flags=1, rest=b"\0\0")),
                                  ready(_PUBLISH, _header(flags=0x1000, rest=b"\x02"))),
    "our-limit": Case(ready(_declare(table=_nested(100)), _DECLARED), ready(_declare(table=_nested(60)), _DECLARED)),
    "header-weight": Case(ready(_PUBLISH, _header(weight=1, size=1), frame(3, 1, b"x")),
                          ready(_PUBLISH, _header(size=1), frame(3, 1, b"x"))),
    "reserved-not-zero": Case(ready(_declare(ticket=7), _DECLARED), ready(_declare(), _DECLARED)),
    "spare-bits-set": Case(ready(_declare(flags=0x82), _DECLARED), ready(_declare(flags=0x02), _DECLARED)),
    "assert-broken": Case([*handshake(opening={"virtual_host": ""}), *BYE],
                          [*handshake(opening={"virtual_host": "v"}), *BYE]),
    "assert-broken-tolerated": Case(ready(_declare(b"a b"), _DECLARED), ready(_declare(b"a-b_c.d:e"), _DECLARED)),
    "table-key": Case(ready(_declare(table=b"\x031stt\x01"), _DECLARED),
                      ready(_declare(table=b"\x03x-1t\x01"), _DECLARED)),
    "table-key-twice": Case(ready(_declare(table=b"\x01kt\x01" * 2), _DECLARED),
                            ready(_declare(table=b"\x01kt\x01\x01jt\x01"), _DECLARED)),
    "reserved-name": Case(ready(_declare(b"amq.mine")),
                          ready(_declare(b"amq.mine", flags=1), _DECLARED, _declare(b"amq.gen-1"), _DECLARED)),
    "delivery-tag-zero": Case(ready(client("basic.reject", delivery_tag=0, requeue=True)),
                              ready(client("basic.ack", delivery_tag=0, multiple=True))),
}  # fmt: skip

CONTENT = {
    "content-missing": Case(ready(_PUBLISH, publish()), ready(publish(), publish())),
    "content-unexpected": Case(ready(_header(size=0)), ready(_PUBLISH, _header(size=0))),
    "content-other-class": Case(ready(_PUBLISH, _header(class_id=90)), ready(_PUBLISH, _header())),
    "content-too-long": Case(
        ready(_PUBLISH, _header(size=2), frame(3, 1, b"abc")),
        ready(_PUBLISH, _header(size=3), frame(3, 1, b"abc")),
    ),
}

PROPERTIES = {
    "user-id-other": Case(ready(_properties(user_id="root")), ready(_properties(user_id="guest"))),
    "expiration-not-number": Case(ready(_properties(expiration="10s")), ready(_properties(expiration="10"))),
    "delivery-mode-unknown": Case(ready(_properties(delivery_mode=3)), ready(_properties(delivery_mode=2))),
    "priority-above-9": Case(ready(_properties(priority=10)), ready(_properties(priority=9))),
    "timestamp-not-seconds": Case(
        ready(_properties(timestamp=1_767_225_600_000)), ready(_properties(timestamp=1_767_225_600))
    ),
}

CASES = {**FRAMES, **ARGUMENTS, **CONTENT, **PROPERTIES}
