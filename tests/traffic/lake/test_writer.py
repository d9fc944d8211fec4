"""Parquet files: where they are, how large they become, what is in them."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from amqp_traffic.lake.writer import Writer
from pyarrow import fs

from .parquet_values import DAY, NEXT_DAY, final, read, write
from .test_numbering import decoded

FRAMES = final(decoded(1, 2, 3, 5))["frames"]


def _name(path: Path) -> str:
    """The name of a file without what is random in it."""
    return re.sub(r"-[0-9a-f]{12}-", "-ATTEMPT-", path.as_posix())


def test_folders_and_names(tmp_path: Path) -> None:
    files = write(tmp_path, [("frames", date, rows) for date, rows in FRAMES.items()] * 2)
    assert [_name(path.relative_to(tmp_path)) for path in files["frames"]] == [
        f"frames/date={day}/capture_id=capture/part-x-ATTEMPT-0000.parquet" for day in (DAY, NEXT_DAY)
    ]
    assert [row["conn_id"] for row in read("frames", files["frames"][0])] == [
        "a3",
        "a3",
        "b2",
        "b2",
        "c1",
        "c1",
    ] * 2
    assert [row["conn_id"] for row in read("frames", files["frames"][1])] == ["d5"] * 4


def test_compression_and_plain_types(tmp_path: Path) -> None:
    """Dictionaries are a matter of the file; whoever reads it gets texts."""
    ((path,),) = write(tmp_path, [("frames", DAY, FRAMES[DAY])]).values()
    group = pq.read_metadata(path).row_group(0)
    assert {group.column(number).compression for number in range(group.num_columns)} == {"ZSTD"}
    schema = pq.read_schema(path)
    assert schema.field("conn_id").type == schema.field("name").type == pa.string()
    assert schema.field("ts").type == pa.timestamp("us", "UTC")


def test_a_file_ends_when_it_is_large_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("amqp_traffic.lake.writer._MOST_GROUP_ROWS", 10)
    files = write(tmp_path, [("frames", DAY, FRAMES[DAY])] * 5, target=1)
    names = [_name(path).rpartition("/")[2] for path in files["frames"]]
    assert names == [f"part-x-ATTEMPT-000{number}.parquet" for number in range(3)]
    assert [pq.read_metadata(path).num_rows for path in files["frames"]] == [12, 12, 6]
    files = write(tmp_path, [("frames", DAY, FRAMES[DAY])] * 5)
    assert [pq.read_metadata(path).num_row_groups for path in files["frames"]] == [3]


def test_nothing_is_written_of_nothing(tmp_path: Path) -> None:
    assert write(tmp_path / "lake", [("frames", DAY, FRAMES[DAY].slice(0, 0))]) == {}
    assert not (tmp_path / "lake").exists()


def test_after_an_error_nothing_is_left(tmp_path: Path) -> None:
    with (
        pytest.raises(RuntimeError),
        Writer(fs.LocalFileSystem(), str(tmp_path), "c", "x", target=1) as writer,
    ):
        writer.write("frames", DAY, FRAMES[DAY].take(pa.repeat(0, 300_000)))
        writer.write("frames", NEXT_DAY, FRAMES[NEXT_DAY])
        assert len(writer.written) == 1 and len(list(tmp_path.rglob("*.parquet"))) == 2
        raise RuntimeError
    assert not list(tmp_path.rglob("*.parquet"))


def test_any_filesystem() -> None:
    memory = fs._MockFileSystem()
    with Writer(memory, "lake", "c", "x") as writer:
        writer.write("frames", DAY, FRAMES[DAY])
    (written,) = writer.written
    assert written.path.startswith(f"frames/date={DAY}/capture_id=c/part-x-")
    assert pq.read_table(memory.open_input_file(f"lake/{written.path}")).num_rows == written.rows == 6


def test_the_longest_table_is_written_when_all_together_hold_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = FRAMES[DAY], FRAMES[NEXT_DAY]
    assert one.nbytes > other.nbytes
    monkeypatch.setattr("amqp_traffic.lake.writer._MOST_HELD_OCTETS", one.nbytes + other.nbytes)
    files = write(tmp_path, [("frames", DAY, one), ("frames", NEXT_DAY, other)] * 3)
    assert [pq.read_metadata(path).num_row_groups for path in files["frames"]] == [3, 1]
