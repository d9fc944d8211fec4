"""TOML files of users: typed access to their tables, with all problems collected."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..model.problem import Position, Problem, SpecError
from . import toml
from .wording import did_you_mean, listing, quote

RULE_ID = "bad-targets"
_TOML_PLACE = re.compile(r" *\(at line (\d+), column (\d+)\)$")
_TYPE_NAMES = {
    bool: "a boolean",
    int: "an integer",
    float: "a float",
    str: "a string",
    list: "an array",
    dict: "a table",
}


@dataclass(frozen=True, slots=True)
class TomlTable:
    """A table with the problems found in it.

    Attributes:
        values: Its keys and values.
        name: Its name in messages.
        position: Its position in messages.
        problems: The problems found so far.
        rule_id: The kind of its problems.
        lines: Key to its line, if known.
    """

    values: Mapping[str, Any]
    name: str
    position: Position
    problems: list[Problem] = field(default_factory=list)
    rule_id: str = RULE_ID
    lines: Mapping[str, int] = field(default_factory=dict)

    def refuse_unknown(self, known: Sequence[str]) -> None:
        """Report every key that is not ``known``."""
        for key in self.values:
            if key not in known:
                hint = did_you_mean(key, known) or f"known are {listing(known)}"
                self.complain(key, f"{self.name} has the unknown key {quote(key)}", hint)

    def text(self, key: str) -> str:
        """Return a string, empty if the key is missing or wrong."""
        value = self.values.get(key, "")
        if isinstance(value, str):
            return value
        self.complain(key, f"{key} of {self.name} must be a string, not {kind_of(value)}")
        return ""

    def texts(self, key: str, or_one: bool = False) -> list[str]:
        """Return the valid strings of an array, none if the key is missing; empty strings are problems.

        With ``or_one``, a single string is an array of one.
        """
        value = self.values.get(key, [])
        if isinstance(value, str) and or_one:
            value = [value]
        if not isinstance(value, list):
            wanted = "a string or an array of strings" if or_one else "an array of strings"
            hint = f"write {key} = [{quote(value)}]" if isinstance(value, str) else ""
            self.complain(key, f"{key} of {self.name} must be {wanted}, not {kind_of(value)}", hint)
            return []
        return [text for text in value if self._is_text(key, text)]

    def _is_text(self, key: str, value: Any) -> bool:
        if not isinstance(value, str):
            self.complain(key, f"{key} of {self.name} must be an array of strings, but has {kind_of(value)}")
        elif not value:
            self.complain(key, f"{key} of {self.name} has an empty string")
        return isinstance(value, str) and bool(value)

    def complain(self, key: str, message: str, hint: str = "") -> None:
        """Add a problem at the line of the key, or at the table if that is unknown."""
        line = self.lines.get(key)
        position = replace(self.position, line=line) if line else self.position
        self.problems.append(Problem(self.rule_id, message, position, hint))


def kind_of(value: object) -> str:
    """Return the TOML type of a value, with an article."""
    return _TYPE_NAMES.get(type(value), "a date or time")


def not_tables(entries: object) -> str:
    """Return the fault of a value that must be an array of tables, or an empty string."""
    if not isinstance(entries, list):
        return f"not {kind_of(entries)}"
    return next((f"but has {kind_of(entry)}" for entry in entries if not isinstance(entry, dict)), "")


def read_toml(path: Path, rule_id: str) -> tuple[Mapping[str, Any], str]:
    """Return the content of a file as data and as text.

    Raises:
        FileNotFoundError: There is no such file.
        SpecError: It cannot be read; with one problem of the kind ``rule_id``.
    """
    start = Position(str(path), 1, 1)
    try:
        text = toml.read_text(path)
        return toml.loads(text), text
    except FileNotFoundError:
        raise
    except OSError as reason:
        message = f"not readable: {reason.strerror or reason}"
    except (
        ValueError,
        RecursionError,
    ) as reason:  # not TOML, not UTF-8, a number too long, nested too deeply
        message = f"not readable as TOML: {reason}"
        place = _TOML_PLACE.search(message)
        if place:
            start = Position(start.file, int(place[1]), int(place[2]))
            message = _TOML_PLACE.sub("", message)
    raise SpecError([Problem(rule_id, message, start)])


def tables_of(table: TomlTable, key: str) -> list[Mapping[str, Any]]:
    """Return an array of tables, empty if the key is missing.

    Raises:
        SpecError: It is something else.
    """
    entries: list[Mapping[str, Any]] = table.values.get(key, [])
    wrong = not_tables(entries)
    if wrong:
        message = f"{key} of {table.name} must be an array of tables, {wrong}"
        parent = f"{table.name[1:-1]}." if table.name.startswith("[") else ""  # else the file itself
        raise SpecError([Problem(table.rule_id, message, table.position, f"write [[{parent}{key}]]")])
    return entries
