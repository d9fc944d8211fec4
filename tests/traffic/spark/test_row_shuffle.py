"""Rows through Spark's own shuffle: the tables of a capture whose files are read once, and errors in one line."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")
pytest.importorskip("pyspark", reason="needs PySpark")

from amqp_traffic.capture.files import CaptureError
from amqp_traffic.capture.flow_buckets import BUCKETS
from amqp_traffic.capture.ledgers import LedgerError
from amqp_traffic.ingest.inputs import find_inputs
from amqp_traffic.ingest.job import LakeTarget, ReadSettings
from amqp_traffic.ingest.local import ingest
from amqp_traffic.ingest.sharing.shares import raw_surveys
from amqp_traffic.ingest.sharing.shuffle import DecodeSegments, SendSegments
from amqp_traffic.ingest.sharing.survey import SurveyFile
from amqp_traffic.lake.folder import create_lake
from amqp_traffic.tasks.runner import Row, TaskFailed
from amqp_traffic.tasks.spark.row_shuffle import ConsumerThread
from amqp_traffic.tasks.spark.runner import SparkRunner

from ..ingest.lake_tables import Ingested, assert_same, ingested, read_tables
from ..ingest.ledger_checks import check_ledgers
from ..ingest.test_engines_agree import FEW, parts_of
from ..synth.made_captures import make
from .captures import call_ingest, write_capture

EVERY_DAMAGE: dict[str, Any] = {
    "skip": 20, "drop": 0.01, "duplicate": 0.05, "overlap": 0.05, "reorder": 0.05, "flip": 0.02, "conflict": 0.03,
    "snaplen": 1000, "garbage": 3, "truncate": True,
}  # fmt: skip


def read_once(spark: Any, path: Path, lake: Path) -> tuple[Ingested, list[str]]:
    """What the engine makes of a capture if it is told to read each file once, and the stages that it shows."""
    from amqp_traffic.ingest.spark_engine import spark_engine

    shown: list[str] = []
    engine = spark_engine(spark, ReadSettings(), shown.append, 20_000, shuffle=True)
    results = list(ingest(create_lake(str(lake)), find_inputs([path]), engine, lambda octets: None))
    assert list((lake / "_staging").iterdir()) == []
    return Ingested(read_tables(lake), results), shown


@pytest.mark.parametrize("damage", [{}, EVERY_DAMAGE], ids=["none", "all"])
def test_one_file(damage: dict[str, Any], spark: Any, tmp_path: Path) -> None:
    """In a classic session. No pandas is needed, and the environment of these tests has none."""
    assert find_spec("pandas") is None
    path = write_capture(tmp_path / "a.pcap", seed=5, **{**FEW, **damage, "size": 100_000})
    expected = ingested([path], tmp_path / "lake")
    found, _ = read_once(spark, path, tmp_path / "lake")
    assert_same(found, expected)
    check_ledgers(found)


@pytest.mark.parametrize(("files", "is_compressed"), [(5, True), (12, False)], ids=["five, gzip", "twelve"])
def test_many_files(files: int, is_compressed: bool, spark: Any, tmp_path: Path) -> None:
    (tmp_path / "ring").mkdir()
    capture = make(seed=4, size=200_000, drop=0.01, reorder=0.02, **FEW).capture
    paths = parts_of(capture, files, tmp_path / "ring")
    if is_compressed:
        for path in paths:
            path.write_bytes(gzip.compress(path.read_bytes()))
    expected = ingested(paths, tmp_path / "lake")
    found, shown = read_once(spark, tmp_path / "ring", tmp_path / "lake")
    assert_same(found, expected)
    assert {line.partition(": ")[0] for line in shown} <= {"survey", "reading"}


def test_the_command(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``--shuffle``: several shares, though there are two workers and one of them reads the file."""
    from amqp_traffic.ingest import spark_engine

    monkeypatch.setattr(spark_engine.spark_engine, "__defaults__", (20_000,))
    path, lake = write_capture(tmp_path / "a.pcap", seed=5, size=100_000, **FEW), tmp_path / "lake"
    assert call_ingest(path, "--out", lake, "--shuffle")[0] == 0
    shares = {path.name.split("-")[2] for path in lake.rglob("part-share-*")}
    assert len(shares) > 2


