"""What nobody wants to hear: silences of a project in its ``pyproject.toml``, and ours in ``specs/lint.toml``."""

from __future__ import annotations

import glob
import os
from dataclasses import replace
from pathlib import Path

from ..lint.silence import Silence
from ..model.problem import Position, Problem, SpecError
from ..support import toml
from ..support.resources import specs_dir
from ..support.toml_table import RULE_ID, TomlTable, kind_of
from .pyproject import NO_TARGETS, read_own_table, tables_of

_KEYS = ("rules", "files", "reason")


def read_silences(path: Path) -> list[Silence]:
    """The silences of a project; none if it has no such file or no such table.

    Each has ``rules``, the ids; ``files``, patterns that are compared with the names of files from the right
    (all files if it is left out); and a ``reason``.

    Raises:
        SpecError: The file or one of its tables is wrong; with every problem found.
    """
    try:
        table = read_own_table(path)
    except SpecError as error:
        if [problem.rule_id for problem in error.problems] == [NO_TARGETS]:
            return []
        raise
    settings = table.values.get("lint", {})
    if not isinstance(settings, dict):
        message = f"lint of {table.name} must be a table, not {kind_of(settings)}"
        raise SpecError([*table.problems, Problem(RULE_ID, message, table.position)])
    return _silences(TomlTable(settings, "[tool.amqp-codegen.lint]", table.position, table.problems))


def built_in_silences() -> list[Silence]:
    """What is silenced in the built-in specifications, in whatever project they are linted.

    Raises:
        SpecError: The file of ours is wrong.
    """
    folder = specs_dir()
    path = folder / "lint.toml"
    values = toml.loads(path.read_text(encoding="utf-8"))
    silences = _silences(TomlTable(values, path.name, Position(str(path), 1, 1)))
    place = glob.escape(str(folder))
    return [replace(silence, file=os.path.join(place, silence.file)) for silence in silences]


def _silences(table: TomlTable) -> list[Silence]:
    """The silences of a table that has ``silence``, an array of tables, and nothing else."""
    table.refuse_unknown(["silence"])
    silences = [
        silence
        for number, entry in enumerate(tables_of(table, "silence"), 1)
        for silence in _silence(TomlTable(entry, f"silence {number}", table.position, table.problems))
    ]
    if table.problems:
        raise SpecError(table.problems)
    return silences


def _silence(entry: TomlTable) -> list[Silence]:
    """One for each pattern of files."""
    entry.refuse_unknown(_KEYS)
    rules = tuple(entry.texts("rules", or_one=True))
    if not rules:
        entry.problems.append(Problem(RULE_ID, f"{entry.name} has no rules", entry.position))
    files = entry.texts("files", or_one=True) or ["*"]
    reason = entry.text("reason")
    return [Silence(rules, reason, entry.position, file) for file in files]
