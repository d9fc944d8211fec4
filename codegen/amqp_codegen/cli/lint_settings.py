"""What a project does not want to hear: the silences in its ``pyproject.toml``."""

from __future__ import annotations

from pathlib import Path

from ..lint.silence import Silence
from ..lint.silence_tables import silences_of
from ..model.problem import Problem, SpecError
from ..support.toml_table import RULE_ID, TomlTable, kind_of
from .pyproject import NO_TARGETS, read_own_table


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
    return silences_of(TomlTable(settings, "[tool.amqp-codegen.lint]", table.position, table.problems))
