"""Ingests captures with an engine of choice, and gives the rows of the tables that come out."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from amqp_traffic.ingest.inputs import CaptureInput, find_inputs
from amqp_traffic.ingest.job import CaptureResult, LakeTarget, OnProgress, ReadSettings, WrittenCapture
from amqp_traffic.ingest.local import Engine, ingest
from amqp_traffic.ingest.sharing.buckets import ALL_BUCKETS
from amqp_traffic.ingest.sharing.plan import is_shuffle_better, sample_weights, share_out
from amqp_traffic.ingest.sharing.reading import read_once, read_shares
from amqp_traffic.lake.folder import create_lake, open_lake
from amqp_traffic.schemas import TABLES
from amqp_traffic.streams.raw_streams import is_raw_stream
from amqp_traffic.tasks.runner import InProcess, TaskRunner

Rows = Sequence[dict[str, Any]]


@dataclass(frozen=True)
class Ingested:
    """What came out.

    Attributes:
        tables: The rows of each, in any order; the folders they are in are columns.
        results: What was told of each capture.
    """

    tables: dict[str, Rows]
    results: list[CaptureResult]

    def __getitem__(self, table: str) -> Rows:
        return self.tables[table]

    @cached_property
    def counts(self) -> dict[str, Counter[str]]:
        """How often each row is there."""
        return counts_of(self.tables)


def shared_engine(
    shares: int, settings: ReadSettings, runner: TaskRunner | None = None, shuffle: bool | None = False
) -> Engine:
    """An engine that reads so many shares of each capture, even if that is of no use; ``shuffle=None`` for what is better."""

    def read(capture: CaptureInput, target: LakeTarget, on_progress: OnProgress) -> WrittenCapture:
        runs = runner or InProcess()
        if shares == 1 or is_raw_stream(capture.files[0]):
            return read_shares(capture, target, settings, [ALL_BUCKETS], runs)
        if is_shuffle_better(capture, shares) if shuffle is None else shuffle:
            return read_once(capture, target, settings, shares, runs)
        buckets = share_out(sample_weights(capture.files), shares)
        return read_shares(capture, target, settings, buckets, runs)

    return read


def ingested(
    paths: Sequence[Path],
    place: Path,
    shares: int = 1,
    settings: ReadSettings | None = None,
    one_capture: bool = False,
    runner: TaskRunner | None = None,
    shuffle: bool | None = False,
) -> Ingested:
    """Ingest captures into a new lake, without Spark. The place is empty afterwards."""
    reader = shared_engine(shares, settings or ReadSettings(), runner, shuffle)
    try:
        inputs = find_inputs(paths, one_capture=one_capture)
        results = list(ingest(create_lake(str(place)), inputs, reader, lambda octets: None))
        return Ingested(read_tables(place), results)
    finally:
        shutil.rmtree(place, ignore_errors=True)


def read_tables(place: Path) -> dict[str, Rows]:
    """All rows of a lake."""
    lake = open_lake(str(place))
    return {table: [row for path in lake.files(table) for row in _read(place / path)] for table in TABLES}


def _read(path: Path) -> list[dict[str, Any]]:
    folders = dict(part.split("=", 1) for part in path.parts if "=" in part)
    return [folders | row for row in pq.ParquetFile(path).read().to_pylist()]


def assert_same(found: Ingested, expected: Ingested, tables: Collection[str] = TABLES) -> None:
    """The same rows in all tables, each as often; and the same is told of the captures."""
    _compare(found.counts, expected.counts, tables)
    assert found.results == expected.results


def assert_same_tables(
    found: dict[str, Rows], expected: dict[str, Rows], tables: Collection[str] = TABLES
) -> None:
    """The same rows in all tables, each as often."""
    _compare(counts_of(found), counts_of(expected), tables)


def counts_of(tables: dict[str, Rows]) -> dict[str, Counter[str]]:
    """How often each row of the tables is there."""
    return {table: Counter(map(repr, rows)) for table, rows in tables.items()}


def _compare(
    found: dict[str, Counter[str]], expected: dict[str, Counter[str]], tables: Collection[str]
) -> None:
    for table in tables:
        mine, theirs = found[table], expected[table]
        if mine != theirs:
            too_many, missing = sorted((mine - theirs).elements()), sorted((theirs - mine).elements())
            raise AssertionError(
                f"{table}: {len(too_many)} rows too many, {len(missing)} missing of {theirs.total()}: "
                + "\n".join(["", *(f"+ {row}" for row in too_many[:2]), *(f"- {row}" for row in missing[:2])])
            )
