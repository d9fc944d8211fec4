"""The table ``[tool.amqp-codegen]`` of a ``pyproject.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..model.problem import Position, Problem, SpecError
from .toml_table import RULE_ID, TomlTable, kind_of, read_toml

TABLE = "[tool.amqp-codegen]"
NO_TARGETS = "no-targets"
_KEYS = ("output", "targets", "lint")


def read_own_table(path: Path) -> TomlTable:
    """Return the table, with unknown keys reported.

    Raises:
        SpecError: There is no file or table (``no-targets``), or it cannot be read.
    """
    start = Position(str(path), 1, 1)
    table = TomlTable(_own_table(_document(path, start), start), TABLE, start)
    table.refuse_unknown(_KEYS)
    return table


def problem_error(rule_id: str, message: str, position: Position, hint: str = "") -> SpecError:
    """Return an error with one problem."""
    return SpecError([Problem(rule_id, message, position, hint)])


def _document(path: Path, start: Position) -> Mapping[str, Any]:
    try:
        return read_toml(path, RULE_ID)[0]
    except FileNotFoundError:
        message = f"give a SPEC: there is no {path.name} here whose targets could be taken"
        hint = "for example amqp-codegen 0-9-1; amqp-codegen --help shows more"
        raise SpecError([Problem(NO_TARGETS, message, None, hint)]) from None


def _own_table(document: Mapping[str, Any], start: Position) -> Mapping[str, Any]:
    tools = document.get("tool", {})
    if not isinstance(tools, dict):
        raise problem_error(RULE_ID, f"tool must be a table, not {kind_of(tools)}", start)
    table = tools.get("amqp-codegen")
    if table is None:
        raise problem_error(NO_TARGETS, f"there is no {TABLE} table; give a SPEC", start)
    if not isinstance(table, dict):
        raise problem_error(RULE_ID, f"{TABLE} must be a table, not {kind_of(table)}", start)
    return table
