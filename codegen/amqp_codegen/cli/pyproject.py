"""The table ``[tool.amqp-codegen]`` of a ``pyproject.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..model.problem import Position, Problem, SpecError
from ..support.toml_table import RULE_ID, TomlTable, kind_of, not_tables, read_toml

TABLE = "[tool.amqp-codegen]"
NO_TARGETS = "no-targets"
_KEYS = ("output", "targets", "lint")


def read_own_table(path: Path) -> TomlTable:
    """The table, its keys checked.

    Raises:
        SpecError: There is no file or no such table (``no-targets``), or it cannot be read.
    """
    start = Position(str(path), 1, 1)
    table = TomlTable(_own_table(_document(path, start), start), TABLE, start)
    table.refuse_unknown(_KEYS)
    return table


def tables_of(table: TomlTable, key: str) -> list[Mapping[str, Any]]:
    """An array of tables, empty if the key is not there.

    Raises:
        SpecError: It is something else.
    """
    entries: list[Mapping[str, Any]] = table.values.get(key, [])
    wrong = not_tables(entries)
    if wrong:
        message = f"{key} of {table.name} must be an array of tables, {wrong}"
        raise error(RULE_ID, message, table.position, f"write [[{table.name[1:-1]}.{key}]]")
    return entries


def error(rule_id: str, message: str, position: Position, hint: str = "") -> SpecError:
    """One problem of the file."""
    return SpecError([Problem(rule_id, message, position, hint)])


def _document(path: Path, start: Position) -> Mapping[str, Any]:
    try:
        return read_toml(path, RULE_ID)[0]
    except FileNotFoundError:
        message = "give a SPEC, or a [tool.amqp-codegen] table in pyproject.toml"
        raise error(NO_TARGETS, message, start) from None


def _own_table(document: Mapping[str, Any], start: Position) -> Mapping[str, Any]:
    tools = document.get("tool", {})
    if not isinstance(tools, dict):
        raise error(RULE_ID, f"tool must be a table, not {kind_of(tools)}", start)
    table = tools.get("amqp-codegen")
    if table is None:
        raise error(NO_TARGETS, f"there is no {TABLE} table; give a SPEC", start)
    if not isinstance(table, dict):
        raise error(RULE_ID, f"{TABLE} must be a table, not {kind_of(table)}", start)
    return table
