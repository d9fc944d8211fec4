"""Changes that both families have in common: texts for people, and rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from ..model.amqp0 import spec
from ..model.amqp1 import types
from ..model.problem import Position
from .change import Change
from .classify import change
from .pairs import Pairs, pair, pair_alike

Rule = spec.Rule | types.Rule


class Placed(Protocol):
    """An element with a position."""

    @property
    def position(self) -> Position:
        """Where it stands."""


class Documented(Placed, Protocol):
    """An element with a label and a doc."""

    @property
    def label(self) -> str:
        """A short name."""

    @property
    def doc(self) -> str:
        """What it means."""


P = TypeVar("P", bound=Placed)


def attribute(
    rule: str, path: str, section: str, pair_: tuple[P, P], show: Callable[[P], str]
) -> Iterator[Change]:
    """Yield the change of one attribute, if there is one."""
    old, new = pair_
    if show(old) != show(new):
        yield change(rule, path, section, show(old), show(new), (old.position, new.position))


def doc_change(rule: str, path: str, section: str, old: Documented, new: Documented) -> Iterator[Change]:
    """Yield the change of the texts for people, if there is one."""
    yield from attribute(rule, path, section, (old, new), _text)


def _text(entry: Documented) -> str:
    return "\n\n".join(text for text in (entry.label, entry.doc) if text)


def rule_changes(owner: str, section: str, old: Sequence[Rule], new: Sequence[Rule]) -> Iterator[Change]:
    """Yield what differs in the rules of an element."""
    pairs = _pairs(old, new)
    for rule in pairs.removed:
        yield change("rule-removed", rule.path, section, rule.text, "", (rule.position, None))
    for rule in pairs.added:
        yield change("rule-added", _path(owner, rule), section, "", rule.text, (None, rule.position))
    for before, after in pairs.both:
        yield from _rule(_path(owner, after), section, before, after)


def _pairs(old: Sequence[Rule], new: Sequence[Rule]) -> Pairs[Rule]:
    """Pair rules by name, else by similar words.

    0-8 has no names for its rules. Compared with a version that has names, the only rule of a level that remains on both
    sides counts as the same rule in other words.
    """
    found = pair_alike(pair(old, new, _name, _words), _words)
    if any(map(_name, found.removed)) == any(map(_name, found.added)):
        return found
    by_level = pair(found.removed, found.added, lambda rule: tuple(sorted(rule.levels)))
    return Pairs((*found.both, *by_level.both), by_level.removed, by_level.added)


def _rule(path: str, section: str, before: Rule, after: Rule) -> Iterator[Change]:
    both = before, after
    if None not in (_name(before), _name(after)) and before.name != after.name:
        places = before.position, after.position
        yield change("rule-renamed", path, section, before.name, after.name, places)
    yield from attribute(
        "rule-levels", path, section, both, lambda rule: ", ".join(sorted(rule.levels)) or "none"
    )
    yield from attribute("rule-on-failure", path, section, both, lambda rule: rule.on_failure or "none")
    if _words(before) != _words(after):
        yield from attribute("rule-text", path, section, both, lambda rule: rule.text)
    yield from attribute(
        "rule-doc", path, section, both, lambda rule: "\n\n".join(filter(None, (rule.label, rule.scenario)))
    )


def _name(rule: Rule) -> str | None:
    """Return the name of a rule, None for a number, which only counts the rules."""
    return None if rule.name.isdigit() else rule.name


def _words(rule: Rule) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", rule.text.lower()))


def _path(owner: str, rule: Rule) -> str:
    return f"{owner}/{rule.name}"
