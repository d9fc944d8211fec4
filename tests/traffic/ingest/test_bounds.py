"""What goes beyond the bounds of memory is written as it is, and marked; rows are the same however a capture is shared out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.lake.folder import create_lake, open_lake

from ..explain.explained_lakes import findings_of, lake_of
from .bounded_captures import OF_A_BUCKET, crowd, many_channels, many_sessions
from .lake_tables import Ingested, assert_same, ingested

MOST_OPEN = 16


def read(octets: bytes, folder: Path, **how: Any) -> Ingested:
    path = folder / "a.pcap"
    path.write_bytes(octets)
    return ingested([path], folder / "lake", **how)


def left_out(found: Ingested) -> dict[str, int]:
    return {str(reason): count for reason, count in found.results[0].left_out.items()}


def test_connections_that_are_silent_for_longest_go_first(tmp_path: Path) -> None:
    found = read(crowd(), tmp_path)
    rows = sorted(found["connections"], key=lambda row: row["start_ns"])
    ends = [row["end_mode"] for row in rows]
    # The second one has never been silent; the first one comes again, as another connection.
    gone = OF_A_BUCKET + 1 - MOST_OPEN
    assert ends == ["not-followed", "open", *["not-followed"] * (gone - 1), *["open"] * (OF_A_BUCKET - gone)]
    assert rows[-1]["client_port"] == rows[0]["client_port"]
    assert (rows[-1]["start_mode"], rows[0]["start_mode"]) == ("mid-stream", "syn")
    assert len({row["conn_id"] for row in rows}) == len(rows) == OF_A_BUCKET + 1
    assert left_out(found)["not-followed"] == gone
    assert [row["reason"] for row in found["quarantine"]].count("not-followed") == gone


def test_connections_that_have_ended_go_before_others(tmp_path: Path) -> None:
    ends = Counter(
        row["end_mode"] for row in read(crowd(first_ends=True, again=False), tmp_path)["connections"]
    )
    gone = OF_A_BUCKET - MOST_OPEN
    assert ends == {"fin": 1, "not-followed": gone - 1, "open": MOST_OPEN}


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("make", [crowd, many_channels])
def test_rows_are_the_same_however_a_capture_is_shared_out(make: Any, shuffle: bool, tmp_path: Path) -> None:
    octets = make()
    assert_same(read(octets, tmp_path, shares=4, shuffle=shuffle), read(octets, tmp_path))


def test_a_connection_of_0_9_1_forgets_what_it_holds(tmp_path: Path) -> None:
    found = read(many_channels(), tmp_path)
    messages = sorted(found["messages"], key=lambda row: row["frame_no"])
    assert [(row["kind"], row["settle"], row["settle_ns"] is None) for row in messages if row["settle"]] == [
        ("deliver", "not-followed", True),
        ("deliver", "ack", False),
    ]
    assert [(row["confirm"], row["confirm_ns"]) for row in messages if row["confirm"]] == [
        ("not-followed", None)
    ] * 3
    assert all(row["complete"] for row in messages)
    outcomes = Counter((row["name"], row["outcome"]) for row in found["exchanges"])
    assert outcomes["queue.declare", "not-followed"] == 1
    assert outcomes["channel.open", "not-followed"] > 4000
    assert outcomes["confirm.select", "ok"] == 1
    assert left_out(found)["not-followed"] == 1
    [note] = [row for row in found["quarantine"] if row["reason"] == "not-followed"]
    assert (note["stage"], note["length"], note["dir"]) == ("stream", 0, 0)
    assert note["conn_id"] == messages[0]["conn_id"]


def test_a_connection_of_1_0_forgets_what_it_holds(tmp_path: Path) -> None:
    found = read(many_sessions(), tmp_path)
    messages = sorted(found["messages"], key=lambda row: row["frame_no"])
    # The first was accepted before that.
    assert [(row["settle"], row["state"]) for row in messages] == [
        ("ack", "accepted"),
        ("not-followed", None),
        ("not-followed", None),
        ("nack", "released"),
    ]
    outcomes = Counter((row["name"], row["outcome"]) for row in found["exchanges"])
    assert outcomes["begin", "not-followed"] > 4000
    assert outcomes["open", "ok"] == 1
    assert left_out(found)["not-followed"] == 1


def test_the_audit_draws_nothing_from_what_is_not_followed(tmp_path: Path) -> None:
    """No request without an answer, no message without a confirm, no connection without a close."""
    for number, make in enumerate((crowd, many_channels, many_sessions)):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = folder / "a.pcap"
        path.write_bytes(make())
        rules = {finding.rule_id for finding in findings_of(lake_of(folder, path))}
        assert not {rule for rule in rules if "unanswered" in rule or "unconfirmed" in rule}, rules
        assert open_lake(str(folder / "lake")) == create_lake(str(folder / "lake"))
