"""Shares of a capture are of about the same weight, and what they have read must be what the survey has found."""

from __future__ import annotations

import gzip
import inspect
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_codegen.cli.main import cli
from amqp_traffic.capture.flow_buckets import BUCKETS, bucket_of
from amqp_traffic.capture.ledgers import LedgerError
from amqp_traffic.capture.quarantine import OrderedQuarantine
from amqp_traffic.ingest import local
from amqp_traffic.ingest.inputs import CaptureInput, find_inputs
from amqp_traffic.ingest.job import LakeTarget, OnProgress, ReadSettings, WrittenCapture
from amqp_traffic.ingest.local import ingest, local_engine
from amqp_traffic.ingest.sharing import decoding as share_decoding
from amqp_traffic.ingest.sharing import plan as share_plan
from amqp_traffic.ingest.sharing import reading as shared_reading
from amqp_traffic.ingest.sharing import shuffle as segment_shuffle
from amqp_traffic.ingest.sharing.buckets import ALL_BUCKETS, Buckets
from amqp_traffic.ingest.sharing.plan import (
    count_shares,
    count_useful_shares,
    is_shuffle_better,
    plan_shares,
    sample_weights,
    share_out,
)
from amqp_traffic.ingest.sharing.reading import read_shares
from amqp_traffic.ingest.sharing.shares import ReadShare, ShareReading
from amqp_traffic.ingest.sharing.shuffle import SendSegments
from amqp_traffic.ingest.sharing.survey import SurveyFile
from amqp_traffic.ingest.tables.file_reading import FileReading, SegmentBatch
from amqp_traffic.lake.folder import create_lake
from amqp_traffic.streams.connection import reverse
from amqp_traffic.tasks.runner import InProcess, Row
from click.testing import CliRunner

from tests.sampling import examples

from ...spark.captures import write_ring
from ...synth.made_captures import make
from .. import lake_tables
from ..lake_tables import Ingested, assert_same, ingested, read_tables, shared_engine

FLOW = bytes((10, 0, 0, 1, 10, 0, 0, 2, 0x80, 0, 0x16, 0x28))
HASH = f"from amqp_traffic.capture.flow_buckets import bucket_of; print(bucket_of({FLOW!r}))"


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


@cache
def _octets() -> bytes:
    return make(seed=8, size=100_000, connections=10).capture


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    path = tmp_path / "a.pcap"
    path.write_bytes(_octets())
    return path


@pytest.fixture(scope="session")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Ingested:
    folder = tmp_path_factory.mktemp("expected")
    (folder / "a.pcap").write_bytes(_octets())
    return ingested([folder / "a.pcap"], folder / "lake")


def test_how_many_shares(capture: Path) -> None:
    (found,) = find_inputs([capture])
    assert count_shares(found, 8) == 1
    assert count_shares(found, 2, 1000) == 2
    assert count_shares(found, 5000, 1000) == found.size // 1000


def test_when_files_are_read_once(capture: Path, tmp_path: Path) -> None:
    """From a number of shares on that is lower where each would have to decompress the files."""
    compressed = tmp_path / "a.pcap.gz"
    compressed.write_bytes(gzip.compress(capture.read_bytes()))
    (plain,) = find_inputs([capture])
    (packed,) = find_inputs([capture, compressed], one_capture=True)
    assert [is_shuffle_better(plain, count) for count in (2, 3, 64, 65)] == [False, False, False, True]
    assert [is_shuffle_better(packed, count) for count in (2, 3, 64)] == [False, True, True]


@pytest.mark.parametrize(
    ("weights", "shares"),
    [([1], 1), ([100, 1, 1], 1), ([100, 5, 4], 1), ([100, 15], 2), ([100, 50, 50], 2), ([100, 60, 60], 3), ([1] * 8, 8)],
)  # fmt: skip
def test_how_many_are_of_use(weights: list[int], shares: int) -> None:
    """No share ends before the one with the heaviest bucket; a share with next to nothing is not worth a task."""
    assert count_useful_shares(dict(enumerate(weights))) == shares


def test_the_plan(capture: Path, tmp_path: Path) -> None:
    (found,) = find_inputs([capture])
    assert plan_shares(found, 1) == [ALL_BUCKETS]
    shares = plan_shares(found, 3)
    assert len(shares) == 3
    assert frozenset().union(*shares) == ALL_BUCKETS
    assert sum(map(len, shares)) == BUCKETS
    assert len(plan_shares(found, 64)) <= 10


