"""The differences for machines."""

from __future__ import annotations

import json
from typing import Any

from ..model.problem import Position
from .change import Change, Comparison, ConceptMap, Level, Side
from .phrases import file_name

FORMAT = 1


def json_report(found: Comparison | ConceptMap) -> str:
    """A JSON document: ``{"format", "old", "new", "counts", "remarks", "changes"}``, or ``"concepts"`` between families."""
    document: dict[str, Any] = {"format": FORMAT, "old": _side(found.old), "new": _side(found.new)}
    if isinstance(found, Comparison):
        document["counts"] = {level.name: found.count(level) for level in reversed(Level)}
        document["remarks"] = list(found.remarks)
        document["changes"] = [_change(change) for change in found.changes]
    else:
        document["concepts"] = [
            {"topic": each.topic, "old": list(each.old), "new": list(each.new), "note": each.note}
            for each in found.concepts
        ]
        document["old_only"], document["new_only"] = list(found.old_only), list(found.new_only)
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _side(side: Side) -> dict[str, Any]:
    sources = [{"name": source.name, "sha256": source.sha256} for source in side.sources]
    return {"version": side.version, "title": side.title, "sources": sources}


def _change(change: Change) -> dict[str, Any]:
    return {
        "id": change.id,
        "level": change.level.name,
        "action": change.action.value,
        "kind": change.kind,
        "path": change.path,
        "section": change.section,
        "aspect": change.aspect,
        "old": change.old,
        "new": change.new,
        "reason": change.reason,
        "old_position": _position(change.old_position),
        "new_position": _position(change.new_position),
    }


def _position(position: Position | None) -> dict[str, Any] | None:
    if position is None:
        return None
    return {"file": file_name(position), "line": position.line, "column": position.column}
