"""The folder that a guide is written to: it holds a guide, or nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from ..emit.compare import UNTOUCHED, Drift, compare, output_problem
from ..model.problem import Problem, SpecError
from ..support.wording import quote
from .mark import is_marked


def drift_of_guide(output: Path, files: Mapping[str, str]) -> Drift:
    """How a folder differs from the guide that it is to hold.

    Raises:
        SpecError: The folder holds anything but a guide, or cannot be read.
    """
    extra = [path for path in guide_files(output) if path not in files]
    drift = compare(output, files, ())
    return Drift(drift.changed, drift.missing, tuple(extra))


def guide_files(output: Path) -> list[str]:
    """The files of the guide that is in a folder; none if there is no folder.

    Nobody's own files are to be mixed with those of a guide, and none is ever replaced.

    Raises:
        SpecError: The folder holds anything but a guide, or cannot be read.
    """
    try:
        if os.path.lexists(output) and not output.is_dir():
            message = f"{quote(str(output))} is no folder"
            raise SpecError([Problem("no-such-folder", message, None, "name a folder for the guide")])
        return list(_guide_files(output))
    except (OSError, ValueError) as error:
        raise output_problem(output, "read", error, UNTOUCHED) from None


def remove_empty_folders(output: Path) -> None:
    """Removes the folders below, in which a guide was that is there no longer; not being able to does no harm."""
    for folder, _, _ in os.walk(output, topdown=False):
        if Path(folder) != output:
            with suppress(OSError):  # it holds something
                os.rmdir(folder)


def _guide_files(output: Path) -> Iterator[str]:
    for path in _all_files(output):
        if path.is_symlink() or not path.is_file() or not is_marked(path):
            foreign = path.relative_to(output)
            message = (
                f"the folder {quote(str(output))} holds {quote(str(foreign))}, which is no part of a guide"
            )
            raise SpecError([Problem("foreign-file", message, None, "name a folder that is new or empty")])
        yield path.relative_to(output).as_posix()


def _all_files(output: Path) -> Iterator[Path]:
    """Everything that is no folder, in order; links to folders are not followed."""
    for folder, folders, files in os.walk(output, onerror=_raise):
        folders.sort()
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        yield from (Path(folder, name) for name in sorted([*files, *links]))


def _raise(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):  # a folder that is not there yet holds nothing
        raise error
