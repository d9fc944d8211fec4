"""The same tables, row by row, however many shares a capture is read in, and whether these read the files or get segments."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from amqp_traffic.decode.body_retention import parse_body_retention
from amqp_traffic.ingest.job import ReadSettings
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.sampling import examples

from ..pcap_records import records, with_records
from ..synth.made_captures import make
from .lake_tables import Ingested, assert_same, ingested
from .ledger_checks import check_ledgers

SAMPLES = Path(__file__).parents[1] / "samples" / "rabbitmq-3.10.8"
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


def check_shares(
    paths: list[Path],
    folder: Path,
    counts: Sequence[int],
    shuffled: Sequence[int],
    *,
    bodies: str = "none",
    one_capture: bool = False,
) -> Ingested:
    """What one share gives; others give the same, ledgers included, and so do those that do not read the files."""
    how = ReadSettings(bodies=parse_body_retention(bodies))
    expected = ingested(paths, folder / "lake", 1, how, one_capture)
    check_ledgers(expected)
    for shuffle, numbers in ((False, counts), (True, shuffled)):
        for count in numbers:
            assert_same(ingested(paths, folder / "lake", count, how, one_capture, shuffle=shuffle), expected)
    return expected


def check_order(
    folder: Path, counts: Sequence[int], shuffled: Sequence[int], bodies: str = "none", **fields: Any
) -> Ingested:
    path = folder / "a.pcap"
    path.write_bytes(make(**{"size": 200_000, **fields}).capture)
    return check_shares([path], folder, counts, shuffled, bodies=bodies)


@pytest.mark.parametrize("name", CLEAN)
def test_clean_captures(name: str, tmp_path: Path) -> None:
    check_order(tmp_path, (2,), (7,), "all", seed=1, **CLEAN[name])


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_captures(name: str, tmp_path: Path) -> None:
    check_order(tmp_path, (7,), (2,), seed=2, **{**FEW, "size": 130_000, **DAMAGED[name]})


@pytest.mark.parametrize("name", ["everything", "late"])
def test_many_shares(name: str, tmp_path: Path) -> None:
    """More shares than there are connections."""
    check_order(tmp_path, (64,), (3,), "head:10", seed=3, **{**CLEAN.get(name, {}), **DAMAGED.get(name, {})})


def parts_of(capture: bytes, count: int, folder: Path) -> list[Path]:
    """The capture as a ring of so many files."""
    all_records = list(records(capture))
    size = len(all_records) // count + 1
    paths = [folder / f"cap_{number:05}_2026112118{number:02}00.pcap" for number in range(1, count + 1)]
    for number, path in enumerate(paths):
        path.write_bytes(with_records(capture, all_records[number * size : (number + 1) * size]))
    return paths


@pytest.mark.parametrize(
    ("files", "fields"), [(5, FEW), (50, {**FEW, "drop": 0.01, "reorder": 0.02})], ids=["clean", "damaged"]
)
def test_ring(files: int, fields: dict[str, Any], tmp_path: Path) -> None:
    """Connections go on from file to file."""
    paths = parts_of(make(seed=4, size=120_000, **fields).capture, files, tmp_path)
    expected = check_shares(paths, tmp_path, (3,), (64,))
    assert len(expected["captures"]) == files


def test_raw_streams(tmp_path: Path) -> None:
    """They are one share, however many are asked for."""
    paths = sorted(SAMPLES.glob("firehose.*.raw"))
    expected = check_shares(paths, tmp_path, (3,), (3,))
    assert len(expected["captures"]) == len(paths) == 2
    assert expected["messages"]


def test_files_without_flows(tmp_path: Path) -> None:
    """One file is no capture, one is a log, one has other packets only: all have their rows, with any number of shares."""
    capture = make(seed=4, size=100_000, **FEW).capture
    first, last = parts_of(capture, 2, tmp_path)
    arp = bytes(12) + b"\x08\x06" + bytes(28)
    others = with_records(capture, [(bytes(8) + (42).to_bytes(4, "little") * 2, arp)] * 3)
    paths = [first, tmp_path / "nothing", tmp_path / "others", SAMPLES / "trace-text.log", last]
    paths[1].write_bytes(b"nothing")
    paths[2].write_bytes(others)
    expected = check_shares(paths, tmp_path, (2, 7), (2,), one_capture=True)
    rows = sorted(expected["captures"], key=lambda row: row["file_no"])
    assert [row["status"] for row in rows] == ["complete", "not-a-capture", "complete", "damaged", "complete"]
    assert [row["tcp"] for row in rows][1:4] == [None, 0, None]
    assert dict(rows[2]["ignored"]) == {"non-tcp": 3}
    assert any(row["source"] != "wire" for row in expected["messages"])


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
@examples(8, suppress_health_check=list(HealthCheck))
def test_any_capture(
    seed: int, count: int, bodies: str, damage: dict[str, float], more: dict[str, Any], tmp_path: Path
) -> None:
    check_order(
        tmp_path, (count,), (count,), bodies, **{**FEW, "seed": seed, "size": 60_000, **damage, **more}
    )
