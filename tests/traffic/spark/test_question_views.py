"""The views behind docs/traffic-questions.md, on a small lake: what is counted where, at the limits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.lake.folder import Lake
from amqp_traffic.lake.question_views import QUESTION_VIEWS
from amqp_traffic.lake.spark_catalog import register_for

from .lakes import TEN, frame, make_lake

MIB = 1 << 20
# A VARIANT of {"address": "/topic/x"}.
TARGET = {"metadata": b"\x01\x01\x00\x07address", "value": b"\x02\x01\x00\x00\x09\x21/topic/x"}
CLIENT = {"conn_id": "c1", "product": "pika", "version": "1", "package": "amqp_0_9_1_rabbitmq"}


def attach(number: int, direction: int, handle: int, is_receiver: bool) -> dict[str, Any]:
    """One end of a link; all links have the same name."""
    columns: dict[str, Any] = {
        "performative": "attach",
        "name": "link",
        "handle": handle,
        "role": is_receiver,
    }
    if not is_receiver:
        columns |= {"initial_delivery_count": 10, "target": TARGET}
    return {**frame(number, channel=direction, **columns), "dir": direction}


def flow(number: int, direction: int, handle: int, credit: int, count: int | None = None) -> dict[str, Any]:
    given = {"performative": "flow", "handle": handle, "link_credit": credit, "delivery_count": count}
    return {**frame(number, channel=direction, **given), "dir": direction}


def transfer(number: int, direction: int, **columns: Any) -> dict[str, Any]:
    at = {"first_ns": number, "last_ns": number, "kind": "transfer", "link_name": "link"}
    return {**frame(number, **at, **columns), "dir": direction}


@pytest.fixture(scope="module")
def lake(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lake]:
    settings = {"durable": False, "exclusive": False, "passive": False, "auto_delete": False}
    captures = {
        "a": {
            "connections": [
                {**CLIENT, "client_frame_max": 8192},
                {**CLIENT, "conn_id": "c2", "client_frame_max": 8191},
                {**CLIENT, "conn_id": "c3", "client_frame_max": 512, "package": "amqp_1_0"},
            ],
            "methods": [
                frame(1, method="queue.declare", queue="q", arguments=TEN, **settings),
                frame(2, method="queue.declare", queue="q", **{**settings, "passive": True}),
                frame(3, method="queue.declare", queue="q", **{**settings, "exclusive": True}),
                frame(4, method="exchange.declare", exchange="e", type="topic", **settings, internal=True),
                frame(5, method="basic.qos", prefetch_count=5, prefetch_size=0, global_=False),
                {**frame(6, method="channel.flow", active=False), "dir": 1},
            ],
            "frames": [
                frame(7, type=1, class_id=30, method_id=10),
                {**frame(8, type=1, class_id=30, method_id=11), "dir": 1},
            ],
            "messages": [
                frame(9, kind="publish", body_size=16 * MIB),
                frame(
                    10,
                    kind="publish",
                    body_size=16 * MIB + 1,
                    last_ns=5,
                    confirm="ack",
                    confirm_ns=9,
                    delivery_mode=2,
                ),
                {
                    **frame(11, kind="deliver", queue_inferred="q", last_ns=5, settle="reject", settle_ns=6),
                    "dir": 1,
                },
                *(transfer(number, 1) for number in (120, 130, 200, 210, 220)),
                transfer(125, 0, state="accepted", settle_ns=128),
            ],
            "performatives": [
                # The server sends on this link, and numbers from 10 on.
                attach(100, 0, 3, True),
                attach(101, 1, 7, False),
                flow(110, 0, 3, 2),
                flow(111, 0, 3, 2, 10),  # says the same again
                flow(150, 0, 3, 0, 12),  # nothing
                flow(160, 0, 3, 3, 12),
                # And the client on one of the same name; what a sender says of credit counts nothing.
                attach(102, 1, 8, True),
                attach(103, 0, 4, False),
                flow(115, 1, 8, 100),
                flow(116, 0, 4, 1),
            ],
        }
    }
    made = make_lake(tmp_path_factory.mktemp("questions"), captures)
    register_for(spark, made, " ".join(name for name, *_ in QUESTION_VIEWS))
    yield made
    for view in spark.catalog.listTables():
        spark.catalog.dropTempView(view.name)


def test_links(answer: Any) -> None:
    """Two are sent with a credit of two, then 10 + 2 is reached at 130; more is allowed at 160; all is used up at 220."""
    query = """select client_role, flows, most_credit, messages, ran_out, without_credit_ns from v_links order by 1"""
    assert answer(query) == [("receives", 4, 3, 5, 2, 30), ("sends", 1, 100, 1, 0, None)]


def test_uses(answer: Any) -> None:
    query = "select conn_id, feature, rabbitmq_4 is null, what from v_uses order by all"
    assert answer(query) == [
        ("c1", "access-request", True, "access.request"),
        ("c1", "address-of-version-1", False, "/topic/x"),
        ("c1", "message-above-16-mib", False, f"{16 * MIB + 1} octets"),
        ("c1", "transient-queue", False, "q"),
        ("c2", "frame-max-below-8192", False, "frame-max 8191"),
    ]


def test_declarations(answer: Any) -> None:
    assert answer("select frame_no, kind, name, settings from v_declarations order by 1") == [
        (1, "queue", "q", 'durable=0 {"x-max-length":10}'),
        (3, "queue", "q", "durable=0 exclusive=1"),
        (4, "exchange", "e", "type=topic durable=0 internal=1"),
    ]


def test_answers(answer: Any) -> None:
    query = "select frame_no, is_durable, answer, wait_ns, frame_max from v_published order by 1"
    assert answer(query) == [
        (9, False, None, None, 8192),
        (10, True, "ack", 4, 8192),
        (125, False, "accepted", 3, 8192),
    ]
    query = "select frame_no, queue, answer, wait_ns from v_delivered where kind = 'deliver'"
    assert answer(query) == [(11, "q", "reject", 1)]


def test_headers_of_none(answer: Any) -> None:
    assert answer("select * from v_headers") == []
