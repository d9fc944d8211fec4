"""The targets of a project: those of ``[tool.amqp-codegen]`` in its ``pyproject.toml``."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from ..model.problem import Problem, SpecError
from ..reader.inputs import gather_inputs
from ..support.pyproject import NO_TARGETS, problem_error, read_own_table
from ..support.toml_table import RULE_ID, TomlTable, tables_of
from .target import Target

DEFAULT_OUTPUT = "generated"
_TARGET_KEYS = ("spec", "overlays", "package", "dialect", "templates", "emit")


def read_targets(path: Path) -> tuple[Path, list[Target]]:
    """Return the output folder and the targets of a project.

    Paths in the file are relative to it. A target has ``spec`` (a file, folder, built-in name, or a list of
    them) and may have ``overlays``, ``package``, ``dialect``, ``templates`` and ``emit``.

    Raises:
        SpecError: There is no file or table, or a key is wrong; with every problem.
    """
    table = read_own_table(path)
    output = table.text("output") or DEFAULT_OUTPUT
    problems = table.problems
    targets = []
    entries = tables_of(table, "targets")
    if not entries:
        raise problem_error(NO_TARGETS, "[[tool.amqp-codegen.targets]] is missing", table.position)
    for number, entry in enumerate(entries, 1):
        values = TomlTable(entry, f"target {number}", table.position)
        targets.append(_target(path.parent, values))
        problems += values.problems
    if problems:
        raise SpecError(problems)
    return path.parent / output, targets


def _target(folder: Path, values: TomlTable) -> Target:
    """Return the target of a table; it is valid only if the table has no problems afterwards."""
    values.refuse_unknown(_TARGET_KEYS)
    specs = [_place(folder, text) for text in values.texts("spec", or_one=True)]
    overlays = [folder / text for text in values.texts("overlays")]
    if values.values.get("spec") in (None, []):
        values.problems.append(Problem(RULE_ID, f"{values.name} has no spec", values.position))
    inputs, problems = gather_inputs(specs, overlays)
    values.problems.extend(
        replace(problem, position=problem.position or values.position) for problem in problems
    )
    templates = values.text("templates")
    return Target(
        files=inputs.files,
        overlays=inputs.overlays,
        package=values.text("package"),
        dialect=values.text("dialect"),
        templates=folder / templates if templates else None,
        emit=tuple(values.texts("emit")) if "emit" in values.values else None,
    )


def _place(folder: Path, text: str) -> str:
    """Return the path beside the file if it exists, else the text itself: a built-in name."""
    # Not with pathlib, which drops the ``./`` that distinguishes a file from a built-in name.
    here = "" if os.sep in text else "."
    place = os.path.join(folder if folder.parts else here, text)
    return place if os.path.exists(place) else text
