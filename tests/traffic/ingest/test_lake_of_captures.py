"""Several captures in one lake: ingesting one again replaces it, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from amqp_traffic.lake.folder import open_lake
from amqp_traffic.schemas import TABLES

from tests.cli.command_calls import Result, call

from ..synth.made_captures import make
from .lake_tables import read_tables


def ingest(*arguments: str | Path) -> Result:
    return call("traffic", "ingest", *arguments, "--out", "lake", "--engine", "local")


@pytest.fixture
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Three captures in a lake, and how they are called there."""
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(("one", "two", "three")):
        Path(f"{name}.pcap").write_bytes(make(seed=number, size=60_000, connections=4).capture)
    assert ingest("one.pcap", "two.pcap", "three.pcap").code == 0
    captures = {row["capture_id"] for row in read_tables(Path("lake"))["captures"]}
    return {
        name: found for name in ("one", "two", "three") for found in captures if found.startswith(f"{name}-")
    }


def files_of(capture: str) -> dict[str, bytes]:
    lake = open_lake("lake")
    paths = [path for table in TABLES for path in lake.files(table, capture)]
    return {path: Path("lake", path).read_bytes() for path in paths}


def test_again(three: dict[str, str]) -> None:
    before = {name: files_of(capture) for name, capture in three.items()}
    tables = read_tables(Path("lake"))
    assert ingest("two.pcap", "--bodies", "all").code == 0
    after = {name: files_of(capture) for name, capture in three.items()}
    assert (after["one"], after["three"]) == (before["one"], before["three"])
    again = read_tables(Path("lake"))
    for table in TABLES:
        assert len(again[table]) == len(tables[table])
        if table != "messages":
            assert sorted(map(repr, again[table])) == sorted(map(repr, tables[table]))
    bodies = {row["capture_id"] for row in again["messages"] if row["body_head"] is not None}
    assert bodies == {three["two"]}


def test_another_file_of_that_name(three: dict[str, str]) -> None:
    """Is another capture."""
    Path("two.pcap").write_bytes(make(seed=9, size=60_000, connections=4).capture)
    assert ingest("two.pcap").code == 0
    captures = {row["capture_id"] for row in read_tables(Path("lake"))["captures"]}
    assert len(captures) == 4
    assert set(three.values()) < captures


def test_the_same_elsewhere(three: dict[str, str]) -> None:
    """Is the same capture: it is replaced."""
    before = read_tables(Path("lake"))
    Path("folder").mkdir()
    Path("one.pcap").rename("folder/one.pcap")
    assert ingest("folder").code == 0
    assert {table: len(rows) for table, rows in read_tables(Path("lake")).items()} == {
        table: len(rows) for table, rows in before.items()
    }


def test_nothing_is_left_behind(three: dict[str, str]) -> None:
    assert three
    assert not [it for it in Path("lake/_staging").rglob("*") if it.is_file()]
    assert not Path("lake/_journal.json").exists()


def test_dates(three: dict[str, str]) -> None:
    """A connection is where its beginning was; its frames and all else with it."""
    tables = read_tables(Path("lake"))
    dates = {row["conn_id"]: row["date"] for row in tables["connections"]}
    assert three
    for table in ("frames", "methods", "performatives", "messages", "exchanges"):
        assert all(row["date"] == dates[row["conn_id"]] for row in tables[table])
