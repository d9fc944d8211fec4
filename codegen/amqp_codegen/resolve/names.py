"""Names of a specification to safe, unique Python identifiers, and the checks of names common to both families.

Also the level words of normative text: MUST, SHOULD and MAY, with and without NOT.
"""

from __future__ import annotations

import difflib
import heapq
import keyword
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Protocol, TypeVar

from ..model.problem import Position, Problem
from ..support.wording import quote

LEVEL: Final = re.compile(r"\b(MUST|SHOULD|MAY)\b(?:\s+(NOT|not)\b)?")


def level_words(text: str) -> tuple[str, ...]:
    """Return the level words of a text in order; ``MUST not`` counts as ``MUST NOT`` (the files mix both)."""
    return tuple(f"{word} NOT" if negated else word for word, negated in LEVEL.findall(text))


_SEPARATORS = re.compile(r"[ _-]+")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
# Characters. A file is named after a class or part, and its name has at most 255 octets.
_LONGEST_NAME = 1000
LONGEST_FILE_NAME = 200
_FILE_KINDS = ("class", "part")
_MAX_COMPARED_NAMES = 64


class Named(Protocol):
    """An object with a name and a position in a file."""

    @property
    def name(self) -> str:
        """The name in the specification."""

    @property
    def position(self) -> Position:
        """The position in the file."""


AnyNamed = TypeVar("AnyNamed", bound=Named)
Entry = TypeVar("Entry")


def show(name: str) -> str:
    """Return a name for a list: as it is, or quoted when it is not plain."""
    return name if re.fullmatch(r"[\w.-]+", name, re.ASCII) else quote(name)


def normalise(name: str) -> str:
    """Return the normalised name: lower case, each run of blanks, underscores and hyphens as one hyphen.

    0-8 writes ``consumer tag``, 0-9 ``consumer-tag``; some files mix both.
    """
    return _SEPARATORS.sub("-", name.strip().lower())


def identifier(name: str) -> str:
    """Return a snake-case Python identifier; keywords get a trailing underscore; empty if there is none."""
    candidate = normalise(name).replace("-", "_")
    if len(candidate) > _LONGEST_NAME or not _NAME.fullmatch(candidate):
        return ""
    return f"{candidate}_" if keyword.iskeyword(candidate) else candidate


def class_name(*names: str) -> str:
    """Return the names joined in CamelCase: ``queue``, ``declare-ok`` gives ``QueueDeclareOk``."""
    parts = [part for name in names for part in normalise(name).split("-")]
    return "".join(part[:1].upper() + part[1:] for part in parts)


def bad_name(kind: str, name: str, position: Position) -> Problem:
    """Return the problem of a name that makes no identifier."""
    longest = LONGEST_FILE_NAME if kind in _FILE_KINDS else _LONGEST_NAME
    if len(name) > longest:
        message = f"the name {quote(name)} of this {kind} has {len(name):,} characters, more than {longest}"
        return Problem("bad-name", message, position, "Python names are made of it: take a shorter one")
    return Problem(
        "bad-name",
        f"the name {name!r} of this {kind} does not make a Python identifier",
        position,
        "use ASCII letters, digits, blanks, hyphens and underscores, a letter first",
    )


def suggest(name: str, known: Iterable[str]) -> str:
    """Return the hint ``did you mean '...'?`` for a misspelt name, or the known names, or nothing."""
    choices = sorted(set(known))
    wanted = normalise(name)
    close = difflib.get_close_matches(wanted, _likely(wanted, choices), n=1)
    if close:
        return f"did you mean {quote(close[0])}?"
    return f"known: {', '.join(map(show, choices))}" if 0 < len(choices) <= 12 else ""


def _likely(name: str, choices: Sequence[str]) -> Sequence[str]:
    """Return the choices for an exact comparison, which is slow: a file may have thousands of misspelt names."""
    if len(choices) <= _MAX_COMPARED_NAMES:
        return choices

    def unlikeness(choice: str) -> int:
        return abs(len(choice) - len(name)) + 2 * (choice[:2] != name[:2]) + 2 * (choice[-2:] != name[-2:])

    return heapq.nsmallest(_MAX_COMPARED_NAMES, choices, unlikeness)


def duplicates(
    entries: Iterable[AnyNamed],
    quality: str,
    key: Callable[[AnyNamed], object],
    rule_id: str,
    describe: Callable[[AnyNamed], str],
) -> Iterator[Problem]:
    """Yield a problem for each entry with the key of an earlier entry; it names both positions.

    Args:
        entries: The entries to compare.
        quality: The key in words.
        key: Returns the key of an entry.
        rule_id: The kind of problem.
        describe: Returns the name of an entry for messages.
    """
    first: dict[object, AnyNamed] = {}
    for entry in entries:
        earlier = first.setdefault(key(entry), entry)
        if earlier is not entry:
            message = f"{describe(entry)} repeats the {quality} of {describe(earlier)} at {earlier.position}"
            yield Problem(rule_id, message, entry.position, "give each its own")


def repeated_names(
    rule_id: str, entries: Iterable[Named], comparable: Callable[[str], str] = normalise
) -> Iterator[Problem]:
    """Yield a problem for each entry with the name of an earlier one; ``rule_id`` is ``duplicate-`` and their kind."""
    kind = rule_id.removeprefix("duplicate-")
    return duplicates(entries, "name", lambda entry: comparable(entry.name), rule_id, _describe(kind))


def collisions(
    kind: str, entries: Iterable[AnyNamed], python_name: Callable[[AnyNamed], str]
) -> Iterator[Problem]:
    """Yield a problem for each entry whose name differs from an earlier one's, but not its Python name."""
    different = distinct(entries, lambda entry: entry.name)
    return duplicates(different, "Python name", python_name, "name-collision", _describe(kind))


def _describe(kind: str) -> Callable[[Named], str]:
    return lambda entry: f"{kind} {quote(entry.name)}"


def distinct(entries: Iterable[Entry], key: Callable[[Entry], object]) -> list[Entry]:
    """Return the first entry of each key, so that a repeated name is not reported as a clash too."""
    first: dict[object, Entry] = {}
    for entry in entries:
        first.setdefault(key(entry), entry)
    return list(first.values())


def unique_local(name: str, taken: set[str]) -> str:
    """Return ``name``, with underscores until it is new, and add it to ``taken``."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name
