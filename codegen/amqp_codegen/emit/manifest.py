"""The manifest of a user's templates, ``templates.toml``: which files they make besides ours."""

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
# What stands for something in a path, by the family that has it; a file is made for each method, if that is
# there, else for each class, and likewise for each type or part.
_EVERYWHERE = ("package", "version")
_OF_FAMILY = {AMQP0: ("class", "method"), AMQP1: ("part", "type")}
_PLACEHOLDER = re.compile(r"\{(\w*)\}")
_TARGET = re.compile(r"[a-z][a-z0-9-]*")
# What some system does not take in the name of a file.
_NOT_IN_PATHS = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]')


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file, or one for each class, method, part or type, that a user's template makes.

    Attributes:
        target: What ``--emit`` calls it; several may share it.
        template: The name of the template.
        path: Where it goes, relative to the output folder, with placeholders such as ``{package}``.
        family: ``amqp0``, ``amqp1``, or empty for both.
        formatted: Whether it is Python to be formatted.
        comment: What a comment looks like in it.
        position: Where the manifest says so.
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
        """What its path names in braces."""
        return frozenset(_PLACEHOLDER.findall(self.path))


def read_manifest(folder: Path, taken: Collection[str]) -> tuple[OwnFile, ...]:
    """What the manifest in a folder names; nothing if there is none.

    Args:
        folder: The folder of templates.
        taken: What no target can be called.

    Raises:
        SpecError: It is wrong; with every problem found.
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
    said = enumerate(text.split("\n"), 1)
    heads = [line for line, words in said if re.match(r"\s*\[\[\s*files\s*\]\]", words)]
    line = heads[number - 1] if number <= len(heads) else 0
    lines = _lines(text, line) if line else {}
    return TomlTable(entry, f"file {number}", Position(str(path), line or 1, 1), problems, RULE_ID, lines)


def _lines(text: str, head: int) -> dict[str, int]:
    """The lines of the keys after line ``head``, up to the next table."""
    found: dict[str, int] = {}
    for line, said in enumerate(text.split("\n")[head:], head + 1):
        if said.lstrip().startswith("["):
            name = said.strip(" \t[]")
            return found if head else {name: line, **found}
        key = re.match(r"\s*[\"']?([\w.-]+)[\"']?\s*=", said)
        if key:
            found.setdefault(key[1], line)
    return found


def _own_file(table: TomlTable, folder: Path, taken: Collection[str]) -> OwnFile:
    """The file that a table describes; of use only if the table has no problems afterwards."""
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
    except (OSError, ValueError):  # too long a name, half a character
        return False


def _one_of(table: TomlTable, key: str, known: Sequence[str]) -> str:
    value = table.text(key)
    if value and value not in known:
        hint = did_you_mean(value, known) or f"known are {listing(known)}"
        table.complain(key, f"{quote(value)} is no {key}", hint)
        return ""
    return value


def _check_path(table: TomlTable, path: str, family: str) -> None:
    known = (*_EVERYWHERE, *_OF_FAMILY.get(family, ()))
    for name in _PLACEHOLDER.findall(path):
        owner = next((each for each, names in _OF_FAMILY.items() if name in names), "")
        if name not in known:
            hint = did_you_mean(name, known) or f"known are {listing(known)}"
            if owner and not family:
                hint = f'write family = "{owner}", which has it'
            table.complain("path", f"{{{name}}} stands for nothing in the path {quote(path)}", hint)
    plain = _PLACEHOLDER.sub("x", path)
    if "{" in plain or "}" in plain:
        table.complain("path", f"the path {quote(path)} has a brace that is not one of a pair with a name")
    elif _NOT_IN_PATHS.search(plain) or not plain.isprintable():
        table.complain("path", f"the path {quote(path)} has characters that not every system takes")
    elif any(part in ("", ".", "..") for part in plain.split("/")):
        hint = "write a path below the output folder, with / between its parts"
        table.complain("path", f"the path {quote(path)} leaves the output folder or names no file", hint)


def _comment(table: TomlTable) -> CommentStyle:
    given = table.texts("comment", or_one=True)
    if "comment" not in table.values:
        return HASH
    if len(given) not in (1, 2):
        hint = 'write "//" or ["/*", "*/"]'
        if not any(problem.message.startswith(f"comment of {table.name}") for problem in table.problems):
            message = f"comment of {table.name} must be what begins a comment, or begins and ends it"
            table.complain("comment", message, hint)
        return HASH
    if not all(each.isprintable() and each.strip() == each for each in given):
        table.complain("comment", f"comment of {table.name} must be visible characters on one line")
    return CommentStyle(*given)
