"""Silences in TOML tables: those of a project, and those of the built-in specifications (``specs/lint.toml``)."""

from __future__ import annotations

import glob
import os
from dataclasses import replace

from ..model.problem import Position, Problem, SpecError
from ..support import toml
from ..support.resources import specs_dir
from ..support.toml_table import RULE_ID, TomlTable, tables_of
from .silence import Silence

_KEYS = ("rules", "files", "reason")


def built_in_silences() -> list[Silence]:
    """Return the silences of the built-in specifications, which hold in every project.

    Raises:
        SpecError: ``specs/lint.toml`` is wrong.
    """
    folder = specs_dir()
    path = folder / "lint.toml"
    values = toml.loads(path.read_text(encoding="utf-8"))
    silences = silences_of(TomlTable(values, path.name, Position(str(path), 1, 1)))
    place = glob.escape(str(folder))
    return [replace(silence, file=os.path.join(place, silence.file)) for silence in silences]


def silences_of(table: TomlTable) -> list[Silence]:
    """Read a table that has ``silence``, an array of tables, and nothing else."""
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
    """Return one silence for each pattern of files."""
    entry.refuse_unknown(_KEYS)
    rules = tuple(entry.texts("rules", or_one=True))
    if not rules:
        entry.problems.append(Problem(RULE_ID, f"{entry.name} has no rules", entry.position))
    files = entry.texts("files", or_one=True) or ["*"]
    reason = entry.text("reason")
    return [Silence(rules, reason, entry.position, file) for file in files]
