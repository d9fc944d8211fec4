"""``traffic ingest`` on Spark makes the tables that it makes without."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="the extra traffic is not installed")

from amqp_traffic.ingest.inputs import find_inputs
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.local import ingest
from amqp_traffic.lake.folder import create_lake, open_lake
from amqp_traffic.splitting import in_place

from ..ingest.lake_tables import Ingested, assert_same, assert_same_tables, ingested, read_tables
from ..ingest.ledger_checks import check_ledgers
from .captures import HOT, MIX, call_ingest, write_capture, write_ring


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_ring(tmp_path_factory.mktemp("ring"), seed=1, drop=0.003, **MIX)


@pytest.fixture(scope="module")
def of_ring(ring: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Ingested:
    return ingested(ring, tmp_path_factory.mktemp("local") / "lake")


@pytest.mark.parametrize("engine", ["spark", "reference"])
def test_a_ring(
    engine: str,
    spark: Any,
    ring: list[Path],
    of_ring: Ingested,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two files, each in parts; packets are lost, so that there are connections that cannot be stitched."""
    from amqp_traffic.splitting.engines import spark_engine
    from amqp_traffic.tasks.spark import session

    monkeypatch.setattr(
        session, "_SECONDS_BETWEEN_LINES", 0.005
    )  # stages of so small a capture are soon over
    shown: list[str] = []
    reader = spark_engine(engine, spark, ReadSettings(), 120_000, shown.append)
    lake = tmp_path / "lake"
    results = list(ingest(create_lake(str(lake)), find_inputs([ring[0].parent]), reader, lambda octets: None))
    found = Ingested(read_tables(lake), results)
    assert_same(found, of_ring)
    check_ledgers(found)
    assert len(found["splits"]) == 4
    assert {row["proof"] for row in found["splits"]} == {"chained"}
    assert os.listdir(lake / "_staging") == []
    # Each line tells what is at work.
    stages = ("reading", "writing", "whole connections, shared out", "whole connections")
    assert shown
    assert {line.partition(": ")[0] for line in shown} <= set(stages)


def test_a_hot_connection(spark: Any, tmp_path: Path) -> None:
    """One connection, in two parts; and with bodies."""
    path, lake = write_capture(tmp_path / "hot.pcap", seed=2, **HOT), tmp_path / "lake"
    assert call_ingest(path, "--out", tmp_path / "local", "--engine", "local", "--bodies", "head:10")[0] == 0
    code, _, err = call_ingest(path, "--out", lake, "--split-mb", "1", "--bodies", "head:10")
    assert (code, err) == (0, "")
    tables = read_tables(lake)
    assert len(tables["splits"]) == 2
    assert len(tables["connections"]) == 1
    assert any(row["body_head"] for row in tables["messages"])
    assert_same_tables(tables, read_tables(tmp_path / "local"))


def test_a_file_that_tasks_cannot_read(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It vanishes after it was planned: one line, and the lake is as it was."""
    path, lake = write_capture(tmp_path / "a.pcap", seed=3, size=60_000), tmp_path / "lake"
    assert call_ingest(path, "--out", lake, "--engine", "local")[0] in (0, 2)
    before = {it: it.read_bytes() for it in lake.rglob("*.parquet")}
    plan_files = in_place.plan_files

    def and_remove(*arguments: Any) -> Any:
        plan = plan_files(*arguments)
        path.unlink()
        return plan

    monkeypatch.setattr(in_place, "plan_files", and_remove)
    code, out, err = call_ingest(path, "--out", lake)
    assert (code, out) == (2, "")
    (line,) = err.splitlines()
    assert "a.pcap" in line and "No such file" in line
    assert {it: it.read_bytes() for it in lake.rglob("*.parquet")} == before
    assert os.listdir(lake / "_staging") == []
    assert open_lake(str(lake)).files("frames")
