"""The queries of the report, asked of tables that an ingestion wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="the extra traffic is not installed")

from amqp_codegen.cli.main import cli
from amqp_traffic.lake.folder import open_lake
from amqp_traffic.report.contents import gather_contents
from amqp_traffic.report.gather import spark_ask
from click.testing import CliRunner


def test_all_sections_agree_with_the_tables(spark: Any, tmp_path: Path) -> None:
    capture, place = tmp_path / "x.pcap", tmp_path / "lake"
    for words in (
        ["synth", "--seed", "4", "--out", str(capture), "--size", "300KB", "--connections", "24"],
        ["ingest", str(capture), "--out", str(place), "--engine", "local"],
    ):
        CliRunner().invoke(cli, ["traffic", *words])
    lake = open_lake(str(place))
    ask = spark_ask(spark, lake)
    found = gather_contents(ask, None)
    counts = next(
        iter(
            ask("SELECT count(*) AS times, count(settle_ns) AS settled FROM messages WHERE kind <> 'return'")
        )
    )
    assert found.activity.total("publish") + found.activity.total("deliver") == counts["times"] > 0
    assert sum(each.connections for each in found.clients) == found.span.connections == 24
    by_client = found.client_activity.values()
    assert sum(each.total("publish") for each in by_client) == found.activity.total("publish")
    assert sum(len(each) for each in found.connections.values()) == 24
    assert all(each.difference == 0 for each in found.ledger.octets)
    frames = next(iter(ask("SELECT count(*) AS times FROM frames WHERE type >= 0")))["times"]
    assert sum(each.times for each in found.sizes.frames) == frames
    lost = next(iter(ask("SELECT count(*) AS times FROM quarantine")))["times"]
    assert sum(each.times for each in found.quarantine) == lost
    waits = [each for of in found.latencies.values() for each in of.values()]
    assert waits and all(0 <= each.p50 <= each.p95 <= each.p99 <= each.most for each in waits)
    assert found.links and found.topology.edges
