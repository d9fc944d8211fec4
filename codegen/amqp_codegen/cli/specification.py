"""The specification that a command names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..model.problem import SpecError
from ..passes.read_specification import Specification, read_specification
from .inputs import gather_inputs


def read_one(text: str, overlays: Sequence[Path]) -> Specification:
    """Reads a file, a folder or a built-in name, and the overlays on it.

    Raises:
        SpecError: It is wrong, or not there.
    """
    inputs, problems = gather_inputs([text], overlays)
    if problems:
        raise SpecError(problems)
    return read_specification(inputs.files, inputs.overlays)
