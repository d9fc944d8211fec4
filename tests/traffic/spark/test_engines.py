"""``traffic ingest`` on Spark makes the tables that it makes without."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.capture.ledgers import LedgerError
from amqp_traffic.ingest.inputs import CaptureInput, find_inputs
from amqp_traffic.ingest.job import LakeTarget, OnProgress, ReadSettings, WrittenCapture
from amqp_traffic.ingest.local import ingest
from amqp_traffic.ingest.sharing import reading as shared_reading
from amqp_traffic.ingest.sharing.plan import sample_weights, share_out
from amqp_traffic.ingest.sharing.reading import read_shares
from amqp_traffic.lake.folder import create_lake, open_lake

from ..ingest.lake_tables import Ingested, assert_same, assert_same_tables, ingested, read_tables
from ..ingest.ledger_checks import check_ledgers
from ..ingest.test_engines_agree import parts_of
from ..synth.made_captures import make
from .captures import HOT, MIX, call_ingest, write_capture, write_ring


@pytest.fixture(scope="module")
def ring(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_ring(tmp_path_factory.mktemp("ring"), seed=1, drop=0.003, **MIX)


@pytest.fixture(scope="module")
def of_ring(ring: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Ingested:
    return ingested(ring, tmp_path_factory.mktemp("local") / "lake")


@pytest.mark.parametrize("octets_per_share", [1 << 30, 120_000], ids=["one", "two"])
def test_a_ring(
    octets_per_share: int,
    spark: Any,
    ring: list[Path],
    of_ring: Ingested,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two files, in one share and in as many as there are workers; packets are lost."""
    from amqp_traffic.ingest.spark_engine import spark_engine
    from amqp_traffic.tasks.spark import session

    monkeypatch.setattr(
        session, "_SECONDS_BETWEEN_LINES", 0.005
    )  # stages of so small a capture are soon over
    shown: list[str] = []
    reader = spark_engine(spark, ReadSettings(), shown.append, octets_per_share)
    lake = tmp_path / "lake"
    results = list(ingest(create_lake(str(lake)), find_inputs([ring[0].parent]), reader, lambda octets: None))
    found = Ingested(read_tables(lake), results)
    assert_same(found, of_ring)
    check_ledgers(found)
    shares = {path.name.split("-")[2] for path in lake.rglob("part-share-*")}
    assert shares == ({"0000"} if octets_per_share > 120_000 else {"0000", "0001"})
    assert os.listdir(lake / "_staging") == []
    # Each line tells what is at work.
    assert {line.partition(": ")[0] for line in shown} <= {"survey", "reading"}


@pytest.mark.parametrize(("files", "count"), [(1, 16), (12, 3)])
def test_many_shares(files: int, count: int, spark: Any, tmp_path: Path) -> None:
    """More than there are workers; connections go on from file to file."""
    from amqp_traffic.tasks.spark.runner import SparkRunner

    def read(capture: CaptureInput, target: LakeTarget, on_progress: OnProgress) -> WrittenCapture:
        runner = SparkRunner(spark, lambda text: None)
        shares = share_out(sample_weights(capture.files), count)
        return read_shares(capture, target, ReadSettings(), shares, runner)

    paths = parts_of(make(seed=1, drop=0.003, **MIX).capture, files, tmp_path)
    expected = ingested(paths, tmp_path / "local")
    lake = tmp_path / "lake"
    results = list(ingest(create_lake(str(lake)), find_inputs(paths), read, lambda octets: None))
    assert_same(Ingested(read_tables(lake), results), expected)


def test_bodies(spark: Any, tmp_path: Path) -> None:
    path, lake = write_capture(tmp_path / "hot.pcap", seed=2, **HOT), tmp_path / "lake"
    assert call_ingest(path, "--out", tmp_path / "local", "--engine", "local", "--bodies", "head:10")[0] == 0
    code, _, err = call_ingest(path, "--out", lake, "--bodies", "head:10")
    assert (code, err) == (0, "")
    tables = read_tables(lake)
    assert len(tables["connections"]) == 1
    assert any(row["body_head"] for row in tables["messages"])
    assert_same_tables(tables, read_tables(tmp_path / "local"))


def test_a_file_that_tasks_cannot_read(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It vanishes before the tasks begin: one line, and the lake is as it was."""
    from amqp_traffic.ingest import spark_engine

    path, lake = write_capture(tmp_path / "a.pcap", seed=3, size=60_000), tmp_path / "lake"
    assert call_ingest(path, "--out", lake, "--engine", "local")[0] in (0, 2)
    before = {it: it.read_bytes() for it in lake.rglob("*.parquet")}

    def and_remove(*arguments: Any) -> int:
        path.unlink()
        return 1

    monkeypatch.setattr(spark_engine, "count_shares", and_remove)
    code, out, err = call_ingest(path, "--out", lake)
    assert (code, out) == (2, "")
    (line,) = err.splitlines()
    assert "a.pcap" in line and "No such file" in line
    assert {it: it.read_bytes() for it in lake.rglob("*.parquet")} == before
    assert os.listdir(lake / "_staging") == []
    assert open_lake(str(lake)).files("frames")


def test_a_share_that_loses_a_packet(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ledger's error goes through Spark: exit code 3, and nothing is committed."""
    path, lake = write_capture(tmp_path / "a.pcap", seed=3, size=60_000), tmp_path / "lake"
    wrong = LedgerError("share 0 of a.pcap: too few")
    monkeypatch.setattr(shared_reading, "check_shares", Mock(side_effect=wrong))
    code, out, err = call_ingest(path, "--out", lake)
    assert (code, out) == (3, "")
    assert "share 0 of a.pcap: too few" in err
    assert not [*lake.rglob("*.parquet")]
