"""The folder of tables: what is a lake, and what a commit changes."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.lake.folder import Lake, LakeError, create_lake, open_lake
from amqp_traffic.lake.storage import capture_folder, capture_of, day_of, filesystem_of, inside, spark_path

from .staged import staged

MONDAY, TUESDAY = date(2026, 11, 23), date(2026, 11, 24)


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return create_lake(str(tmp_path / "lake"))


def stage(
    lake: Lake, run: str, table: str, day: date, capture: str, text: str, name: str = "part-0.parquet"
) -> None:
    folder = Path(lake.staged_folder(run, table, day, capture))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def contents(lake: Lake) -> Mapping[str, str]:
    """What readers find: every file of a table, and what is in it."""
    root = Path(lake.root)
    files = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
    return {path.as_posix(): (root / path).read_text() for path in files if not path.parts[0].startswith("_")}


def test_what_is_committed_is_there(lake: Lake) -> None:
    run = lake.new_run()
    stage(lake, run, "frames", MONDAY, "a", "frames of a")
    stage(lake, run, "captures", TUESDAY, "a", "a")
    assert contents(lake) == {}
    lake.commit(run, ["a"], staged(lake, run))
    assert contents(lake) == {
        "frames/date=2026-11-23/capture_id=a/part-0.parquet": "frames of a",
        "captures/date=2026-11-24/capture_id=a/part-0.parquet": "a",
    }
    assert sorted(os.listdir(lake.root)) == ["_lake.json", "_lock", "_staging", "captures", "frames"]
    assert os.listdir(Path(lake.root, "_staging")) == []
    assert lake.has("frames") and not lake.has("methods")


def test_a_commit_replaces_its_captures_in_every_table_and_nothing_else(lake: Lake) -> None:
    first = lake.new_run()
    for capture in ("a", "b"):
        for table in ("captures", "frames", "methods"):
            for number in range(3):
                stage(lake, first, table, MONDAY, capture, f"old {capture}", f"part-{number}.parquet")
    lake.commit(first, ["a", "b"], staged(lake, first))
    kept = {path: text for path, text in contents(lake).items() if "capture_id=b" in path}

    second = lake.new_run()
    stage(lake, second, "captures", MONDAY, "a", "new a")
    stage(lake, second, "frames", TUESDAY, "a", "new a")
    lake.commit(second, ["a"], staged(lake, second))
    assert contents(lake) == kept | {
        "captures/date=2026-11-23/capture_id=a/part-0.parquet": "new a",
        "frames/date=2026-11-24/capture_id=a/part-0.parquet": "new a",
    }
    # No folders are left of what is gone.
    assert not list(Path(lake.root).glob("methods/*/capture_id=a"))
    assert not list(Path(lake.root).glob("frames/date=2026-11-23/capture_id=a"))


def test_folders_of_days_that_nothing_is_left_of_go(lake: Lake) -> None:
    run = lake.new_run()
    stage(lake, run, "frames", MONDAY, "a", "old")
    lake.commit(run, ["a"], staged(lake, run))
    run = lake.new_run()
    lake.commit(run, ["a"], staged(lake, run))
    assert os.listdir(Path(lake.root, "frames")) == []


def test_what_is_abandoned_is_gone(lake: Lake) -> None:
    kept, given_up = lake.new_run(), lake.new_run()
    for run in (kept, given_up):
        stage(lake, run, "frames", MONDAY, run, run)
    lake.abandon(given_up)
    lake.abandon("never begun")
    assert os.listdir(Path(lake.root, "_staging")) == [kept]
    lake.commit(kept, [kept], staged(lake, kept))
    assert list(contents(lake).values()) == [kept]
    with pytest.raises(LakeError, match=r"is not there any more; ingest again$"):
        lake.commit(given_up, [given_up], staged(lake, given_up))


def test_other_folders_of_a_run_are_its_own(lake: Lake) -> None:
    run = lake.new_run()
    Path(lake.staging(run), "_work", "blobs").mkdir(parents=True)
    Path(lake.staging(run), "_work", "blobs", "0.arrow").write_text("between two stages")
    stage(lake, run, "frames", MONDAY, "a", "a")
    lake.commit(run, ["a"], staged(lake, run))
    assert list(contents(lake).values()) == ["a"]
    assert os.listdir(Path(lake.root, "_staging")) == []


def test_a_run_commits_no_other_captures_than_it_says(lake: Lake) -> None:
    run = lake.new_run()
    stage(lake, run, "frames", MONDAY, "b", "b")
    with pytest.raises(ValueError, match=r"capture_id=b/part-0\.parquet is not of the captures a$"):
        lake.commit(run, ["a"], staged(lake, run))
    assert contents(lake) == {}


def test_what_killed_runs_left_goes_after_two_days(lake: Lake) -> None:
    old, older_but_at_work, new = lake.new_run(), lake.new_run(), lake.new_run()
    long_ago = 1_000_000_000
    for run in (old, older_but_at_work):
        stage(lake, run, "frames", MONDAY, "a", "a")
        for path in (Path(lake.staging(run)), *Path(lake.staging(run)).rglob("*")):
            os.utime(path, (long_ago, long_ago))
    stage(lake, older_but_at_work, "frames", TUESDAY, "a", "just now")
    newest = lake.new_run()
    assert set(os.listdir(Path(lake.root, "_staging"))) == {older_but_at_work, new, newest}
    assert old not in {older_but_at_work, new, newest}


@pytest.mark.parametrize(
    "name",
    ["a", "trace-1.pcap-0f3a", "a b", "50%=/x:y?*[z]{w}^\"'\\#", "\N{GREEK SMALL LETTER ALPHA}", "%41"],
)
def test_captures_of_any_name(lake: Lake, name: str) -> None:
    assert capture_of(capture_folder(name)) == name
    assert "/" not in capture_folder(name)
    run = lake.new_run()
    stage(lake, run, "frames", MONDAY, name, "old")
    lake.commit(run, [name], staged(lake, run))
    assert [Path(lake.root, path).read_text() for path in lake.files("frames", name)] == ["old"]
    run = lake.new_run()
    stage(lake, run, "frames", TUESDAY, name, "new")
    lake.commit(run, [name], staged(lake, run))
    assert list(contents(lake).values()) == ["new"]


def test_a_capture_needs_a_name() -> None:
    with pytest.raises(ValueError, match="identifier"):
        capture_folder("")
    assert capture_of("date=2026-11-23") is None
    assert capture_of("part-0.parquet") is None


def test_the_day_is_that_of_utc() -> None:
    assert day_of(0) == date(1970, 1, 1)
    assert day_of(86_400 * 10**9 - 1) == date(1970, 1, 1)
    assert day_of(86_400 * 10**9) == date(1970, 1, 2)


def test_files_of_a_table(lake: Lake) -> None:
    run = lake.new_run()
    for capture, day in (("a", MONDAY), ("a", TUESDAY), ("b", MONDAY)):
        stage(lake, run, "frames", day, capture, "")
    lake.commit(run, ["a", "b"], staged(lake, run))
    assert lake.files("frames") == [
        "frames/date=2026-11-23/capture_id=a/part-0.parquet",
        "frames/date=2026-11-23/capture_id=b/part-0.parquet",
        "frames/date=2026-11-24/capture_id=a/part-0.parquet",
    ]
    assert lake.files("frames", "b") == ["frames/date=2026-11-23/capture_id=b/part-0.parquet"]
    assert lake.files("methods") == lake.files("methods", "a") == lake.files("frames", "c") == []


def test_a_lake_is_made_once(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for place in (empty, tmp_path / "new" / "folders"):
        made = create_lake(str(place))
        mark = (place / "_lake.json").read_bytes()
        assert create_lake(str(place)) == made == open_lake(str(place))
        assert (place / "_lake.json").read_bytes() == mark
        assert os.listdir(place) == ["_lake.json"]


def test_a_lake_that_was_killed_while_it_was_made(tmp_path: Path) -> None:
    (tmp_path / "__lake.json.new").write_text("{")
    assert create_lake(str(tmp_path)) == open_lake(str(tmp_path))


def refusal(place: Path | str, make: bool = False) -> str:
    with pytest.raises(LakeError) as caught:
        (create_lake if make else open_lake)(str(place))
    assert str(caught.value).isprintable()
    return str(caught.value)


def test_what_is_no_lake(tmp_path: Path) -> None:
    assert (
        refusal(tmp_path / "x")
        == f"there is no lake at {tmp_path / 'x'}; amqp-codegen traffic ingest makes one"
    )
    assert refusal(tmp_path) == f"{tmp_path} is not a lake: it has no _lake.json"
    (tmp_path / "holiday.jpg").touch()
    assert refusal(tmp_path, make=True).endswith(
        "is not empty, and is not a lake: it has no _lake.json; name another folder"
    )
    assert refusal(tmp_path / "holiday.jpg", make=True).endswith(
        "holiday.jpg is a file, not a folder for tables"
    )
    assert "is not a lake" in refusal(tmp_path / "holiday.jpg")
    assert os.listdir(tmp_path) == ["holiday.jpg"]


@pytest.mark.parametrize(
    "mark",
    ["", "{", "[]", "{}", '{"kind": "photographs", "format": 1}', '{"kind": "amqp-codegen traffic"}', "\xff"],
)
def test_marks_of_others(tmp_path: Path, mark: str) -> None:
    (tmp_path / "_lake.json").write_bytes(mark.encode("latin-1"))
    for make in (False, True):
        assert (
            refusal(tmp_path, make)
            == f"{tmp_path} is not a lake of captured traffic: _lake.json says something else"
        )


def test_lakes_of_another_format(tmp_path: Path) -> None:
    create_lake(str(tmp_path))
    mark = json.loads((tmp_path / "_lake.json").read_text())
    (tmp_path / "_lake.json").write_text(json.dumps(mark | {"format": mark["format"] + 1}))
    for make in (False, True):
        assert refusal(tmp_path, make) == (
            f"{tmp_path} is a lake of format 2, and this version has format 1; ingest into a new folder"
        )


def test_places_that_cannot_be_reached() -> None:
    assert refusal("gopher://x/y").startswith("gopher://x/y cannot be reached: ")


def test_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    filesystem, path = filesystem_of("lake/")
    assert (filesystem.type_name, path) == ("local", str(tmp_path / "lake"))
    assert filesystem_of(f"file://{tmp_path}/lake/")[1] == str(tmp_path / "lake")
    assert spark_path("lake/frames") == f"file://{tmp_path}/lake/frames"
    assert spark_path("/a [1]/*{b}?") == r"file:///a \[1\]/\*\{b\}\?"
    assert spark_path("s3://bucket/lake/") == "s3a://bucket/lake"
    assert (
        spark_path("s3://bucket/lake/frames?endpoint_override=host:9000&scheme=http")
        == "s3a://bucket/lake/frames"
    )
    assert inside("s3://bucket/lake?scheme=http", "frames") == "s3://bucket/lake/frames?scheme=http"
    assert (inside("s3://bucket/lake/", "a/b"), inside("lake/", "a")) == ("s3://bucket/lake/a/b", "lake/a")
    assert spark_path("hdfs://node:8020/lake") == "hdfs://node:8020/lake"


def test_a_lake_can_be_named_by_a_uri(tmp_path: Path) -> None:
    lake = create_lake(f"file://{tmp_path}/lake")
    assert open_lake(str(tmp_path / "lake")).root == lake.root
    run = lake.new_run()
    stage(lake, run, "frames", MONDAY, "a", "a")
    lake.commit(run, ["a"], staged(lake, run))
    assert list(contents(lake).values()) == ["a"]
    assert lake.spark_path("frames") == f"file://{tmp_path}/lake/frames"


def test_a_lake_goes_to_other_processes(lake: Lake) -> None:
    assert pickle.loads(pickle.dumps(lake)) == lake
