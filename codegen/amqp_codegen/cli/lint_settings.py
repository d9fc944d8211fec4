"""The silences of lint findings in a project's ``pyproject.toml``."""

from __future__ import annotations

from pathlib import Path

from ..lint.silence import Silence
from ..lint.silence_tables import silences_of
from ..model.problem import Problem, SpecError
from ..support.toml_table import RULE_ID, TomlTable, kind_of
from .pyproject import NO_TARGETS, read_own_table


def read_silences(path: Path) -> list[Silence]:
    """Return the silences of a project; none if it has no such file or table.

    Each has ``rules``, a list of ids; ``files``, patterns that match file names from the right (without it, all
    files match); and a ``reason``.

    Raises:
        SpecError: The file or one of its tables is wrong; with every problem.
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
    return silences_of(TomlTable(settings, "[tool.amqp-codegen.lint]", table.position, table.problems))
