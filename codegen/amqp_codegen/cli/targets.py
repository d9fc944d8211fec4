"""The targets of ``[tool.amqp-codegen]`` in a ``pyproject.toml``."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from .. import toml
from ..emit.generate import CODECS, Target
from ..model.position import Position
from ..model.problem import Problem, SpecError
from .inputs import gather_inputs
from .toml_table import RULE_ID, TomlTable, kind_of

DEFAULT_OUTPUT = "generated"
_TABLE = "[tool.amqp-codegen]"
_TABLE_KEYS = ("output", "targets")
_TARGET_KEYS = ("spec", "overlays", "package", "dialect", "templates", "emit")
_TOML_PLACE = re.compile(r" *\(at line (\d+), column (\d+)\)$")


def read_targets(path: Path) -> tuple[Path, list[Target]]:
    """The output folder and the targets of a project.

    Paths in the file are relative to it. A target has ``spec`` (a file, folder, built-in name, or a list of
    them) and may have ``overlays``, ``package``, ``dialect``, ``templates`` and ``emit``.

    Raises:
        SpecError: There is no file, no such table, or a key is wrong; carries every problem found.
    """
    start = Position(str(path), 1, 1)
    table = TomlTable(_own_table(_document(path, start), start), _TABLE, start)
    table.refuse_unknown(_TABLE_KEYS)
    output = table.text("output") or DEFAULT_OUTPUT
    problems = table.problems
    targets = []
    for number, entry in enumerate(_entries(table.values, start), 1):
        values = TomlTable(entry, f"target {number}", start)
        targets.append(_target(path.parent, values))
        problems += values.problems
    if problems:
        raise SpecError(problems)
    return path.parent / output, targets


def _document(path: Path, start: Position) -> Mapping[str, Any]:
    try:
        return toml.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        message = "give a SPEC, or a [tool.amqp-codegen] table in pyproject.toml"
        raise _error("no-targets", message, start) from None
    except OSError as error:
        raise _error(RULE_ID, f"not readable: {error.strerror or error}", start) from None
    except (ValueError, RecursionError) as error:  # no TOML, no UTF-8, a number too long, nested too deeply
        message = f"not readable as TOML: {error}"
        place = _TOML_PLACE.search(message)
        if place:
            start = Position(start.file, int(place[1]), int(place[2]))
        raise _error(RULE_ID, _TOML_PLACE.sub("", message), start) from None


def _own_table(document: Mapping[str, Any], start: Position) -> Mapping[str, Any]:
    tools = document.get("tool", {})
    if not isinstance(tools, dict):
        raise _error(RULE_ID, f"tool must be a table, not {kind_of(tools)}", start)
    table = tools.get("amqp-codegen")
    if table is None:
        raise _error("no-targets", f"there is no {_TABLE} table; give a SPEC", start)
    if not isinstance(table, dict):
        raise _error(RULE_ID, f"{_TABLE} must be a table, not {kind_of(table)}", start)
    return table


def _entries(table: Mapping[str, Any], start: Position) -> list[Mapping[str, Any]]:
    entries: list[Mapping[str, Any]] = table.get("targets", [])
    wrong = _not_tables(entries)
    if wrong:
        message = f"targets of {_TABLE} must be an array of tables, {wrong}"
        raise _error(RULE_ID, message, start, "write [[tool.amqp-codegen.targets]]")
    if not entries:
        raise _error("no-targets", "[[tool.amqp-codegen.targets]] is missing", start)
    return entries


def _not_tables(entries: object) -> str:
    """What is there in the place of tables, or an empty string."""
    if not isinstance(entries, list):
        return f"not {kind_of(entries)}"
    return next((f"but has {kind_of(each)}" for each in entries if not isinstance(each, dict)), "")


def _target(folder: Path, values: TomlTable) -> Target:
    """The target that a table describes; of use only if the table has no problems afterwards."""
    values.refuse_unknown(_TARGET_KEYS)
    specs = [_place(folder, text) for text in values.texts("spec", or_one=True)]
    overlays = [folder / text for text in values.texts("overlays")]
    if values.values.get("spec") in (None, []):
        values.problems.append(Problem(RULE_ID, f"{values.name} has no spec", values.position))
    inputs, problems = gather_inputs(specs, overlays)
    values.problems.extend(replace(each, position=each.position or values.position) for each in problems)
    templates = values.text("templates")
    return Target(
        files=inputs.files,
        overlays=inputs.overlays,
        package=values.text("package"),
        dialect=values.text("dialect"),
        templates=folder / templates if templates else None,
        emit=tuple(values.texts("emit")) if "emit" in values.values else (CODECS,),
    )


def _place(folder: Path, text: str) -> str:
    """A path beside the file if there is one of that name, else what is written (a built-in name)."""
    # Joined by hand: a path of pathlib would drop the ``./`` that tells a file from a built-in name.
    here = "" if os.sep in text else "."
    place = os.path.join(folder if folder.parts else here, text)
    return place if os.path.exists(place) else text


def _error(rule_id: str, message: str, position: Position, hint: str = "") -> SpecError:
    return SpecError([Problem(rule_id, message, position, hint)])
