"""Views that are more than a selection: what they say of a small lake."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.lake.folder import Lake
from amqp_traffic.lake.spark_catalog import register_for
from amqp_traffic.lake.specification.version_views import COMPARISONS
from amqp_traffic.lake.views import HANDY_VIEWS

from .lakes import frame, make_lake

HANDY_NAMES = [view.name for view in HANDY_VIEWS]
COMPARED = [comparison.view for comparison in COMPARISONS]
CONNECTION = {
    "conn_id": "c1",
    "product": "pika",
    "version": "1.3",
    "user": "guest",
    "vhost": "/",
    "client_frames": 3,
    "client_bytes_wire": 100,
    "client_bytes_framed": 60,
    "client_bytes_gap": 30,
    "client_bytes_skipped": 6,
    "client_bytes_tail": 4,
    "server_frames": 4,
    "server_bytes_wire": 50,
    "server_bytes_framed": 49,
    "server_bytes_gap": 0,
    "server_bytes_skipped": 0,
    "server_bytes_tail": 0,
}


@pytest.fixture(scope="module")
def lake(spark: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lake]:
    captures = {
        "a": {
            "connections": [CONNECTION, {**CONNECTION, "conn_id": "c2", "close_code": 404}],
            "methods": [
                frame(1, method="basic.publish", exchange="e", routing_key="k"),
                frame(2, method="basic.publish", exchange="", routing_key="q"),
                frame(3, method="basic.recover-async"),
                frame(4, method="access.request", realm="/data"),
                frame(5, method="exchange.declare", exchange="e", auto_delete=True),
                {**frame(6, method="access.request-ok"), "dir": 1},
            ],
            "performatives": [frame(1, performative="transfer", handle=3, payload_size=17)],
            "exchanges": [
                {"conn_id": "c1", "name": "queue.declare", "latency_ns": ns, "outcome": "ok"}
                for ns in range(1, 101)
            ]
            + [{"conn_id": "c1", "name": "queue.declare", "outcome": "unanswered"}],
            "messages": [
                {
                    "kind": "publish",
                    "exchange": "e",
                    "routing_key": "k",
                    "body_size": 10,
                    "last_ns": 5,
                    "confirm_ns": 8,
                },
                {"kind": "publish", "exchange": "e", "routing_key": "k", "body_size": 30, "settle": "nack"},
            ],
            "quarantine": [
                {"stage": "decode", "reason": "table-tag", "length": 5, "conn_id": "c1"},
                {"stage": "decode", "reason": "table-tag", "length": 6, "conn_id": "c2"},
            ],
        },
        # The same connection in another capture is another one.
        "b": {"connections": [{**CONNECTION, "product": "other"}]},
    }
    made = make_lake(tmp_path_factory.mktemp("views"), captures, specifications=True)
    register_for(
        spark,
        made,
        " ".join([*HANDY_NAMES, *COMPARED, "v_basic_publish v_access_request v1_transfer v1_open"]),
    )
    yield made
    for view in spark.catalog.listTables():
        spark.catalog.dropTempView(view.name)


def test_methods_and_performatives(answer: Any) -> None:
    assert answer("select frame_no, exchange, routing_key from v_basic_publish order by 1") == [
        (1, "e", "k"),
        (2, "", "q"),
    ]
    assert answer("select realm from v_access_request") == [("/data",)]
    assert answer("select handle, payload_size from v1_transfer") == [(3, 17)]
    assert answer("select * from v1_open") == []


def test_clients(answer: Any) -> None:
    query = (
        "select product, connections, client_frames, server_bytes, closed_by_amqp from v_clients order by 1"
    )
    assert answer(query) == [("other", 1, 3, 50, 0), ("pika", 2, 6, 100, 1)]


def test_latencies(answer: Any) -> None:
    assert answer(
        "select name, client_product, requests, not_ok, p50_ns, p95_ns, max_ns from v_latencies"
    ) == [("queue.declare", "pika", 101, 1, 50, 95, 100)]


def test_flows(answer: Any) -> None:
    query = "select kind, exchange, routing_key, messages, body_bytes, refused, confirm_p95_ns from v_flows"
    assert answer(query) == [("publish", "e", "k", 2, 40, 1, 3)]


def test_ledger(answer: Any) -> None:
    query = "select dir, bytes_wire, bytes_gap, difference from v_ledger where conn_id = 'c2' order by 1"
    assert answer(query) == [(0, 100, 30, 0), (1, 50, 0, 1)]
    assert answer("select count(*) from v_ledger") == [(6,)]


def test_losses(answer: Any) -> None:
    assert answer("select capture_id, stage, reason, times, bytes, connections from v_losses") == [
        ("a", "decode", "table-tag", 2, 11, 2)
    ]


def test_departures(answer: Any) -> None:
    """Of methods from clients only: what the newest 0-9-1 deprecates."""
    assert answer("select method, why, times, product from v_departures order by 1") == [
        ("access.request", "deprecated", 1, "pika"),
        ("basic.recover-async", "deprecated", 1, "pika"),
    ]


def test_what_differs_between_versions(answer: Any) -> None:
    pair = "old_version = '0-9-1' and new_version = '0-9-1-rabbitmq'"
    assert answer(f"select name, change, differs from spec_diff_classes where {pair} order by 1") == [
        ("access", "added", None),
        ("basic", "changed", ["grammar"]),
        ("confirm", "added", None),
        ("exchange", "changed", ["grammar"]),
    ]
    added = answer(f"select name from spec_diff_methods where {pair} and change = 'added' order by 1")
    assert ("basic.nack",) in added and ("exchange.bind",) in added
    assert answer(f"select count(*) from spec_diff_methods where {pair} and change = 'removed'") == [(0,)]
    # And the other way round.
    back = "old_version = '0-9-1-rabbitmq' and new_version = '0-9-1'"
    assert (
        answer(f"select name from spec_diff_methods where {back} and change = 'removed' order by 1") == added
    )
    # null is a value like others: a reserved field has a type and no domain.
    pair = "old_version = '0-9' and new_version = '0-9-1'"
    assert answer(
        f"select differs, old_method_id, new_method_id from spec_diff_methods where {pair} and name = 'basic.recover'"
    ) == [(["method_id"], 100, 110)]
    assert answer(
        f"select change, name, old_value, new_value from spec_diff_constants where {pair} and change = 'added'"
    ) == [("added", "unexpected-frame", None, 505)]
    assert answer(f"select distinct change from spec_diff_fields where {pair} order by 1") == [
        ("added",),
        ("changed",),
        ("removed",),
    ]
    assert answer("select count(*) from spec_diff_rules where '1.0' in (old_version, new_version)") == [(0,)]


def test_what_is_alike_is_not_told(answer: Any) -> None:
    query = """
    select count(*) from spec_diff_fields
    where old_version = '0-9-1' and new_version = '0-9-1-rabbitmq' and owner = 'queue.declare'
    """
    assert answer(query) == [(0,)]
    assert answer(
        "select count(*) from spec_diff_methods where change = 'changed' and size(differs) = 0"
    ) == [(0,)]
