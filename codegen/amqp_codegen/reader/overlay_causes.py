"""The overlay entries that removed what a specification still names: hints for problems that only name lines of the base."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from ..model.problem import Position, Problem
from .element import Element
from .overlay_elements import action, identity, normalise

# The tags whose absence causes a problem, by its id.
_MISSING_TAGS: Mapping[str, Collection[str]] = {
    "undefined-domain": ("domain",),
    "undefined-type": ("type",),
    "dangling-response": ("method",),
    "dangling-assert": ("method", "field"),
    "unknown-on-failure": ("constant", "choice"),
}
_QUOTED = re.compile(r"'([^']+)'")


@dataclass(frozen=True, slots=True)
class Removal:
    """A name that an overlay took away.

    Attributes:
        tag: The tag of the element.
        name: Its normalised name in the base.
        position: The entry of the overlay.
        new_name: The name that it has now; empty if it was removed.
    """

    tag: str
    name: str
    position: Position
    new_name: str = ""


def removals_in(overlays: Iterable[Element]) -> tuple[Removal, ...]:
    """Return what overlays remove or rename."""
    return tuple(
        Removal(*identity(entry), entry.position, entry.attributes.get("rename", ""))
        for overlay in overlays
        for entry in overlay.walk()
        if action(entry) == "remove" or (action(entry) == "replace" and "rename" in entry.attributes)
    )


def with_causes(problems: Iterable[Problem], removals: Collection[Removal]) -> list[Problem]:
    """Return the problems; those caused by a removal say in their hint where the overlay has it."""
    return [_with_cause(problem, removals) for problem in problems]


def _with_cause(problem: Problem, removals: Collection[Removal]) -> Problem:
    tags = _MISSING_TAGS.get(problem.rule_id, ())
    named = {normalise(name) for name in _QUOTED.findall(problem.message)}
    for removal in removals:
        if removal.tag in tags and removal.name in named:
            verb = f"renames it to {removal.new_name!r}" if removal.new_name else "removes it"
            return replace(problem, hint=f"the overlay {verb} at {removal.position}")
    return problem
