"""The tables of a ring that is followed are a stream for Spark, too: each row once, as it comes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

import pyarrow.parquet as pq

from ..ingest.ring.capture_rings import follow, plain_ring, read_tables, write


def test_what_is_appended_comes_once(spark: Any, tmp_path: Path) -> None:
    ring = plain_ring()
    names = list(ring)
    folder, lake = tmp_path / "ring", tmp_path / "lake"
    counts: list[int] = []
    last: set[tuple[str, int]] = set()
    for count in (2, 4, 5):
        follow(write(folder, {name: ring[name] for name in names[:count]}), lake)
        frames = (
            spark.readStream.schema(spark.read.parquet(f"{lake}/frames").schema)
            .option("pathGlobFilter", "part-file-*")
            .parquet(f"{lake}/frames")
        )
        query = (
            frames.writeStream.format("parquet")
            .option("checkpointLocation", f"{tmp_path}/checkpoint")
            .trigger(availableNow=True)
            .start(f"{tmp_path}/seen")
        )
        query.awaitTermination()
        seen = spark.read.parquet(f"{tmp_path}/seen")
        counts.append(seen.count())
        last = {(row["conn_id"], row["frame_no"]) for row in seen.collect()}
    assert counts[0] < counts[1] < counts[2] == len(last)  # none came twice
    for_good = [
        (row["conn_id"], row["frame_no"])
        for path in (lake / "frames").rglob("part-file-*.parquet")
        for row in pq.ParquetFile(path).read(["conn_id", "frame_no"]).to_pylist()
    ]
    assert sorted(last) == sorted(for_good)
    assert counts[-1] < len(read_tables(lake)["frames"])  # some are for now
