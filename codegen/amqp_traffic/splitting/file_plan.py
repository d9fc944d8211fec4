"""Looks at the files of a capture before they are read: where they are split, and what connections speak."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from pathlib import Path

from ..capture.files import CaptureError, open_capture
from ..capture.quarantine import Quarantine
from ..ingest.file_tables import FileFacts
from ..ingest.local import not_a_capture
from .splits import Split, exact_splits, plan_splits
from .survey import SHORTLY, Known, survey


@dataclass(frozen=True, slots=True)
class CaptureFilePlan:
    """A file that is going to be read.

    Attributes:
        path: Where it is.
        number: Its number in the capture.
        splits: Its parts.
        known: What connections speak that began in it, see ``survey``.
    """

    path: Path
    number: int
    splits: Sequence[Split]
    known: Sequence[Known] = ()

    def exactly(self, split_size: int) -> CaptureFilePlan:
        """The same file in parts that need no proof; that takes longer."""
        with open_capture(self.path) as file:
            size = _even_size(len(file.buffer), split_size)
            return replace(self, splits=exact_splits(file.buffer, size))


@dataclass(slots=True)
class FilePlan:
    """The files of a capture.

    Attributes:
        files: Those that are captures.
        others: What is known of those that are not.
        quarantines: What is left out of those, by their numbers.
    """

    files: list[CaptureFilePlan] = field(default_factory=list)
    others: list[FileFacts] = field(default_factory=list)
    quarantines: dict[int, Quarantine] = field(default_factory=dict)


def plan_files(paths: Sequence[Path], split_size: int) -> FilePlan:
    """Look at files.

    Args:
        paths: The files of a capture, in their order.
        split_size: About how large splits are at most, in octets; those of a file are of about the same size.

    Raises:
        CaptureError: A file needs a package that is not there, or is larger than captures are.
        OSError: A file cannot be read.
    """
    plan = FilePlan()
    for number, path in enumerate(paths):
        with open_capture(path) as file:
            # What is compressed is read as a whole: nobody can begin in the middle of it.
            length = len(file.buffer)
            size = length if file.compression else _even_size(length, split_size)
            try:
                splits = plan_splits(file.buffer, size)
            except CaptureError as error:
                quarantine = plan.quarantines[number] = Quarantine()
                plan.others.append(not_a_capture(file, number, quarantine, str(error)))
                continue
            known: Sequence[Known] = ()
            if len(splits) > 1 or len(paths) > 1:
                # Nobody reads on in the middle of what begins in the last split of all.
                is_last = number == len(paths) - 1
                known = survey(file.buffer, end=splits[-1].start + SHORTLY if is_last else None)
            plan.files.append(CaptureFilePlan(path, number, splits, known))
    return plan


def _even_size(length: int, split_size: int) -> int:
    """How large the splits of a file are so that no reader has much more to do than the others."""
    count = max(ceil(length / split_size), 1)
    return ceil(length / count)
