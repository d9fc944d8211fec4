"""The folder of tables.

``LAKE/<table>/date=YYYY-MM-DD/capture_id=X/part-*.parquet``. Names that begin with ``_`` are no tables, and readers of
Parquet pass them over:

- ``_lake.json`` says that this is a lake, and of which format;
- ``_checkpoints/<name>/capture_id=X/`` has what is needed to go on with a capture that is followed;
- ``_staging/<run>/`` has what a run has written and not yet committed, in folders as above;
- ``_journal.json`` is there while a commit is at work, and if it was killed;
- ``_lock`` keeps two commits on one machine apart. On other file systems than the local one there is no lock: there only
  one at a time may write into a lake.

A lake from which something can be said about traffic: there is some in it, and its tables are those of this version.

What reads tables leaves out what a file does not have. So tables of another version would not fail, but say too little.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import pyarrow.parquet as pq
from pyarrow import ArrowInvalid, fs

from ..schemas import TABLES, table_columns
from ..storage import NoSuchPlace, capture_folder, capture_of, filesystem_of, partition_folder, spark_path
from .journal import Journal, Lost, apply_journal, exclusive

FORMAT = 1
# The folder for checkpoints: laid out like that of a table, and part of captures, but no table.
CHECKPOINTS = "_checkpoints"

_MARK = "_lake.json"
_KIND = "amqp-codegen traffic"
_STAGING = "_staging"
_JOURNAL = "_journal.json"
_LOCK = "_lock"
_OF_CAPTURES = (*TABLES, CHECKPOINTS)
# A run writes something at least so often; what is older belongs to one that was killed.
_ABANDONED = timedelta(days=2)


class LakeError(Exception):
    """A folder is no lake, or not one that can be used; says so in one line."""


@dataclass(frozen=True, slots=True)
class Lake:
    """A folder of tables. Can be sent to other processes.

    Attributes:
        place: The path or URI that the user gave.
        filesystem: Where it is.
        root: Its path there.
    """

    place: str
    filesystem: fs.FileSystem
    root: str

    # --- Reading

    def has(self, table: str) -> bool:
        """Whether there is a folder for the table."""
        return bool(self._type(f"{self.root}/{table}") == fs.FileType.Directory)

    def files(self, table: str, capture_id: str | None = None) -> list[str]:
        """The files of a table, or what it has of a capture; sorted, relative to the lake."""
        folders = [f"{self.root}/{table}"]
        if capture_id is not None:
            wanted = capture_folder(capture_id)
            folders = [f"{info.path}/{wanted}" for info in self._list(folders[0])]
        found = [info for folder in folders for info in self._list(folder, recursive=True)]
        return sorted(info.path[len(self.root) + 1 :] for info in found if info.type == fs.FileType.File)

    def spark_path(self, table: str) -> str:
        """Where Spark finds the table."""
        return spark_path(f"{self.place.rstrip('/')}/{table}")

    # --- Writing

    def new_run(self) -> str:
        """The name of a new run, with a folder of its own in the staging area.

        What runs left there that were killed more than two days ago is removed.
        """
        self._sweep(datetime.now(timezone.utc))
        run = uuid.uuid4().hex[:12]
        self.filesystem.create_dir(f"{self.root}/{_STAGING}/{run}", recursive=True)
        return run

    def staging(self, run: str) -> str:
        """The folder of a run, a path of ``filesystem``.

        Of the files in folders with the names of tables those are committed that tasks have returned; all others, such as
        those of attempts that failed, are removed in the end.
        """
        return f"{self.root}/{_STAGING}/{run}"

    def staged_folder(self, run: str, table: str, day: date, capture_id: str) -> str:
        """The folder for files ``part-*.parquet`` of a table; not made yet, a path of ``filesystem``."""
        return f"{self.staging(run)}/{table}/{partition_folder(day, capture_id)}"

    def commit(self, run: str, capture_ids: Collection[str], files: Iterable[str]) -> None:
        """Replaces what the lake has of these captures by these files of the run, in every table.

        Checkpoints of theirs go, too: whoever followed them does not go on. Nothing else changes. It can be killed at any
        point: before the journal is there nothing has changed, after that ``recover`` or the next commit finishes it.

        Args:
            run: The run.
            capture_ids: The captures.
            files: What its tasks have returned, as ``Written.path``: never what is found in its folder, where attempts that
                failed may have left something.

        Raises:
            ValueError: A file is of another capture, or of no table.
            LakeError: A file is not there, or files vanished in between.
        """
        with self._exclusive():
            self._finish()
            old = [path for each in sorted(capture_ids) for path in self._files_of(each)]
            self._replace(_JOURNAL, self._plan(run, capture_ids, files, old).to_octets())
            self._finish()

    def append(self, run: str, capture_id: str, files: Iterable[str], replaced: Collection[str]) -> None:
        """Adds files of the run to what the lake has of a capture, but replaces some.

        It can be killed at any point, as ``commit``.

        Args:
            run: The run.
            capture_id: The capture.
            files: See ``commit``.
            replaced: Files of the capture that go in the same step, relative to the lake.

        Raises:
            ValueError: A file is of another capture, of no table, or there already.
            LakeError: What is to be replaced is not there: somebody else has changed the capture. Or as ``commit``.
        """
        with self._exclusive():
            self._finish()
            journal = self._plan(run, [capture_id], files, replaced)
            if not self._there(replaced).issuperset(replaced):
                raise LakeError(
                    f"{self.place}: somebody else has changed capture {capture_id} in the meantime; only one may follow it"
                )
            for path in sorted(self._there([path for _, path in journal.move]).difference(replaced)):
                raise ValueError(f"{path} is there already")
            self._replace(_JOURNAL, journal.to_octets())
            self._finish()

    def recover(self) -> None:
        """Finishes a commit that was killed, if there is one.

        Raises:
            LakeError: It cannot be finished.
        """
        if self._type(f"{self.root}/{_JOURNAL}") == fs.FileType.File:
            with self._exclusive():
                self._finish()

    def abandon(self, run: str) -> None:
        """Removes what a run has written and not committed; a commit that has begun is left to ``recover``."""
        if self._type(self.staging(run)) == fs.FileType.Directory and not self._in_journal(run):
            self.filesystem.delete_dir(self.staging(run))

    def replace_file(self, path: str, octets: bytes) -> None:
        """Writes a file that is not part of a capture, all or nothing.

        Args:
            path: Where, relative to the lake.
            octets: All of it.
        """
        with self._exclusive():
            self.filesystem.create_dir(f"{self.root}/{path}".rpartition("/")[0], recursive=True)
            self._replace(path, octets)

    def _files_of(self, capture_id: str) -> list[str]:
        """All files of a capture."""
        return [path for table in _OF_CAPTURES for path in self.files(table, capture_id)]

    def _there(self, paths: Collection[str]) -> set[str]:
        """Those of these files that are there."""
        infos = self.filesystem.get_file_info([f"{self.root}/{path}" for path in paths]) if paths else []
        return {info.path[len(self.root) + 1 :] for info in infos if info.type == fs.FileType.File}

    def _plan(
        self, run: str, capture_ids: Collection[str], files: Iterable[str], old: Collection[str]
    ) -> Journal:
        """What there is to do.

        Args:
            run: Has written what comes.
            capture_ids: The captures it may have written about.
            files: What comes.
            old: The files that go.
        """
        moves = {f"{_STAGING}/{run}/{path}": path for path in sorted(files)}
        for path in moves.values():
            table, *_, folder, _ = path.split("/")
            if table not in _OF_CAPTURES or capture_of(folder) not in capture_ids:
                raise ValueError(f"{path} is not of the captures {', '.join(sorted(capture_ids))}")
        is_there = self._type(self.staging(run)) == fs.FileType.Directory
        if not is_there or not self._there(moves).issuperset(moves):
            raise LakeError(f"{self.place}: what run {run} has written is not there any more; ingest again")
        return Journal(f"{_STAGING}/{run}", tuple(old), tuple(moves.items()))

    def _finish(self) -> None:
        """Does what the journal says, if there is one. To be called alone."""
        path = f"{self.root}/{_JOURNAL}"
        if self._type(path) != fs.FileType.File:
            return
        try:
            with self.filesystem.open_input_stream(path) as stream:
                journal = Journal.from_octets(stream.read())
        except (KeyError, TypeError, ValueError):
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
        """Writes a file beside, then moves it to its place."""
        target = f"{self.root}/{path}"
        folder, _, name = target.rpartition("/")
        unfinished = f"{folder}/_{name}.new"
        with self.filesystem.open_output_stream(unfinished) as stream:
            stream.write(octets)
        # A local file is replaced in one step; not every other file system moves to where something is.
        if self.filesystem.type_name != "local" and self._type(target) == fs.FileType.File:
            self.filesystem.delete_file(target)
        self.filesystem.move(unfinished, target)

    def _sweep(self, now: datetime) -> None:
        """Removes what killed runs have left."""
        for run in self._list(f"{self.root}/{_STAGING}"):
            inside = [run, *self._list(run.path, recursive=True)]
            times = [info.mtime for info in inside if info.mtime is not None]
            if times and max(times) < now - _ABANDONED and not self._in_journal(run.base_name):
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


def create_lake(place: str) -> Lake:
    """Opens a lake; makes one where there is nothing, or an empty folder.

    Raises:
        LakeError: Something else is there, or the place cannot be reached.
    """
    lake = _at(place)
    kind = lake._type(lake.root)
    if kind == fs.FileType.File:
        raise LakeError(f"{place} is a file, and no folder for tables")
    if lake._type(f"{lake.root}/{_MARK}") != fs.FileType.File:
        if any(not info.base_name.startswith("_") for info in lake._list(lake.root)):
            raise LakeError(f"{place} is not empty, and no lake: it has no {_MARK}; name another folder")
        mark = json.dumps({"kind": _KIND, "format": FORMAT}).encode() + b"\n"
        lake.filesystem.create_dir(lake.root, recursive=True)
        lake._replace(_MARK, mark)
    return open_lake(place)


def open_lake(place: str) -> Lake:
    """Opens a lake; changes nothing.

    Raises:
        LakeError: It is no lake, one of another format, or cannot be reached.
    """
    lake = _at(place)
    if lake._type(lake.root) == fs.FileType.NotFound:
        raise LakeError(f"there is no lake at {place}; amqp-codegen traffic ingest makes one")
    path = f"{lake.root}/{_MARK}"
    if lake._type(path) != fs.FileType.File:
        raise LakeError(f"{place} is no lake: it has no {_MARK}")
    try:
        with lake.filesystem.open_input_stream(path) as stream:
            mark = json.loads(stream.read())
        known = mark["kind"] == _KIND
        found = int(mark["format"])
    except (KeyError, TypeError, ValueError):
        known, found = False, 0
    if not known:
        raise LakeError(f"{place} is no lake of captured traffic: {_MARK} says something else")
    if found != FORMAT:
        raise LakeError(
            f"{place} is a lake of format {found}, and this version has format {FORMAT}; ingest into a new folder"
        )
    return lake


def _at(place: str) -> Lake:
    try:
        return Lake(place, *filesystem_of(place))
    except NoSuchPlace as error:
        raise LakeError(str(error)) from None


def open_traffic(place: str) -> Lake:
    """Open a lake, and finish a commit that was killed.

    Args:
        place: Its path or URI.

    Raises:
        LakeError: It is no lake, one of another format, there is no traffic in it, its tables are of another version, or
            it cannot be reached.
    """
    lake = open_lake(place)
    lake.recover()
    if not lake.files("captures"):
        # What was interrupted has left its folder.
        advice = (
            "an ingest was interrupted, or is at work"
            if lake.files(_STAGING)
            else "amqp-codegen traffic ingest puts some there"
        )
        raise LakeError(f"there is no traffic in this lake; {advice}")
    for table in TABLES:
        _check_columns(lake, table)
    return lake


def _check_columns(lake: Lake, table: str) -> None:
    """Look at one file of each capture: all of them were written in one go."""
    wanted = dict(table_columns(table))
    of_captures = {capture_of(path.split("/")[-2]): path for path in reversed(lake.files(table))}
    for path in of_captures.values():
        try:
            with lake.filesystem.open_input_file(f"{lake.root}/{path}") as stream:
                there = pq.read_schema(stream).names
        except ArrowInvalid:
            raise LakeError(f"{path} is no table; ingest its capture again") from None
        missing = sorted(wanted.keys() - set(there))
        if missing:
            raise LakeError(
                f"{path} has no column {missing[0]}: another version has written it; ingest into a new folder with this one"
            )