# --- Errors ---


@pytest.fixture
def target(tmp_path: Path) -> LakeTarget:
    lake = create_lake(str(tmp_path / "lake"))
    return LakeTarget(lake, lake.new_run(), "a")


def sender(path: Path, target: LakeTarget, packets_before: int, number: int = 0) -> SendSegments:
    survey, _ = SurveyFile(path, number, ReadSettings(), target)()
    return SendSegments(path, number, packets_before, survey.totals, dict.fromkeys(range(BUCKETS), 0))


def shuffled(spark: Any, target: LakeTarget, *senders: SendSegments) -> list[Any]:
    runner = SparkRunner(spark, lambda text: None, own_errors=(CaptureError, LedgerError))
    return runner.shuffle("reading", senders, DecodeSegments([0, 0], ReadSettings(), target))


def test_an_error_where_rows_come_from(spark: Any, target: LakeTarget, tmp_path: Path) -> None:
    path = write_capture(tmp_path / "a.pcap", seed=5, size=60_000)
    wrong = sender(path, target, 0)
    path.write_bytes(make(seed=6, size=60_000).capture)
    with pytest.raises(LedgerError, match=r"^a\.pcap, when it was sent: FileTotals"):
        shuffled(spark, target, wrong)
    path.unlink()
    with pytest.raises(TaskFailed, match=r"No such file.*a\.pcap"):
        shuffled(spark, target, wrong)


def test_an_error_where_rows_go_to(spark: Any, target: LakeTarget, tmp_path: Path) -> None:
    """Packets of the second file count as earlier ones. What was written until then is removed."""
    path = write_capture(tmp_path / "a.pcap", seed=5, size=60_000)
    senders = sender(path, target, 5000), sender(path, target, 0, 1)
    with pytest.raises(LedgerError, match="the packets of a share are not in order"):
        shuffled(spark, target, *senders)
    assert not [*tmp_path.rglob("part-share-*")]


def test_no_rows(spark: Any, target: LakeTarget, tmp_path: Path) -> None:
    """Neither without producers, nor from one that has none to send."""
    assert shuffled(spark, target) == []
    path = tmp_path / "nothing"
    path.write_bytes(b"nothing")
    (survey,) = raw_surveys([path])
    assert shuffled(spark, target, SendSegments(path, 0, 0, survey.totals, {})) == []


# --- The thread of a consumer, without Spark ---

ROWS: list[Row] = [(7, 0, number, bytes([number])) for number in range(4)]


def run(consumer: Callable[[int, Iterator[Row]], Any]) -> Any:
    """Rows in two batches, and their end."""
    thread = ConsumerThread(consumer, 7)
    thread.read(iter(ROWS[:3]))
    thread.read(iter(ROWS[3:]))
    return thread.finish()


def test_a_consumer_gets_its_rows() -> None:
    assert run(lambda bucket, rows: (bucket, list(rows))) == (7, ROWS)


def test_a_consumer_that_has_enough() -> None:
    assert run(lambda bucket, rows: next(rows)) == ROWS[0]
    assert run(lambda bucket, rows: bucket) == 7


def test_a_consumer_that_fails() -> None:
    def fail_late(bucket: int, rows: Iterator[Row]) -> None:
        raise OSError(f"after {len(list(rows))}")

    def fail_at_once(bucket: int, rows: Iterator[Row]) -> None:
        raise OSError("at once")

    with pytest.raises(OSError, match="after 4"):
        run(fail_late)
    with pytest.raises(OSError, match="at once"):
        run(fail_at_once)


def test_rows_that_do_not_come() -> None:
    """The consumer sees an error, so that it does not finish what it writes."""
    seen: list[BaseException] = []

    def note(bucket: int, rows: Iterator[Row]) -> None:
        try:
            list(rows)
        except Exception as error:
            seen.append(error)

    thread = ConsumerThread(note, 7)
    thread.read(iter(ROWS))
    thread.abandon()
    assert thread.finish() is None
    assert len(seen) == 1
    thread.abandon()  # it has ended already
