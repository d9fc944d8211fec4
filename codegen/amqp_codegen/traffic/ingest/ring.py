"""The files of a ring that is being written, in the order in which they are to be read."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from ..core.capture_file import CaptureError
from .inputs import RingName, is_wanted, ring_name

_NUMBERS = 100_000  # how dumpcap counts: five digits, then from 0 again


@dataclass(frozen=True, slots=True)
class RingFile:
    """A file of a ring.

    Attributes:
        path: Where it is.
        name: What its name says.
        size: How many octets it has by now.
    """

    path: Path
    name: RingName
    size: int

    @property
    def order(self) -> tuple[str, int]:
        """By this they are sorted."""
        return self.name.time, self.name.number


def list_ring(folder: Path) -> list[RingFile]:
    """The files of the ring that are in a folder; other files do not matter.

    Raises:
        CaptureError: There is no such folder, or there is more than one ring.
    """
    if not folder.is_dir():
        raise CaptureError(f"{folder}: there is no such folder")
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            name = ring_name(entry.name) if is_wanted(entry.name) else None
            if name is None:
                continue
            try:
                if entry.is_file():
                    found.append(RingFile(Path(entry.path), name, entry.stat().st_size))
            except FileNotFoundError:  # it was overwritten just now
                continue
    rings = sorted({file.name.ring for file in found})
    if len(rings) > 1:
        raise CaptureError(
            f"{folder} has more than one ring: {', '.join(rings)}; give each a folder of its own"
        )
    return sorted(found, key=lambda file: file.order)


def unread(files: Iterable[RingFile], taken: Collection[str], last: RingName | None) -> list[RingFile]:
    """The files that are still to be read, in their order.

    Args:
        files: Those that are there.
        taken: The names of those that were read.
        last: What the name of the last one says that was read.
    """
    others = [file for file in files if file.path.name not in taken]
    if last is None:
        return others
    later = [file for file in others if file.order > (last.time, last.number)]
    # A clock that is put back, as in autumn: only the number tells.
    set_back = [file for file in others if file not in later and file.name.number == _following(last)]
    return set_back + later


def is_hole(last: RingName | None, following: RingName) -> bool:
    """Whether files are missing between two that are read one after the other.

    Whoever begins a ring of the same name anew counts from 1 again.
    """
    return last is not None and following.number not in (_following(last), 1)


def _following(name: RingName) -> int:
    return (name.number + 1) % _NUMBERS
