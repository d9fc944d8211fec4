"""Names: from the specification's words to Python identifiers that are safe and unique.

The level words of normative text: MUST, SHOULD and MAY, with and without NOT.
"""

from __future__ import annotations

import difflib
import heapq
import keyword
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeVar

from ..model.problem import Position, Problem
from ..support.wording import quote

LEVEL: Final = re.compile(r"\b(MUST|SHOULD|MAY)\b(?:\s+(NOT|not)\b)?")


def level_words(text: str) -> tuple[str, ...]:
    """The level words of a text in order; ``MUST not`` counts as ``MUST NOT`` (the files mix both)."""
    return tuple(f"{word} NOT" if negated else word for word, negated in LEVEL.findall(text))


_SEPARATORS = re.compile(r"[ _-]+")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_COMPARED = 64

Named = TypeVar("Named")


def show(name: str) -> str:
    """A name inside a list: as it is, or quoted when it is not plain."""
    return name if re.fullmatch(r"[\w.-]+", name, re.ASCII) else quote(name)


def normalise(name: str) -> str:
    """The comparable form of a name: blanks, underscores and hyphens are one hyphen, lower case.

    0-8 writes ``consumer tag``, 0-9 ``consumer-tag``; some files mix both.
    """
    return _SEPARATORS.sub("-", name.strip().lower())


def identifier(name: str) -> str:
    """A snake-case Python identifier; keywords get a trailing underscore; empty if there is none."""
    candidate = normalise(name).replace("-", "_")
    if not _NAME.fullmatch(candidate):
        return ""
    return f"{candidate}_" if keyword.iskeyword(candidate) else candidate


def class_name(*names: str) -> str:
    """The names joined in CamelCase: ``queue``, ``declare-ok`` gives ``QueueDeclareOk``."""
    parts = [part for name in names for part in normalise(name).split("-")]
    return "".join(part[:1].upper() + part[1:] for part in parts)


def bad_name(kind: str, name: str, position: Position) -> Problem:
    """The problem of a name that no identifier can be made of."""
    return Problem(
        "bad-name",
        f"the name {name!r} of this {kind} does not make a Python identifier",
        position,
        "use ASCII letters, digits, blanks, hyphens and underscores, a letter first",
    )


def suggest(name: str, known: Iterable[str]) -> str:
    """A hint ``did you mean '...'?`` for a misspelt name, or the known names, or nothing."""
    choices = sorted(set(known))
    wanted = normalise(name)
    close = difflib.get_close_matches(wanted, _likely(wanted, choices), n=1)
    if close:
        return f"did you mean {quote(close[0])}?"
    return f"known: {', '.join(map(show, choices))}" if 0 < len(choices) <= 12 else ""


def _likely(name: str, choices: Sequence[str]) -> Sequence[str]:
    """The choices worth an exact comparison: it is slow, and a file may hold thousands of misspelt names."""
    if len(choices) <= _COMPARED:
        return choices

    def unlikeness(choice: str) -> int:
        return abs(len(choice) - len(name)) + 2 * (choice[:2] != name[:2]) + 2 * (choice[-2:] != name[-2:])

    return heapq.nsmallest(_COMPARED, choices, unlikeness)


def duplicates(
    entries: Sequence[Named],
    key: Callable[[Named], object],
    position: Callable[[Named], Position],
    kind: str,
    rule_id: str,
    describe: Callable[[Named], str],
) -> list[Problem]:
    """A problem for each entry whose key an earlier entry has, naming both places."""
    first: dict[object, Named] = {}
    problems = []
    for entry in entries:
        earlier = first.setdefault(key(entry), entry)
        if earlier is not entry:
            problems.append(
                Problem(
                    rule_id,
                    f"{describe(entry)} repeats the {kind} of {describe(earlier)} at {position(earlier)}",
                    position(entry),
                    "give each its own",
                )
            )
    return problems


def distinct(entries: Iterable[Named], key: Callable[[Named], object]) -> list[Named]:
    """The first entry of each key, so that what is repeated outright is not also reported as a clash."""
    first: dict[object, Named] = {}
    for entry in entries:
        first.setdefault(key(entry), entry)
    return list(first.values())


def unique_local(name: str, taken: set[str]) -> str:
    """``name`` with as many underscores as make it new; adds it to ``taken``."""
    while name in taken:
        name += "_"
    taken.add(name)
    return name
