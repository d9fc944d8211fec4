"""What rows of both families have: where something stands in its file, and whose rule it is."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any, TypeAlias

from ...model import rule1, spec0
from ...model.position import Position

# Columns that are missing are null.
Row: TypeAlias = "dict[str, Any]"
# Rows by table, without their keys.
Rows: TypeAlias = "dict[str, list[Row]]"


def place_of(position: Position) -> Row:
    """The file, without its folder, and the line."""
    return {"file": PurePath(position.file).name, "line": position.line}


def words_of(item: Any) -> Row:
    """The label, the documentation and the place of anything of the model that has them; null where empty."""
    return {"label": item.label or None, "doc": item.doc or None, **place_of(item.position)}


def rule_row(rule: spec0.Rule | rule1.Rule) -> Row:
    """A rule, but for what only one family has."""
    return {
        "path": rule.path,
        "owner": rule.path.rpartition("/")[0],
        "name": rule.name,
        "text": rule.text,
        "levels": list(rule.levels),
        "actor": rule.actor,
        "on_failure": rule.on_failure or None,
        "scenario": rule.scenario,
        "label": rule.label or None,
        **place_of(rule.position),
    }
