"""Puts generated files in place: all of them or none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ..model.problem import SpecError
from .compare import STAGING, UNTOUCHED, Drift, output_problem


def publish(output: Path, files: Mapping[str, str], drift: Drift) -> None:
    """Writes the files that changed or are missing and removes those that are extra.

    Everything is written beside its place first. If a step fails or is interrupted, the steps before it are
    undone, and folders that were made are removed. If even that fails, the staging folder stays: it has the
    files as they were.

    Raises:
        SpecError: The folder cannot be written; nothing in it has changed then, or the message says where
            the old files are.
    """
    # Named here, not by tempfile: an interrupt can come at any moment, and what has no name yet stays behind.
    staging = output / f"{STAGING}{os.urandom(8).hex()}"
    made: Sequence[Path] = ()
    try:
        made = _folders_to_make(output, (*drift.changed, *drift.missing))
        _stage(staging, files, drift)
        _swap(output, staging, drift)
    except BaseException as error:
        # A second interrupt leaves this block before anything is deleted that has no other copy.
        if not _undo(output, staging, drift):
            raise _half_done(output, staging, error) from None
        _remove(staging)
        _remove_folders(made)
        if isinstance(error, (OSError, ValueError)):
            raise output_problem(output, "write to", error, UNTOUCHED) from None
        raise
    _remove(staging)


def _folders_to_make(output: Path, paths: Iterable[str]) -> list[Path]:
    """The folders that files are missing, the deepest first."""
    folders = {folder for path in paths for folder in (output / path).parents}
    missing = [folder for folder in folders if not os.path.lexists(folder)]
    return sorted(missing, key=lambda folder: len(folder.parts), reverse=True)


def _stage(staging: Path, files: Mapping[str, str], drift: Drift) -> None:
    """Writes the new files to ``new`` in the staging folder, which gets that name when it is complete."""
    unfinished = staging / "unfinished"
    unfinished.mkdir(parents=True)
    for path in (*drift.changed, *drift.missing):
        target = unfinished / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(files[path].encode())
    unfinished.rename(staging / "new")


def _swap(output: Path, staging: Path, drift: Drift) -> None:
    """Moves the old files to ``old`` in the staging folder, and the new ones in."""
    for path in (*drift.changed, *drift.extra, *drift.missing):
        # What is missing may be there all the same: a link that leads nowhere. A folder is not ours to move.
        if os.path.islink(output / path) or os.path.isfile(output / path):
            backup = staging / "old" / path
            backup.parent.mkdir(parents=True, exist_ok=True)
            os.replace(output / path, backup)
    for path in (*drift.changed, *drift.missing):
        (output / path).parent.mkdir(parents=True, exist_ok=True)
        os.replace(staging / "new" / path, output / path)


def _undo(output: Path, staging: Path, drift: Drift) -> bool:
    """Moves everything back as far as it was moved, and tells whether all of it could be.

    How far that was, the staging folder says: what is gone from ``new`` is in place, what is in ``old`` was
    there before. So it does not matter between which two steps the failure or the interrupt came.
    """
    if not os.path.lexists(staging / "new"):
        return True
    written = [*drift.changed, *drift.missing]
    placed = {path for path in written if not os.path.lexists(staging / "new" / path)}
    taken = {path for path in (*written, *drift.extra) if os.path.lexists(staging / "old" / path)}
    whole = True
    for path in sorted(placed | taken):
        try:
            if path in taken:
                os.replace(staging / "old" / path, output / path)
            else:
                (output / path).unlink(missing_ok=True)
        except BaseException:  # an interrupt too: the others shall be moved back all the same
            whole = False
    return whole


def _half_done(output: Path, staging: Path, error: BaseException) -> SpecError:
    hint = f"not everything could be put back; the files as they were are in {str(staging)!r}"
    return output_problem(output, "write to", error, hint)


def _remove(staging: Path) -> None:
    """Removes the staging folder, also if interrupted: nobody would know what it is."""
    try:
        shutil.rmtree(staging, ignore_errors=True)
    except BaseException:
        shutil.rmtree(staging, ignore_errors=True)
        raise


def _remove_folders(folders: Iterable[Path]) -> None:
    for folder in folders:
        try:
            folder.rmdir()
        except (OSError, ValueError):  # was never made, or somebody else has put something into it
            continue
