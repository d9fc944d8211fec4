"""A commit that is killed: at each step, before it and after it; whoever comes next finishes it or takes it back."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.lake.folder import Lake, LakeError, create_lake, open_lake
from pyarrow import fs

from .staged import staged

MONDAY, TUESDAY = date(2026, 11, 23), date(2026, 11, 24)
# What changes something.
STEPS = ("create_dir", "delete_dir", "delete_file", "move", "open_output_stream")
TABLES = ("captures", "frames", "methods")


class Killed(BaseException):
    """The process is gone."""


class Mortal:
    """The local file system, on which a process dies at its n-th step: before it, or when it is done.

    ``kind`` is what Lake takes it for: only local files are replaced by moving others over them.
    """

    def __init__(self, step: int, after: bool, kind: str) -> None:
        self.step, self.after, self.type_name = step, after, kind
        self.steps: list[str] = []
        self._real = fs.LocalFileSystem()

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._real, name)
        return self._counted(name, real) if name in STEPS else real

    def _counted(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def step(*arguments: Any, **options: Any) -> Any:
            self.steps.append(name)
            if len(self.steps) == self.step and not self.after:
                raise Killed
            result = real(*arguments, **options)
            if len(self.steps) == self.step:
                if name == "open_output_stream":  # it wrote half of it
                    result.write(b'{"format"')
                    result.close()
                raise Killed
            return result

        return step


def put(lake: Lake, run: str, capture: str, tables: Mapping[str, tuple[date, int]], text: str) -> None:
    for table, (day, parts) in tables.items():
        folder = Path(lake.staged_folder(run, table, day, capture))
        folder.mkdir(parents=True)
        for number in range(parts):
            (folder / f"part-{number}.parquet").write_text(f"{text} {number}")


def contents(root: str) -> dict[str, str]:
    files = (path.relative_to(root) for path in Path(root).rglob("*") if path.is_file())
    return {
        path.as_posix(): Path(root, path).read_text() for path in files if not path.parts[0].startswith("_")
    }


def prepared(place: Path) -> tuple[Lake, str]:
    """A lake with captures a and b, and a run that replaces a and brings c."""
    lake = create_lake(str(place))
    first = lake.new_run()
    for capture in ("a", "b"):
        put(lake, first, capture, dict.fromkeys(TABLES, (MONDAY, 3)), f"old {capture}")
    lake.commit(first, ["a", "b"], staged(lake, first))
    run = lake.new_run()
    # Fewer files, another day, no rows at all.
    put(lake, run, "a", {"captures": (MONDAY, 1), "frames": (TUESDAY, 2)}, "new a")
    put(lake, run, "c", dict.fromkeys(TABLES, (MONDAY, 2)), "new c")
    return lake, run


def wanted(before: Mapping[str, str]) -> dict[str, str]:
    kept = {path: text for path, text in before.items() if "capture_id=b" in path}
    new_a = {
        "captures/date=2026-11-23/capture_id=a/part-0.parquet": "new a 0",
        "frames/date=2026-11-24/capture_id=a/part-0.parquet": "new a 0",
        "frames/date=2026-11-24/capture_id=a/part-1.parquet": "new a 1",
    }
    new_c = {
        f"{table}/date=2026-11-23/capture_id=c/part-{number}.parquet": f"new c {number}"
        for table in TABLES
        for number in range(2)
    }
    return kept | new_a | new_c


def commit_until(lake: Lake, run: str, step: int, after: bool, kind: str) -> list[str] | None:
    """The steps that were taken when it died, None if it did not."""
    mortal = Mortal(step, after, kind)
    try:
        Lake(lake.place, mortal, lake.root).commit(run, ["a", "c"], staged(lake, run))
    except Killed:
        return mortal.steps
    return None


@pytest.mark.parametrize("kind", ["local", "far"])
@pytest.mark.parametrize("after", [False, True])
def test_killed_at_every_step(tmp_path: Path, after: bool, kind: str) -> None:
    outcomes = set()
    for step in itertools.count(1):
        lake, run = prepared(tmp_path / str(step))
        before = contents(lake.root)
        steps = commit_until(lake, run, step, after, kind)
        if steps is None:
            assert contents(lake.root) == wanted(before)
            break
        seen = contents(lake.root)
        # Other captures stay as they are all the time, and nobody ever sees old and new rows of one.
        assert {path: text for path, text in seen.items() if "=b/" in path} == {
            path: text for path, text in before.items() if "=b/" in path
        }
        assert {text[:5] for path, text in seen.items() if "=a/" in path} in ({"old a"}, {"new a"}, set())

        began = Path(lake.root, "_journal.json").exists()
        outcomes.add(began)
        again = open_lake(lake.place)
        again.recover()
        assert not Path(lake.root, "_journal.json").exists()
        if began or seen == wanted(before):
            assert contents(lake.root) == wanted(before)
            assert not Path(lake.staging(run)).exists()
        else:
            assert contents(lake.root) == before
            again.commit(run, ["a", "c"], staged(lake, run))
            assert contents(lake.root) == wanted(before)
    assert outcomes == {False, True}
    assert step > 20


@pytest.mark.parametrize("second", [1, 4, 9, 14])
def test_killed_again_while_it_is_finished(tmp_path: Path, second: int) -> None:
    for first in itertools.count(4):
        lake, run = prepared(tmp_path / str(first))
        before = contents(lake.root)
        if commit_until(lake, run, first, True, "local") is None:
            break
        if Path(lake.root, "_journal.json").exists():
            with suppress(Killed):
                Lake(lake.place, Mortal(second, False, "local"), lake.root).recover()
            open_lake(lake.place).recover()
            assert contents(lake.root) == wanted(before)


def test_the_next_commit_finishes_it(tmp_path: Path) -> None:
    lake, run = prepared(tmp_path)
    before = contents(lake.root)
    assert commit_until(lake, run, 8, False, "local")
    assert Path(lake.root, "_journal.json").exists()
    following = lake.new_run()
    put(lake, following, "b", {"captures": (TUESDAY, 1)}, "new b")
    lake.commit(following, ["b"], staged(lake, following))
    others = {path: text for path, text in wanted(before).items() if "=b/" not in path}
    assert contents(lake.root) == others | {"captures/date=2026-11-24/capture_id=b/part-0.parquet": "new b 0"}


def test_what_a_commit_has_begun_with_is_not_abandoned(tmp_path: Path) -> None:
    """As after an error in the middle of it."""
    for step in (3, 6, 12):
        lake, run = prepared(tmp_path / str(step))
        before = contents(lake.root)
        assert commit_until(lake, run, step, False, "local")
        lake.abandon(run)
        lake.recover()
        assert contents(lake.root) == wanted(before)


def test_a_journal_that_nobody_can_read(tmp_path: Path) -> None:
    lake, run = prepared(tmp_path)
    before = contents(lake.root)
    for text in ("", "{}", '{"format": 2}', '{"format": 1}', "[]"):
        Path(lake.root, "_journal.json").write_text(text)
        for action in (lake.recover, lambda: lake.commit(run, ["a", "c"], staged(lake, run))):
            with pytest.raises(
                LakeError, match=r"_journal.json was not written by this version; use that one$"
            ):
                action()
        assert contents(lake.root) == before


def test_files_that_vanish_in_between_are_told(tmp_path: Path) -> None:
    lake, run = prepared(tmp_path)
    before = contents(lake.root)
    # The journal is written, nothing of it is done.
    assert commit_until(lake, run, 3, False, "local")
    [path] = Path(lake.staged_folder(run, "captures", MONDAY, "c")).glob("part-0.parquet")
    path.unlink()
    with pytest.raises(LakeError, match=r"captures/.*/part-0.parquet vanished .*; ingest its capture again$"):
        lake.recover()
    lake.recover()
    gone = "captures/date=2026-11-23/capture_id=c/part-0.parquet"
    assert contents(lake.root) == {path: text for path, text in wanted(before).items() if path != gone}


def test_a_file_besides_is_replaced_as_a_whole(tmp_path: Path) -> None:
    lake = create_lake(str(tmp_path))
    lake.replace_file("spec_rules/part-0.parquet", b"old")
    for step in range(1, 6):
        mortal = Lake(lake.place, Mortal(step, False, "local"), lake.root)
        try:
            mortal.replace_file("spec_rules/part-0.parquet", b"new")
        except Killed:
            assert Path(lake.root, "spec_rules/part-0.parquet").read_bytes() == b"old"
    assert Path(lake.root, "spec_rules/part-0.parquet").read_bytes() == b"new"


FOLLOWED = "_checkpoints/ring/capture_id=a"


def followed(place: Path) -> tuple[Lake, str]:
    """The lake as above, where a is followed, and a run that adds to it; part 2 of captures was for the time being."""
    lake, _ = prepared(place)
    old = Path(lake.root, FOLLOWED, "one")
    old.parent.mkdir(parents=True)
    old.write_text("old")
    run = lake.new_run()
    put(lake, run, "a", {"captures": (TUESDAY, 1), "frames": (TUESDAY, 2)}, "new a")
    new = Path(lake.staging(run), FOLLOWED, "two")
    new.parent.mkdir(parents=True)
    new.write_text("new")
    return lake, run


FOR_NOW = "captures/date=2026-11-23/capture_id=a/part-2.parquet"
REPLACED = [f"{FOLLOWED}/one", FOR_NOW]
ADDED = {
    "captures/date=2026-11-24/capture_id=a/part-0.parquet": "new a 0",
    "frames/date=2026-11-24/capture_id=a/part-0.parquet": "new a 0",
    "frames/date=2026-11-24/capture_id=a/part-1.parquet": "new a 1",
}


@pytest.mark.parametrize("kind", ["local", "far"])
@pytest.mark.parametrize("after", [False, True])
def test_append_is_killed_at_every_step(tmp_path: Path, after: bool, kind: str) -> None:
    outcomes = set()
    for step in itertools.count(1):
        lake, run = followed(tmp_path / str(step))
        before = contents(lake.root)
        wanted = {path: text for path, text in before.items() if path != FOR_NOW} | ADDED
        mortal = Lake(lake.place, Mortal(step, after, kind), lake.root)
        try:
            mortal.append(run, "a", staged(lake, run), REPLACED)
        except Killed:
            pass
        else:
            assert contents(lake.root) == wanted
            break
        seen = contents(lake.root)
        assert before.items() - seen.items() <= {(FOR_NOW, "old a 2")}
        assert seen.items() - before.items() <= ADDED.items()

        began = Path(lake.root, "_journal.json").exists()
        outcomes.add(began)
        again = open_lake(lake.place)
        again.recover()
        if not began and seen != wanted:
            assert contents(lake.root) == before
            assert again.files("_checkpoints", "a") == [f"{FOLLOWED}/one"]
            again.append(run, "a", staged(lake, run), REPLACED)
        assert contents(lake.root) == wanted
        assert again.files("_checkpoints", "a") == [f"{FOLLOWED}/two"]
        assert Path(lake.root, FOLLOWED, "two").read_text() == "new"
    assert outcomes == {False, True}
    assert step > 10


def test_append_twice_is_refused(tmp_path: Path) -> None:
    lake, run = followed(tmp_path)
    lake.append(run, "a", staged(lake, run), REPLACED)
    before = contents(lake.root)
    again = lake.new_run()
    put(lake, again, "a", {"captures": (TUESDAY, 2)}, "newer a")
    with pytest.raises(LakeError, match=r"somebody else has changed capture a in the meantime; only one"):
        lake.append(again, "a", staged(lake, again), REPLACED)
    with pytest.raises(ValueError, match=r"^captures/.*/part-0.parquet is there already$"):
        lake.append(again, "a", staged(lake, again), [f"{FOLLOWED}/two"])
    with pytest.raises(ValueError, match=r"is not of the captures b$"):
        lake.append(again, "b", staged(lake, again), [])
    assert contents(lake.root) == before


def test_who_is_replaced_is_not_followed_any_more(tmp_path: Path) -> None:
    lake, run = followed(tmp_path)
    lake.append(run, "a", staged(lake, run), REPLACED)
    following = lake.new_run()
    put(lake, following, "a", {"captures": (TUESDAY, 1)}, "newer a")
    lake.commit(following, ["a"], staged(lake, following))
    assert lake.files("_checkpoints") == []
    assert lake.files("frames", "a") == []
