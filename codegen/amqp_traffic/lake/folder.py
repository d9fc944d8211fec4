"""The folder of tables, ``LAKE/<table>/date=YYYY-MM-DD/capture_id=X/part-*.parquet``.

Names that begin with ``_`` are not tables; readers of Parquet ignore them:

- ``_lake.json`` marks the folder as a lake and has its format;
- ``_checkpoints/<name>/capture_id=X/`` has the state needed to continue a capture that is followed;
- ``_staging/<run>/`` has what a run has written but not committed, in folders as above;
- ``_journal.json`` exists during a commit, and after one that was killed;
- ``_lock`` serialises commits on one machine. Other file systems than the local one have no lock: only one process at a time
  may write into such a lake.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from pyarrow import fs

from ..schemas import TABLES
from .checks import entry_problem, table_problem
from .journal import ForeignJournal, Journal, Lost, apply_journal, exclusive
from .layout import CAPTURE_FOLDERS, STAGING, capture_of_file, is_run, staging_folder
from .storage import (
    NoSuchPlace,
    capture_folder,
    filesystem_of,
    inside,
    partition_folder,
    spark_path,
)

FORMAT = 1

_LAKE_MARK = "_lake.json"
_LAKE_KIND = "amqp-codegen traffic"
_SCRATCH = "blobs"  # not the name of a table
_JOURNAL = "_journal.json"
_LOCK = "_lock"
# A run writes more often than this. Older files belong to a run that was killed.
_ABANDONED_AFTER = timedelta(days=2)


class LakeError(Exception):
    """A folder that is not a usable lake; the message is one line."""


@dataclass(frozen=True, slots=True)
class Lake:
    """A folder of tables. It can be sent to other processes.

    Attributes:
        place: The path or URI that the user gave.
        root: Its path in ``filesystem``.
    """

    place: str
    filesystem: fs.FileSystem
    root: str

    # --- Reading

    def has(self, table: str) -> bool:
        """True if there is a folder for the table."""
        return bool(self._type(f"{self.root}/{table}") == fs.FileType.Directory)

    def files(self, table: str, capture_id: str | None = None) -> list[str]:
        """Return the files of a table, or of a capture in it: sorted, relative to the lake."""
        folders = [f"{self.root}/{table}"]
        if capture_id is not None:
            wanted = capture_folder(capture_id)
            folders = [f"{info.path}/{wanted}" for info in self._list(folders[0])]
        infos = [info for folder in folders for info in self._list(folder, recursive=True)]
        return sorted(info.path[len(self.root) + 1 :] for info in infos if info.type == fs.FileType.File)

    def spark_path(self, table: str) -> str:
        """Return the path of a table for Spark."""
        return spark_path(inside(self.place, table))

    # --- Writing

    def new_run(self) -> str:
        """Return the name of a new run, which has its own folder in the staging area.

        What runs left there that were killed more than two days ago is removed.
        """
        self._sweep(datetime.now(UTC))
        run = uuid.uuid4().hex[:12]
        self.filesystem.create_dir(f"{self.root}/{staging_folder(run)}", recursive=True)
        return run

    def staging(self, run: str) -> str:
        """Return the folder of a run, a path of ``filesystem``.

        A commit takes the files that tasks have returned from the folders of tables. It removes all others, such as those
        of failed attempts.
        """
        return f"{self.root}/{staging_folder(run)}"

    def scratch(self, run: str) -> str:
        """Return the folder for what tasks of a run pass to others, a path of ``filesystem``; a commit removes it."""
        return f"{self.staging(run)}/{_SCRATCH}"

    def staged_folder(self, run: str, table: str, day: date, capture_id: str) -> str:
        """Return the folder for files ``part-*.parquet`` of a table, a path of ``filesystem``. It may not exist yet."""
        return f"{self.staging(run)}/{table}/{partition_folder(day, capture_id)}"

    def commit(self, run: str, capture_ids: Collection[str], files: Iterable[str]) -> None:
        """Replace what the lake holds for captures by files of the run, in every table.

        The checkpoints of these captures go, too, so they cannot be followed further. Nothing else changes. A commit may be
        killed at any point: before the journal is written nothing has changed, after that ``recover`` or the next commit
        finishes it.

        ``files`` are what its tasks have returned, as ``Written.path``; never a listing of its folder, where failed
        attempts may have left files.

        Raises:
            ValueError: A file belongs to another capture, or to no table.
            LakeError: A file is missing, or files vanished during the commit.
        """
        with self._exclusive():
            self._finish()
            old = [path for capture_id in sorted(capture_ids) for path in self._files_of(capture_id)]
            self._replace(_JOURNAL, self._plan(run, capture_ids, files, old).to_octets())
            self._finish()

    def append(self, run: str, capture_id: str, files: Iterable[str], replaced: Collection[str]) -> None:
        """Add files of the run to a capture of the lake, and replace some.

        It may be killed at any point, as ``commit``.

        For ``files`` see ``commit``. The files ``replaced``, relative to the lake, are removed in the same step.

        Raises:
            ValueError: A file belongs to another capture or to no table, or exists already.
            LakeError: A file to be replaced is missing, as another process has changed the capture. Or as ``commit``.
        """
        with self._exclusive():
            self._finish()
            journal = self._plan(run, [capture_id], files, replaced)
            if not self._existing(replaced).issuperset(replaced):
                raise LakeError(
                    f"{self.place}: somebody else has changed capture {capture_id} in the meantime; only one may follow it"
                )
            for path in sorted(self._existing([path for _, path in journal.move]).difference(replaced)):
                raise ValueError(f"{path} is there already")
            self._replace(_JOURNAL, journal.to_octets())
            self._finish()

    @property
    def is_unfinished(self) -> bool:
        """True if a commit is at work, or was killed. Until it is finished, rows of its captures may be missing."""
        return bool(self._type(f"{self.root}/{_JOURNAL}") == fs.FileType.File)

    def recover(self) -> None:
        """Finish a commit that was killed, if there is one. This writes: who only reads says ``is_unfinished``.

        Raises:
            LakeError: It cannot be finished.
        """
        if self.is_unfinished:
            with self._exclusive():
                self._finish()

    def abandon(self, run: str) -> None:
        """Remove what a run has written but not committed. A commit that has begun is left to ``recover``."""
        if self._type(self.staging(run)) == fs.FileType.Directory and not self._in_journal(run):
            self.filesystem.delete_dir(self.staging(run))

    def replace_file(self, path: str, octets: bytes) -> None:
        """Write a file that is not part of a capture, all or nothing; ``path`` is relative to the lake."""
        with self._exclusive():
            self.filesystem.create_dir(f"{self.root}/{path}".rpartition("/")[0], recursive=True)
            self._replace(path, octets)

    def _files_of(self, capture_id: str) -> list[str]:
        """Return all files of a capture."""
        return [path for table in CAPTURE_FOLDERS for path in self.files(table, capture_id)]

    def _existing(self, paths: Collection[str]) -> set[str]:
        """Return those of the files that exist."""
        infos = self.filesystem.get_file_info([f"{self.root}/{path}" for path in paths]) if paths else []
        return {info.path[len(self.root) + 1 :] for info in infos if info.type == fs.FileType.File}

    def _plan(
        self, run: str, capture_ids: Collection[str], files: Iterable[str], old: Collection[str]
    ) -> Journal:
        """Return the journal of a commit, in which ``files`` of the run replace ``old``."""
        moves = {f"{staging_folder(run)}/{path}": path for path in sorted(files)}
        for path in moves.values():
            if capture_of_file(path) not in capture_ids:
                raise ValueError(f"{path} is not of the captures {', '.join(sorted(capture_ids))}")
        is_there = self._type(self.staging(run)) == fs.FileType.Directory
        if not is_there or not self._existing(moves).issuperset(moves):
            raise LakeError(f"{self.place}: what run {run} has written is not there any more; ingest again")
        return Journal(staging_folder(run), tuple(old), tuple(moves.items()))

    def _finish(self) -> None:
        """Apply the journal, if there is one. Call this under the lock."""
        path = f"{self.root}/{_JOURNAL}"
        if self._type(path) != fs.FileType.File:
            return
        try:
            with self.filesystem.open_input_stream(path) as stream:
                journal = Journal.from_octets(stream.read())
        except ForeignJournal as error:
            raise LakeError(
                f"{self.place}/{_JOURNAL} is not that of a commit: {error}; nothing was changed; delete it if you trust the rest"
            ) from None
        except (KeyError, TypeError, ValueError, RecursionError):
            raise LakeError(
                f"{self.place}/{_JOURNAL} was not written by this version; use that one"
            ) from None
        lost = ""
        try:
            apply_journal(self.filesystem, self.root, journal)
        except Lost as error:
            lost = str(error)
        self.filesystem.delete_file(path)
        if lost:
            raise LakeError(
                f"{self.place}: {lost} vanished before it was committed; ingest its capture again"
            )

    def _replace(self, path: str, octets: bytes) -> None:
        """Write a file under another name, then move it to its place."""
        target = f"{self.root}/{path}"
        folder, _, name = target.rpartition("/")
        unfinished = f"{folder}/_{name}.new"
        if (
            self._type(unfinished) != fs.FileType.NotFound
        ):  # a killed process left it, or it leads to another file
            self.filesystem.delete_file(unfinished)
        with self.filesystem.open_output_stream(unfinished) as stream:
            stream.write(octets)
        # A local file is replaced in one step. Some other file systems do not move onto an existing file.
        if self.filesystem.type_name != "local" and self._type(target) == fs.FileType.File:
            self.filesystem.delete_file(target)
        self.filesystem.move(unfinished, target)

    def _sweep(self, now: datetime) -> None:
        """Remove what killed runs have left."""
        for run in self._list(f"{self.root}/{STAGING}"):
            if run.type != fs.FileType.Directory or not is_run(run.base_name):
                continue
            inside = [run, *self._list(run.path, recursive=True)]
            times = [info.mtime for info in inside if info.mtime is not None]
            if times and max(times) < now - _ABANDONED_AFTER and not self._in_journal(run.base_name):
                self.filesystem.delete_dir(run.path)

    def _in_journal(self, run: str) -> bool:
        path = f"{self.root}/{_JOURNAL}"
        if self._type(path) != fs.FileType.File:
            return False
        with self.filesystem.open_input_stream(path) as stream:
            return run.encode() in stream.read()

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        if self.filesystem.type_name == "local":
            with exclusive(Path(self.root, _LOCK)):
                yield
        else:
            yield

    def _type(self, path: str) -> fs.FileType:
        return self.filesystem.get_file_info(path).type

    def _list(self, folder: str, recursive: bool = False) -> list[fs.FileInfo]:
        return list(
            self.filesystem.get_file_info(fs.FileSelector(folder, allow_not_found=True, recursive=recursive))
        )


def check_place(place: str) -> None:
    """Check that a place is a lake or can become one; change nothing.

    Raises:
        LakeError: The place has something else, or cannot be reached.
    """
    _is_lake(place, _at(place))


def create_lake(place: str) -> Lake:
    """Open a lake. Make one if the place does not exist or is an empty folder.

    Raises:
        LakeError: The place has something else, or cannot be reached.
    """
    lake = _at(place)
    if not _is_lake(place, lake):
        mark = json.dumps({"kind": _LAKE_KIND, "format": FORMAT}).encode() + b"\n"
        lake.filesystem.create_dir(lake.root, recursive=True)
        lake._replace(_LAKE_MARK, mark)
    return open_lake(place)


def _is_lake(place: str, lake: Lake) -> bool:
    """Return whether there is a lake at a place, false if one can be made there."""
    if lake._type(lake.root) == fs.FileType.File:
        raise LakeError(f"{place} is a file, not a folder for tables")
    if lake._type(f"{lake.root}/{_LAKE_MARK}") == fs.FileType.File:
        open_lake(place)
        return True
    if any(not info.base_name.startswith("_") for info in lake._list(lake.root)):
        raise LakeError(
            f"{place} is not empty, and is not a lake: it has no {_LAKE_MARK}; name another folder"
        )
    return False


def open_lake(place: str) -> Lake:
    """Open a lake without changes.

    Raises:
        LakeError: It is not a lake, has another format, has something else than folders and files, or cannot be reached.
    """
    lake = _at(place)
    if lake._type(lake.root) == fs.FileType.NotFound:
        raise LakeError(f"there is no lake at {place}; amqp-codegen traffic ingest makes one")
    path = f"{lake.root}/{_LAKE_MARK}"
    if lake._type(path) != fs.FileType.File:
        raise LakeError(f"{place} is not a lake: it has no {_LAKE_MARK}")
    try:
        with lake.filesystem.open_input_stream(path) as stream:
            mark = json.loads(stream.read())
        is_lake = mark["kind"] == _LAKE_KIND
        lake_format = int(mark["format"])
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError):
        is_lake, lake_format = False, 0
    if not is_lake:
        raise LakeError(f"{place} is not a lake of captured traffic: {_LAKE_MARK} says something else")
    if lake_format != FORMAT:
        raise LakeError(
            f"{place} is a lake of format {lake_format}, and this version has format {FORMAT}; ingest into a new folder"
        )
    if lake.filesystem.type_name == "local":
        _refuse(entry_problem(lake.root))
    return lake


def _refuse(problem: str) -> None:
    if problem:
        raise LakeError(problem)


def _at(place: str) -> Lake:
    try:
        return Lake(place, *filesystem_of(place))
    except NoSuchPlace as error:
        raise LakeError(str(error)) from None


def open_traffic(place: str) -> Lake:
    """Open a lake that has traffic in tables of this version, without changes.

    Readers treat missing columns as absent, so tables of another version would not fail but give incomplete answers.

    Raises:
        LakeError: It is not a lake, has another format, has no traffic or tables of another version, or cannot be reached.
    """
    lake = open_lake(place)
    if not lake.files("captures"):
        # An interrupted run leaves its folder.
        advice = (
            "an ingest was interrupted, or is at work"
            if lake.files(STAGING)
            else "amqp-codegen traffic ingest puts some there"
        )
        raise LakeError(f"there is no traffic in this lake; {advice}")
    for table in TABLES:
        for path in lake.files(table):
            _refuse(table_problem(lake.filesystem, lake.root, path, table))
    return lake
