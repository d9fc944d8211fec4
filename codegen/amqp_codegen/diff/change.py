"""Changes as data: what ``compare`` finds and the reports show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum, IntEnum

from ..model.amqp0.raw import RawSource
from ..model.problem import Position


class Level(IntEnum):
    """What a change affects: texts, behaviour, source code or octets."""

    DOC = 1
    BEHAVIOUR = 2
    SOURCE = 3
    WIRE = 4


LEVELS: Mapping[Level, str] = {
    Level.WIRE: "old and new peers do not understand each other's octets",
    Level.SOURCE: "the names or types of the generated package change",
    Level.BEHAVIOUR: "the octets stay the same, what peers may or must do does not",
    Level.DOC: "only what people read",
}


class Action(Enum):
    """What happened to an element."""

    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Change:
    """One difference.

    Attributes:
        id: The kind of difference, for example ``field-type``; ``classify`` lists them all.
        kind: What the element is: ``constant``, ``method``, ``field``, ``type``, ``rule`` ...
        path: The element, ``queue.declare.queue``; for a removed element its old name.
        section: Where a report shows it: ``constants``, ``class queue``, ``part transport``.
        aspect: Which aspect of the element changed: ``index``, ``type``; for a renamed element, what changed
            besides. Empty for elements added or removed.
        old: The old state; empty for what was added.
        new: The new state; empty for what was removed.
        reason: Why it has its level, one sentence without a full stop.
        old_position: Where the element stands in the old specification, or None.
        new_position: Where it stands in the new one, or None.
    """

    id: str
    level: Level
    action: Action
    kind: str
    path: str
    section: str
    aspect: str
    old: str
    new: str
    reason: str
    old_position: Position | None
    new_position: Position | None


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two specifications: its version, its title, its files."""

    version: str
    title: str
    sources: tuple[RawSource, ...]

    def __str__(self) -> str:
        names = [source.name for source in self.sources]
        shown = names if len(names) <= 2 else [names[0], "...", names[-1]]  # the last one may be an overlay
        return f"{self.version} ({', '.join(shown)})"


@dataclass(frozen=True, slots=True)
class IgnoredChange:
    """A change that the user does not want to hear of, and why."""

    change: Change
    reason: str


@dataclass(frozen=True, slots=True)
class SpecComparison:
    """What differs between two specifications of one family.

    Attributes:
        changes: Section by section.
        remarks: What was not compared or left out, and why; one sentence each.
        ignored: The changes that the user ignores.
    """

    old: Side
    new: Side
    changes: tuple[Change, ...]
    remarks: tuple[str, ...] = ()
    ignored: tuple[IgnoredChange, ...] = ()

    def count(self, level: Level) -> int:
        """Return the number of changes of a level."""
        return sum(change.level is level for change in self.changes)

    @property
    def worst(self) -> Level | None:
        """The highest level of any change; None if there are no changes."""
        return max((change.level for change in self.changes), default=None)

    @property
    def sections(self) -> Iterator[tuple[str, tuple[Change, ...]]]:
        """The changes by section, in order of appearance."""
        found: dict[str, list[Change]] = {}
        for change in self.changes:
            found.setdefault(change.section, []).append(change)
        return ((name, tuple(changes)) for name, changes in found.items())

    def at_least(self, level: Level) -> SpecComparison:
        """Return only the changes of that level and above."""
        kept = tuple(change for change in self.changes if change.level >= level)
        return replace(self, changes=kept)


@dataclass(frozen=True, slots=True)
class Concept:
    """An idea that both families have, each in its own way.

    Attributes:
        topic: What it is about, a few words.
        old: The elements of the old specification that express it; may be empty.
        new: Those of the new one; may be empty.
        note: What to know when migrating from one to the other.
    """

    topic: str
    old: tuple[str, ...]
    new: tuple[str, ...]
    note: str


@dataclass(frozen=True, slots=True)
class ConceptMap:
    """Which elements correspond to which, in two specifications of different families.

    Attributes:
        concepts: In the order of a connection's life.
        old_only: Elements of the old specification that no concept names.
        new_only: The same of the new one.
    """

    old: Side
    new: Side
    concepts: tuple[Concept, ...]
    old_only: tuple[str, ...]
    new_only: tuple[str, ...]

    @property
    def worst(self) -> Level:
        """Return WIRE: peers of different families never understand each other."""
        return Level.WIRE
