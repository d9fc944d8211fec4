"""What a project does not want to hear: ``[[tool.amqp-codegen.lint.silence]]`` in its ``pyproject.toml``."""

from __future__ import annotations

from pathlib import Path

from ..lint.silence import Silence
from ..model.problem import Problem, SpecError
from .pyproject import NO_TARGETS, read_own_table, tables_of
from .toml_table import RULE_ID, TomlTable, kind_of

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
    own = TomlTable(settings, "[tool.amqp-codegen.lint]", table.position, table.problems)
    own.refuse_unknown(["silence"])
    silences = [
        silence
        for number, entry in enumerate(tables_of(own, "silence"), 1)
        for silence in _silences(TomlTable(entry, f"silence {number}", table.position, table.problems))
    ]
    if table.problems:
        raise SpecError(table.problems)
    return silences


def _silences(entry: TomlTable) -> list[Silence]:
    entry.refuse_unknown(_KEYS)
    rules = tuple(entry.texts("rules", or_one=True))
    if not rules:
        entry.problems.append(Problem(RULE_ID, f"{entry.name} has no rules", entry.position))
    files = entry.texts("files", or_one=True) or ["*"]
    reason = entry.text("reason")
    return [Silence(rules, reason, entry.position, file) for file in files]
