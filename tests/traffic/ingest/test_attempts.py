"""Tasks are tried more than once, also side by side: the lake has what those attempts wrote whose results were taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event, Thread, current_thread
from typing import Any

import pytest
from amqp_traffic.ingest import local
from amqp_traffic.ingest.inputs import find_inputs
from amqp_traffic.ingest.job import ReadSettings
from amqp_traffic.ingest.sharing.decoding import ShareDecoding
from amqp_traffic.ingest.sharing.shares import ReadShare
from amqp_traffic.ingest.tables.file_reading import FileReading
from amqp_traffic.lake import folder as lake_folder
from amqp_traffic.lake.folder import LakeError, create_lake
from amqp_traffic.lake.writer import Writer
from amqp_traffic.tasks.processes import Processes
from amqp_traffic.tasks.runner import InProcess, Task

from tests.cli.command_calls import call
from tests.patience import PATIENCE

from ..synth.made_captures import make
from .killed_tasks import KilledTask
from .lake_tables import Ingested, assert_same, assert_same_tables, ingested, read_tables, shared_engine


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


@pytest.fixture(scope="session")
def capture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("attempts") / "a.pcap"
    file.write_bytes(make(seed=3, size=120_000, connections=6).capture)
    return file


@pytest.fixture(scope="session")
def expected(capture: Path) -> Ingested:
    return ingested([capture], capture.parent / "lake")


@pytest.mark.parametrize("complete", [False, True], ids=["unfinished", "complete"])
@pytest.mark.parametrize("how", ["before", "after", "beside"])
def test_the_lake_has_what_was_returned(
    how: str,
    complete: bool,
    capture: Path,
    expected: Ingested,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runner = Attempts(how, complete, monkeypatch)
    found = ingested([capture], tmp_path / "lake", 3, runner=runner)
    assert runner.failed == 3
    assert_same(found, expected)


def test_nothing_changes_if_something_is_missing(tmp_path: Path) -> None:
    lake = create_lake(str(tmp_path))
    run = lake.new_run()
    path = "frames/date=2026-11-23/capture_id=a/part-0.parquet"
    with pytest.raises(LakeError, match=r"is not there any more; ingest again$"):
        lake.commit(run, ["a"], [path])
    assert not (tmp_path / "_journal.json").exists()


# --- Processes that are killed ---


@pytest.mark.parametrize(
    ("owner", "name"),
    [(FileReading, "facts"), (ShareDecoding, "read"), (Writer, "write"), (None, "")],
    ids=["survey", "decoding", "writing", "done"],
)
def test_a_process_that_is_killed(
    owner: Any, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line; the lake is as it was, and the next call finds nothing in its way."""
    first, second = tmp_path / "a.pcap", tmp_path / "b.pcap"
    first.write_bytes(make(seed=3, size=60_000, connections=4).capture)
    second.write_bytes(make(seed=4, size=120_000, connections=6).capture)
    lake = tmp_path / "lake"
    words = ("traffic", "ingest", "--engine", "local", "--out", str(lake))
    assert call(*words, str(first)).code == 0
    before = read_tables(lake)
    run, made = Processes.run, local.local_engine

    def kill_last(runner: Processes, stage: str, tasks: Sequence[Task]) -> list[Any]:
        *others, last = tasks
        is_share = isinstance(last, ReadShare)
        return run(runner, stage, [*others, KilledTask(last, owner, name) if is_share else last])

    with monkeypatch.context() as killing:
        killing.setattr(Processes, "run", kill_last)
        killing.setattr(local, "local_engine", partial(made, workers=3, octets_per_share=10_000))
        done = call(*words, str(second))
    assert (done.code, done.out) == (2, [])
    assert done.err == ["error: a process was killed, perhaps as there is not enough memory [task]"]
    assert read_tables(lake) == before
    assert list((lake / "_staging").iterdir()) == []
    assert call(*words, str(second)).code == 0
    assert {row["file"] for row in read_tables(lake)["captures"]} == {"a.pcap", "b.pcap"}


# --- Two ingests at once ---


@pytest.mark.parametrize("same", [True, False], ids=["the same capture", "another capture"])
def test_two_ingests_at_once(same: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second wants to commit while the first does: it waits, and the lake has the rows of each capture once."""
    first, second = tmp_path / "a.pcap", tmp_path / ("a.pcap" if same else "b.pcap")
    for seed, path in enumerate(dict.fromkeys((first, second))):
        path.write_bytes(make(seed=seed, size=60_000, connections=4).capture)
    wanted = ingested(list(dict.fromkeys((first, second))), tmp_path / "expected")
    lake = create_lake(str(tmp_path / "lake"))
    exclusive, apply_journal = lake_folder.exclusive, lake_folder.apply_journal
    steps: list[str] = []
    at_lock = Event()

    def read(path: Path) -> None:
        list(local.ingest(lake, find_inputs([path]), shared_engine(2, ReadSettings()), lambda octets: None))

    @contextmanager
    def lock(path: Path) -> Iterator[None]:
        if current_thread() is other:
            at_lock.set()
        with exclusive(path):
            yield

    def commit(*arguments: Any) -> None:
        me = "second" if current_thread() is other else "first"
        steps.append(f"{me} begins")
        if me == "first":
            other.start()
            assert at_lock.wait(PATIENCE)
            other.join(0.2)  # time to go on, if there was no lock
        apply_journal(*arguments)
        steps.append(f"{me} ends")

    other = Thread(target=read, args=(second,))
    monkeypatch.setattr(lake_folder, "exclusive", lock)
    monkeypatch.setattr(lake_folder, "apply_journal", commit)
    read(first)
    other.join()
    assert steps == ["first begins", "first ends", "second begins", "second ends"]
    assert_same_tables(read_tables(tmp_path / "lake"), wanted.tables)
