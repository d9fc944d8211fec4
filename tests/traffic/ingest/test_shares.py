"""Shares of a capture are of about the same weight, and what they have read must be what the survey has found."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pyarrow", reason="the extra traffic is not installed")

from amqp_codegen.cli.main import cli
from amqp_traffic.capture.ledgers import LedgerError
from amqp_traffic.capture.quarantine import OrderedQuarantine
from amqp_traffic.ingest import share_decoding, shared_reading
from amqp_traffic.ingest.file_reading import SegmentBatch
from amqp_traffic.ingest.inputs import find_inputs
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.local import ingest, local_engine
from amqp_traffic.ingest.shared_reading import count_shares
from amqp_traffic.ingest.shares import ReadShare, ShareReading, share_out
from amqp_traffic.ingest.survey import BUCKETS, bucket_of
from amqp_traffic.lake.folder import create_lake
from amqp_traffic.streams.connection import reverse
from click.testing import CliRunner

from ..synth.made_captures import make
from .lake_tables import Ingested, assert_same, ingested, read_tables, shared_engine

FLOW = bytes((10, 0, 0, 1, 10, 0, 0, 2, 0x80, 0, 0x16, 0x28))
HASH = f"from amqp_traffic.ingest.survey import bucket_of; print(bucket_of({FLOW!r}))"


@given(st.dictionaries(st.integers(0, 31), st.integers(1, 1000), max_size=32), st.integers(1, 40))
def test_shares(weights: dict[int, int], count: int) -> None:
    shares = share_out(weights, count)
    assert sorted(thing for share in shares for thing in share) == sorted(weights)
    assert len(shares) == min(count, len(weights))
    loads = [sum(weights[thing] for thing in share) for share in shares]
    assert loads == sorted(loads, reverse=True)
    assert all(loads)
    if loads:
        assert loads[0] - loads[-1] <= max(weights.values())


@given(st.one_of(st.binary(min_size=12, max_size=12), st.binary(min_size=36, max_size=36)))
def test_both_directions_have_one_bucket(flow: bytes) -> None:
    assert bucket_of(flow) == bucket_of(reverse(flow)) < BUCKETS


def test_every_process_has_the_same_buckets() -> None:
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", HASH], env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert int(done.stdout) == bucket_of(FLOW)


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    path = tmp_path / "a.pcap"
    path.write_bytes(make(seed=8, size=100_000, connections=10).capture)
    return path


def test_how_many_shares(capture: Path) -> None:
    (found,) = find_inputs([capture])
    assert count_shares(found, 8) == 1
    assert count_shares(found, 2, 1000) == 2
    assert count_shares(found, 5000, 1000) == 64


def test_processes(capture: Path, tmp_path: Path) -> None:
    """The engine of the command shares a large capture out to processes, and tells how far they are."""
    expected = ingested([capture], tmp_path / "lake")
    shown: list[str] = []
    engine = local_engine(ReadSettings(), shown.append, 3, 10_000)
    place = tmp_path / "other"
    results = list(ingest(create_lake(str(place)), find_inputs([capture]), engine, lambda octets: None))
    assert_same(Ingested(read_tables(place), results), expected)
    assert shown == ["survey: 1 of 1", *(f"reading: {number} of 3" for number in (1, 2, 3))]


def test_shares_keep_the_same_rows_of_the_quarantine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There are more than are kept: those of the first packets are."""
    path = tmp_path / "a.pcap"
    path.write_bytes(make(seed=8, size=200_000, connections=10, drop=0.1).capture)
    every = ingested([path], tmp_path / "lake")
    counts = Counter(row["reason"] for row in every["quarantine"])
    assert counts["seq-gap"] > 40
    monkeypatch.setattr(shared_reading, "MOST_ROWS", 15)
    monkeypatch.setattr(share_decoding, "OrderedQuarantine", partial(OrderedQuarantine, 15))
    expected = ingested([path], tmp_path / "lake")
    kept = [row for row in expected["quarantine"] if row["reason"] == "seq-gap"]
    assert len(kept) == 15
    first = sorted(row["pkt_no"] for row in every["quarantine"] if row["reason"] == "seq-gap")
    assert sorted(row["pkt_no"] for row in kept) == first[:15]
    assert expected.results == every.results
    for count in (2, 7):
        assert_same(ingested([path], tmp_path / "lake", count), expected)


