"""The targets of a call: the one its options describe, or those of the project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ..emit.target import Target
from ..emit.targets import DEFAULT_OUTPUT, read_targets
from ..model.problem import Problem, SpecError
from ..reader.inputs import gather_inputs
from ..support.wording import listing


def choose_targets(
    specs: Sequence[str],
    overlays: Sequence[Path],
    package: str,
    dialect: str,
    templates: Path | None,
    emit: str,
) -> tuple[Path, Sequence[Target]]:
    """Return the targets, and the folder to write to if the call names none.

    Raises:
        SpecError: A file does not exist, or ``pyproject.toml`` is needed and wrong.
    """
    if not specs:
        _refuse_options(
            {
                "--overlay": overlays,
                "--package": package,
                "--dialect": dialect,
                "--templates": templates,
                "--emit": emit,
            }
        )
        return read_targets(Path("pyproject.toml"))
    inputs, problems = gather_inputs(specs, overlays)
    if problems:
        raise SpecError(problems)
    emitted = tuple(emit.split(",")) if emit else None
    return Path(DEFAULT_OUTPUT), [Target(inputs.files, inputs.overlays, package, dialect, templates, emitted)]


def _refuse_options(given: Mapping[str, object]) -> None:
    names = [name for name, value in given.items() if value]
    if names:
        verb = "needs" if len(names) == 1 else "need"
        hint = "without one, the targets of pyproject.toml are generated, each with its own options"
        raise SpecError([Problem("no-spec", f"{listing(names)} {verb} a SPEC", None, hint)])
