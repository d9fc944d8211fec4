"""Requests and what answered them."""

from __future__ import annotations

from collections import Counter

from .lake_rows import Tables

_OPEN = {
    "connection.start": "connection.start-ok",
    "connection.tune": "connection.tune-ok",
    "connection.open": "connection.open-ok",
    "channel.open": "channel.open-ok",
}
_CLOSE = {"connection.close": "connection.close-ok"}
# What was asked for in the meantime: reply, outcome, how often.
EXCHANGES = {
    "getting": [
        ("queue.declare", "queue.declare-ok", "ok", 1),
        ("basic.get", "basic.get-ok", "ok", 3),
        ("basic.get", "basic.get-empty", "ok", 1),
        ("channel.close", "channel.close-ok", "ok", 1),
    ],
    "transactions": [
        ("queue.declare", "queue.declare-ok", "ok", 1),
        ("tx.select", "tx.select-ok", "ok", 1),
        ("tx.commit", "tx.commit-ok", "ok", 2),
        ("tx.rollback", "tx.rollback-ok", "ok", 1),
        ("basic.get", "basic.get-ok", "ok", 1),
        ("channel.close", "channel.close-ok", "ok", 1),
    ],
    "entities": [
        ("exchange.declare", "exchange.declare-ok", "ok", 3),
        ("exchange.bind", "exchange.bind-ok", "ok", 1),
        ("exchange.unbind", "exchange.unbind-ok", "ok", 1),
        ("exchange.delete", "exchange.delete-ok", "ok", 2),
        ("queue.declare", "queue.declare-ok", "ok", 1),
        ("queue.bind", "queue.bind-ok", "ok", 2),
        ("queue.purge", "queue.purge-ok", "ok", 1),
        ("queue.unbind", "queue.unbind-ok", "ok", 1),
        ("queue.delete", "queue.delete-ok", "ok", 1),
        ("basic.recover", "basic.recover-ok", "ok", 1),
        ("channel.flow", "channel.flow-ok", "ok", 1),
        ("channel.close", "channel.close-ok", "ok", 1),
    ],
    "channel_errors": [
        ("queue.declare", "queue.declare-ok", "ok", 1),
        ("queue.declare", "channel.close", "closed", 2),
        ("channel.open", "channel.open-ok", "ok", 1),
        ("channel.close", "channel.close-ok", "ok", 2),
    ],
    "of_0_8": [
        ("queue.declare", "queue.declare-ok", "ok", 1),
        ("basic.consume", "basic.consume-ok", "ok", 1),
        ("basic.cancel", "basic.cancel-ok", "ok", 1),
        ("basic.get", "basic.get-empty", "ok", 1),
    ],
}
EXCHANGES1 = {
    "of_ours": "sasl-init 1, open 1, begin 1, attach 3, detach 2, end 1, close 1",
    "without_sasl": "open 1, close 1",
    "proton_with_proton": "sasl-init 1, open 1, begin 1, attach 1, close 1",
}


def test_counts(tables: Tables) -> None:
    for story, expected in EXCHANGES.items():
        rows = tables.rows("exchanges", story)
        found = Counter((row["name"], row["reply_name"], row["outcome"]) for row in rows)
        around = Counter({(name, reply, "ok"): 1 for name, reply in (_OPEN | _CLOSE).items()})
        assert found == around + Counter({tuple(it[:3]): it[3] for it in expected}), story


def test_counts_of_1_0(tables: Tables) -> None:
    for story, expected in EXCHANGES1.items():
        rows = tables.rows("exchanges", story)
        found = Counter(row["name"] for row in rows)
        assert found == {name: int(count) for name, count in (it.split() for it in expected.split(", "))}
        assert {row["outcome"] for row in rows} == {"ok"}
    outcomes = {row["name"]: row["outcome"] for row in tables.rows("exchanges", "without_a_queue")}
    assert (outcomes["attach"], outcomes["end"]) == ("closed", "unanswered")


def test_latencies(tables: Tables) -> None:
    for story in tables.stories:
        frames = {row["frame_no"]: row for row in tables.rows("frames", story)}
        for row in tables.rows("exchanges", story):
            if row["reply_name"] is None:
                assert (row["outcome"], row["latency_ns"]) == ("unanswered", None)
                continue
            assert row["latency_ns"] == row["reply_ns"] - row["request_ns"] > 0
            asked, answered = frames[row["request_frame_no"]], frames[row["reply_frame_no"]]
            assert (asked["name"], answered["name"]) == (row["name"], row["reply_name"])
            assert asked["dir"] == 1 - answered["dir"] == row["request_dir"]
            assert (asked["stream_off"], answered["stream_off"]) == (row["request_off"], row["reply_off"])
