"""The files that a command or a target names; what is missing is collected, not only the first.

The specification that a command names.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..model.problem import Problem, SpecError
from ..reader.inputs import Inputs, resolve_input
from ..resolve.specification import Specification, read_specification
from ..support.wording import quote


def gather_inputs(specs: Sequence[str], overlays: Sequence[Path]) -> tuple[Inputs, list[Problem]]:
    """The files of all specifications and overlays, and what is wrong with them.

    Args:
        specs: Files, folders and built-in names.
        overlays: Files; they come after the overlays that a built-in name brings.
    """
    files: list[Path] = []
    changes: list[Path] = []
    problems: list[Problem] = []
    for text in specs:
        try:
            found = resolve_input(text)
        except SpecError as error:
            problems += error.problems
        else:
            files += found.files
            changes += found.overlays
    if problems:  # else whoever reads the overlays tells, and what else is wrong with them and the files
        problems += [_no_file(overlay) for overlay in overlays if not os.path.lexists(overlay)]
    return Inputs(tuple(files), (*changes, *overlays)), problems


def _no_file(path: Path) -> Problem:
    return Problem("no-such-file", f"there is no file {quote(str(path))}")


def read_one(text: str, overlays: Sequence[Path]) -> Specification:
    """Reads a file, a folder or a built-in name, and the overlays on it.

    Raises:
        SpecError: It is wrong, or not there.
    """
    inputs, problems = gather_inputs([text], overlays)
    if problems:
        raise SpecError(problems)
    return read_specification(inputs.files, inputs.overlays)
