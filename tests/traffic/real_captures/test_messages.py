"""The table messages has what was done: how many of each kind, and what became of them."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

pytest.importorskip("proton", reason="needs python-qpid-proton: pip install .[peers]")

from .amqp1_stories import LARGE as LARGE1
from .conftest import Captured
from .lake_rows import Tables, ingest, rows_of
from .other_stories import VANISHED_BODY
from .pika_stories import LARGE

# By story: kind, settle, confirm, and how many.
MESSAGES = {
    "confirms": "publish - ack 4, publish - nack 1, return - - 1",
    "consuming": "publish - - 10, deliver ack - 4, deliver nack - 3, deliver reject - 1, deliver none - 2",
    "all_at_once": "publish - - 6, deliver ack - 5, deliver none - 1",
    "getting": "publish - - 3, get-ok ack - 1, get-ok none - 2",
    "transactions": "publish - - 2, get-ok ack - 1",
    "entities": "publish - - 1",
    "channel_errors": "",
    "large": "publish - ack 2, get-ok none - 2",
    "every_header": "publish - - 1, get-ok none - 1",
    "heartbeats": "",
    "refused": "",
    "no_such_host": "",
    "of_py_amqp": "publish - ack 4, get-ok ack - 1, deliver ack - 2, deliver reject - 1",
    "of_0_8": "publish - - 4, return - - 1, deliver ack - 2, deliver reject - 1",
    "closed_socket": "publish - - 3, deliver none - 2",
    "reset": "publish - - 3, deliver none - 2",
    "of_ours": "transfer ack - 5, transfer reject - 1, transfer nack - 1, transfer none - 3",
    "without_a_queue": "",
    "without_sasl": "",
    "proton_with_rabbitmq": "transfer ack - 5, transfer reject - 1",
    "proton_with_proton": "transfer ack - 1, transfer nack - 2",
    "http": "",
    "of_0_10": "",
    "silent": "",
    "tls": "",
    "tls_echo": "",
}


def test_counts(tables: Tables) -> None:
    assert set(MESSAGES) == set(tables.stories)
    for story, expected in MESSAGES.items():
        rows = tables.rows("messages", story)
        found = Counter(f"{row['kind']} {row['settle'] or '-'} {row['confirm'] or '-'}" for row in rows)
        parts = (part.rpartition(" ") for part in expected.split(", ") if part)
        assert found == {kind: int(count) for kind, _, count in parts}, story


def test_complete(tables: Tables) -> None:
    for story in MESSAGES:
        rows = tables.rows("messages", story)
        cut = [row for row in rows if not row["complete"]]
        assert len(cut) == (story in ("closed_socket", "reset")), story
        for row in cut:
            assert (row["kind"], row["body_size"]) == ("publish", VANISHED_BODY)
            assert row["body_seen"] < VANISHED_BODY
        for row in rows:
            assert row["source"] == "wire"
            assert row["first_ns"] <= row["last_ns"]
            assert row["complete"] == (row["body_size"] == row["body_seen"])
            assert (row["settle_ns"] is None) == (row["settle"] in (None, "none")) or row["no_ack"]
            assert row["body_sha256"] is None, "not asked for"
            assert row["body_head"] is None


def test_bodies(tables: Tables) -> None:
    rows = tables.rows("messages", "large")
    assert [(row["kind"], row["body_size"], row["body_frames"]) for row in rows] == [
        ("publish", len(LARGE), 24),
        ("publish", 0, 0),
        ("get-ok", len(LARGE), 24),
        ("get-ok", 0, 0),
    ]
    large = [row for row in tables.rows("messages", "of_ours") if row["body_size"] > 1000]
    assert [(row["kind"], row["dir"], row["body_size"]) for row in large] == [
        ("transfer", 0, len(LARGE1)),
        ("transfer", 1, len(LARGE1)),
    ]


def test_places(tables: Tables) -> None:
    """Queues that are inferred, tags, keys, flags."""
    rows = [row for row in tables.rows("messages", "consuming") if row["kind"] == "deliver"]
    assert [row["delivery_tag"] for row in rows] == list(range(1, 11))
    (queue,) = {row["queue_inferred"] for row in rows}
    assert queue.startswith("amq.gen-")
    assert {row["routing_key"] for row in tables.rows("messages", "consuming")} == {queue}
    assert {row["no_ack"] for row in rows} == {False}
    (returned,) = (row for row in tables.rows("messages", "confirms") if row["kind"] == "return")
    assert (returned["reply_code"], returned["reply_text"], returned["exchange"]) == (312, "NO_ROUTE", "")
    consumers = {row["consumer_tag"]: row["no_ack"] for row in tables.rows("messages", "all_at_once", 1)}
    assert consumers == {"first": False, "no-ack": True}
    got = [row for row in tables.rows("messages", "getting") if row["kind"] == "get-ok"]
    assert [(row["no_ack"], row["message_count"]) for row in got] == [(False, 2), (True, 1), (False, 0)]
    assert len({row["queue_inferred"] for row in got}) == 1


@pytest.mark.parametrize(("asked", "kept"), [("head:100", LARGE[:100]), ("all", LARGE)])
def test_kept_bodies(captured: Captured, tables: Tables, asked: str, kept: bytes, tmp_path_factory) -> None:
    lake = tmp_path_factory.mktemp("bodies")
    done = ingest([captured.files["dumpcap"]], lake, "--bodies", asked)
    assert done.code == 0, done.err
    number = tables.connection("large")["conn_id"]
    rows = [row for row in rows_of(lake, "messages") if row["conn_id"] == number]
    for row in rows:
        body = LARGE if row["body_size"] else b""
        assert row["body_sha256"] == sha256(body).digest()
        assert row["body_head"] == (kept if body else b"")
