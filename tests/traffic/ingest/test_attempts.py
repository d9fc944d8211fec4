"""Tasks are tried more than once, also side by side: the lake has what those attempts wrote whose results were taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from amqp_traffic.lake.folder import LakeError, create_lake
from amqp_traffic.lake.writer import Writer
from amqp_traffic.tasks.runner import InProcess, Task

from ..synth.made_captures import make
from .lake_tables import assert_same, ingested


class Failed(Exception):
    """An attempt failed."""


class Attempts(InProcess):
    """Runs each task twice; one of the attempts fails after it has written something.

    Attributes:
        how: When that is: ``before`` or ``after`` the attempt that succeeds; ``beside``: this begins and ends while the
            other is at work. Files of the other one may be ``complete`` when it fails.
        failed: How many attempts failed.
    """

    def __init__(self, how: str, complete: bool, monkeypatch: pytest.MonkeyPatch) -> None:
        self.how = how
        self.failed = 0
        self._complete = complete
        self._fail: Callable[[], None] | None = None
        write = Writer.write

        def write_or_fail(writer: Writer, *arguments: Any) -> None:
            write(writer, *arguments)
            fail, self._fail = self._fail, None
            if fail is not None:
                if self._complete:
                    writer.close()
                fail()

        monkeypatch.setattr(Writer, "write", write_or_fail)

    def run(self, stage: str, tasks: Sequence[Task]) -> list[Any]:
        """See ``Runner``."""
        return list(map(self._attempts, tasks))

    def _attempts(self, task: Task) -> Any:
        results: list[Any] = []
        if self.how == "after":
            results.append(task())
        self._fail = partial(self._fail_now, task, results)
        try:
            results.append(task())  # if it writes nothing, it does not fail
        except Failed:
            self.failed += 1
        self._fail = None
        if not results:
            results.append(task())
        return results[0]

    def _fail_now(self, task: Task, results: list[Any]) -> None:
        if self.how == "beside":
            results.append(task())
        raise Failed


@pytest.mark.parametrize("complete", [False, True], ids=["unfinished", "complete"])
@pytest.mark.parametrize("how", ["before", "after", "beside"])
@pytest.mark.parametrize("shares", [1, 3])
def test_the_lake_has_what_was_returned(
    shares: int, how: str, complete: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.pcap"
    file.write_bytes(make(seed=3, size=120_000, connections=6).capture)
    wanted = ingested([file], tmp_path / "lake")
    runner = Attempts(how, complete, monkeypatch)
    found = ingested([file], tmp_path / "lake", shares, runner=runner)
    assert runner.failed == shares
    assert_same(found, wanted)


def test_nothing_changes_if_something_is_missing(tmp_path: Path) -> None:
    lake = create_lake(str(tmp_path))
    run = lake.new_run()
    path = "frames/date=2026-11-23/capture_id=a/part-0.parquet"
    with pytest.raises(LakeError, match=r"is not there any more; ingest again$"):
        lake.commit(run, ["a"], [path])
    assert not (tmp_path / "_journal.json").exists()
