"""Logs of older versions of rabbitmq_tracing, and logs whose line ends a copy on Windows has changed."""

from __future__ import annotations

import json

import pytest

from .test_trace_log import JSON_LOG, RULE, TEXT_LOG, line, read, reasons, text

OLD_TEXT = b"\n".join(
    [
        b"",
        RULE,
        b"2013-03-01 9:05:07: Message published",
        b"",
        b"Node:         rabbit@here",
        b"Exchange:     e",
        b'Routing keys: ["k"]',
        b"Properties:   []",
        b"Payload: ",
        b"body",
        b"",
    ]
)


@pytest.mark.parametrize("time", ["2020-01-02 6:42:12:548", "2020-01-02 06:42:12:548"])
def test_hours_before_3_8(time: str) -> None:
    """Hours have no leading zero there; the time is UTC."""
    for octets in (line(timestamp=time), text(time=time.encode())):
        log, rows = read(octets)
        assert [row["first_ns"] for row in rows] == [1_577_947_332_548_000_000]
        assert reasons(log) == []


def test_hours_have_two_digits_since_3_8() -> None:
    assert read(line() + line(timestamp="2024-01-01T6:00:00.500+00:00"))[0].quarantine.rows


def test_logs_of_3_4_do_not_tell_queues() -> None:
    record = json.loads(line())
    del record["routed_queues"]
    without = text().replace(b"Routed queues: []\n", b"")
    for octets in (json.dumps(record, separators=(",", ":")).encode() + b"\n", without):
        log, rows = read(octets)
        assert [(row["exchange"], row["routed_queues"]) for row in rows] == [("e", None)]
        assert reasons(log) == []


def test_logs_before_3_4_are_told_by_name() -> None:
    record = {
        name: value
        for name, value in json.loads(line()).items()
        if name not in ("connection", "vhost", "user", "channel", "routed_queues")
    }
    for octets in (OLD_TEXT, json.dumps(record, separators=(",", ":")).encode() + b"\n"):
        log, rows = read(octets)
        assert rows == []
        (left_out,) = log.quarantine.rows
        assert left_out.detail == "a record of RabbitMQ before 3.4, without connection and time zone"


@pytest.mark.parametrize("original", [JSON_LOG, TEXT_LOG], ids=["json", "text"])
def test_line_ends_of_windows(original: bytes) -> None:
    """The rows are the same, but for places in the file and for payloads of several lines, which were changed, too."""
    log, rows = read(original.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    expected_log, expected = read(original.replace(b"\r\n", b"\n"))
    assert len(rows) == len(expected) > 10
    own = {"stream_off", "body_size", "body_seen"}
    for row, one in zip(rows, expected, strict=True):
        assert {name: value for name, value in row.items() if name not in own} == {
            name: value for name, value in one.items() if name not in own
        }
    assert [reason for reason, _, _ in reasons(log)] == [reason for reason, _, _ in reasons(expected_log)]
