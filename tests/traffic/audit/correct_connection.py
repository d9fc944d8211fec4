"""A connection on which much happens, all of it right; and what the audit holds against a capture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from .. import capture_builder
from ..messages.method_script import client, deliver, publish, server
from .audited_methods import audit_capture, packets_of, ready

_CONSUME = [
    client("queue.declare", queue="q", durable=True),
    server("queue.declare-ok", queue="q", message_count=0, consumer_count=0),
    client("basic.consume", queue="q", consumer_tag="c"),
    server("basic.consume-ok", consumer_tag="c"),
]


@cache
def busy() -> tuple[tuple[int, bytes], ...]:
    """The packets of a connection on which much happens, all of it right."""
    steps = [*_CONSUME, client("confirm.select"), server("confirm.select-ok")]
    for number in range(1, 9):
        steps += [*publish(b"x" * 300, frame_max=4096), server("basic.ack", delivery_tag=number)]
        steps += [*deliver(number), client("basic.ack", delivery_tag=number)]
        steps += [client("basic.get", queue="q"), server("basic.get-empty")]
        steps += [client("channel.open", number + 1), server("channel.open-ok", number + 1)]
    steps += [
        client("channel.close", 2, reply_code=200, reply_text="", class_id=0, method_id=0),
        server("channel.close-ok", 2),
        client("channel.open", 2),
        server("channel.open-ok", 2),
    ]
    return tuple(packets_of(ready(steps)))


def errors(capture: bytes) -> list[tuple[str, str]]:
    """But for the version that a synthetic server refuses: it is there."""
    found = audit_capture(capture)
    return [
        (item.rule_id, item.evidence)
        for item in found
        if item.severity == "error" and item.rule_id != "version-refused"
    ]


def file_of(packets: Sequence[tuple[int, bytes]]) -> bytes:
    return capture_builder.pcap([capture_builder.Captured(octets, ns) for ns, octets in packets])
