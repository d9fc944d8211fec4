"""The octets of a file that other programs may change: copied before they are looked at, never mapped.

A mapped file that becomes shorter, such as one of a ring that its writer begins anew, ends the process that reads it (SIGBUS).
So the octets of a file stand in memory of our own that has their places, and readers say with ``have`` which of them they need.
What lies far behind is given up, and copied again if it is wanted again.
"""

from __future__ import annotations

import errno
import mmap
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

_AHEAD = 4 << 20  # octets that are copied at once
_MOST_BEHIND = 16 << 20  # octets that stay in memory behind those that are needed
_BLOCK = 2 << 20  # octets that are given up at once, a multiple of a page: a huge page of Linux
_WINDOW = 1 << 20  # octets that are searched at once
# Of Linux, on all processors but a few old ones; Python 3.11 does not name it. Without it the system may refuse a large file.
_MAP_NORESERVE = 0x4000 if os.name == "posix" and os.uname().machine in ("x86_64", "aarch64") else 0


class FileChanged(OSError):
    """A file has become shorter while it was read."""

    def __str__(self) -> str:
        """Return what is said to users, who know no error numbers."""
        return f"{self.filename}: {self.strerror}"


class FileOctets(mmap.mmap):
    """The octets of a file. Slices are right; who reads in another way gets only those for which ``have`` was called."""

    _file: IO[bytes]
    _path: Path
    _first: int
    _end: int

    def __new__(cls, path: Path, file: IO[bytes], size: int) -> FileOctets:
        """Reserve the memory.

        Raises:
            OSError: The system does not grant so much.
        """
        octets = super().__new__(cls, -1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE)
        octets._path, octets._file = path, file
        octets._first = octets._end = 0
        if hasattr(mmap, "MADV_HUGEPAGE"):
            with suppress(OSError):  # a kernel may be built without them
                octets.madvise(mmap.MADV_HUGEPAGE)  # faults of small pages take six times as long as the copy
        return octets

    def __getitem__(self, key: Any) -> Any:
        """Return a slice, or an octet for which ``have`` was called."""
        if not isinstance(key, slice):
            return super().__getitem__(key)
        start, end, step = key.indices(len(self))
        return self.peek(start, end)[::step] if start < end else b""

    def have(self, start: int, end: int) -> int:
        """Copy the octets from ``start`` to ``end`` that are not there; what is before ``start`` may be given up.

        Returns:
            Where the octets end that are there, the end of the file at most.

        Raises:
            FileChanged: The file is shorter than it was.
        """
        size = len(self)
        if self._first <= start and (end <= self._end or self._end == size):
            return self._end
        start -= start % _BLOCK
        if not self._first <= start <= self._end:
            self._give_up(self._end)
            self._first = self._end = start
        elif start - self._first > _MOST_BEHIND:
            self._give_up(start)
        self._copy(min(max(end, self._end + _AHEAD), size))
        return self._end

    def _give_up(self, end: int) -> None:
        """Give up the octets before a position."""
        if end > self._first:
            self.madvise(mmap.MADV_DONTNEED, self._first, end - self._first)
        self._first = end

    def _copy(self, end: int) -> None:
        number = self._file.fileno()
        with memoryview(self) as octets:
            while self._end < end:
                with octets[self._end : end] as free:
                    copied = os.preadv(number, [free], self._end)
                self._check(copied)
                self._end += copied

    def peek(self, start: int, end: int) -> bytes:
        """Return the octets between two positions of the file, however far they are. Nothing is given up for them."""
        if self._first <= start and end <= self._end:
            return super().__getitem__(slice(start, end))
        octets = os.pread(self._file.fileno(), end - start, start)
        self._check(len(octets))
        return octets

    def _check(self, copied: int) -> None:
        # A file of a ring that was begun anew may be as long again as the position at hand.
        if not copied or os.fstat(self._file.fileno()).st_size < len(self):
            reason = "became shorter while it was read; stop what writes it, or read a copy"
            raise FileChanged(errno.ESTALE, reason, str(self._path))


def have(buffer: Any, start: int, end: int) -> int:
    """Make sure that the octets of a file from ``start`` to ``end`` can be looked at; those before ``start`` may be given up.

    Returns:
        Where the octets end that can be looked at, the end of the file at most.

    Raises:
        FileChanged: The file has become shorter.
    """
    return buffer.have(start, end) if isinstance(buffer, FileOctets) else len(buffer)


def find_octets(buffer: Any, wanted: bytes, position: int) -> int:
    """Return where octets are found first, from a position on; -1 if they are not."""
    size = len(buffer)
    while position < size:
        end = have(buffer, position, position + _WINDOW)
        found: int = buffer.find(wanted, position, end)
        if found >= 0 or end == size:
            return found
        position = end - len(wanted) + 1
    return -1


def find_each(pattern: re.Pattern[bytes], buffer: Any, position: int, longest: int) -> Iterator[int]:
    """Yield where a pattern matches, from a position on.

    Args:
        pattern: The pattern; it looks at ``longest`` octets at most.
        buffer: The octets of a file.
        position: Where the search begins.
        longest: See ``pattern``.
    """
    size = len(buffer)
    while position < size:
        stop = min(position + _WINDOW, size)
        have(buffer, position, stop + longest)
        for match in pattern.finditer(buffer, position, min(stop + longest, size)):
            if match.start() >= stop:
                break
            yield match.start()
            stop = max(stop, match.end())
            have(buffer, position, stop + longest)
        position = stop
