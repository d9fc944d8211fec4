"""Logs of rabbitmq_tracing: which file is one, damage, and what is no record."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from amqp_traffic.capture.files import open_capture
from amqp_traffic.capture.quarantine import Reason
from amqp_traffic.decode.body_retention import NO_BODIES, BodyRetention
from amqp_traffic.logs import trace_log
from amqp_traffic.logs.trace_log import TraceLog, recognise_log
from amqp_traffic.logs.trace_record import read_time
from amqp_traffic.schemas import MESSAGES
from amqp_traffic.variant_values import variant_value
from hypothesis import given
from hypothesis import strategies as st

from ..capture_builder import pcap

SAMPLES = Path(__file__).parents[1] / "samples" / "rabbitmq-3.10.8"
JSON_LOG, TEXT_LOG = ((SAMPLES / f"trace-{name}.log").read_bytes() for name in ("json", "text"))
NAMES = [name for name, _ in MESSAGES]
RULE = b"=" * 80


def read(octets: bytes, bodies: BodyRetention = NO_BODIES) -> tuple[TraceLog, list[dict[str, Any]]]:
    """Read a log; its ledger holds, and what is skipped is in the quarantine."""
    log = recognise_log(octets)
    assert log is not None
    rows = [dict(zip(NAMES, row, strict=True)) for row in log.messages(bodies)]
    log.ledger.check()
    assert log.ledger.skipped == sum(total.octets for total in log.quarantine.totals.values())
    assert log.ledger.packets == len(rows)
    return log, rows


def reasons(log: TraceLog) -> list[tuple[str, int, int]]:
    return [(row.reason.value, row.packet_offset, row.length) for row in log.quarantine.rows]


def line(payload: bytes = b"body", **changes: Any) -> bytes:
    """A line of the JSON log."""
    record = {
        "channel": 1,
        "connection": "a -> b",
        "exchange": "e",
        "node": "n",
        "payload": b64encode(payload).decode(),
        "properties": {},
        "queue": "none",
        "routed_queues": [],
        "routing_keys": ["k"],
        "timestamp": "2024-01-01T00:00:00.500+00:00",
        "type": "published",
        "user": "u",
        "vhost": "/",
        **changes,
    }
    return json.dumps(record, separators=(",", ":")).encode() + b"\n"


def text(payload: bytes = b"body", time: bytes = b"2024-01-01T00:00:00.500+00:00", **changes: bytes) -> bytes:
    """A record of the text log."""
    head = {"properties": b"[]", "keys": b'[<<"k">>]', "exchange": b"e", "channel": b"1", **changes}
    return b"\n".join(
        [
            b"",
            RULE,
            time + b": Message published",
            b"",
            b"Node:         n",
            b"Connection:   a -> b",
            b"Virtual host: /",
            b"User:         u",
            b"Channel:      " + head["channel"],
            b"Exchange:     " + head["exchange"],
            b"Routing keys: " + head["keys"],
            b"Routed queues: []",
            b"Properties:   " + head["properties"],
            b"Payload: ",
            payload,
            b"",
        ]
    )


# --- Which file is one ---


def test_formats_are_recognised() -> None:
    for octets, name in ((JSON_LOG, "trace-json"), (TEXT_LOG, "trace-text"), (line(), "trace-json")):
        log = recognise_log(octets)
        assert log is not None
        assert log.format == name


@pytest.mark.parametrize(
    "octets",
    [b"", b"{}", b'{"a":1}\n', b'[{"exchange":1}]', RULE + b"\n", pcap([]), b"\x0a\x0d\x0d\x0a", bytes(100)],
)
def test_what_is_no_log(octets: bytes) -> None:
    assert recognise_log(octets) is None


def test_a_log_that_begins_in_the_middle() -> None:
    for octets in (JSON_LOG, TEXT_LOG):
        whole = read(octets)[1]
        log, rows = read(octets[100:])
        assert len(rows) == len(whole) - 1
        assert reasons(log)[0][0] == "trace-record"


def test_a_compressed_log(tmp_path: Path) -> None:
    path = tmp_path / "trace.log.gz"
    path.write_bytes(gzip.compress(TEXT_LOG))
    with open_capture(path) as file:
        log = recognise_log(file.buffer, damage="cut off")
        assert log is not None
        assert len(list(log.messages(NO_BODIES))) == 21
        assert reasons(log)[0] == ("file-truncated", len(TEXT_LOG), 0)


# --- JSON ---


def test_a_line_that_is_no_record() -> None:
    good = line()
    for bad in (
        b"nonsense\n",
        b"[]\n",
        b"{}\n",
        b"\xff\xfe\n",
        b"[" * 100_000 + b"\n",
        line(type="else"),
        line(payload=b"x").replace(b'"payload":"', b'"payload":"!'),
        line(routing_keys="k"),
        line(routing_keys=[1]),
        line(properties=[]),
        line(vhost=5),
        line(exchange="\ud800"),
        line(properties={"type": "\udfff"}),
        line(timestamp="yesterday"),
        line(timestamp="2024-13-01T00:00:00.500+00:00"),
        line(properties={"headers": {"x": 10**50}}),
        line(properties={"headers": {"x": "\ud800"}}),
        line(properties={"headers": float("nan")}),
    ):
        log, rows = read(good + bad + good)
        assert reasons(log) == [("trace-record", len(good), len(bad))], bad
        assert len(rows) == 2


def test_deep_headers_are_refused() -> None:
    deep: Any = 1
    for _ in range(70):
        deep = [deep]
    log, rows = read(line(properties={"headers": deep}) + line())
    assert len(rows) == len(log.quarantine.rows) == 1


def test_a_line_without_end() -> None:
    log, rows = read(line() + line()[:-1])
    assert (len(rows), reasons(log)) == (2, [])
    log, rows = read(line() + line()[:50])
    assert (len(rows), reasons(log)) == (1, [("file-truncated", len(line()), 50)])


def test_empty_lines_are_between_records() -> None:
    log, rows = read(line() + b"\n\r\n" + line())
    assert (len(rows), log.ledger.headers, reasons(log)) == (2, 3, [])


def test_a_line_that_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_log, "_LONGEST_LINE", 500)
    log, rows = read(line() + line(bytes(1000)) + line())
    assert (len(rows), log.quarantine.rows[0].detail) == (2, "the line is too long")


def test_properties_that_there_are_not() -> None:
    found = {"priority": 300, "content_type": 5, "delivery_mode": True, "new": "x", "message_id": "m"}
    _, (row,) = read(line(properties=found))
    assert [row[name] for name in ("priority", "content_type", "delivery_mode")] == [None] * 3
    assert row["message_id"] == "m"
    assert variant_value(row["other_properties"]) == {
        name: value for name, value in found.items() if name != "message_id"
    }


def test_queues() -> None:
    _, rows = read(line(type="received", queue="none", routed_queues="none") + line(routed_queues=["a", "b"]))
    assert [(row["queue_inferred"], row["routed_queues"]) for row in rows] == [
        ("none", None),
        (None, ["a", "b"]),
    ]


def test_keys_that_no_object_has() -> None:
    _, (row,) = read(line(properties={"headers": {"$x": 1, "y": 2}}))
    assert variant_value(row["headers"]) == {"$table": [["$x", 1], ["y", 2]]}


# --- Text ---


def test_a_payload_is_taken_as_it_is() -> None:
    for payload in (
        b"",
        b"\n",
        b"\n\n",
        RULE,
        RULE * 10_000,
        (b"\n" + RULE) * 10_000,
        b"\n" + RULE + b"\n",
        bytes(range(256)),
        b"x" * 100_000,
    ):
        _, rows = read(text(payload) + text(payload), BodyRetention(True, 1 << 24))
        assert [row["body_head"] for row in rows] == [payload] * 2
        assert [(row["body_size"], row["body_seen"]) for row in rows] == [(None, len(payload))] * 2


def test_a_head_that_cannot_be_read() -> None:
    good = text()
    for bad in (
        text(channel=b"many"),
        text(keys=b"[1]"),
        text(keys=b"k"),
        text(properties=b"{}"),
        text(properties=b"[1]"),
        text(properties=b'[{<<"headers">>,table,1}]'),
        text(properties=b'[{<<"headers">>,table,[{<<"x">>,signedint,5000000000}]}]'),
        text(properties=b'[{<<"headers">>,table,[{<<"x">>,array,1}]}]'),
        text(properties=b'[{<<"headers">>,table,[{<<"x">>,array,[1]}]}]'),
        text(properties=b'[{<<"headers">>,table,[{<<"x">>,decimal,{256,1}}]}]'),
        text(properties=b'[{<<"headers">>,table,[{<<"x">>,decimal,1}]}]'),
        text(properties=b'[{<<"headers">>,table,[{<<"x">>,nothing,1}]}]'),
        text(properties=b'[{<<"headers">>,table,[{x,longstr,<<>>}]}]'),
        text(properties=b"[" * 100),
        text(time=b"2024-99-01T00:00:00.500+00:00"),
        text().replace(b"User:  ", b"user:  "),
        text().replace(b"Payload: ", b"payload:"),
    ):
        log, rows = read(good + bad + good)
        assert reasons(log) == [("trace-record", len(good), len(bad))], bad
        assert len(rows) == 2


def test_values_that_variant_lacks() -> None:
    table = b'[{<<"d">>,decimal,{255,7}},{<<"t">>,timestamp,999999999999},{<<255>>,longstr,<<255,0>>}]'
    _, (row,) = read(text(properties=b'[{<<"headers">>,table,' + table + b"}]"))
    assert variant_value(row["headers"]) == {
        "$table": [
            ["d", {"$decimal": [255, 7]}],
            ["t", {"$timestamp": 999_999_999_999}],
            [b"\xff", {"$longstr": b"\xff\x00"}],
        ]
    }


def test_other_properties_of_the_text_log() -> None:
    _, (row,) = read(text(properties=b'[{<<"priority">>,signedint,999},{<<"type">>,longstr,<<"t">>}]'))
    assert (row["priority"], row["type"], variant_value(row["other_properties"])) == (
        None,
        "t",
        {"priority": 999},
    )


def test_a_text_log_that_is_cut_off() -> None:
    one = text()
    for end in range(len(one) + 140, 2 * len(one)):
        log, rows = read((one + one)[:end])
        if len(rows) == 1:
            assert reasons(log) == [("file-truncated", len(one), end - len(one))]
        else:
            assert (rows[1]["complete"], reasons(log)) == (False, [])
    assert read(one + one)[1][1]["complete"] is None


def test_a_record_within_a_payload_is_found_by_its_time() -> None:
    inner = text(b"inner", time=b"2024-01-01T00:00:09.000+00:00")
    log, rows = read(text() + text(inner[:-1]) + text())
    assert len(rows) == 4
    assert [(row.reason, row.length) for row in log.quarantine.rows] == [(Reason.TRACE_RECORD, 0)]
    assert "payload" in log.quarantine.rows[0].detail


# --- Both ---


@pytest.mark.parametrize(
    ("written", "ns"),
    [
        ("2024-01-01T00:00:00.5+00:00", 1_704_067_200_500_000_000),
        ("2024-01-01T00:00:00.123456789Z", 1_704_067_200_123_456_789),
        ("2024-01-01T01:30:00.000+01:30", 1_704_067_200_000_000_000),
        ("2023-12-31T22:30:00.000-01:30", 1_704_067_200_000_000_000),
        ("2024-01-01 00:00:00:007", 1_704_067_200_007_000_000),
    ],
)
def test_times(written: str, ns: int) -> None:
    assert read_time(written) == ns


@given(st.data())
def test_damage_is_accounted_for(data: st.DataObject) -> None:
    """Flipped, cut and foreign octets: nothing is raised, and every octet is somewhere."""
    octets = bytearray(data.draw(st.sampled_from((JSON_LOG, TEXT_LOG))))
    for _ in range(data.draw(st.integers(0, 5))):
        octets[data.draw(st.integers(0, len(octets) - 1))] = data.draw(st.integers(0, 255))
    place = data.draw(st.integers(0, len(octets)))
    octets[place:place] = data.draw(st.binary(max_size=50))
    octets = octets[: data.draw(st.integers(4000, len(octets)))]
    _, rows = read(bytes(octets), BodyRetention(True, 10))
    assert rows