def test_a_hot_connection_is_one_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read in this process, by one pass, as with one processor."""
    path = tmp_path / "hot.pcap"
    path.write_bytes(make(seed=2, size=200_000, connections=1).capture)
    (found,) = find_inputs([path])
    assert plan_shares(found, 8) == [ALL_BUCKETS]
    monkeypatch.setattr(local, "processes", None)
    engine = local_engine(ReadSettings(), workers=8, octets_per_share=10_000)
    list(ingest(create_lake(str(tmp_path / "lake")), [found], engine, lambda octets: None))


# --- The sample ---


@pytest.mark.parametrize("form", ["pcap", "pcapng", "gz"])
def test_a_sample_has_the_weights_of_the_capture(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half of the octets are enough: pieces that begin and end within packets, or the beginning of what is compressed."""
    made = make(seed=8, size=1_000_000, connections=5, form="pcapng" if form == "pcapng" else "pcap")
    path = tmp_path / f"a.{form}"
    path.write_bytes(gzip.compress(made.capture) if form == "gz" else made.capture)
    target = LakeTarget(create_lake(str(tmp_path / "lake")), "run", "a")
    survey, _ = SurveyFile(path, 0, ReadSettings(), target)()
    expected = {bucket: sums.octets for bucket, sums in survey.flows.items()}
    monkeypatch.setattr(share_plan, "_PIECES", len(made.capture) // 16_384 // 2)
    found = sample_weights([path])
    assert sorted(found) == sorted(ALL_BUCKETS)
    octets = sum(found.values()) - BUCKETS
    assert 0.3 < octets / sum(expected.values()) < 0.6
    for bucket, weight in found.items():
        part = expected.get(bucket, 0) / sum(expected.values())
        assert weight / octets == pytest.approx(part, abs=0.1 if form == "gz" else 0.03)


@pytest.mark.parametrize("octets", [b"", b"nothing", b"\x1f\x8bnothing", bytes(100_000)])
def test_a_sample_of_nothing(octets: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.pcap"
    path.write_bytes(octets)
    assert sample_weights([path]) == dict.fromkeys(range(BUCKETS), 1)


@given(seed=st.integers(0, 2**32))
@examples(5)
def test_rows_do_not_depend_on_the_sample(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Any shares that have each bucket once give the same tables."""
    folder, drawn = tmp_path_factory.mktemp("any"), random.Random(seed)
    path = folder / "a.pcap"
    path.write_bytes(make(seed=8, size=60_000, connections=10, drop=0.05).capture)
    buckets = [drawn.randrange(4) for _ in range(BUCKETS)]
    shares = [frozenset(b for b, share in enumerate(buckets) if share == number) for number in range(4)]

    def read(capture: CaptureInput, target: LakeTarget, on_progress: OnProgress) -> WrittenCapture:
        return read_shares(capture, target, ReadSettings(), shares, InProcess())

    expected = ingested([path], folder / "lake")
    place = folder / "other"
    results = list(ingest(create_lake(str(place)), find_inputs([path]), read, lambda octets: None))
    assert_same(Ingested(read_tables(place), results), expected)


# --- What shares read ---


def test_a_compressed_capture(capture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody reads it but the survey and one task; without the choice every share does."""
    readers: list[str] = []
    batches = FileReading.batches

    def noted(reading: FileReading, *arguments: Any, **more: Any) -> Iterator[SegmentBatch]:
        readers.append(inspect.stack()[1].function)
        return batches(reading, *arguments, **more)

    compressed = tmp_path / "a.pcap.gz"
    compressed.write_bytes(gzip.compress(capture.read_bytes()))
    expected = ingested([compressed], tmp_path / "lake")
    monkeypatch.setattr(FileReading, "batches", noted)
    assert_same(ingested([compressed], tmp_path / "lake", 3, shuffle=None), expected)
    assert readers == ["__call__", "_chunks"]
    readers.clear()
    assert_same(ingested([compressed], tmp_path / "lake", 3), expected)
    assert readers == ["batches"] * 3


def test_many_small_rows(
    capture: Path, expected: Ingested, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Segments are sent when a share has many, and when all have many together."""
    for limit, octets in (("_ROW_OCTETS", 5000), ("_MOST_WAITING_OCTETS", 20_000)):
        with monkeypatch.context() as changed:
            changed.setattr(segment_shuffle, limit, octets)
            assert_same(ingested([capture], tmp_path / "lake", 2, shuffle=True), expected)


def test_processes(capture: Path, expected: Ingested, tmp_path: Path) -> None:
    """The engine of the command shares a large capture out to processes, and tells how far they are."""
    shown: list[str] = []
    engine = local_engine(ReadSettings(), shown.append, 3, 10_000)
    place = tmp_path / "other"
    results = list(ingest(create_lake(str(place)), find_inputs([capture]), engine, lambda octets: None))
    assert_same(Ingested(read_tables(place), results), expected)
    assert shown == [f"reading: {number} of 3" for number in (1, 2, 3)]


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
    for count, shuffle in ((2, False), (7, False), (2, True)):
        assert_same(ingested([path], tmp_path / "lake", count, shuffle=shuffle), expected)


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


def check_refused(capture: Path, folder: Path, count: int, shuffle: bool = False) -> None:
    """The ledger's error, and nothing is committed."""
    lake = folder / "lake"
    engine = shared_engine(count, ReadSettings(), shuffle=shuffle)
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
    monkeypatch.setattr(ShareReading, "batches", lambda reading, core: fault(batches(reading)))
    check_refused(capture, tmp_path, count)


def test_a_bucket_that_another_share_takes(
    capture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All shares together have every segment once, but two shares have changed places."""

    def exchanged(task: ReadShare, *arguments: Any) -> Any:
        return read(replace(task, buckets=others[task.buckets]), *arguments)

    def noted(weights: dict[int, int], count: int) -> list[Buckets]:
        first, *middle, last = made = share_out(weights, count)
        others.update({first: last, last: first, **{share: share for share in middle}})
        return made

    others: dict[Buckets, Buckets] = {}
    read = ReadShare.__call__
    monkeypatch.setattr(ReadShare, "__call__", exchanged)
    monkeypatch.setattr(lake_tables, "share_out", noted)
    check_refused(capture, tmp_path, 3)


# --- What a task that sends segments may do wrong ---


def drop_row(rows: list[Row]) -> list[Row]:
    return rows[1:]


def drop_share(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row[0] != rows[0][0]]


def double_row(rows: list[Row]) -> list[Row]:
    return [rows[0], *rows]


def move_to_share(rows: list[Row]) -> list[Row]:
    share, *others = rows[0]
    return [(share + 1, *others), *rows[1:]]  # type: ignore[list-item]


def move_to_file(rows: list[Row]) -> list[Row]:
    share, file_no, *others = rows[0]
    return [(share, 1 - file_no, *others), *rows[1:]]  # type: ignore[list-item]


def swap_rows(rows: list[Row]) -> list[Row]:
    """The first two rows of a share change their places."""
    first, second, *others = sorted(rows)
    assert first[0] == second[0]
    return [(*first[:2], second[2], first[3]), (*second[:2], first[2], second[3]), *others]


@pytest.mark.parametrize("fault", [drop_row, drop_share, double_row, move_to_share, move_to_file, swap_rows])
def test_a_sender_with_a_fault(
    fault: Callable[[list[Row]], list[Row]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring = write_ring(tmp_path / "ring", seed=8, size=100_000, connections=10)
    send = SendSegments.__call__
    monkeypatch.setattr(segment_shuffle, "_ROW_OCTETS", 3000)
    monkeypatch.setattr(SendSegments, "__call__", lambda producer: iter(fault(list(send(producer)))))
    check_refused(ring[0].parent, tmp_path, 2, shuffle=True)


@pytest.mark.parametrize("shuffle", [False, True])
def test_a_file_that_has_grown_since_the_survey(
    shuffle: bool, capture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def grown(task: ReadShare | SendSegments, *arguments: Any) -> Any:
        octets = capture.read_bytes()
        size = int.from_bytes(octets[32:36], "little")  # of the first packet
        capture.write_bytes(octets + octets[24 : 40 + size])
        return read(task, *arguments)

    kind = SendSegments if shuffle else ReadShare
    read: Callable[..., Any] = kind.__call__
    monkeypatch.setattr(kind, "__call__", grown)
    check_refused(capture, tmp_path, 2, shuffle)


def test_a_flow_that_has_changed_since_the_survey(
    capture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are as many packets and octets as before."""

    def changed(producer: SendSegments) -> Iterator[Row]:
        octets = bytearray(capture.read_bytes())
        octets[24 + 16 + 14 + 12] ^= 1  # the source address of the first packet
        capture.write_bytes(octets)
        return send(producer)

    send = SendSegments.__call__
    monkeypatch.setattr(SendSegments, "__call__", changed)
    check_refused(capture, tmp_path, 2, shuffle=True)


def test_the_command_ends_with_3(capture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batches = ShareReading.batches
    monkeypatch.setattr(ShareReading, "batches", lambda reading, core: drop(batches(reading)))
    call = ["traffic", "ingest", str(capture), "--out", str(tmp_path / "lake"), "--engine", "local"]
    done = CliRunner().invoke(cli, call)
    assert done.exit_code == 3
    (line,) = done.stderr.splitlines()
    assert "all shares of a.pcap: " in line and "nothing was written" in line
    assert not [*(tmp_path / "lake").rglob("*.parquet")]
