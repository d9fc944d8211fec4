"""The same messages as RabbitMQ 3.10.8 has logged them in both formats, and as its firehose told of them.

Among them are all types of values, a payload that begins like a record, and one that is one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from amqp_traffic.capture.quarantine import Quarantine, Reason
from amqp_traffic.decode.body_retention import NO_BODIES, BodyRetention
from amqp_traffic.decode.decoding import Decoding
from amqp_traffic.frames.frame_reader import FrameReader
from amqp_traffic.logs.trace_log import TraceLog, recognise_log
from amqp_traffic.messages.assemblies import Assemblies
from amqp_traffic.schemas import MESSAGES
from amqp_traffic.variant_values import variant_value

SAMPLES = Path(__file__).parents[1] / "samples" / "rabbitmq-3.10.8"
NAMES = [name for name, _ in MESSAGES]
ALL = BodyRetention(True, 1000)


def read(name: str, bodies: BodyRetention = ALL) -> tuple[TraceLog, list[dict[str, Any]]]:
    log = recognise_log((SAMPLES / name).read_bytes())
    assert log is not None
    rows = [dict(zip(NAMES, row, strict=True)) for row in log.messages(bodies)]
    log.ledger.check()
    return log, rows


def told() -> list[dict[str, Any]]:
    """What the firehose told, in the same order."""
    decoding, quarantine = Decoding(Quarantine(), bodies=True), Quarantine()
    reader = FrameReader(decoding.on_frames, lambda *_: None, quarantine=quarantine)
    assert sum(reader.read_raw(SAMPLES.glob("firehose.*.raw"))) > 1000
    assemblies = Assemblies(bodies=ALL)
    assemblies.add(decoding.take().events)
    assemblies.finish(1)
    rows = [dict(zip(NAMES, row, strict=True)) for row in assemblies.take()[0]]
    return sorted((row for row in rows if row["source"] == "firehose"), key=lambda row: row["frame_no"])


def without_forged(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The records of the text log, but for those that were in a payload; what is left of that payload is as it is."""
    return [row for row in rows if row["routing_key"] != "money"]


SAME = (
    *(
        "kind",
        "exchange",
        "routing_key",
        "queue_inferred",
        "content_type",
        "content_encoding",
        "delivery_mode",
    ),
    *("priority", "correlation_id", "reply_to", "expiration", "message_id", "timestamp", "type", "user_id"),
    *("app_id", "cluster_id", "node", "vhost", "traced_connection", "traced_channel", "traced_user"),
    "routed_queues",
)


@pytest.mark.parametrize("name", ["trace-json.log", "trace-text.log"])
def test_logs_say_what_the_firehose_says(name: str) -> None:
    _, rows = read(name)
    found, wanted = (
        [tuple(row[name] for name in SAME) for row in it] for it in (without_forged(rows), told())
    )
    # The broker told both of each message, though not in the same order of different queues.
    assert sorted(found, key=repr) == sorted(wanted, key=repr)
    published = [row for row in found if row[0] == "publish"]
    assert published == [row for row in wanted if row[0] == "publish"]


def test_bodies() -> None:
    def bodies(rows: list[dict[str, Any]]) -> list[bytes]:
        return [row["body_head"] for row in rows if row["kind"] == "publish"]

    wanted = bodies(told())
    assert bodies(read("trace-json.log")[1]) == wanted
    forged = next(body for body in wanted if body.startswith(b"innocent"))
    found = bodies(without_forged(read("trace-text.log")[1]))
    assert found == [b"innocent" if body == forged else body for body in wanted]


def test_headers_of_the_text_log_have_their_types() -> None:
    """Apart from keys in their order, the VARIANTs are the same that the octets of the field table give."""

    def headers(rows: list[dict[str, Any]]) -> list[Any]:
        return [row["headers"] and row["headers"][0] for row in rows if row["kind"] == "publish"]

    wanted = [row["headers"] and variant_value(row["headers"]) for row in told() if row["kind"] == "publish"]
    rows = [row for row in without_forged(read("trace-text.log")[1]) if row["kind"] == "publish"]
    found = [row["headers"] and variant_value(row["headers"]) for row in rows]
    assert repr(found) == repr(wanted)
    types = [len(octets) for octets in headers(rows) if octets]
    assert types == [len(octets) for octets in headers(told()) if octets]  # widths are the same


def test_headers_of_the_json_log_are_taken_as_they_are() -> None:
    rows = [row for row in read("trace-json.log")[1] if row["kind"] == "publish"]
    headers = variant_value(rows[1]["headers"])
    assert headers["dec"] == 1.15  # it was 1.5
    assert (headers["n"], headers["x"]) == ("undefined", "Not UTF-8, base64 is: AP8B")
    assert (headers["a"], headers["d"], headers["b"]) == ([1, "two", [3]], {"k": {"z": False}}, True)
    assert (headers["neg"], headers["big"], headers["f"]) == (-5, 1 << 40, 1.5)


def test_columns_of_their_own() -> None:
    for name, source, complete in (("json", "trace-json", True), ("text", "trace-text", None)):
        log, rows = read(f"trace-{name}.log")
        assert log.format == source
        assert {row["source"] for row in rows} == {source}
        assert {row["lossy_types"] for row in rows} == {True}
        assert {row["complete"] for row in rows} == {complete}
        assert {row["conn_id"] for row in rows} == {None}
        assert [row["frame_no"] for row in rows] == list(range(len(rows)))
        assert [row["stream_off"] for row in rows] == sorted({row["stream_off"] for row in rows})
        assert {(row["kind"], row["dir"]) for row in rows} == {("publish", 0), ("deliver", 1)}
        assert rows[0]["first_ns"] == rows[0]["last_ns"] == log.ledger.first_ns
        assert rows[0]["first_ts"] * 1000 == rows[0]["first_ns"]
        assert (log.ledger.packets, log.ledger.skipped) == (len(rows), 0)
        assert log.ledger.records == log.ledger.size


def test_without_bodies_there_are_sizes_only() -> None:
    for name in ("trace-json.log", "trace-text.log"):
        with_bodies, without = read(name)[1], read(name, NO_BODIES)[1]
        assert [row["body_seen"] for row in without] == [row["body_seen"] for row in with_bodies]
        assert {(row["body_head"], row["body_sha256"]) for row in without} == {(None, None)}
        assert all(row["body_size"] in (None, row["body_seen"]) for row in without)


def test_a_forged_record_is_doubtful() -> None:
    log, rows = read("trace-text.log")
    doubtful = [row for row in log.quarantine.rows if row.reason is Reason.TRACE_RECORD]
    offsets = [row["stream_off"] for row in rows]
    forged = [number for number, row in enumerate(rows) if row["routing_key"] == "money"]
    # Of what follows each of the two, time is earlier.
    assert [offsets.index(row.packet_offset) for row in doubtful] == [number + 1 for number in forged]
    assert {row.length for row in doubtful} == {0}
    assert read("trace-json.log")[0].quarantine.rows == []
