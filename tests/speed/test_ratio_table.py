"""The table says what is wanted and whether it is reached; the file has what the picture of the speeds is made from."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from benchmarks import harness, ratio_table
from benchmarks.harness import NATIVE, PURE, Result, Workload, each, measure
from benchmarks.ratio_table import print_table, unreached, write_json


def result(times: dict[str, float], strings: str = "repeated") -> Result:
    wanted = {NATIVE: {"pika": 10.0, PURE: 1.0}, PURE: {"pika": 2.0}}
    return Result(Workload("AMQP 0-9-1", "decode", 1, dict.fromkeys(times, dict), wanted, strings), times)


GOOD = result({NATIVE: 1.0, PURE: 5.0, "pika": 12.0})
SLOW = result({NATIVE: 1.0, PURE: 5.0, "pika": 9.0, "pamqp": 20.0}, "new")


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    print_table([GOOD, SLOW])
    lines = capsys.readouterr().out.splitlines()
    assert [" ".join(line.split()) for line in lines] == [
        "us pure pika pamqp",
        "decode native 1.00 5.00 of 1, yes 12.00 of 10, yes",
        "pure 5.00 2.40 of 2, yes",
        "decode, new strings native 1.00 5.00 of 1, yes 9.00 of 10, NO 20.00",
        "pure 5.00 1.80 of 2, NO 4.00",
    ]


def test_what_is_not_reached() -> None:
    assert unreached([GOOD]) == []
    assert unreached([SLOW]) == [
        "decode (new): native 9.00 times pika, wanted 10",
        "decode (new): pure 1.80 times pika, wanted 2",
    ]


def test_without_cores_and_peers_nothing_is_missed() -> None:
    assert unreached([result({PURE: 5.0})]) == []


def test_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def version(distribution: str) -> str:
        if distribution == "amqp":
            raise PackageNotFoundError
        return "1.2"

    monkeypatch.setattr(ratio_table, "version", version)
    write_json([GOOD], tmp_path / "new" / "bench.json")
    document = json.loads((tmp_path / "new" / "bench.json").read_text())
    assert document["versions"] == {"pika": "1.2", "pamqp": "1.2", "proton": "1.2", "azure": "1.2"}
    assert document["workloads"] == [
        {
            "family": "AMQP 0-9-1",
            "name": "decode",
            "strings": "repeated",
            "microseconds": {NATIVE: 1.0, PURE: 5.0, "pika": 12.0},
            "wanted": {NATIVE: {"pika": 10.0, PURE: 1.0}, PURE: {"pika": 2.0}},
        }
    ]


def test_measuring_gives_the_time_of_each_candidate(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that only work moves."""
    clock = 0.0

    def work(seconds: float) -> None:
        nonlocal clock
        clock += seconds

    monkeypatch.setattr(harness.time, "process_time", lambda: clock)
    monkeypatch.setattr(harness, "ROUNDS", 2)  # each collects all garbage
    candidates = {"little": each(work, [1]), "much": each(work, [2, 3])}
    (found,) = measure([Workload("none", "count", 10, candidates)])
    assert found.microseconds == pytest.approx({"little": 1e5, "much": 5e5})
