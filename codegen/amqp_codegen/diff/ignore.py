"""Changes that a project ignores, each with its reason: a TOML file with an array of tables ``ignore``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path

from ..model.problem import Position, Problem, SpecError
from ..support.toml_table import TomlTable, read_toml, tables_of
from ..support.wording import counted, did_you_mean, quote
from .change import Change, IgnoredChange, SpecComparison
from .classify import CATALOGUE

BAD_IGNORE = "bad-ignore"
_KEYS = ("changes", "paths", "reason")


@dataclass(frozen=True, slots=True)
class IgnoreEntry:
    """A table of the file.

    Attributes:
        changes: The ids of the changes; empty for all.
        paths: Patterns of the elements, such as ``orders.*``; empty for all.
        name: What messages call it.
    """

    changes: tuple[str, ...]
    paths: tuple[str, ...]
    reason: str
    name: str

    def covers(self, change: Change) -> bool:
        """Return whether a change is ignored."""
        is_wanted = not self.changes or change.id in self.changes
        return is_wanted and (not self.paths or any(fnmatchcase(change.path, path) for path in self.paths))


def read_ignores(path: Path) -> list[IgnoreEntry]:
    """Read a file of changes to ignore.

    Raises:
        SpecError: It does not exist or is wrong; with every problem.
    """
    try:
        values, _ = read_toml(path, BAD_IGNORE)
    except FileNotFoundError:
        raise SpecError([Problem("no-such-file", f"there is no file {quote(str(path))}")]) from None
    table = TomlTable(values, path.name, Position(str(path), 1, 1), rule_id=BAD_IGNORE)
    table.refuse_unknown(["ignore"])
    entries = [
        _entry(replace(table, values=values, name=f"ignore {number} of {path.name}"))
        for number, values in enumerate(tables_of(table, "ignore"), 1)
    ]
    if table.problems:
        raise SpecError(table.problems)
    return entries


def _entry(table: TomlTable) -> IgnoreEntry:
    table.refuse_unknown(_KEYS)
    changes, paths = table.texts("changes", or_one=True), table.texts("paths", or_one=True)
    reason = table.text("reason")
    for change in changes:
        if change not in CATALOGUE:
            hint = did_you_mean(change, CATALOGUE) or "amqp-codegen diff --list has them all"
            table.complain("changes", f"{table.name}: there is no change {quote(change)}", hint)
    if not changes and not paths:
        table.complain("changes", f"{table.name} has neither changes nor paths")
    if not reason.strip():
        table.complain("reason", f"{table.name} has no reason", "say why this change breaks nobody")
    return IgnoreEntry(tuple(changes), tuple(paths), reason, table.name)


def without_ignored(comparison: SpecComparison, entries: Sequence[IgnoreEntry]) -> SpecComparison:
    """Set the changes aside that an entry covers; a remark names each entry that covers none."""
    kept: list[Change] = []
    ignored: list[IgnoredChange] = []
    needed: set[IgnoreEntry] = set()
    for change in comparison.changes:
        covering = [entry for entry in entries if entry.covers(change)]
        needed.update(covering)
        if covering:
            ignored.append(IgnoredChange(change, covering[0].reason))
        else:
            kept.append(change)
    remarks = list(comparison.remarks)
    if ignored:
        remarks.append(f"{counted(len(ignored), 'change')} ignored")
    remarks += [f"{entry.name} ignores nothing" for entry in entries if entry not in needed]
    return replace(comparison, changes=tuple(kept), ignored=tuple(ignored), remarks=tuple(remarks))
