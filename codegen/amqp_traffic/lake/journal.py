"""What a commit is going to do, written down before it does it, so that whoever comes next can finish it.

Every step may be done twice: what is no longer there need not be removed or moved. Old files go before new ones come,
so that a reader in between may miss rows of the captures that are replaced or added to, but never sees any twice.

One at a time changes what a lake has. Who is killed holds nothing any more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pyarrow import fs

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Waits until nobody else in any process of this machine is in here with the same file.

    Args:
        path: The file; it is made, and stays.
    """
    with path.open("ab") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)  # closing the file lets go
        yield


_FORMAT = 1


class Lost(Exception):
    """Files that were to be moved into the lake are neither there nor where they came from."""


@dataclass(frozen=True, slots=True)
class Journal:
    """A commit.

    Attributes:
        staging: The folder of the run, which is removed at the end. All paths are relative to the lake.
        remove: Files that are replaced.
        move: Files that replace them: from where to where. A file may go to a place that is also in ``remove``.
    """

    staging: str
    remove: tuple[str, ...]
    move: tuple[tuple[str, str], ...]

    def to_octets(self) -> bytes:
        """The journal as the file has it."""
        document = {"format": _FORMAT, "staging": self.staging, "remove": self.remove, "move": self.move}
        return json.dumps(document, indent=1).encode()

    @classmethod
    def from_octets(cls, octets: bytes) -> Journal:
        """Reads it.

        Raises:
            ValueError: It is no journal, or one of another format.
        """
        document = json.loads(octets)
        if not isinstance(document, dict) or document.get("format") != _FORMAT:
            raise ValueError("another format")
        moves = tuple((source, target) for source, target in document["move"])
        return cls(document["staging"], tuple(document["remove"]), moves)


def apply_journal(filesystem: fs.FileSystem, root: str, journal: Journal) -> None:
    """Does what is left to do, all but removing the journal itself.

    Raises:
        Lost: Somebody else removed files in between. Everything else is done.
    """

    def place(path: str) -> str:
        return f"{root}/{path}"

    # The folder goes last, so without it everything was done.
    if _is_there(filesystem, place(journal.staging)):
        waiting = _files(filesystem, [place(source) for source, _ in journal.move])
        left = [(place(source), place(target)) for source, target in journal.move if place(source) in waiting]
        arrived = {place(target) for source, target in journal.move if place(source) not in waiting}
        for path in journal.remove:
            if place(path) not in arrived:
                _delete_file(filesystem, place(path))
        for folder in dict.fromkeys(target.rpartition("/")[0] for _, target in left):
            filesystem.create_dir(folder, recursive=True)
        for source, target in left:
            filesystem.move(source, target)
        _remove_empty_folders(filesystem, root, journal.remove)
        lost = sorted(arrived - _files(filesystem, sorted(arrived)))
        filesystem.delete_dir(place(journal.staging))
        if lost:
            raise Lost(lost[0].removeprefix(f"{root}/"))


def _is_there(filesystem: fs.FileSystem, path: str) -> bool:
    return bool(filesystem.get_file_info(path).type != fs.FileType.NotFound)


def _files(filesystem: fs.FileSystem, paths: Sequence[str]) -> set[str]:
    """Those of the paths at which there is a file."""
    found = filesystem.get_file_info(list(paths)) if paths else []
    return {path for path, info in zip(paths, found, strict=True) if info.type == fs.FileType.File}


def _delete_file(filesystem: fs.FileSystem, path: str) -> None:
    if _files(filesystem, [path]):
        filesystem.delete_file(path)


def _remove_empty_folders(filesystem: fs.FileSystem, root: str, removed: Iterable[str]) -> None:
    """Folders that only had files which are gone: those of a capture, then those of a day."""
    captures = dict.fromkeys(path.rpartition("/")[0] for path in removed)
    days = dict.fromkeys(folder.rpartition("/")[0] for folder in captures)
    for folder in (*captures, *days):
        path = f"{root}/{folder}"
        if filesystem.get_file_info(path).type == fs.FileType.Directory and not filesystem.get_file_info(
            fs.FileSelector(path)
        ):
            filesystem.delete_dir(path)
