"""The targets of ``[tool.amqp-codegen]`` in a ``pyproject.toml``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .. import toml
from ..emit.generate import Target
from ..model.position import Position
from ..model.problem import Problem, SpecError
from ..spec.inputs import resolve_input

_KEYS = frozenset({"spec", "overlays", "package", "dialect", "templates"})


def read_targets(path: Path) -> tuple[Path, list[Target]]:
    """The output folder and the targets of a project.

    Paths in the file are relative to it. A target has ``spec`` (a file, folder, built-in name, or a list of
    them) and may have ``overlays``, ``package``, ``dialect`` and ``templates``.

    Raises:
        SpecError: There is no file, no such table, or a key is wrong.
    """
    try:
        document = toml.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise _wrong(
            path, "give a SPEC, or a [tool.amqp-codegen] table in pyproject.toml", "no-targets"
        ) from None
    except (OSError, UnicodeDecodeError, toml.TOMLDecodeError) as error:
        raise _wrong(path, f"not readable as TOML: {error}", "bad-targets") from None
    table = document.get("tool", {}).get("amqp-codegen")
    if table is None:
        raise _wrong(path, "there is no [tool.amqp-codegen] table; give a SPEC", "no-targets")
    entries = table.get("targets")
    if not isinstance(entries, list) or not entries:
        raise _wrong(path, "[[tool.amqp-codegen.targets]] is missing", "no-targets")
    folder = path.parent
    return folder / table.get("output", "generated"), [_target(path, folder, entry) for entry in entries]


def _target(path: Path, folder: Path, entry: Any) -> Target:
    if not isinstance(entry, dict) or "spec" not in entry:
        raise _wrong(path, "a target has no spec", "bad-targets")
    unknown = sorted(set(entry) - _KEYS)
    if unknown:
        raise _wrong(
            path,
            f"a target has the unknown key {unknown[0]!r}; known: {', '.join(sorted(_KEYS))}",
            "bad-targets",
        )
    specs = entry["spec"] if isinstance(entry["spec"], list) else [entry["spec"]]
    inputs = [resolve_input(_place(folder, text)) for text in specs]
    overlays = [path for each in inputs for path in each.overlays]
    overlays += [folder / text for text in entry.get("overlays", [])]
    templates = entry.get("templates")
    return Target(
        files=tuple(path for each in inputs for path in each.files),
        overlays=tuple(overlays),
        package=entry.get("package", ""),
        dialect=entry.get("dialect", ""),
        templates=folder / templates if templates else None,
    )


def _place(folder: Path, text: str) -> str:
    """A path beside the file if there is one of that name, else what is written (a built-in name)."""
    return str(folder / text) if (folder / text).exists() else text


def _wrong(path: Path, message: str, rule_id: str) -> SpecError:
    return SpecError([Problem(rule_id, message, Position(str(path), 1, 1))])
