"""The journal of a commit: its steps, written before it begins, so that another process can finish them.

Every step may be repeated: what is gone already need not be removed or moved. Old files are removed before new ones come.
So a concurrent reader may miss rows of the captures at hand, but never sees rows twice.

A file lock serialises commits. It is released when its process is killed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pyarrow import fs

from .layout import capture_of_file, is_staging_folder

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold a lock against all processes of this machine. The file is created and stays; it is never a link to another one."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    with open(path, "ab", opener=lambda name, _: os.open(name, flags, 0o666)) as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)  # closing the file releases it
        yield


_JOURNAL_FORMAT = 1


class ForeignJournal(ValueError):
    """A journal that names what no commit changes. The message says what."""


class Lost(Exception):
    """Files to be moved into the lake that are neither at their source nor at their target."""


@dataclass(frozen=True, slots=True)
class Journal:
    """The steps of a commit. All paths are relative to the lake.

    Attributes:
        staging: The folder of the run, which is removed at the end.
        remove: Files that are replaced.
        move: Sources and targets of the new files. A target may also be in ``remove``.
    """

    staging: str
    remove: tuple[str, ...]
    move: tuple[tuple[str, str], ...]

    def to_octets(self) -> bytes:
        """Return the content of the journal file."""
        document = {
            "format": _JOURNAL_FORMAT,
            "staging": self.staging,
            "remove": self.remove,
            "move": self.move,
        }
        return json.dumps(document, indent=1).encode()

    @classmethod
    def from_octets(cls, octets: bytes) -> Journal:
        """Read the content of a journal file. Anybody may have written it.

        Raises:
            ForeignJournal: It names another folder than that of a run, or files that belong to no capture.
            ValueError: It is not a journal, or has another format. As are KeyError, TypeError and RecursionError.
        """
        document = json.loads(octets)
        if not isinstance(document, dict) or document.get("format") != _JOURNAL_FORMAT:
            raise ValueError("another format")
        moves = tuple((str(source), str(target)) for source, target in document["move"])
        journal = cls(str(document["staging"]), tuple(map(str, document["remove"])), moves)
        if not is_staging_folder(journal.staging):
            raise ForeignJournal(f"{journal.staging!r} is not the folder of a run")
        for path in (*journal.remove, *(target for _, target in moves)):
            if capture_of_file(path) is None:
                raise ForeignJournal(f"{path!r} is not a file of a capture")
        for source, target in moves:
            if source != f"{journal.staging}/{target}":
                raise ForeignJournal(f"{source!r} is not what the run has written for {target!r}")
        return journal


def apply_journal(filesystem: fs.FileSystem, root: str, journal: Journal) -> None:
    """Do the remaining steps, except the removal of the journal itself.

    Raises:
        Lost: Other processes removed files meanwhile. Everything else is done.
    """

    def place(path: str) -> str:
        return f"{root}/{path}"

    # The folder is removed last: if it is gone, all is done.
    if filesystem.get_file_info(place(journal.staging)).type != fs.FileType.NotFound:
        waiting = _files(filesystem, [place(source) for source, _ in journal.move])
        left = [(place(source), place(target)) for source, target in journal.move if place(source) in waiting]
        arrived = {place(target) for source, target in journal.move if place(source) not in waiting}
        for path in journal.remove:
            if place(path) not in arrived and _files(filesystem, [place(path)]):
                filesystem.delete_file(place(path))
        for folder in dict.fromkeys(target.rpartition("/")[0] for _, target in left):
            filesystem.create_dir(folder, recursive=True)
        for source, target in left:
            filesystem.move(source, target)
        _remove_empty_folders(filesystem, root, journal.remove)
        lost = sorted(arrived - _files(filesystem, sorted(arrived)))
        filesystem.delete_dir(place(journal.staging))
        if lost:
            raise Lost(lost[0].removeprefix(f"{root}/"))


def _files(filesystem: fs.FileSystem, paths: Sequence[str]) -> set[str]:
    """Return the paths at which there is a file."""
    infos = filesystem.get_file_info(list(paths)) if paths else []
    return {path for path, info in zip(paths, infos, strict=True) if info.type == fs.FileType.File}


def _remove_empty_folders(filesystem: fs.FileSystem, root: str, removed: Iterable[str]) -> None:
    """Remove folders that became empty: those of captures, then those of days."""
    captures = dict.fromkeys(path.rpartition("/")[0] for path in removed)
    days = dict.fromkeys(folder.rpartition("/")[0] for folder in captures)
    for folder in (*captures, *days):
        path = f"{root}/{folder}"
        if filesystem.get_file_info(path).type == fs.FileType.Directory and not filesystem.get_file_info(
            fs.FileSelector(path)
        ):
            filesystem.delete_dir(path)