# --- What a share may do wrong ---


def drop(batches: Iterable[SegmentBatch]) -> Iterator[SegmentBatch]:
    """The last segment is lost, though it has no payload."""
    held = list(batches)
    return iter([*held[:-1], held[-1]._replace(segments=held[-1].segments[:-1])])


def double(batches: Iterable[SegmentBatch]) -> Iterator[SegmentBatch]:
    held = list(batches)
    return iter([held[0]._replace(segments=[held[0].segments[0], *held[0].segments]), *held[1:]])


def swap(batches: Iterable[SegmentBatch]) -> Iterator[SegmentBatch]:
    one, other, *more = (held := next(iter(batches))).segments
    return iter([held._replace(segments=[other, one, *more])])


def move_to_next_file(batches: Iterable[SegmentBatch]) -> Iterator[SegmentBatch]:
    return (batch._replace(file_no=batch.file_no + 1) for batch in batches)


def check_refused(capture: Path, folder: Path, count: int) -> None:
    """The ledger's error, and nothing is committed."""
    lake = folder / "lake"
    engine = shared_engine(count, ReadSettings())
    with pytest.raises(LedgerError):
        list(ingest(create_lake(str(lake)), find_inputs([capture]), engine, lambda octets: None))
    assert not [*lake.rglob("*.parquet")]


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("fault", [drop, double, swap, move_to_next_file])
def test_a_share_with_a_fault(
    fault: Callable[[Iterable[SegmentBatch]], Iterator[SegmentBatch]],
    count: int,
    capture: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    batches = ShareReading.batches
    monkeypatch.setattr(ShareReading, "batches", lambda reading: fault(batches(reading)))
    check_refused(capture, tmp_path, count)


def test_a_bucket_that_another_share_takes(
    capture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All shares together have every segment once, but two shares have changed places."""

    def exchanged(task: ReadShare, *arguments: Any) -> Any:
        return read(replace(task, buckets=others[task.buckets or frozenset()]), *arguments)

    def noted(weights: dict[int, int], count: int) -> list[frozenset[int]]:
        first, *middle, last = made = share_out(weights, count)
        others.update({first: last, last: first, **{share: share for share in middle}})
        return made

    others: dict[frozenset[int], frozenset[int]] = {}
    read = ReadShare.__call__
    monkeypatch.setattr(ReadShare, "__call__", exchanged)
    monkeypatch.setattr(shared_reading, "share_out", noted)
    check_refused(capture, tmp_path, 3)


def test_a_file_that_has_grown_since_the_survey(
    capture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def grown(task: ReadShare, *arguments: Any) -> Any:
        octets = capture.read_bytes()
        size = int.from_bytes(octets[32:36], "little")  # of the first packet
        capture.write_bytes(octets + octets[24 : 40 + size])
        return read(task, *arguments)

    read = ReadShare.__call__
    monkeypatch.setattr(ReadShare, "__call__", grown)
    check_refused(capture, tmp_path, 2)


def test_the_command_ends_with_3(capture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batches = ShareReading.batches
    monkeypatch.setattr(ShareReading, "batches", lambda reading: drop(batches(reading)))
    call = ["traffic", "ingest", str(capture), "--out", str(tmp_path / "lake"), "--engine", "local"]
    done = CliRunner().invoke(cli, call)
    assert done.exit_code == 3
    (line,) = done.stderr.splitlines()
    assert "share 0 of a.pcap" in line and "nothing was written" in line
    assert not [*(tmp_path / "lake").rglob("*.parquet")]
