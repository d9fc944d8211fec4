"""Files between tasks: one that somebody has changed is an error before anything of it is used."""

from __future__ import annotations

import os
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from heapq import nlargest
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="needs pyarrow")

from amqp_traffic.tasks.blobs import BlobFolder, SendRows, consumers
from amqp_traffic.tasks.processes import processes
from amqp_traffic.tasks.runner import Task, TaskFailed
from pyarrow import fs

CHANGED = (
    r"/{} was changed by somebody else during the run, and is not used; look who may write into this folder"
)


@dataclass(frozen=True)
class Evil:
    """An object whose pickle makes a folder when it is loaded."""

    marker: Path

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.marker),)


@pytest.fixture
def folder(tmp_path: Path) -> BlobFolder:
    return BlobFolder(fs.LocalFileSystem(), str(tmp_path / "blobs"))


def test_what_was_written_is_read(folder: BlobFolder) -> None:
    assert folder.read("a", folder.write("a", {"x": 1})) == {"x": 1}


def test_a_replaced_object_is_not_loaded(folder: BlobFolder, tmp_path: Path) -> None:
    digest = folder.write("a", 1)
    Path(folder.path, "a").write_bytes(pickle.dumps(Evil(tmp_path / "marker")))
    with pytest.raises(OSError, match=CHANGED.format("a")) as raised:
        folder.read("a", digest)
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "marker").exists()
    pickle.loads(Path(folder.path, "a").read_bytes())  # it would
    assert (tmp_path / "marker").exists()


def test_objects_that_change_places_are_not_loaded(folder: BlobFolder) -> None:
    digests = [folder.write(name, name) for name in "ab"]
    Path(folder.path, "a").rename(Path(folder.path, "c"))
    Path(folder.path, "b").rename(Path(folder.path, "a"))
    Path(folder.path, "c").rename(Path(folder.path, "b"))
    for name, digest in zip("ab", digests, strict=True):
        with pytest.raises(OSError, match=CHANGED.format(name)):
            folder.read(name, digest)


# --- Rows ---

ROWS = [(7, 0, 0, b"first"), (8, 0, 1, b"second"), (7, 0, 2, b"third")]
# The library's own can be sent to processes: rows, and a consumer that returns those of its bucket, the last one first.
PRODUCE, CONSUME = partial(iter, ROWS), nlargest
CONSUMED = [[ROWS[2], ROWS[0]], [ROWS[1]]]


@pytest.mark.parametrize("octets", [b"firstseconDthird", b"", b"secondfirstthird"], ids=repr)
def test_changed_rows_are_not_consumed(folder: BlobFolder, octets: bytes) -> None:
    tasks = consumers([SendRows(PRODUCE, folder)()], CONSUME, folder)
    assert [task() for task in tasks] == CONSUMED
    (path,) = Path(folder.path).iterdir()
    path.write_bytes(octets)
    with pytest.raises(OSError, match=CHANGED.format(path.name)):
        for task in tasks:
            task()


def test_processes_refuse_changed_rows(folder: BlobFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line: the command ends as for any file that cannot be read."""
    with processes(folder, lambda text: None) as runner:
        assert runner.shuffle("test", [PRODUCE], CONSUME) == CONSUMED
        run = runner.run

        def run_and_change(stage: str, tasks: Sequence[Task]) -> list[Any]:
            results = run(stage, tasks)
            for path in Path(folder.path).rglob("rows-*"):
                path.write_bytes(path.read_bytes().upper())
            return results

        monkeypatch.setattr(runner, "run", run_and_change)
        with pytest.raises(TaskFailed, match=CHANGED.format(r"rows-\w+")) as raised:
            runner.shuffle("test", [PRODUCE], CONSUME)
    assert "\n" not in str(raised.value)
