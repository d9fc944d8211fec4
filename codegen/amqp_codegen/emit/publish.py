"""Write generated files: all of them or none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ..model.problem import SpecError
from .compare import STAGING, UNTOUCHED, Drift, output_problem


def publish(output: Path, files: Mapping[str, str], drift: Drift) -> None:
    """Write the files that changed or are missing, and remove those that are extra.

    All files are first written to a staging folder. If a step fails or is interrupted, the earlier steps are
    undone and new folders are removed. If this fails too, the staging folder stays: it holds the old files.

    Raises:
        SpecError: The folder cannot be written to. Nothing in it has changed, or the message says where the
            old files are.
    """
    # Not named by tempfile: an interrupt before it returned the name would leave the folder behind.
    staging = output / f"{STAGING}{os.urandom(8).hex()}"
    made: Sequence[Path] = ()
    try:
        made = _folders_to_make(output, (*drift.changed, *drift.missing))
        _stage(staging, files, drift)
        _swap(output, staging, drift)
    except BaseException as error:
        # A second interrupt leaves this block before the only copy of a file is deleted.
        if not _undo(output, staging, drift):
            raise _half_done(output, staging, error) from None
        _remove(staging)
        _remove_folders(made)
        if isinstance(error, (OSError, ValueError)):
            raise output_problem(output, "write to", error, UNTOUCHED) from None
        raise
    _remove(staging)


def _folders_to_make(output: Path, paths: Iterable[str]) -> list[Path]:
    """Return the folders that do not exist yet, the deepest first."""
    folders = {folder for path in paths for folder in (output / path).parents}
    missing = [folder for folder in folders if not os.path.lexists(folder)]
    return sorted(missing, key=lambda folder: len(folder.parts), reverse=True)


def _stage(staging: Path, files: Mapping[str, str], drift: Drift) -> None:
    """Write the new files to ``new`` in the staging folder; it gets this name when it is complete."""
    unfinished = staging / "unfinished"
    unfinished.mkdir(parents=True)
    for path in (*drift.changed, *drift.missing):
        target = unfinished / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(files[path].encode())
    unfinished.rename(staging / "new")


def _swap(output: Path, staging: Path, drift: Drift) -> None:
    """Move the old files to ``old`` in the staging folder, and the new files into place."""
    for path in (*drift.changed, *drift.extra, *drift.missing):
        # A missing file may be a dangling link, which is moved. A folder is not ours to move.
        if os.path.islink(output / path) or os.path.isfile(output / path):
            backup = staging / "old" / path
            backup.parent.mkdir(parents=True, exist_ok=True)
            os.replace(output / path, backup)
    for path in (*drift.changed, *drift.missing):
        (output / path).parent.mkdir(parents=True, exist_ok=True)
        os.replace(staging / "new" / path, output / path)


def _undo(output: Path, staging: Path, drift: Drift) -> bool:
    """Move back all files that were moved; return whether this succeeded for all.

    The staging folder shows which were moved: files missing from ``new`` are in place, and files in ``old``
    were there before. So the failure or interrupt may have come between any two steps.
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
        except BaseException:  # also an interrupt: the other files must still be moved back
            whole = False
    return whole


def _half_done(output: Path, staging: Path, error: BaseException) -> SpecError:
    hint = f"not everything could be put back; the files as they were are in {str(staging)!r}"
    return output_problem(output, "write to", error, hint)


def _remove(staging: Path) -> None:
    """Remove the staging folder, also if interrupted: users would not know what it is."""
    try:
        shutil.rmtree(staging, ignore_errors=True)
    except BaseException:
        shutil.rmtree(staging, ignore_errors=True)
        raise


def _remove_folders(folders: Iterable[Path]) -> None:
    for folder in folders:
        try:
            folder.rmdir()
        except (OSError, ValueError):  # it was not made, or another process wrote into it
            continue
