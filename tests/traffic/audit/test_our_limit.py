"""Our own limits are no errors of a client."""

from __future__ import annotations

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_1_0 import Message
from amqp_1_0.messaging import Data
from amqp_traffic.audit.finding import AuditFinding

from ..messages.method_script import client, heartbeat, publish, server
from .amqp1.wrong_octets import CLOSED, OPENED
from .audited_methods import BYE, OPEN, RST, Steps, audit, frame, handshake, method, ready
from .audited_performatives import Spoken

_DECLARED = server("queue.declare-ok", queue="q", message_count=0, consumer_count=0)
_LARGE = (1 << 24) + 1


def _serious(findings: list[AuditFinding]) -> list[tuple[str, str]]:
    return [
        (finding.rule_id, finding.severity)
        for finding in findings
        if finding.severity != "info" or finding.rule_id == "our-limit"
    ]


def _tables(levels: int) -> bytes:
    table = bytes(4)
    for _ in range(levels):
        table = (len(table) + 3).to_bytes(4, "big") + b"\1kF" + table
    return table


@pytest.mark.parametrize("levels", [120, 5000])
def test_deep_tables(levels: int) -> None:
    steps = ready(method(50, 10, b"\0\0\1q\2" + _tables(levels)), _DECLARED)
    assert _serious(audit(steps)) == [("our-limit", "info")]


def test_a_deep_table_in_a_login() -> None:
    """Nothing of it may be shown, but that is our limit, too."""
    begun = handshake()
    login = method(10, 11, _tables(120) + b"\5PLAIN\0\0\0\x0d\0guest\0secret1\5en_US", channel=0)
    assert _serious(audit([*begun[:2], login, *begun[3:], *BYE])) == [("our-limit", "info")]


def test_deep_properties_in_an_open() -> None:
    fields = b"\xa1\6client" + b"\x40" * 8 + _map(_lists(120))
    listed = b"\xd0" + (len(fields) + 4).to_bytes(4, "big") + (10).to_bytes(4, "big") + fields
    payload = b"\0\x53\x10" + listed
    opened = (len(payload) + 8).to_bytes(4, "big") + b"\2\0\0\0" + payload
    assert _serious(audit([*OPENED[:2], (0, opened), OPENED[3], *CLOSED])) == [("our-limit", "info")]


def test_a_deep_table_in_headers() -> None:
    properties = b"\0\x3c\0\0" + bytes(8) + b"\x20\0" + _tables(120)
    sent = [client("basic.publish", exchange="", routing_key="k"), frame(2, 1, properties)]
    assert _serious(audit(ready(sent, publish()))) == [("our-limit", "info")]


def test_many_values() -> None:
    values = b"V" * 70_000
    table = b"\1kA" + len(values).to_bytes(4, "big") + values
    steps = ready(method(50, 10, b"\0\0\1q\2" + len(table).to_bytes(4, "big") + table), _DECLARED)
    assert _serious(audit(steps)) == [("our-limit", "info")]


def _large(frame_max: int) -> Steps:
    tuned = handshake(tune={"frame_max": 0}, tune_ok={"frame_max": frame_max})
    head = b"\3\0\1" + _LARGE.to_bytes(4, "big")
    return [*tuned, *OPEN, (0, head + bytes(1000)), *[heartbeat(1)] * 3, RST]


@pytest.mark.parametrize("frame_max", [0, 1 << 25])
def test_large_frames_that_were_agreed_on(frame_max: int) -> None:
    assert _serious(audit(_large(frame_max)))[0] == ("our-limit", "info")


def test_large_frames_that_were_not() -> None:
    assert _serious(audit(_large(131_072)))[0] == ("frame-above-max", "error")


def _lists(levels: int) -> bytes:
    value = b"\x45"
    for _ in range(levels):
        value = b"\xd0" + (len(value) + 4).to_bytes(4, "big") + b"\0\0\0\1" + value
    return value


def _map(value: bytes) -> bytes:
    entry = b"\xa3\1k" + value
    return b"\xd1" + (len(entry) + 4).to_bytes(4, "big") + b"\0\0\0\2" + entry


_BODY = Message(body=Data(b"x")).encode()


@pytest.mark.parametrize(
    ("begin", "end"),
    [(b"\0\x53\x72", _BODY), (b"\0\x53\x74", _BODY), (_BODY + b"\0\x53\x78", b"")],
    ids=["annotations", "application-properties", "footer"],
)
def test_deep_values_in_messages_of_1_0(begin: bytes, end: bytes) -> None:
    for levels, expected in ((20, []), (120, [("our-limit", "info")])):
        spoken = Spoken().started().linked().send(payload=begin + _map(_lists(levels)) + end).closed()
        assert _serious(spoken.findings()) == expected


def test_a_body_with_many_descriptors() -> None:
    payload = b"\0\x53\x77" + b"\0\x53\x01" * 100 + b"\x40"
    assert _serious(Spoken().started().linked().send(payload=payload).closed().findings()) == [
        ("our-limit", "info")
    ]
