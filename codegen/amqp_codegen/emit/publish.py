"""Puts generated files in place: all of them or none."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ..model.problem import Problem, SpecError
from .compare import Drift


def publish(output: Path, files: Mapping[str, str], drift: Drift) -> None:
    """Writes the files that changed or are missing and removes those that are extra.

    Everything is written beside its place first. If a step fails, the steps before it are undone.

    Raises:
        SpecError: The folder cannot be written; nothing in it has changed then.
    """
    try:
        output.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=".amqp-codegen-", dir=output))
    except OSError as error:
        raise _unwritable(output, error) from None
    try:
        _stage(staging / "new", files, drift)
        _swap(output, staging, drift)
    except OSError as error:
        raise _unwritable(output, error) from None
    finally:
        shutil.rmtree(staging, ignore_errors=True)


def _unwritable(output: Path, error: OSError) -> SpecError:
    reason = error.strerror or str(error)
    place = error.filename or output
    return SpecError(
        [
            Problem(
                "unwritable-output", f"cannot write to {str(place)!r}: {reason}", None, "nothing was changed"
            )
        ]
    )


def _stage(staging: Path, files: Mapping[str, str], drift: Drift) -> None:
    for path in (*drift.changed, *drift.missing):
        target = staging / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(files[path].encode())


def _swap(output: Path, staging: Path, drift: Drift) -> None:
    """Moves the old files away and the new ones in; on failure moves everything back."""
    made: list[Path] = []
    moved: list[tuple[Path, Path]] = []
    try:
        for path in (*drift.changed, *drift.extra):
            backup = staging / "old" / path
            backup.parent.mkdir(parents=True, exist_ok=True)
            os.replace(output / path, backup)
            moved.append((backup, output / path))
        for path in (*drift.changed, *drift.missing):
            (output / path).parent.mkdir(parents=True, exist_ok=True)
            os.replace(staging / "new" / path, output / path)
            made.append(output / path)
    except OSError:
        for written in made:
            written.unlink(missing_ok=True)
        for backup, original in moved:
            os.replace(backup, original)
        raise
