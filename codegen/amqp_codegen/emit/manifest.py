"""The manifest of a user's templates, ``templates.toml``: the files that they make besides ours."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..model.problem import Position, Problem, SpecError
from ..support.toml_table import TomlTable, not_tables, read_toml
from ..support.wording import did_you_mean, listing, quote
from .source_text import HASH, CommentStyle

MANIFEST = "templates.toml"
AMQP0, AMQP1 = "amqp0", "amqp1"
RULE_ID = "bad-manifest"
_KEYS = ("target", "template", "path", "family", "format", "comment")
_BLACK, _NONE = "black", "none"
# The placeholders of a path, by family. A path with ``{method}`` makes a file for each method, else one with
# ``{class}`` a file for each class; ``{type}`` and ``{part}`` likewise.
_COMMON_PLACEHOLDERS = ("package", "version")
_FAMILY_PLACEHOLDERS = {AMQP0: ("class", "method"), AMQP1: ("part", "type")}
_PLACEHOLDER = re.compile(r"\{(\w*)\}")
_TARGET = re.compile(r"[a-z][a-z0-9-]*")
# Characters that some operating system refuses in file names.
_REFUSED_CHARACTERS = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]')


@dataclass(frozen=True, slots=True)
class OwnFile:
    """An entry of the manifest: a template that makes one file, or one for each class, method, part or type.

    Attributes:
        target: Its name for ``--emit``; several entries may share it.
        path: The path, relative to the output folder, with placeholders such as ``{package}``.
        family: ``amqp0``, ``amqp1``, or empty for both.
        formatted: True if black formats the file.
        position: Where the manifest has the path.
    """

    target: str
    template: str
    path: str
    family: str
    formatted: bool
    comment: CommentStyle
    position: Position

    @property
    def placeholders(self) -> frozenset[str]:
        """The names in braces in its path."""
        return frozenset(_PLACEHOLDER.findall(self.path))


def read_manifest(folder: Path, taken: Collection[str]) -> tuple[OwnFile, ...]:
    """Return the entries of the manifest in a folder, if it has one. Targets cannot have a ``taken`` name.

    Raises:
        SpecError: The manifest is invalid; carries every problem found.
    """
    path = folder / MANIFEST
    try:
        document, text = read_toml(path, RULE_ID)
    except FileNotFoundError:
        return ()
    top = TomlTable(document, MANIFEST, Position(str(path), 1, 1), [], RULE_ID, _lines(text, 0))
    top.refuse_unknown(["files"])
    entries = top.values.get("files", [])
    wrong = not_tables(entries)
    if wrong:
        top.complain("files", f"files must be an array of tables, {wrong}", "write [[files]]")
        entries = []
    elif not entries and not top.problems:
        top.complain("files", f"{MANIFEST} names no files", "begin each with [[files]]")
    made = [
        _own_file(_table(entry, number, path, text, top.problems), folder, taken)
        for number, entry in enumerate(entries, 1)
    ]
    if top.problems:
        raise SpecError(top.problems)
    return tuple(made)


def _table(
    entry: Mapping[str, Any], number: int, path: Path, text: str, problems: list[Problem]
) -> TomlTable:
    headings = [
        line
        for line, content in enumerate(text.split("\n"), 1)
        if re.match(r"\s*\[\[\s*files\s*\]\]", content)
    ]
    line = headings[number - 1] if number <= len(headings) else 0
    lines = _lines(text, line) if line else {}
    return TomlTable(entry, f"file {number}", Position(str(path), line or 1, 1), problems, RULE_ID, lines)


def _lines(text: str, heading: int) -> dict[str, int]:
    """Return the line of each key after line ``heading``, up to the next table."""
    lines: dict[str, int] = {}
    for line, content in enumerate(text.split("\n")[heading:], heading + 1):
        if content.lstrip().startswith("["):
            name = content.strip(" \t[]")
            return lines if heading else {name: line, **lines}
        key = re.match(r"\s*[\"']?([\w.-]+)[\"']?\s*=", content)
        if key:
            lines.setdefault(key[1], line)
    return lines


def _own_file(table: TomlTable, folder: Path, taken: Collection[str]) -> OwnFile:
    """Read the file that a table describes; add to the table's problems, and use the result only if there are none."""
    table.refuse_unknown(_KEYS)
    for key in ("target", "template", "path"):
        if table.values.get(key, "") == "":
            table.complain(key, f"{table.name} has no {key}")
    target = table.text("target")
    if target in taken or (target and not _TARGET.fullmatch(target)):
        reason = "is something else" if target in taken else "cannot be the name of a target"
        table.complain("target", f"{quote(target)} {reason}", "use small letters, digits and hyphens")
    template = table.text("template")
    if template and not _is_inside(template, folder):
        known = [path.relative_to(folder).as_posix() for path in sorted(folder.rglob("*.jinja"))]
        message = f"there is no template {quote(template)} beside {MANIFEST}"
        table.complain("template", message, did_you_mean(template, known))
    path = table.text("path")
    family = _one_of(table, "family", (AMQP0, AMQP1))
    if path:
        _check_path(table, path, family)
    form = _one_of(table, "format", (_BLACK, _NONE)) or (_BLACK if path.endswith(".py") else _NONE)
    position = Position(table.position.file, table.lines.get("path", table.position.line), 1)
    return OwnFile(target, template, path, family, form == _BLACK, _comment(table), position)


