"""All engines make the same tables, row by row, whatever the parts are that files are read in."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from amqp_traffic.decode.body_retention import parse_body_retention
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.splitting import file_plan
from amqp_traffic.splitting.splits import Split, plan_splits
from amqp_traffic.splitting.whole_connections import SendSegments
from amqp_traffic.tasks.runner import InProcess
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ..pcap_records import records, with_records
from ..synth.made_captures import make
from .lake_tables import Ingested, assert_same, ingested
from .ledger_checks import check_ledgers

HOT: dict[str, Any] = {"mix": {"0-9-1-rabbitmq": 1}, "connections": 1}
# A few connections of each version.
FEW: dict[str, Any] = {
    "mix": {"0-9-1-rabbitmq": 2, "0-8": 1, "0-9": 1, "1.0": 1, "1.0-bare": 1},
    "connections": 6,
}
# Messages that hold captures, in packets so large that records of theirs look like those of the file.
MISLEADING: dict[str, Any] = {"contents": "capture", "body_size": 60_000, "mss": 16_000, "connections": 2}

CLEAN: dict[str, dict[str, Any]] = {
    "everything": {},
    "pcapng": {**FEW, "form": "pcapng", "byte_order": "big", "time_unit": "ns", "ip": "both"},
    "1.0": {"mix": {"1.0": 1, "1.0-bare": 1}, "connections": 4},
    "hot": HOT,
    "large bodies": {**FEW, "body_size": 150_000, "size": 500_000},
    "bodies of captures": {**MISLEADING, "mix": {"0-9-1-rabbitmq": 1}, "size": 300_000},
    "bodies of frames": {**FEW, "contents": "frames"},
}
DAMAGED: dict[str, dict[str, Any]] = {
    "lost": {"drop": 0.01},
    "twice": {"duplicate": 0.05, "overlap": 0.05},
    "late": {"reorder": 0.05},
    "flipped": {"flip": 0.02},
    "contradicted": {"conflict": 0.03},
    "cut packets": {"snaplen": 256},
    "cut file": {"truncate": True},
    "garbage": {"garbage": 3},
    "begun late": {"skip": 100},
    "hot, lost": {**HOT, "drop": 0.01, "reorder": 0.02},
}
RATES = st.sampled_from([0.0, 0.0, 0.01, 0.05])


class Watching(InProcess):
    """Notes which connections are read as a whole."""

    def __init__(self) -> None:
        self.flows: set[bytes] = set()

    def shuffle(self, stage: str, producers: Sequence[Any], consumer: Any) -> list[Any]:
        for producer in producers:
            assert isinstance(producer, SendSegments)
            self.flows |= producer.flows or set()
        return super().shuffle(stage, producers, consumer)


def check_engines(
    paths: list[Path], folder: Path, counts: Sequence[int], *, reference: bool = True, bodies: str = "none"
) -> tuple[Ingested, list[Ingested], int]:
    """What the local engine gives, what others give, and how many connections were not stitched."""
    how = ReadSettings(bodies=parse_body_retention(bodies))
    expected = ingested(paths, folder / "lake", settings=how)
    check_ledgers(expected)
    watching, others = Watching(), []
    for count in counts:
        found = ingested(paths, folder / "lake", "spark", count, how, runner=watching)
        assert_same(found, expected)
        check_ledgers(found)
        others.append(found)
    if reference:
        assert_same(ingested(paths, folder / "lake", "reference", counts[-1], how), expected)
    return expected, others, len(watching.flows)


def check_order(folder: Path, counts: Sequence[int], bodies: str = "none", **fields: Any) -> int:
    path = folder / "a.pcap"
    path.write_bytes(make(**{"size": 200_000, **fields}).capture)
    return check_engines([path], folder, counts, bodies=bodies)[2]


@pytest.mark.parametrize("name", CLEAN)
def test_clean_captures(name: str, tmp_path: Path) -> None:
    """No connection has to be read as a whole, unless something in bodies can be taken for frames."""
    unverified = check_order(tmp_path, (1, 2, 7), "all", seed=1, **CLEAN[name])
    assert not unverified or name == "bodies of frames"


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_captures(name: str, tmp_path: Path) -> None:
    check_order(tmp_path, (2, 7), seed=2, **{**FEW, **DAMAGED[name]})


@pytest.mark.slow
@pytest.mark.parametrize("name", ["everything", "hot", "lost", "late"])
def test_many_splits(name: str, tmp_path: Path) -> None:
    check_order(tmp_path, (64,), "head:10", seed=3, **{**FEW, **CLEAN.get(name, {}), **DAMAGED.get(name, {})})


def test_wrong_splits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts that begin where no packet does are found out, and made again."""

    def misled(buffer: bytes, size: int) -> list[Split]:
        splits = plan_splits(buffer, size)
        borders = [0, *(it.start + 5 for it in splits[1:]), splits[-1].end]
        return [Split(start, end) for start, end in pairwise(borders)]

    monkeypatch.setattr(file_plan, "plan_splits", misled)
    path = tmp_path / "a.pcap"
    path.write_bytes(make(size=100_000, **FEW).capture)
    _, (found,), unverified = check_engines([path], tmp_path, (4,))
    assert {row["proof"] for row in found["splits"]} == {"exact"}
    assert len(found["splits"]) > 1
    assert unverified == 0