def _is_inside(template: str, folder: Path) -> bool:
    try:
        return (
            ".." not in template.split("/") and not template.startswith("/") and (folder / template).is_file()
        )
    except (OSError, ValueError):  # the name is too long, or has a lone surrogate
        return False


def _one_of(table: TomlTable, key: str, known: Sequence[str]) -> str:
    value = table.text(key)
    if value and value not in known:
        hint = did_you_mean(value, known) or f"known are {listing(known)}"
        table.complain(key, f"{quote(value)} is not a valid {key}", hint)
        return ""
    return value


def _check_path(table: TomlTable, path: str, family: str) -> None:
    known = (*_COMMON_PLACEHOLDERS, *_FAMILY_PLACEHOLDERS.get(family, ()))
    for name in _PLACEHOLDER.findall(path):
        owner = next((family for family, names in _FAMILY_PLACEHOLDERS.items() if name in names), "")
        if name not in known:
            hint = did_you_mean(name, known) or f"known are {listing(known)}"
            if owner and not family:
                hint = f'write family = "{owner}", which has it'
            table.complain("path", f"{{{name}}} stands for nothing in the path {quote(path)}", hint)
    plain = _PLACEHOLDER.sub("x", path)
    if "{" in plain or "}" in plain:
        table.complain("path", f"the path {quote(path)} has a brace that is not one of a pair with a name")
    elif _REFUSED_CHARACTERS.search(plain) or not plain.isprintable():
        table.complain("path", f"the path {quote(path)} has characters that not every system takes")
    elif any(part in ("", ".", "..") for part in plain.split("/")):
        hint = "write a path below the output folder, with / between its parts"
        table.complain("path", f"the path {quote(path)} leaves the output folder or names no file", hint)


def _comment(table: TomlTable) -> CommentStyle:
    problems_before = len(table.problems)
    given = table.texts("comment", or_one=True)
    if "comment" not in table.values:
        return HASH
    if len(given) not in (1, 2):
        hint = 'write "//" or ["/*", "*/"]'
        if len(table.problems) == problems_before:
            message = f"comment of {table.name} must be what begins a comment, or begins and ends it"
            table.complain("comment", message, hint)
        return HASH
    if not all(text.isprintable() and text.strip() == text for text in given):
        table.complain("comment", f"comment of {table.name} must be visible characters on one line")
    return CommentStyle(*given)