@pytest.mark.parametrize("fields", [FEW, {**FEW, "drop": 0.01, "reorder": 0.02}], ids=["clean", "damaged"])
def test_ring(fields: dict[str, Any], tmp_path: Path) -> None:
    """Connections go on from file to file, and from part to part."""
    capture = make(seed=4, size=200_000, **fields).capture
    all_records = list(records(capture))
    size = len(all_records) // 3 + 1
    paths = [tmp_path / f"cap_{number:05}_2026112118{number:02}00.pcap" for number in (1, 2, 3)]
    for number, path in enumerate(paths):
        path.write_bytes(with_records(capture, all_records[number * size : (number + 1) * size]))
    expected, (found, _), unverified = check_engines(paths, tmp_path, (7, 2))
    assert len(expected["captures"]) == len(expected["splits"]) == 3
    assert len(found["splits"]) > 6
    if fields is FEW:
        assert unverified == 0


def test_one_file_of_a_ring_is_no_capture(tmp_path: Path) -> None:
    capture = make(seed=4, size=100_000, **FEW).capture
    all_records = list(records(capture))
    middle = len(all_records) // 2
    paths = [tmp_path / f"cap_{number:05}_2026112118{number:02}00.pcap" for number in (1, 2, 3)]
    for path, octets in zip(
        paths,
        (
            with_records(capture, all_records[:middle]),
            b"nothing",
            with_records(capture, all_records[middle:]),
        ),
        strict=True,
    ):
        path.write_bytes(octets)
    expected, _, _ = check_engines(paths, tmp_path, (4,))
    assert [row["status"] for row in sorted(expected["captures"], key=lambda row: row["file_no"])] == [
        "complete",
        "not-a-capture",
        "complete",
    ]


@given(
    seed=st.integers(0, 1 << 32),
    count=st.integers(2, 20),
    bodies=st.sampled_from(["none", "head:3", "all"]),
    damage=st.fixed_dictionaries(
        dict.fromkeys(("drop", "duplicate", "reorder", "overlap", "flip", "conflict"), RATES)
    ),
    more=st.fixed_dictionaries(
        {
            "skip": st.sampled_from([0, 0, 40, 200]),
            "garbage": st.sampled_from([0, 0, 2]),
            "truncate": st.booleans(),
            "cut": st.sampled_from([0.0, 0.1, 0.6]),
            "mss": st.sampled_from([200, 1448, 8000]),
            "form": st.sampled_from(["pcap", "pcapng"]),
            "contents": st.sampled_from(["text", "frames", "capture"]),
        }
    ),
)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_capture(
    seed: int, count: int, bodies: str, damage: dict[str, float], more: dict[str, Any], tmp_path: Path
) -> None:
    check_order(tmp_path, (count,), bodies, **{**FEW, "seed": seed, "size": 60_000, **damage, **more})
